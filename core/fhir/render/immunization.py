"""Immunizations: a vaccine that was not given says so first, with its reason."""

from __future__ import annotations

from core.fhir.render.generic import Renderer, concept, headline
from core.fhir.render.parts import date_line, detail_lines
from core.models import Facts


def body(facts: Facts) -> list[str]:
    return [
        *detail_lines(facts, first=("status reason", "reason", "dose number", "site", "route", "lot")),
        *date_line(facts),
    ]


RENDERER = Renderer(headline, body, concept)
