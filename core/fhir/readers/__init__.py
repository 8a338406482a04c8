"""What each resource type says in its own way: one reader per type, and the fields it has dealt with.

Source: FHIR R4 resource definitions. A reader adds details to its Source; the walk reads the other fields.
"""

from __future__ import annotations

from collections.abc import Callable

from core.fhir.readers import conditions, documents, medications, paperwork, people, plans, procedures, visits
from core.fhir.readers.wording import MOMENTS
from core.fhir.source import Source

Reader = Callable[[Source], None]


def _nothing(source: Source) -> None:
    """All of it is in Facts.values."""


_VALUES = (
    *(f"value{x}" for x in ("Quantity", "CodeableConcept", "String", "Boolean", "Integer", "Range", "Ratio")),
    *(f"value{x}" for x in ("SampledData", "Time", "DateTime", "Period", "Attachment")),
    *("effectivePeriod", "hasMember", "effectiveTiming"),
)
# type -> its reader, and the fields that need no generic reading after it.
READERS: dict[str, tuple[Reader, tuple[str, ...]]] = {
    "AllergyIntolerance": (conditions.allergy, ("reaction", "type", *MOMENTS)),
    "Appointment": (visits.appointment, visits.APPOINTMENT_READ),
    "Binary": (documents.binary, ("contentType", "data", "securityContext")),
    "CarePlan": (plans.care_plan, ("activity", "goal", "careTeam")),
    "CareTeam": (plans.care_team, ("participant", "managingOrganization")),
    "Claim": (paperwork.claim, paperwork.CLAIM_READ),
    "ClinicalImpression": (
        conditions.impression,
        (
            *("summary", "finding", "problem", "investigation", "prognosisCodeableConcept"),
            *("prognosisReference", "protocol"),
        ),
    ),
    "Composition": (documents.composition, ("section", "author", "attester", "event", "confidentiality")),
    "Condition": (conditions.condition, ("stage", "evidence", *MOMENTS)),
    "Coverage": (paperwork.coverage, paperwork.COVERAGE_READ),
    "Device": (procedures.device, procedures.DEVICE_READ),
    "DiagnosticReport": (documents.diagnostic_report, ("media", "presentedForm", "result")),
    "DocumentReference": (documents.document, ("content", "author", "relatesTo", "context")),
    "Encounter": (visits.encounter, visits.ENCOUNTER_READ),
    "ExplanationOfBenefit": (paperwork.claim, (*paperwork.CLAIM_READ, "payment")),
    "FamilyMemberHistory": (
        conditions.family,
        (
            *("condition", "relationship", "name", "ageAge", "ageRange", "ageString"),
            *("deceasedBoolean", "deceasedAge", "deceasedRange", "deceasedString"),
        ),
    ),
    "Goal": (plans.goal, ("target", "statusReason")),
    "ImagingStudy": (procedures.imaging, procedures.IMAGING_READ),
    "Immunization": (procedures.immunization, procedures.IMMUNIZATION_READ),
    "Medication": (medications.medication, medications.MEDICATION_READ),
    "MedicationAdministration": (medications.drug, medications.DRUG_READ),
    "MedicationDispense": (medications.drug, medications.DISPENSE_READ),
    "MedicationRequest": (medications.drug, medications.DRUG_READ),
    "MedicationStatement": (medications.drug, medications.DRUG_READ),
    "Observation": (
        _nothing,
        ("component", "referenceRange", "interpretation", "dataAbsentReason", *_VALUES),
    ),
    "Patient": (people.patient, people.PATIENT_READ),
    "PractitionerRole": (people.practitioner_role, ("practitioner", "specialty")),
    "Procedure": (procedures.procedure, (*procedures.PROCEDURE_READ, *MOMENTS)),
    "Provenance": (paperwork.provenance, ("agent", "target", "entity")),
    "QuestionnaireResponse": (documents.questionnaire, ("item", "questionnaire")),
    "ServiceRequest": (plans.service_request, plans.SERVICE_REQUEST_READ),
    "Specimen": (procedures.specimen, procedures.SPECIMEN_READ),
}
