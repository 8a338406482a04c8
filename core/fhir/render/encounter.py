"""Encounters: the class (ambulatory, emergency, inpatient) is part of the name of every visit."""

from __future__ import annotations

from core.fhir.render.generic import Renderer
from core.fhir.render.parts import date_line, detail_lines, full_names, lead, one_line, status, when
from core.models import Facts


def _kind(facts: Facts) -> str:
    setting = next(iter(facts.detail("class")), "")
    return f"Encounter ({setting})" if setting else "Encounter"


def headline(facts: Facts) -> str:
    return f"{lead(facts)}{_kind(facts)}: {one_line(facts.label)}{when(facts)}{status(facts)}"


def body(facts: Facts) -> list[str]:
    first = ("reason", "diagnosis", "provider", "discharge")
    return [*detail_lines(facts, first, skip=("class",)), *date_line(facts)]


def concept(facts: Facts) -> str:
    return f"{_kind(facts)}: {full_names(facts)}"


RENDERER = Renderer(headline, body, concept)
