"""Orders: ordered is not done; a proposal or a plan (intent) is not called an order, "do not perform" comes first."""

from __future__ import annotations

from core.fhir.render.generic import Renderer
from core.fhir.render.parts import (
    category_line,
    date_line,
    detail_lines,
    full_names,
    lead,
    one_line,
    status,
    when,
)
from core.models import Facts

_INTENTS = {
    "proposal": "Order proposed",
    "plan": "Order planned",
    "option": "Order option",
    "directive": "Directive",
}


def headline(facts: Facts) -> str:
    """ "Order: Chest X-ray on 2021-03-01 (active)": the day it was written, not the day it is for."""
    word = next((_INTENTS[w] for w in facts.statuses if w in _INTENTS), "Order")
    named = one_line(facts.label) if facts.label != facts.resource_type else ""
    return f"{lead(facts)}{word}{f': {named}' if named else ''}{when(facts)}{status(facts)}"


def body(facts: Facts) -> list[str]:
    first = ("priority", "reason", "detail", "body site", "planned", "as needed", "amount")
    return [*detail_lines(facts, first, skip=("intent",)), *category_line(facts), *date_line(facts)]


def concept(facts: Facts) -> str:
    return f"Order: {full_names(facts)}" if facts.names else "Order"


RENDERER = Renderer(headline, body, concept)
