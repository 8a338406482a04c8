"""Medications as products: what is in it, how strong and of which batch; never worded as taken or prescribed."""

from __future__ import annotations

from core.fhir.render.generic import Renderer, headline
from core.fhir.render.parts import date_line, detail_lines, full_names, one_line
from core.models import Facts


def body(facts: Facts) -> list[str]:
    return [*detail_lines(facts, first=("ingredient", "form", "amount", "lot")), *date_line(facts)]


def concept(facts: Facts) -> str:
    """The product and its ingredients without their strengths."""
    parts = dict.fromkeys(one_line(i).split(" (", 1)[0] for i in facts.detail("ingredient"))
    named = full_names(facts)
    more = "; ".join(p for p in parts if p.casefold() not in named.casefold())
    return f"Medication: {named}{f' ({more})' if more else ''}"


RENDERER = Renderer(headline, body, concept)
