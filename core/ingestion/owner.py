"""Whose row a resource is: exactly one patient's, or nobody's. A resource of another patient is never attached to this one.

A subject that is no patient (a Group, a Device), or that cannot be resolved, leaves a resource without an owner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from core.fhir.read import Json, obj, objects, string
from core.fhir.references import resolve
from core.fhir.types import DIRECTORY

NOBODY = ""
_PATIENT_FIELDS = (
    "subject",
    "patient",
    "beneficiary",
    "individual",
    "for",
    "candidate",
    "actor",
    "subscriber",
)
# Where a resource that names no subject may name one that does. FHIR R4: Provenance.target, List and others.
_THROUGH_FIELDS = ("target", "focus", "result", "encounter", "context", "partOf")
Lookup = Callable[[Sequence[str]], Mapping[str, frozenset[str]]]


@dataclass(frozen=True, slots=True)
class _Nobody:
    """A stated subject that is no patient, or not one that can be told."""


@dataclass(frozen=True, slots=True)
class _Unstated:
    """No subject is stated; what the resource is about may have one."""

    about: tuple[str, ...]


_Stated = str | _Nobody | _Unstated


def owners(
    resources: Sequence[Json],
    full_urls: Mapping[str, str],
    elsewhere: Lookup = lambda _: {},
    whole: bool = True,
) -> list[str | None]:
    """For each resource "Patient/id", "" for a shared directory row, or None when its patient cannot be told.

    `elsewhere` gives the owners of resources that are stored already. Where the `whole` of a Bundle or file has one
    patient, a resource that names no subject is that patient's.
    """
    patients = [r for r in resources if r["resourceType"] == "Patient"]
    ids = {_id(p) for p in patients}
    alone = next(iter(ids)) if whole and len(ids) == 1 else None
    stated = [_stated(r, full_urls, patients) for r in resources]
    here: dict[str, set[str]] = {}
    for resource, owner in zip(resources, stated, strict=True):
        if isinstance(owner, str):
            here.setdefault(_id(resource), set()).add(owner)
    about = [s.about for s in stated if isinstance(s, _Unstated)]
    stored = elsewhere(sorted({i for ids in about for i in ids if i not in here}))
    return [_owner(s, here, stored, alone) for s in stated]


def _owner(
    stated: _Stated, here: Mapping[str, set[str]], stored: Mapping[str, frozenset[str]], alone: str | None
) -> str | None:
    if isinstance(stated, str):
        return stated
    if isinstance(stated, _Nobody):
        return None
    found: set[str] = set()
    for identity in stated.about:
        found |= here.get(identity) or stored.get(identity, frozenset())
    found.discard(NOBODY)
    return next(iter(found)) if len(found) == 1 else alone if not found else None


def _stated(resource: Json, full_urls: Mapping[str, str], patients: Sequence[Json]) -> _Stated:
    """The owner a resource states itself, or what it is about where it states none."""
    kind = resource["resourceType"]
    if kind == "Patient":
        return _id(resource)
    if kind in DIRECTORY:
        return NOBODY
    for named in _subjects(resource):
        targets = [_target(r, full_urls, patients) for r in named]
        stated = [t for t in targets if t is not None]
        found = {t for t in stated if t.startswith("Patient/")}
        if len(found) == 1:
            return next(iter(found))
        if stated:
            return _Nobody()
    about = [obj(t) for name in _THROUGH_FIELDS for t in objects(resource.get(name))]
    return _Unstated(tuple(i for t in about if (i := resolve(string(t.get("reference")), full_urls))))


def _subjects(resource: Json) -> Iterable[list[Json]]:
    """The references of each field that can name the patient, the most telling field first."""
    for name in _PATIENT_FIELDS:
        yield objects(resource.get(name))
    actors = [a for p in objects(resource.get("participant")) for a in objects(p.get("actor"))]
    yield [a for a in actors if "Patient" in string(a.get("reference"))]  # Appointment


def _target(reference: Json, full_urls: Mapping[str, str], patients: Sequence[Json]) -> str | None:
    """ "Type/id" of a Reference, "" where it points at something unknown, None where it points nowhere."""
    raw = string(reference.get("reference"))
    if raw.startswith("Patient?"):
        return _by_identifier(raw, patients)
    if raw:
        return resolve(raw, full_urls)
    identifier = obj(reference.get("identifier"))
    if value := string(identifier.get("value")):
        return _known_as(string(identifier.get("system")), value, patients)
    return None


def _by_identifier(conditional: str, patients: Sequence[Json]) -> str:
    """The patient of "Patient?identifier=system|value" among those of the Bundle; "" if there is not exactly one."""
    name, _, token = conditional.partition("?")[2].partition("=")
    system, _, value = unquote(token).rpartition("|")
    return _known_as(system, value, patients) if name == "identifier" and value else ""


def _known_as(system: str, value: str, patients: Sequence[Json]) -> str:
    found = {
        _id(p)
        for p in patients
        for i in objects(p.get("identifier"))
        if string(i.get("value")) == value and (not system or string(i.get("system")) == system)
    }
    return next(iter(found)) if len(found) == 1 else ""


def _id(resource: Json) -> str:
    return f"{resource['resourceType']}/{resource['id']}"
