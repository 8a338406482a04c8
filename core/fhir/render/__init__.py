"""The words for one resource: a void or undone thing says so first, no recorded value is dropped.

Three texts, all pure functions of the Facts: `headline` (one line), `shown_text` (the card that is cited and
full-text indexed) and `embedded_text` (the concept alone, equal for every repeat of it). Every type has
a renderer: hand-written where that reads better, the generic one otherwise.
"""

from __future__ import annotations

from core.fhir.read import Json, obj
from core.fhir.render import (
    allergy,
    appointment,
    care_plan,
    care_team,
    clinical_impression,
    condition,
    coverage,
    device,
    diagnostic_report,
    document,
    encounter,
    family_history,
    flag,
    goal,
    imaging,
    immunization,
    medication,
    observation,
    patient,
    procedure,
    product,
    questionnaire,
    service_request,
    specimen,
)
from core.fhir.render.generic import GENERIC, Renderer
from core.fhir.render.parts import code_line, narrative
from core.models import Facts

_RENDERERS: dict[str, Renderer] = {
    "AllergyIntolerance": allergy.RENDERER,
    "Appointment": appointment.RENDERER,
    "Binary": document.RENDERER,
    "CarePlan": care_plan.RENDERER,
    "CareTeam": care_team.RENDERER,
    "ClinicalImpression": clinical_impression.RENDERER,
    "Composition": document.RENDERER,
    "Condition": condition.RENDERER,
    "Coverage": coverage.RENDERER,
    "Device": device.RENDERER,
    "DiagnosticReport": diagnostic_report.RENDERER,
    "DocumentReference": document.RENDERER,
    "Encounter": encounter.RENDERER,
    "FamilyMemberHistory": family_history.RENDERER,
    "Flag": flag.RENDERER,
    "Goal": goal.RENDERER,
    "ImagingStudy": imaging.RENDERER,
    "Immunization": immunization.RENDERER,
    "Medication": product.RENDERER,
    "MedicationAdministration": medication.RENDERER,
    "MedicationDispense": medication.RENDERER,
    "MedicationRequest": medication.RENDERER,
    "MedicationStatement": medication.RENDERER,
    "Observation": observation.RENDERER,
    "Patient": patient.RENDERER,
    "Procedure": procedure.RENDERER,
    "QuestionnaireResponse": questionnaire.RENDERER,
    "ServiceRequest": service_request.RENDERER,
    "Specimen": specimen.RENDERER,
}
HAND_WRITTEN = frozenset(_RENDERERS)


def _renderer(facts: Facts) -> Renderer:
    return _RENDERERS.get(facts.resource_type, GENERIC)


def headline(facts: Facts) -> str:
    """One line: name, value, date and status, as in "Glucose: 98 mg/dL on 2024-03-01 (final)"."""
    return _renderer(facts).headline(facts)


def shown_text(facts: Facts, resource: Json) -> str:
    """The text of a resource's card: the headline, then one line per kind of detail, codes last.

    The sanitised narrative (`text.div`) stands in only where the fields say nothing; it is marked as such.
    """
    lines = [headline(facts), *_renderer(facts).body(facts)]
    if len(lines) == 1 and not facts.names and (told := narrative(obj(resource.get("text")))):
        lines.append(f"Narrative (not verified): {told}")
    if codes := code_line(facts):
        lines.append(codes)
    return "\n".join(dict.fromkeys(line for line in lines if line))


def embedded_text(facts: Facts) -> str:
    """What the resource is about, without dates, ids, status and values; a note embeds its own text."""
    return _renderer(facts).concept(facts)
