"""Diagnostic reports: the conclusion and the report's own text are shown whole and embedded."""

from __future__ import annotations

from core.fhir.render.document import text_lines
from core.fhir.render.generic import Renderer, headline
from core.fhir.render.parts import category_line, date_line, detail_lines, full_names, one_line
from core.fhir.render.results import value_lines
from core.models import Facts


def body(facts: Facts) -> list[str]:
    """The conclusion and results first, the report's own text last."""
    first = ("conclusion", "conclusionCode", "result")
    found = detail_lines(facts, first, skip=("document",))
    return [*found, *value_lines(facts), *category_line(facts), *date_line(facts), *text_lines(facts)]


def concept(facts: Facts) -> str:
    own = [*(one_line(c) for c in facts.detail("conclusion")), *text_lines(facts)]
    return "\n".join([f"Diagnostic report: {full_names(facts)}", *own])


RENDERER = Renderer(headline, body, concept)
