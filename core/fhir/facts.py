"""Typed facts of one resource: a void record is marked as such, nothing is inferred, nothing raises.

Answering, verification, charts and rendering all read a resource only through the Facts made here.
Source: FHIR R4 resource definitions; the status and date fields of each type are listed in the tables below.
"""

from __future__ import annotations

import re

from core.fhir import codes, dated, naming, references, values
from core.fhir.amounts import amounts
from core.fhir.details import details
from core.fhir.read import Json, obj, objects, string, strings
from core.fhir.surroundings import Surroundings
from core.models import Facts, Value

__all__ = ["VERSION", "Surroundings", "facts"]

# Raised whenever Facts or rendering change meaning: the next ingest refreshes rows of an older version.
VERSION = 8


# Statuses that say the thing did not happen, or has no result yet.
_NOT_DONE_ANYWHERE = ("not-done",)
_NOT_DONE: dict[str, tuple[str, ...]] = {
    "Appointment": ("cancelled", "noshow"),
    "AppointmentResponse": ("declined",),
    "DiagnosticReport": ("cancelled", "registered"),
    "Encounter": ("cancelled", "planned"),
    "ImagingStudy": ("cancelled", "registered"),
    "MedicationDispense": ("cancelled", "declined", "preparation"),
    "MedicationStatement": ("not-taken",),
    "Observation": ("cancelled", "registered"),
    "Procedure": ("preparation",),
}
# Earlier versions said so in fields that R4 does not have: missing them would turn "not given" into "given".
_NOT_DONE_FLAGS = ("doNotPerform", "notGiven", "notDone", "wasNotGiven", "wasNotTaken", "notPerformed")


def facts(resource: Json, patient_ref: str, around: Surroundings | None = None) -> Facts:
    """Read everything typed that a resource states. Never raises on JSON; unreadable parts are absent."""
    around = around or Surroundings()
    kind = string(resource.get("resourceType"))
    concept = naming.concept(resource, kind, around)
    status, statuses = _status(resource)
    when, when_field = dated.when(resource, kind)
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
        void_reason=void_reason(resource),
        not_done=_not_done(resource, kind, status),
        date=when,
        date_field=when_field,
        dates=dated.dates(resource, kind),
        values=_values(resource, kind),
        details=details(resource, kind, around, concept),
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
        concepts = value if isinstance(value, list) else [value]
        found = [c.code for each in concepts for c in codes.codings(each)]
        found += [codes.label(each) if isinstance(each, dict) else string(each) for each in concepts]
    return [_code(word) for word in found if word]


_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])")


def _code(word: str) -> str:
    """A status code as FHIR writes it, whatever the sender's capitals and spaces: "Entered in Error", "NotDone"."""
    apart = _HUMPS.sub(" ", word)
    return "-".join(apart.casefold().replace("_", " ").replace("-", " ").split())


def void_reason(resource: Json) -> str:
    """Why a resource is no evidence, "" where it is."""
    _, words = _status(resource)
    for word, reason in (("entered-in-error", "entered in error"), ("refuted", "refuted")):
        if word in words:
            return reason
    if string(resource.get("implicitRules")) or _modified(resource):
        return "carries a modifier this system does not understand, which may change its meaning"
    return ""


def _not_done(resource: Json, kind: str, status: str) -> bool:
    adherence = codes.codings(obj(resource.get("adherence")).get("code"))  # R5 MedicationStatement
    return (
        status in (*_NOT_DONE_ANYWHERE, *_NOT_DONE.get(kind, ()))
        or any(resource.get(field) in (True, "true", "True") for field in _NOT_DONE_FLAGS)
        or resource.get("taken") == "n"  # STU3 MedicationStatement
        or any(c.code.startswith("not-taking") for c in adherence)
    )


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


# --- values -----------------------------------------------------------------------------------------


def _is_of(resource: Json, part: Json) -> bool:
    """Whether a contained resource is about whom its parent is about: another subject's result is not the parent's."""
    own, theirs = (_last_part(obj(r.get("subject")) or obj(r.get("patient"))) for r in (resource, part))
    return not (own and theirs) or theirs.startswith("#") or own == theirs


def _last_part(reference: Json) -> str:
    """The id a reference ends in, however the server or the Bundle writes what stands before it."""
    return re.split(r"[/:]", string(reference.get("reference")).partition("/_history/")[0])[-1]


def _values(resource: Json, kind: str) -> tuple[Value, ...]:
    """Measured and answered values, else the amounts stated; a contained Observation's are its parent's, which is cited."""
    inside = [
        value
        for i, part in enumerate(objects(resource.get("contained")))
        if part.get("resourceType") == "Observation" and not void_reason(part) and _is_of(resource, part)
        for value in values.observed(part, f"contained[{i}].")
    ]
    match kind:
        case "Observation":
            own = values.observed(resource)
        case "QuestionnaireResponse":
            own = values.answered(resource)
        case _:
            own = amounts(resource)
    return (*own, *inside)
