"""Flags: a warning about the patient, since when, and whether it still holds."""

from __future__ import annotations

from core.fhir.render.generic import Renderer
from core.fhir.render.parts import date_line, detail_lines, full_names, lead, one_line, spaced, status, when
from core.models import Facts


def _kind(facts: Facts) -> str:
    category = ", ".join(spaced(one_line(c)).lower() for c in facts.categories)
    return f"Flag ({category})" if category else "Flag"


def headline(facts: Facts) -> str:
    """ "Flag (safety): Fall risk since 2021-01-02 (active)"."""
    return f"{lead(facts)}{_kind(facts)}: {one_line(facts.label)}{when(facts)}{status(facts)}"


def body(facts: Facts) -> list[str]:
    return [*detail_lines(facts), *date_line(facts)]


def concept(facts: Facts) -> str:
    return f"{_kind(facts)}: {full_names(facts)}"


RENDERER = Renderer(headline, body, concept)
