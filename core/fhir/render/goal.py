"""Goals: the wording of the goal, how far it was achieved, and its targets with their due dates."""

from __future__ import annotations

from core.fhir.render.generic import Renderer, concept, headline
from core.fhir.render.parts import date_line, detail_lines
from core.models import Facts


def body(facts: Facts) -> list[str]:
    return [*detail_lines(facts, first=("achievementStatus", "target", "addresses")), *date_line(facts)]


RENDERER = Renderer(headline, body, concept)
