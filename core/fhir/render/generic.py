"""The rendering of every type that needs no words of its own, and the defaults of those that do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

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
from core.fhir.render.results import value_lines
from core.fhir.types import spoken
from core.models import Facts


def headline(facts: Facts) -> str:
    """ "Care team: Diabetes team on 2020-01-01 (active)"; the type alone where nothing names the resource."""
    kind = spoken(facts.resource_type)
    named = one_line(facts.label) if facts.label != facts.resource_type else ""
    return f"{lead(facts)}{kind}{f': {named}' if named else ''}{when(facts)}{status(facts)}"


def body(facts: Facts) -> list[str]:
    """Values, then every detail and the category, then the dates the headline does not give."""
    return [*value_lines(facts), *detail_lines(facts), *category_line(facts), *date_line(facts)]


def concept(facts: Facts) -> str:
    """ "Care team: Diabetes team": the reader's word for the type and every name of the thing."""
    named = full_names(facts)
    kind = spoken(facts.resource_type)
    return f"{kind}: {named}" if named and named != facts.resource_type else kind


@dataclass(frozen=True)
class Renderer:
    """How one resource type is put into words; each part defaults to the generic one."""

    headline: Callable[[Facts], str] = headline
    body: Callable[[Facts], list[str]] = body
    concept: Callable[[Facts], str] = concept


GENERIC = Renderer()
