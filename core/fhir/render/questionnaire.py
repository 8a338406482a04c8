"""Questionnaire responses: each answer with its question; only the questions are part of the concept."""

from __future__ import annotations

from core.fhir.render.generic import Renderer, body, headline
from core.fhir.render.parts import full_names, one_line
from core.models import Facts

_QUESTIONS_NAMED = 12


def concept(facts: Facts) -> str:
    """The questionnaire and its first questions."""
    asked = "; ".join(list(dict.fromkeys(one_line(v.label) for v in facts.values))[:_QUESTIONS_NAMED])
    named = full_names(facts) if facts.names else ""
    return ": ".join(part for part in ("Questionnaire response", named, asked) if part)


RENDERER = Renderer(headline, body, concept)
