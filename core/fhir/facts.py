"""Typed facts of one resource: a void record is marked before anything else is read, nothing is inferred, nothing raises.

Answering, verification, charts and rendering all read a resource only through the Facts made here.
Source: FHIR R4 resource definitions; the status and date fields of each type are listed in the tables below.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from core.fhir import codes, references, values
from core.fhir.dates import parse_date
from core.fhir.quantities import quantity, shown_quantity
from core.fhir.read import Json, obj, objects, string, strings
from core.models import Coding, DatedField, Detail, FhirDate, Facts, Value

# Raised whenever Facts or rendering change meaning: stored rows of an older version are refreshed by the next ingest.
VERSION = 1


@dataclass(frozen=True)
class Surroundings:
    """What a resource's bundle (and the database) knows that the resource itself does not say.

    `full_urls`: entry.fullUrl -> "Type/id". `labels`: "Type/id" -> name of that resource.
    `medications`: "Medication/id" -> the Medication resource.
    """

    full_urls: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    medications: Mapping[str, Json] = field(default_factory=dict)


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
    "Observation": ("effectiveDateTime", "effectiveInstant", "effectivePeriod", "issued"),
    "Patient": ("birthDate",),
    "Procedure": ("performedDateTime", "performedPeriod"),
    "Provenance": ("recorded", "occurredDateTime"),
    "QuestionnaireResponse": ("authored",),
    "ServiceRequest": ("authoredOn", "occurrenceDateTime", "occurrencePeriod"),
    "Specimen": ("receivedTime",),
    "SupplyDelivery": ("occurrenceDateTime", "occurrencePeriod"),
}
# Every dated field worth stating besides the main one; a Period gives .start and .end.
_OTHER_DATES = (
    *("abatementDateTime", "abatementPeriod", "recordedDate", "issued", "authoredOn", "period", "expirationDate"),
    *("deceasedDateTime", "statusDate", "created", "lastOccurrence", "effectivePeriod", "performedPeriod"),
)
# What the resource is about: the first of these fields that names anything.
_ABOUT: dict[str, tuple[str, ...]] = {
    "CarePlan": ("title", "category", "description"),
    "CareTeam": ("name", "category"),
    "Claim": ("type",),
    "Composition": ("title", "type"),
    "Coverage": ("type",),
    "Device": ("type", "deviceName", "modelNumber", "distinctIdentifier"),
    "DocumentReference": ("type", "description"),
    "Encounter": ("type", "serviceType", "class"),
    "FamilyMemberHistory": ("relationship",),
    "Goal": ("description",),
    "ImagingStudy": ("procedureCode", "description"),
    "Immunization": ("vaccineCode",),
    "SupplyDelivery": ("suppliedItem",),
}
_ABOUT_ANY = ("code", "type", "vaccineCode", "category", "name", "title", "description", "serviceType")
_GENERIC_CATEGORIES = {"assess-plan"}  # US Core marks every CarePlan with it; it names nothing.
# Statuses that say the thing did not happen, or has no result yet.
_NOT_DONE: dict[str, tuple[str, ...]] = {
    "Immunization": ("not-done",),
    "MedicationAdministration": ("not-done",),
    "MedicationStatement": ("not-taken",),
    "Observation": ("cancelled", "registered"),
    "Procedure": ("not-done", "preparation"),
}


def facts(resource: Json, patient_ref: str, around: Surroundings | None = None) -> Facts:
    """Read everything typed that a resource states. Never raises on a JSON object; unreadable parts are absent."""
    around = around or Surroundings()
    kind = string(resource.get("resourceType"))
    concept = _concept(resource, kind, around)
    status, statuses = _status(resource)
    when, when_field = _when(resource, kind)
    name = codes.label(concept)
    label = name if kind == "AllergyIntolerance" else codes.plain(name)
    resource_id = f"{kind}/{string(resource.get('id'))}"
    return Facts(
        resource_id=resource_id,
        resource_type=kind,
        patient_ref=patient_ref,
        concept_key=_concept_key(kind, resource, concept, label),
        label=label or _fallback_label(resource, kind),
        names=codes.names(concept),
        codings=codes.codings(concept),
        categories=tuple(codes.labels(resource.get("category")) or strings(resource.get("category"))),
        status=status,
        statuses=statuses,
        void_reason=_void_reason(resource),
        not_done=status in _NOT_DONE.get(kind, ()) or resource.get("doNotPerform") is True,
        date=when,
        date_field=when_field,
        dates=_dates(resource, kind),
        values=_values(resource, kind),
        details=tuple(_details(resource, kind, around)),
        references=references.outbound(resource, around.full_urls),
    )


# --- what it is about -------------------------------------------------------------------------------


def _concept(resource: Json, kind: str, around: Surroundings) -> Json:
    """The CodeableConcept that names the resource; plain text fields are lifted into {"text": …}."""
    if "medicationCodeableConcept" in resource or "medicationReference" in resource:
        return _medication(resource, around)
    if kind == "Patient":
        return {"text": patient_name(resource)}
    for name in (*_ABOUT.get(kind, ()), *_ABOUT_ANY):
        for candidate in _candidates(resource.get(name)):
            found = codes.codings(candidate)
            if codes.label(candidate) and not any(c.code in _GENERIC_CATEGORIES for c in found):
                return candidate
    return {}


def _candidates(value: object) -> list[Json]:
    if isinstance(value, str):
        return [{"text": string(value)}]
    found: list[Json] = []
    for item in objects(value):
        if "itemCodeableConcept" in item:
            item = obj(item["itemCodeableConcept"])
        elif "family" in item or "given" in item:  # HumanName
            item = {"text": human_name(item)}
        elif isinstance(item.get("name"), str) and "coding" not in item:  # Device.deviceName
            item = {"text": item["name"]}
        found.append(item)
    return found


def _medication(resource: Json, around: Surroundings) -> Json:
    if "medicationCodeableConcept" in resource:
        return obj(resource["medicationCodeableConcept"])
    pointer = obj(resource.get("medicationReference"))
    raw = string(pointer.get("reference"))
    contained = {f"#{string(c.get('id'))}": c for c in objects(resource.get("contained"))}
    target = contained.get(raw) or around.medications.get(references.resolve(raw, around.full_urls))
    if target:
        code = obj(target.get("code"))
        if codes.label(code):
            return code
        parts = [codes.label(i.get("itemCodeableConcept")) for i in objects(target.get("ingredient"))]
        if any(parts):
            return {"text": " / ".join(p for p in parts if p)}
    return {"text": string(pointer.get("display"))}


def _concept_key(kind: str, resource: Json, concept: Json, label: str) -> str:
    first = next(iter(codes.codings(concept)), None)
    name = f"{first.system}|{first.code}" if first and first.code else f"|{label.casefold()}"
    if kind == "Encounter":  # the class decides what kind of visit it was; the type only why
        name = f"{encounter_class(resource)[0]}|{name}"
    return f"{kind}|{name}"


def encounter_class(resource: Json) -> tuple[str, str]:
    """(code, label) of Encounter.class: a Coding in R4, a list of CodeableConcept in R5."""
    raw = resource.get("class")
    found = codes.codings(raw[0] if isinstance(raw, list) and raw else raw)
    code = found[0].code if found else ""
    return code, _ENCOUNTER_CLASS.get(code) or (found[0].display if found else "") or code


# HL7 v3 ActCode, ActEncounterCode.
_ENCOUNTER_CLASS = {
    "AMB": "ambulatory",
    "EMER": "emergency",
    "IMP": "inpatient",
    "ACUTE": "inpatient acute",
    "NONAC": "inpatient non-acute",
    "OBSENC": "observation",
    "PRENC": "pre-admission",
    "SS": "short stay",
    "HH": "home health",
    "VR": "virtual",
    "FLD": "field",
    "URG": "urgent care",
}


def human_name(name: Json) -> str:
    """A HumanName as printed: its text, or prefix, given and family names, suffix."""
    return string(name.get("text")) or " ".join(
        [
            *strings(name.get("prefix")),
            *strings(name.get("given")),
            *strings(name.get("family")),
            *strings(name.get("suffix")),
        ]
    )


def patient_name(patient: Json) -> str:
    """The name to call a patient by: official, else usual, else the first that is not old or a maiden name."""
    found = [n for n in objects(patient.get("name")) if human_name(n)]
    order = {"official": 0, "usual": 1, "": 2, "nickname": 3, "temp": 4, "anonymous": 5, "old": 6, "maiden": 7}
    found.sort(key=lambda n: order.get(string(n.get("use")), 3))
    return human_name(found[0]) if found else ""


def _fallback_label(resource: Json, kind: str) -> str:
    if kind == "ImagingStudy":
        series = objects(resource.get("series"))
        parts = [codes.label(s.get(k)) for s in series[:1] for k in ("modality", "bodySite")]
        return ", ".join(p for p in parts if p) or "imaging study"
    return codes.label(next(iter(objects(resource.get("category"))), {})) or kind


# --- status -----------------------------------------------------------------------------------------


def _status(resource: Json) -> tuple[str, tuple[str, ...]]:
    """The status to show, and every status word of the resource, FHIR codes as they stand."""
    words = [
        _status_code(resource.get(name))
        for name in ("clinicalStatus", "status", "lifecycleStatus", "verificationStatus", "docStatus", "intent")
    ]
    shown = next((w for w in words[:3] if w), "")
    return shown, tuple(dict.fromkeys(w for w in words if w))


def _status_code(value: object) -> str:
    if isinstance(value, str):
        return string(value)
    found = codes.codings(value)
    return found[0].code if found and found[0].code else codes.label(value).casefold()


def _void_reason(resource: Json) -> str:
    _, words = _status(resource)
    for word, reason in (("entered-in-error", "entered in error"), ("refuted", "refuted")):
        if word in words:
            return reason
    if objects(resource.get("modifierExtension")) or string(resource.get("implicitRules")):
        return "carries a modifier this system does not understand, which may change its meaning"
    return ""


# --- dates ------------------------------------------------------------------------------------------


def _when(resource: Json, kind: str) -> tuple[FhirDate | None, str]:
    for name in (*_DATE_FIELDS.get(kind, ()), "date", "recordedDate", "created", "period"):
        raw = resource.get(name)
        for path, value in ((name, raw), (f"{name}.start", obj(raw).get("start")), (f"{name}.end", obj(raw).get("end"))):
            if found := parse_date(value):
                return found, path
    return None, ""


def _dates(resource: Json, kind: str) -> tuple[DatedField, ...]:
    found: dict[str, FhirDate] = {}
    for name in (*_DATE_FIELDS.get(kind, ()), *_OTHER_DATES):
        raw = resource.get(name)
        for path, value in ((name, raw), (f"{name}.start", obj(raw).get("start")), (f"{name}.end", obj(raw).get("end"))):
            if date := parse_date(value):
                found.setdefault(path, date)
    return tuple(DatedField(path, date) for path, date in found.items())


# --- values and details -----------------------------------------------------------------------------


def _values(resource: Json, kind: str) -> tuple[Value, ...]:
    return values.observed(resource) if kind == "Observation" else ()


def _details(resource: Json, kind: str, around: Surroundings) -> list[Detail]:
    found: list[Detail] = []

    def add(name: str, path: str, *texts: str) -> None:
        found.extend(Detail(name, text, path) for text in texts if text)

    def named(path: str) -> list[str]:
        """Displays of a list of references, or the names their targets are known by."""
        targets = [(string(r.get("display")), string(r.get("reference"))) for r in objects(resource.get(path))]
        return [d or around.labels.get(references.resolve(r, around.full_urls), "") for d, r in targets]

    for path in ("statusReason", "reasonCode", "bodySite", "outcome", "route", "site", "complication", "conclusionCode"):
        add(_DETAIL_NAMES.get(path, path), path, *codes.labels(resource.get(path)))
    for path in ("reasonReference", "addresses", "indication"):
        add("reason" if path != "addresses" else "addresses", path, *named(path))
    for path in ("criticality", "conclusion", "description", "presentedForm", "patientInstruction", "instructionsText"):
        add(path, path, string(resource.get(path)))
    for path in ("severity", "achievementStatus", "stage"):
        add(path, path, codes.label(resource.get(path)))
    add("note", "note", *(string(n.get("text")) for n in objects(resource.get("note"))))
    for read in _BY_TYPE.get(kind, ()):
        read(resource, add)
    return found


_DETAIL_NAMES = {"statusReason": "status reason", "reasonCode": "reason", "bodySite": "body site"}
Add = Callable[..., None]


def _doses(resource: Json, add: Add) -> None:
    for i, dosage in enumerate(objects(resource.get("dosageInstruction")) or objects(resource.get("dosage"))):
        add("dose", f"dosageInstruction[{i}]", dose_text(dosage))
        add("instruction", f"dosageInstruction[{i}]", *codes.labels(dosage.get("additionalInstruction")))


def dose_text(dosage: Json) -> str:
    """A Dosage as read aloud: its text, or dose, route and timing put together ("2 tablets every 8 h, as needed")."""
    if text := string(dosage.get("text")):
        return text
    dose = next((quantity(d.get("doseQuantity")) for d in objects(dosage.get("doseAndRate")) if d.get("doseQuantity")), None)
    dose = dose or quantity(dosage.get("dose"))
    repeat = obj(obj(dosage.get("timing")).get("repeat"))
    frequency, period = string(repeat.get("frequency")), string(repeat.get("period"))
    timing = codes.label(obj(dosage.get("timing")).get("code"))
    if not timing and period:
        unit = _PERIOD_UNITS.get(string(repeat.get("periodUnit")), string(repeat.get("periodUnit")))
        times = "once" if frequency in ("", "1") else f"{frequency} times"
        timing = f"{times} every {unit}" if period in ("1", "1.0") else f"{times} every {period.removesuffix('.0')} {unit}s"
    parts = [
        shown_quantity(dose) if dose and dose.value is not None else "",
        codes.label(dosage.get("route")),
        timing,
        "as needed" if dosage.get("asNeededBoolean") is True or "asNeededCodeableConcept" in dosage else "",
    ]
    return ", ".join(p for p in parts if p)


_PERIOD_UNITS = {"s": "second", "min": "minute", "h": "hour", "d": "day", "wk": "week", "mo": "month", "a": "year"}


def _reactions(resource: Json, add: Add) -> None:
    for i, reaction in enumerate(objects(resource.get("reaction"))):
        severity = string(reaction.get("severity"))
        for name in codes.labels(reaction.get("manifestation")) or [string(reaction.get("description"))]:
            add("reaction", f"reaction[{i}]", f"{codes.plain(name)} ({severity})" if severity and name else codes.plain(name))
    add("allergy type", "type", string(resource.get("type")))


def _activities(resource: Json, add: Add) -> None:
    for i, activity in enumerate(objects(resource.get("activity"))):
        detail = obj(activity.get("detail"))
        name = codes.plain(codes.label(detail.get("code"))) or string(detail.get("description"))
        status = string(detail.get("status"))
        add("activity", f"activity[{i}].detail", f"{name} ({status})" if name and status else name)


def _encounter(resource: Json, add: Add) -> None:
    add("class", "class", encounter_class(resource)[1])
    add("provider", "serviceProvider", string(obj(resource.get("serviceProvider")).get("display")))
    discharge = obj(resource.get("hospitalization")).get("dischargeDisposition")
    add("discharge", "hospitalization.dischargeDisposition", codes.label(discharge))


def _results(resource: Json, add: Add) -> None:
    add("result", "result", *(string(r.get("display")) for r in objects(resource.get("result"))))
    for i, form in enumerate(objects(resource.get("presentedForm"))):
        add("document", f"presentedForm[{i}]", attachment_text(form))


def _documents(resource: Json, add: Add) -> None:
    for i, content in enumerate(objects(resource.get("content"))):
        add("document", f"content[{i}].attachment", attachment_text(obj(content.get("attachment"))))


def attachment_text(attachment: Json) -> str:
    """The text of an Attachment: text and HTML decoded (tags dropped), any other content named, never dropped."""
    media = string(attachment.get("contentType")).split(";")[0].casefold()
    title = string(attachment.get("title")) or string(attachment.get("url"))
    if media.startswith("text/") or not media:
        try:
            raw = base64.b64decode(string(attachment.get("data")), validate=False)
        except (binascii.Error, ValueError):
            raw = b""
        text = string(raw.decode("utf-8", errors="replace"))
        if media == "text/html":
            text = string(html.unescape(re.sub(r"<[^>]*>", " ", text)))
        if text:
            return text
    return f"attachment {title} ({media})".replace("  ", " ") if title or media else ""


def _imaging(resource: Json, add: Add) -> None:
    for i, series in enumerate(objects(resource.get("series"))):
        add("modality", f"series[{i}].modality", codes.label(series.get("modality")))
        add("body site", f"series[{i}].bodySite", codes.plain(codes.label(series.get("bodySite"))))


def _family(resource: Json, add: Add) -> None:
    for i, condition in enumerate(objects(resource.get("condition"))):
        add("condition", f"condition[{i}]", codes.plain(codes.label(condition.get("code"))))


def _patient(resource: Json, add: Add) -> None:
    add("gender", "gender", string(resource.get("gender")))
    add("marital status", "maritalStatus", codes.label(resource.get("maritalStatus")))
    add("language", "communication", *(codes.label(c.get("language")) for c in objects(resource.get("communication"))))
    if resource.get("deceasedBoolean") is True:
        add("deceased", "deceasedBoolean", "deceased")


def _immunization(resource: Json, add: Add) -> None:
    add("dose number", "protocolApplied", *(string(p.get("doseNumberPositiveInt")) for p in objects(resource.get("protocolApplied"))))
    add("lot", "lotNumber", string(resource.get("lotNumber")))


_BY_TYPE: dict[str, tuple[Callable[[Json, Add], None], ...]] = {
    "AllergyIntolerance": (_reactions,),
    "CarePlan": (_activities,),
    "DiagnosticReport": (_results,),
    "DocumentReference": (_documents,),
    "Encounter": (_encounter,),
    "FamilyMemberHistory": (_family,),
    "ImagingStudy": (_imaging,),
    "Immunization": (_immunization,),
    "MedicationAdministration": (_doses,),
    "MedicationDispense": (_doses,),
    "MedicationRequest": (_doses,),
    "MedicationStatement": (_doses,),
    "Patient": (_patient,),
}


def coding_of(found: Facts, system: str) -> Coding | None:
    """The first coding of the resource's concept in one code system."""
    return next((c for c in found.codings if c.system == system), None)
