"""Specimens: what was taken, when and from where, and what is wrong with it."""

from __future__ import annotations

from core.fhir.render.generic import Renderer
from core.fhir.render.parts import date_line, detail_lines, lead, on, one_line, status
from core.models import Facts


def headline(facts: Facts) -> str:
    """ "Specimen: Venous blood, collected on 2021-03-14 (available)"."""
    named = f": {one_line(facts.label)}" if facts.names else ""
    taken = facts.dated("collection.collectedDateTime", "collection.collectedPeriod.start")
    arrived = facts.dated("receivedTime")
    date = f", collected{on(taken)}" if taken else f", received{on(arrived)}" if arrived else ""
    return f"{lead(facts)}Specimen{named}{date}{status(facts)}"


def body(facts: Facts) -> list[str]:
    first = ("condition", "body site", "method", "amount", "fasting", "collected by")
    return [*detail_lines(facts, first), *date_line(facts, said=headline(facts))]


RENDERER = Renderer(headline, body)
