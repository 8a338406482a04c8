"""Which FHIR version a resource was written in: another one than R4 is named, never read as R4 in silence.

Sources: the "R4 diff" of each resource page of FHIR R5, and the "R3 diff" of R4. An element that R4 does not have, or has
in another shape, tells the version; a resource without one is taken as R4.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.fhir.read import Json, obj, objects, string
from core.fhir.types import RESOURCE_TYPES

DSTU2, STU3, R4B, R5 = "DSTU2", "STU3", "R4B", "R5"

# Resource types that R4 does not have, by the version that has them.
_NAMES: Mapping[str, str] = {
    DSTU2: """
        Conformance DiagnosticOrder DeviceUseRequest ImagingObjectSelection MedicationOrder Order OrderResponse
    """,
    STU3: """
        BodySite DataElement DeviceComponent EligibilityRequest EligibilityResponse ExpansionProfile
        ImagingManifest ProcedureRequest ProcessRequest ProcessResponse ReferralRequest Sequence
        ServiceDefinition
    """,
    R4B: """
        AdministrableProductDefinition Citation ClinicalUseDefinition EvidenceReport Ingredient
        ManufacturedItemDefinition MedicinalProductDefinition NutritionProduct PackagedProductDefinition
        RegulatedAuthorization SubscriptionStatus SubscriptionTopic SubstanceDefinition
    """,
    R5: """
        ActorDefinition ArtifactAssessment BiologicallyDerivedProductDispense ConditionDefinition
        DeviceAssociation DeviceDispense DeviceUsage EncounterHistory FormularyItem GenomicStudy
        ImagingSelection InventoryItem InventoryReport MedicationUsage NutritionIntake Permission
        RequestOrchestration Requirements TestPlan Transport
    """,
}
_TYPES = {name: version for version, names in _NAMES.items() for name in names.split()}
# Elements of a type that only another version has.
_ELEMENTS: Mapping[str, Mapping[str, str]] = {
    "AllergyIntolerance": {"assertedDate": STU3},
    "CarePlan": {"definition": STU3},
    "Condition": {"assertedDate": STU3, "dateRecorded": DSTU2, "participant": R5},
    "DiagnosticReport": {"codedDiagnosis": STU3, "image": STU3},
    "DocumentReference": {"indexed": STU3},
    "Encounter": {
        "indication": DSTU2,
        "actualPeriod": R5,
        "subjectStatus": R5,
        "plannedStartDate": R5,
        "admission": R5,
    },
    "Immunization": {
        "notGiven": STU3,
        "wasNotGiven": DSTU2,
        "vaccinationProtocol": STU3,
        "informationSource": R5,
    },
    "MedicationAdministration": {
        "notGiven": STU3,
        "wasNotGiven": DSTU2,
        "occurenceDateTime": R5,
        "occurencePeriod": R5,
    },
    "MedicationDispense": {"notDone": STU3},
    "MedicationStatement": {"taken": STU3, "wasNotTaken": DSTU2, "adherence": R5},
    "Observation": {"comment": STU3, "comments": DSTU2, "triggeredBy": R5},
    "Procedure": {"notDone": STU3, "notPerformed": DSTU2, "occurrenceDateTime": R5, "occurrencePeriod": R5},
    "QuestionnaireResponse": {"parent": STU3},
}
# Elements that R5 made a CodeableReference ({"concept"} or {"reference": {…}}) and R4 does not have.
_CODEABLE_REFERENCES = ("medication", "reason", "bodyStructure", "addresses")


def foreign_version(resource: Json) -> str:
    """ "DSTU2", "STU3", "R4B" or "R5" where a resource shows that it is not FHIR R4, else ""."""
    kind = string(resource.get("resourceType"))
    if kind in _TYPES and kind not in RESOURCE_TYPES:
        return _TYPES[kind]
    told = next((version for field, version in _ELEMENTS.get(kind, {}).items() if field in resource), "")
    return told or _by_shape(resource, kind)


def _by_shape(resource: Json, kind: str) -> str:
    if kind == "Encounter" and isinstance(resource.get("class"), list):
        return R5
    if kind == "Encounter" and isinstance(resource.get("class"), str):
        return DSTU2
    if kind in ("Condition", "AllergyIntolerance") and isinstance(resource.get("clinicalStatus"), str):
        return STU3
    if kind == "AllergyIntolerance" and isinstance(resource.get("type"), dict):
        return R5
    if kind == "MedicationRequest" and obj(resource.get("requester")).get("agent"):
        return STU3
    for field in _CODEABLE_REFERENCES:
        for body in objects(resource.get(field)):
            if isinstance(body.get("concept"), dict) or isinstance(body.get("reference"), dict):
                return R5
    return ""
