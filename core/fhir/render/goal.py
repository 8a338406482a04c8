"""Goals: the wording of the goal, how far it was achieved, and its targets with their due dates."""

from __future__ import annotations

from core.fhir.render.generic import Renderer, concept
from core.fhir.render.parts import category_line, date_line, detail_lines, lead, on, one_line, spaced
from core.models import Facts


def headline(facts: Facts) -> str:
    """ "Goal: Walk 30 minutes a day (active, started on 2024-03-01)"."""
    said = ["" if facts.void else spaced(facts.status), f"started{on(facts.date)}" if facts.date else ""]
    told = ", ".join(part for part in said if part)
    return f"{lead(facts)}Goal: {one_line(facts.label)}{f' ({told})' if told else ''}"


def body(facts: Facts) -> list[str]:
    """How far it was achieved and its targets first."""
    first = ("achievementStatus", "target", "addresses")
    return [*detail_lines(facts, first), *category_line(facts), *date_line(facts, said=headline(facts))]


RENDERER = Renderer(headline, body, concept)
