"""Which fields of a resource are dates, and which is the clinically relevant one: each with its field and precision.

Source: FHIR R4 resource definitions. A date that no table names is found by its shape and kept all the same.
"""

from __future__ import annotations

from core.fhir.dates import dated, parse_date
from core.fhir.read import Json, obj, string
from core.fhir.readers import READERS
from core.models import DatedField, FhirDate

# The clinically relevant date first; a Period's start counts as its date. FHIR R4, per type, and the names R5 gives them.
_DATE_FIELDS: dict[str, tuple[str, ...]] = {
    "AdverseEvent": ("date", "detected", "recordedDate"),
    "AllergyIntolerance": ("onsetDateTime", "onsetPeriod", "recordedDate", "lastOccurrence"),
    "Appointment": ("start", "requestedPeriod", "created"),
    "CarePlan": ("period", "created"),
    "CareTeam": ("period",),
    "Claim": ("billablePeriod", "created"),
    "ClinicalImpression": ("effectiveDateTime", "effectivePeriod", "date"),
    "Communication": ("sent", "received"),
    "Composition": ("date",),
    "Condition": ("onsetDateTime", "onsetPeriod", "recordedDate", "assertedDate"),
    "Consent": ("dateTime",),
    "Coverage": ("period",),
    "DetectedIssue": ("identifiedDateTime", "identifiedPeriod"),
    "Device": ("manufactureDate",),
    "DeviceUseStatement": ("timingDateTime", "timingPeriod", "timingTiming.event", "recordedOn"),
    "DiagnosticReport": ("effectiveDateTime", "effectivePeriod", "issued"),
    "DocumentReference": ("date", "context.period", "indexed"),
    "Encounter": ("period", "actualPeriod", "plannedStartDate"),
    "EpisodeOfCare": ("period",),
    "ExplanationOfBenefit": ("billablePeriod", "created"),
    "FamilyMemberHistory": ("date",),
    "Flag": ("period",),
    "Goal": ("startDate", "statusDate"),
    "ImagingStudy": ("started",),
    "Immunization": ("occurrenceDateTime", "recorded"),
    "MedicationAdministration": (
        "effectiveDateTime",
        "effectivePeriod",
        "occurenceDateTime",
        "occurencePeriod",
    ),
    "MedicationDispense": ("whenHandedOver", "whenPrepared"),
    "MedicationRequest": ("authoredOn",),
    "MedicationStatement": ("effectiveDateTime", "effectivePeriod", "dateAsserted"),
    "NutritionOrder": ("dateTime",),
    "Observation": (
        "effectiveDateTime",
        "effectiveInstant",
        "effectivePeriod",
        "effectiveTiming.event",
        "issued",
    ),
    "Patient": ("birthDate",),
    "Procedure": ("performedDateTime", "performedPeriod", "occurrenceDateTime", "occurrencePeriod"),
    "Provenance": ("recorded", "occurredDateTime"),
    "QuestionnaireResponse": ("authored",),
    "ServiceRequest": ("authoredOn", "occurrenceDateTime", "occurrencePeriod", "occurrenceTiming.event"),
    "Specimen": ("collection.collectedDateTime", "collection.collectedPeriod", "receivedTime"),
    "SupplyDelivery": ("occurrenceDateTime", "occurrencePeriod"),
    "VisionPrescription": ("dateWritten", "created"),
}
# For the types above after their own, and for every other type: any of these fields that holds a date.
_ANY_DATE = (
    *("date", "effectiveDateTime", "effectivePeriod", "occurrenceDateTime", "occurrencePeriod"),
    *("performedDateTime", "performedPeriod", "servicedDate", "servicedPeriod", "recordedDate", "recorded"),
    *("created", "period", "authoredOn", "issued", "started", "sent", "received", "detectedDateTime"),
)
_DOSED = ("dosageInstruction.timing.event", "dosageInstruction.timing.repeat.boundsPeriod")
# Dates inside the elements of a type that a reader is shown beside the main ones.
_INNER_DATES: dict[str, tuple[str, ...]] = {
    "AllergyIntolerance": ("reaction.onset",),
    "CarePlan": ("activity.detail.scheduledPeriod",),
    "CareTeam": ("participant.period",),
    "Composition": ("attester.time", "event.period"),
    "Encounter": ("location.period",),
    "Goal": ("target.dueDate",),
    "ImagingStudy": ("series.started",),
    "Immunization": ("reaction.date", "education.publicationDate"),
    "Medication": ("batch.expirationDate",),
    "MedicationDispense": _DOSED,
    "MedicationRequest": ("dispenseRequest.validityPeriod", *_DOSED),
    "Specimen": ("processing.timeDateTime", "processing.timePeriod"),
}


def when(resource: Json, kind: str) -> tuple[FhirDate | None, str]:
    """The clinically relevant date and the field it was read from; (None, "") where there is none."""
    others = () if kind in _DATE_FIELDS else [f for f in _other_dates(resource) if f != "birthDate"]
    for name in (*_DATE_FIELDS.get(kind, ()), *_ANY_DATE, *others):
        if found := _edges(resource, name):
            return found[0].date, found[0].field
    return None, ""


def dates(resource: Json, kind: str) -> tuple[DatedField, ...]:
    """Every dated field: the type's own first, then any other that holds a date, then those within its elements."""
    fields = dict.fromkeys(
        (*_DATE_FIELDS.get(kind, ()), *_ANY_DATE, *_other_dates(resource), *_INNER_DATES.get(kind, ()))
    )
    found = [d for name in fields for d in _edges(resource, name)]
    return tuple(dict.fromkeys([*found, *(() if kind in READERS else _deep(resource))]))


def _other_dates(resource: Json) -> tuple[str, ...]:
    """The fields no table names that hold a date or a Period all the same."""
    return tuple(name for name, value in resource.items() if dated(name, value))


def _edges(resource: Json, name: str) -> list[DatedField]:
    """The date at a field, or start and end of the Period there; "target.dueDate" descends, into lists too."""
    places: list[tuple[str, object]] = [("", resource)]
    for step in name.split("."):
        places = [
            (f"{path}.{step}".lstrip(".") + (f"[{i}]" if isinstance(value, list) else ""), item)
            for path, body in places
            for value in [obj(body).get(step)]
            for i, item in enumerate(value if isinstance(value, list) else [value])
        ]
    found = []
    for path, raw in places:
        body = obj(raw)
        edges = ((path, raw), (f"{path}.start", body.get("start")), (f"{path}.end", body.get("end")))
        found += [DatedField(at, date) for at, value in edges if (date := parse_date(value))]
    return found


def _deep(resource: Json) -> list[DatedField]:
    """The dates within the elements of a type that has no reader of its own, at the fields they stand in."""
    found: list[DatedField] = []
    stack: list[tuple[str, object]] = [(k, v) for k, v in resource.items() if k not in _NOT_WALKED]
    while stack and len(found) < _AT_MOST:
        path, value = stack.pop(0)
        if isinstance(value, list):
            stack.extend((f"{path}[{i}]", v) for i, v in enumerate(value))
        elif isinstance(value, dict):
            stack.extend((f"{path}.{k}", v) for k, v in value.items() if k not in _NOT_WALKED)
        elif "." in path and len(string(value)) >= _A_DAY and (date := parse_date(value)):
            found.append(DatedField(path, date))
    return found


_NOT_WALKED = frozenset({"contained", "extension", "modifierExtension", "meta", "text", "identifier"})
_A_DAY = len("2021-03-14")
_AT_MOST = 50
