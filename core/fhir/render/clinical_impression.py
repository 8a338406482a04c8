"""Clinical impressions: the clinician's own summary first and whole; a finding keeps what it rests on."""

from __future__ import annotations

from core.fhir.render.generic import Renderer, headline
from core.fhir.render.parts import date_line, detail_lines, full_names, one_line
from core.models import Facts


def body(facts: Facts) -> list[str]:
    first = ("summary", "finding", "problem", "prognosis", "investigation")
    return [*detail_lines(facts, first), *date_line(facts)]


def concept(facts: Facts) -> str:
    """The impression embeds its summary, like a note, and the findings it came to."""
    named = full_names(facts) if facts.names else ""
    findings = "; ".join(dict.fromkeys(one_line(f).rsplit(" (", 1)[0] for f in facts.detail("finding")))
    first = ": ".join(part for part in ("Clinical impression", named, findings) if part)
    return "\n".join([first, *(one_line(s) for s in facts.detail("summary"))])


RENDERER = Renderer(headline, body, concept)
