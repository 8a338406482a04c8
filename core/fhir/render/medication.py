"""Medications: prescribed, reported, given and dispensed are different things and never share a word.

"Do not give" and "not taken" come first; a proposal or a plan (intent) is not called a prescription.
"""

from __future__ import annotations

from core.fhir.render.generic import Renderer, body
from core.fhir.render.parts import full_names, lead, one_line, status, when
from core.fhir.types import spoken
from core.models import Facts

_INTENTS = {"proposal": "Medication proposed", "plan": "Medication planned", "option": "Medication option"}

_REFUSED = {
    "MedicationDispense": "Not dispensed",
    "MedicationRequest": "Do not give",
    "MedicationStatement": "Not taken",
}


def headline(facts: Facts) -> str:
    return f"{_opening(facts)}{one_line(facts.label)}{when(facts)}{status(facts)}"


def _opening(facts: Facts) -> str:
    word = next((_INTENTS[w] for w in facts.statuses if w in _INTENTS), spoken(facts.resource_type))
    if not facts.void and facts.not_done:
        return f"{_REFUSED.get(facts.resource_type, 'Not given')}: "
    return f"{lead(facts)}{word}: "


def concept(facts: Facts) -> str:
    prohibited = facts.resource_type == "MedicationRequest" and facts.not_done
    return (
        f"{'Medication not to be given' if prohibited else spoken(facts.resource_type)}: {full_names(facts)}"
    )


RENDERER = Renderer(headline, body, concept)
