"""Procedures: one that was not done says so first, with its reason."""

from __future__ import annotations

from core.fhir.render.generic import Renderer, concept, headline
from core.fhir.render.parts import category_line, date_line, detail_lines
from core.models import Facts


def body(facts: Facts) -> list[str]:
    first = ("status reason", "reason", "body site", "outcome", "complication")
    return [*detail_lines(facts, first), *category_line(facts), *date_line(facts)]


RENDERER = Renderer(headline, body, concept)
