"""Care teams: who is in it and as what; a member who left says until when."""

from __future__ import annotations

from core.fhir.render.generic import Renderer, headline
from core.fhir.render.parts import category_line, date_line, detail_lines
from core.models import Facts


def body(facts: Facts) -> list[str]:
    first = ("member", "reason", "organization")
    return [*detail_lines(facts, first), *category_line(facts), *date_line(facts)]


RENDERER = Renderer(headline, body)
