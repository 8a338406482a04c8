"""Appointments: planned is not kept; cancelled and not attended come first, with the reason."""

from __future__ import annotations

from core.fhir.render.generic import Renderer
from core.fhir.render.parts import (
    category_line,
    date_line,
    detail_lines,
    full_names,
    lead,
    on,
    one_line,
    status,
)
from core.models import Facts, Precision


def headline(facts: Facts) -> str:
    """ "Appointment: Cardiology follow-up on 2021-06-07 at 09:00 (booked)", the clock of its own offset."""
    named = f": {one_line(facts.label)}" if facts.names else ""
    start = facts.dated("start")
    at = f" at {start.text[11:16]}" if start and start.precision is Precision.TIME else ""
    asked = facts.dated("requestedPeriod[0].start") if not start else None
    when = f"{on(start)}{at}" if start else f", asked for from {asked.shown}" if asked else ""
    return f"{lead(facts)}Appointment{named}{when}{status(facts)}"


def body(facts: Facts) -> list[str]:
    first = ("cancelled because", "reason", "description", "with", "patient", "length", "comment")
    return [*detail_lines(facts, first), *category_line(facts), *date_line(facts, said=headline(facts))]


def concept(facts: Facts) -> str:
    named = full_names(facts) if facts.names else ""
    about = "; ".join(
        dict.fromkeys(one_line(t) for t in (*facts.detail("reason"), *facts.detail("description")))
    )
    return ": ".join(part for part in ("Appointment", named, about) if part)


RENDERER = Renderer(headline, body, concept)
