"""Imaging studies: what was imaged and how, from the procedure or, without one, from the series."""

from __future__ import annotations

from core.fhir.render.generic import Renderer, body, headline
from core.fhir.render.parts import full_names, one_line
from core.models import Facts


def concept(facts: Facts) -> str:
    series = dict.fromkeys(one_line(t) for kind in ("modality", "body site") for t in facts.detail(kind))
    named = full_names(facts)
    more = "; ".join(s for s in series if s not in named)
    return f"Imaging study: {named}{f' ({more})' if more else ''}"


RENDERER = Renderer(headline, body, concept)
