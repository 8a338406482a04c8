"""Typed facts of one resource: a void record is marked as such, nothing is inferred, nothing raises.

Answering, verification, charts and rendering all read a resource only through the Facts made here.
Source: FHIR R4 resource definitions; the status and date fields of each type are listed in the tables below.
"""

from __future__ import annotations

from core.fhir import codes, naming, references, values
from core.fhir.dates import dated, parse_date
from core.fhir.details import details
from core.fhir.naming import human_name, patient_name
from core.fhir.read import Json, obj, objects, string, strings
from core.fhir.surroundings import Surroundings
from core.models import Coding, DatedField, Facts, FhirDate, Value

__all__ = ["VERSION", "Surroundings", "coding_of", "facts", "human_name", "patient_name"]

# Raised whenever Facts or rendering change meaning: the next ingest refreshes rows of an older version.
VERSION = 3


# The clinically relevant date first; a Period's start counts as its date. FHIR R4, per type.
_DATE_FIELDS: dict[str, tuple[str, ...]] = {
    "AllergyIntolerance": ("onsetDateTime", "onsetPeriod", "recordedDate", "lastOccurrence"),
    "Appointment": ("start", "created"),
    "CarePlan": ("period", "created"),
    "CareTeam": ("period",),
    "Claim": ("billablePeriod", "created"),
    "Composition": ("date",),
    "Condition": ("onsetDateTime", "onsetPeriod", "recordedDate"),
    "Coverage": ("period",),
    "Device": ("manufactureDate",),
    "DiagnosticReport": ("effectiveDateTime", "effectivePeriod", "issued"),
    "DocumentReference": ("date",),
    "Encounter": ("period",),
    "ExplanationOfBenefit": ("billablePeriod", "created"),
    "FamilyMemberHistory": ("date",),
    "Flag": ("period",),
    "Goal": ("startDate", "statusDate"),
    "ImagingStudy": ("started",),
    "Immunization": ("occurrenceDateTime", "recorded"),
    "MedicationAdministration": ("effectiveDateTime", "effectivePeriod"),
    "MedicationDispense": ("whenHandedOver", "whenPrepared"),
    "MedicationRequest": ("authoredOn",),
    "MedicationStatement": ("effectiveDateTime", "effectivePeriod", "dateAsserted"),
    "Observation": (
        "effectiveDateTime",
        "effectiveInstant",
        "effectivePeriod",
        "effectiveTiming.event",
        "issued",
    ),
    "Patient": ("birthDate",),
    "Procedure": ("performedDateTime", "performedPeriod"),
    "Provenance": ("recorded", "occurredDateTime"),
    "QuestionnaireResponse": ("authored",),
    "ServiceRequest": ("authoredOn", "occurrenceDateTime", "occurrencePeriod"),
    "Specimen": ("collection.collectedDateTime", "collection.collectedPeriod", "receivedTime"),
    "SupplyDelivery": ("occurrenceDateTime", "occurrencePeriod"),
}
# For the types above after their own, and for every other type: any of these fields that holds a date.
_ANY_DATE = (
    *("date", "effectiveDateTime", "effectivePeriod", "occurrenceDateTime", "occurrencePeriod"),
    *("performedDateTime", "performedPeriod", "servicedDate", "servicedPeriod", "recordedDate", "recorded"),
    *("created", "period", "authoredOn", "issued", "started", "sent", "received", "detectedDateTime"),
)
# Every dated field worth stating besides the main one; a Period gives .start and .end.
_OTHER_DATES = (
    *("abatementDateTime", "abatementPeriod", "recordedDate", "issued", "authoredOn", "period"),
    *("expirationDate", "deceasedDateTime", "statusDate", "created", "lastOccurrence", "effectivePeriod"),
    *("performedPeriod", "end"),
)
# Statuses that say the thing did not happen, or has no result yet.
_NOT_DONE_ANYWHERE = ("not-done",)
_NOT_DONE: dict[str, tuple[str, ...]] = {
    "Appointment": ("cancelled", "noshow"),
    "DiagnosticReport": ("cancelled", "registered"),
    "Encounter": ("cancelled", "planned"),
    "MedicationDispense": ("cancelled", "declined", "preparation"),
    "MedicationStatement": ("not-taken",),
    "Observation": ("cancelled", "registered"),
    "Procedure": ("preparation",),
}


def facts(resource: Json, patient_ref: str, around: Surroundings | None = None) -> Facts:
    """Read everything typed that a resource states. Never raises on JSON; unreadable parts are absent."""
    around = around or Surroundings()
    kind = string(resource.get("resourceType"))
    concept = naming.concept(resource, kind, around)
    status, statuses = _status(resource)
    when, when_field = _when(resource, kind)
    name = codes.label(concept)
    label = name if kind == "AllergyIntolerance" else codes.plain(name)
    resource_id = f"{kind}/{string(resource.get('id'))}"
    return Facts(
        resource_id=resource_id,
        resource_type=kind,
        patient_ref=patient_ref,
        concept_key=naming.concept_key(kind, resource, concept, label),
        label=label or naming.fallback_label(resource, kind),
        names=codes.names(concept),
        codings=codes.codings(concept),
        categories=tuple(codes.labels(resource.get("category")) or strings(resource.get("category"))),
        status=status,
        statuses=statuses,
        void_reason=_void_reason(resource),
        not_done=status in (*_NOT_DONE_ANYWHERE, *_NOT_DONE.get(kind, ()))
        or resource.get("doNotPerform") is True,
        date=when,
        date_field=when_field,
        dates=_dates(resource, kind),
        values=_values(resource, kind),
        details=details(resource, kind, around),
        references=references.outbound(resource, around.full_urls),
    )


# --- status -----------------------------------------------------------------------------------------


_STATUS_FIELDS = ("clinicalStatus", "status", "lifecycleStatus", "verificationStatus", "docStatus", "intent")


def _status(resource: Json) -> tuple[str, tuple[str, ...]]:
    """The status to show, and every status word of the resource, FHIR codes as they stand."""
    words = [_status_codes(resource.get(name)) for name in _STATUS_FIELDS]
    shown = next((w[0] for w in words[:3] if w), "")
    return shown, tuple(dict.fromkeys(word for field in words for word in field))


def _status_codes(value: object) -> list[str]:
    """A status code, or every code of a CodeableConcept; its text where it has no code."""
    if isinstance(value, str):
        found = [string(value)]
    else:
        found = [c.code for c in codes.codings(value)]
        found = found if any(found) else [codes.label(value).casefold()]
    return [word for word in found if word]


def _void_reason(resource: Json) -> str:
    _, words = _status(resource)
    for word, reason in (("entered-in-error", "entered in error"), ("refuted", "refuted")):
        if word in words:
            return reason
    if string(resource.get("implicitRules")) or _modified(resource):
        return "carries a modifier this system does not understand, which may change its meaning"
    return ""


def _modified(resource: Json) -> bool:
    """Whether the resource, or any element of it, carries a modifierExtension; none is understood here."""
    stack: list[object] = [resource]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            if node.get("modifierExtension"):
                return True
            stack.extend(v for v in node.values() if isinstance(v, (dict, list)))
        elif isinstance(node, list):
            stack.extend(v for v in node if isinstance(v, (dict, list)))
    return False


# --- dates ------------------------------------------------------------------------------------------


def _when(resource: Json, kind: str) -> tuple[FhirDate | None, str]:
    others = () if kind in _DATE_FIELDS else _other_dates(resource)
    for name in (*_DATE_FIELDS.get(kind, ()), *_ANY_DATE, *others):
        if found := _edges(resource, name):
            return found[0].date, found[0].field
    return None, ""


def _dates(resource: Json, kind: str) -> tuple[DatedField, ...]:
    others = _OTHER_DATES if kind in _DATE_FIELDS else (*_ANY_DATE, *_OTHER_DATES)
    fields = dict.fromkeys((*_DATE_FIELDS.get(kind, ()), *others, *_other_dates(resource)))
    return tuple(d for name in fields for d in _edges(resource, name))


def _other_dates(resource: Json) -> tuple[str, ...]:
    """The fields no table names that hold a date all the same."""
    return tuple(name for name, value in resource.items() if dated(name, value))


def _edges(resource: Json, name: str) -> list[DatedField]:
    """The date at a field, or start and end of the Period there; "collection.collectedPeriod" descends."""
    outer, _, inner = name.partition(".")
    raw = obj(resource.get(outer)).get(inner) if inner else resource.get(outer)
    if isinstance(raw, list):  # Timing.event
        raw = raw[0] if raw else None
    body = obj(raw)
    found = ((name, raw), (f"{name}.start", body.get("start")), (f"{name}.end", body.get("end")))
    return [DatedField(path, date) for path, value in found if (date := parse_date(value))]


# --- values -----------------------------------------------------------------------------------------


def _values(resource: Json, kind: str) -> tuple[Value, ...]:
    """Measured and answered values; a contained Observation's are its parent's, which is what is cited."""
    inside = [
        value
        for i, part in enumerate(objects(resource.get("contained")))
        if part.get("resourceType") == "Observation" and "entered-in-error" not in _status(part)[1]
        for value in values.observed(part, f"contained[{i}].")
    ]
    own = values.observed(resource) if kind == "Observation" else ()
    return (*own, *(values.answered(resource) if kind == "QuestionnaireResponse" else ()), *inside)


def coding_of(found: Facts, system: str) -> Coding | None:
    """The first coding of the resource's concept in one code system."""
    return next((c for c in found.codings if c.system == system), None)
