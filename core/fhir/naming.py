"""What a resource is about: the concept or text that names it; drug names are followed to their Medication.

A name is empty when nothing in the resource names it; callers choose what to show then.
"""

from __future__ import annotations

import ast
import re

from core.fhir import codes, references
from core.fhir.read import Json, obj, objects, string, strings
from core.fhir.surroundings import Surroundings, contained

# The first of these fields that names anything. FHIR R4, per type.
_ABOUT: dict[str, tuple[str, ...]] = {
    "AdverseEvent": ("event", "category"),
    "Appointment": ("serviceType", "appointmentType", "reasonCode", "description", "specialty"),
    "AppointmentResponse": ("appointment",),
    "BodyStructure": ("location", "morphology", "description"),
    "CarePlan": ("title", "category", "description"),
    "CareTeam": ("name", "category"),
    "Claim": ("type",),
    "ClinicalImpression": ("code", "description"),
    "Communication": ("topic", "category", "reasonCode"),
    "CommunicationRequest": ("category", "reasonCode"),
    "Composition": ("title", "type"),
    "Consent": ("category", "scope"),
    "Coverage": ("type",),
    "Device": ("type", "deviceName", "modelNumber"),
    "DeviceRequest": ("codeCodeableConcept", "codeReference"),
    "DeviceUseStatement": ("device",),
    "DocumentReference": ("type", "description", "category"),
    "Encounter": ("type", "serviceType", "class"),
    "FamilyMemberHistory": ("relationship",),
    "Goal": ("description",),
    "Group": ("name", "code", "type"),
    "HealthcareService": ("name", "type"),
    "ImagingStudy": ("procedureCode", "description"),
    "Immunization": ("vaccineCode",),
    "ImmunizationEvaluation": ("targetDisease",),
    "ImmunizationRecommendation": ("recommendation.vaccineCode", "recommendation.targetDisease"),
    "List": ("title", "code"),
    "Location": ("name", "type"),
    "Media": ("type", "modality"),
    "NutritionOrder": ("oralDiet.type", "supplement.type", "enteralFormula.baseFormulaType"),
    "Organization": ("name", "type"),
    "PractitionerRole": ("code", "specialty"),
    "QuestionnaireResponse": ("questionnaire",),
    "ResearchSubject": ("study",),
    "RiskAssessment": ("code", "prediction.outcome", "condition"),
    "SupplyDelivery": ("suppliedItem", "type"),
    "SupplyRequest": ("itemCodeableConcept", "itemReference", "category"),
}
_ABOUT_ANY = ("code", "type", "vaccineCode", "category", "name", "title", "description", "serviceType")
_GENERIC_CATEGORIES = {"assess-plan"}  # US Core marks every CarePlan with it; it names nothing.
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


def concept(resource: Json, kind: str, around: Surroundings) -> Json:
    """The CodeableConcept that names the resource; plain text fields are lifted into {"text": …}."""
    if not resource.keys().isdisjoint(_DRUG):
        return _medication(resource, around)
    if kind == "Medication":
        return _medication_itself(resource)
    if kind == "Patient":
        return {"text": patient_name(resource)}
    for name in (*_ABOUT.get(kind, ()), *_ABOUT_ANY):
        for candidate in _candidates(_at(resource, name), resource, around):
            found = codes.codings(candidate)
            if codes.label(candidate) and not any(c.code in _GENERIC_CATEGORIES for c in found):
                return candidate
    return {}


def _at(resource: Json, name: str) -> object:
    """The field, or of "recommendation.vaccineCode" that field of every recommendation."""
    outer, _, inner = name.partition(".")
    if not inner:
        return resource.get(outer)
    return [found for body in objects(resource.get(outer)) for found in objects(body.get(inner))]


_DRUG = ("medicationCodeableConcept", "medicationReference", "medication")


def label_of(resource: Json) -> str:
    """The name other resources call this one by ("Dr. Ada Diaz", "Hypertension"); "" if it has none."""
    return codes.plain(codes.label(concept(resource, string(resource.get("resourceType")), Surroundings())))


def _candidates(value: object, resource: Json, around: Surroundings) -> list[Json]:
    if isinstance(value, str):
        return [{"text": _worded(string(value))}]
    found: list[Json] = []
    for item in objects(value):
        if "itemCodeableConcept" in item:
            item = obj(item["itemCodeableConcept"])
        elif "family" in item or "given" in item:  # HumanName
            item = {"text": human_name(item)}
        elif isinstance(item.get("name"), str) and "coding" not in item:  # Device.deviceName
            item = {"text": item["name"]}
        elif "reference" in item:
            inside = contained(resource).get(string(item.get("reference")))
            item = {
                "text": string(item.get("display")) or (label_of(inside) if inside else around.name_of(item))
            }
        elif (text := string(item.get("text"))) and _worded(text) != text:
            item = {**item, "text": _worded(text)}
        found.append(item)
    return found


def _worded(text: str) -> str:
    """The words of a name that is not one: a printed Python or JSON object, or the URL of a questionnaire."""
    if text.startswith("{") and "text" in text and len(text) < 2000:
        try:
            return string(obj(ast.literal_eval(text)).get("text")) or text
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return text
    if match := re.fullmatch(r"https?://\S*?/([^/|\s]+)/?(\|\S*)?", text):
        return match[1]
    return text


def _medication(resource: Json, around: Surroundings) -> Json:
    """The drug of an order or an intake: its concept, or what its Medication is called (R5: a CodeableReference)."""
    either = obj(resource.get("medication"))
    for concept in (resource.get("medicationCodeableConcept"), either.get("concept")):
        if codes.label(obj(concept)):
            return obj(concept)
    pointer = obj(resource.get("medicationReference")) or obj(either.get("reference"))
    raw = string(pointer.get("reference"))
    inside = contained(resource).get(raw)
    target = inside or around.medications.get(references.resolve(raw, around.full_urls))
    named = _medication_itself(target) if target else {}
    return named or {"text": string(pointer.get("display"))}


def _medication_itself(medication: Json) -> Json:
    code = obj(medication.get("code"))
    if codes.label(code):
        return code
    parts = [
        codes.label(i.get("itemCodeableConcept"))
        or string(obj(i.get("itemReference")).get("display"))
        or codes.label(obj(i.get("item")).get("concept"))
        for i in objects(medication.get("ingredient"))
    ]
    return {"text": " / ".join(p for p in parts if p)} if any(parts) else {}


def concept_key(kind: str, resource: Json, named: Json, label: str) -> str:
    """Type and primary code (else the name): equal keys are one series."""
    first = codes.preferred([c for c in codes.codings(named) if c.code])
    name = f"{first.system}|{first.code}" if first else f"|{label.casefold()}"
    if kind == "Encounter":  # the class decides what kind of visit it was; the type only why
        name = f"{encounter_class(resource)[0]}|{name}"
    return f"{kind}|{name}"


def encounter_class(resource: Json) -> tuple[str, str]:
    """(code, label) of Encounter.class: a Coding in R4, a list of CodeableConcept in R5."""
    raw = resource.get("class")
    found = codes.codings(raw[0] if isinstance(raw, list) and raw else raw)
    code = found[0].code if found else ""
    return code, _ENCOUNTER_CLASS.get(code) or (found[0].display if found else "") or code


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
    """The name to call a patient by: official, else usual, else the first that is neither old nor maiden."""
    found = [n for n in objects(patient.get("name")) if human_name(n)]
    order = ("official", "usual", "", "nickname", "temp", "anonymous", "old", "maiden")
    ranks = {use: rank for rank, use in enumerate(order)}
    found.sort(key=lambda n: ranks.get(string(n.get("use")), 3))
    return human_name(found[0]) if found else ""


def fallback_label(resource: Json, kind: str) -> str:
    """What to show where nothing names a resource: an imaging study's first series, a category, the type."""
    if kind == "ImagingStudy":
        series = objects(resource.get("series"))
        parts = [codes.plain(codes.label(s.get(k))) for s in series[:1] for k in ("modality", "bodySite")]
        return ", ".join(p for p in parts if p) or "imaging study"
    return codes.label(next(iter(objects(resource.get("category"))), {})) or kind
