"""Family history: the relative comes before the condition, so that it is never read as the patient's own."""

from __future__ import annotations

from core.fhir.render.generic import Renderer
from core.fhir.render.parts import date_line, detail_lines, lead, one_line, status, when
from core.models import Facts


def _relative(facts: Facts) -> str:
    return one_line(facts.label) if facts.names else "relative"


def headline(facts: Facts) -> str:
    """ "Family history: mother: Breast cancer (onset at age 50 years)"."""
    conditions = "; ".join(one_line(c) for c in facts.detail("condition")) or "no condition recorded"
    return f"{lead(facts)}Family history: {_relative(facts)}: {conditions}{when(facts)}{status(facts)}"


def body(facts: Facts) -> list[str]:
    """What else is known of the relative; the conditions are in the headline."""
    return [*detail_lines(facts, skip=("condition",)), *date_line(facts)]


def concept(facts: Facts) -> str:
    """The relative and the conditions; their onset and outcome (in parentheses) vary."""
    conditions = "; ".join(dict.fromkeys(one_line(c).rsplit(" (", 1)[0] for c in facts.detail("condition")))
    return ": ".join(part for part in ("Family history", _relative(facts), conditions) if part)


RENDERER = Renderer(headline, body, concept)
