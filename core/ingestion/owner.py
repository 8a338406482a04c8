"""Whose row a resource is: exactly one patient's, or nobody's. A resource of another patient is never attached to this one.

A subject that is no patient (a Group, a Device), or that cannot be resolved, leaves a resource without an owner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.fhir.read import Json, obj, objects, string
from core.fhir.references import outbound, resolve
from core.fhir.types import DIRECTORY
from core.ingestion.conditional import designation

NOBODY = ""
_SUBJECT = ("subject", "patient")  # of a clinical resource: whoever is named there is the one it is about
_PATIENT_FIELDS = (
    *_SUBJECT,
    "beneficiary",
    "individual",
    "for",
    "candidate",
    "actor",
    "subscriber",
)
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
    only_patient: str = "",
) -> list[str | None]:
    """For each resource "Patient/id", "" for a shared directory row, or None when its patient cannot be told.

    `full_urls` holds the urls of the Bundle's entries, and conditional references and designations that mean one
    resource. `elsewhere` gives the owners of resources that are stored already. Where the `whole` of a Bundle or file
    has one patient (`only_patient`, where these are a part of it), a resource that names no subject is that patient's.
    """
    ids = {_id(r) for r in resources if r["resourceType"] == "Patient"}
    alone = only_patient or (next(iter(ids)) if whole and len(ids) == 1 else None)
    stated = [_stated(r, full_urls) for r in resources]
    here: dict[str, set[str]] = {}
    for resource, owner in zip(resources, stated, strict=True):
        if isinstance(owner, str):
            here.setdefault(_id(resource), set()).add(owner)
    about = [s.about for s in stated if isinstance(s, _Unstated)]
    stored = elsewhere(sorted({i for ids in about for i in ids if i not in here}))
    return [_owner(s, here, stored, alone) for s in stated]


def logical_subjects(resources: Sequence[Json]) -> set[str]:
    """The designations of the patients whom resources name by identifier alone."""
    named = (r for each in resources for field in _PATIENT_FIELDS for r in objects(each.get(field)))
    return {logical for r in named if not r.get("reference") and (logical := _logical(r))}


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
        if identity.startswith("Patient/"):
            found.add(identity)
    found.discard(NOBODY)
    return next(iter(found)) if len(found) == 1 else alone if not found else None


def _stated(resource: Json, full_urls: Mapping[str, str]) -> _Stated:
    """The owner a resource states itself, or what it is about where it states none."""
    kind = resource["resourceType"]
    if kind == "Patient":
        return _id(resource)
    if kind in DIRECTORY:
        return NOBODY
    for named in _subjects(resource):
        targets = [_target(r, full_urls) for r in named]
        stated = [t for t in targets if t is not None]
        found = {t for t in stated if t.startswith("Patient/")}
        if len(found) == 1:
            return next(iter(found))
        if stated:
            return _Nobody()
    if any(resource.get(name) for name in _SUBJECT):
        return _Nobody()  # a name alone, or no Reference: somebody is meant, but who cannot be told
    return _Unstated(tuple(r.target for r in outbound(resource, full_urls) if r.target))


def _subjects(resource: Json) -> Iterable[list[Json]]:
    """The references of each field that can name the patient, the most telling field first."""
    for name in _PATIENT_FIELDS:
        yield objects(resource.get(name))
    actors = [a for p in objects(resource.get("participant")) for a in objects(p.get("actor"))]
    yield [a for a in actors if "Patient" in string(a.get("reference"))]  # Appointment


def _target(reference: Json, full_urls: Mapping[str, str]) -> str | None:
    """ "Type/id" of a Reference, "" where it points at something unknown, None where it points nowhere."""
    if raw := string(reference.get("reference")):
        return resolve(raw, full_urls)
    logical = _logical(reference)
    return full_urls.get(logical, "") if logical else None


def _logical(reference: Json) -> str:
    """The designation of a patient who is referred to by identifier alone (FHIR R4 Reference.identifier)."""
    identifier = obj(reference.get("identifier"))
    value = string(identifier.get("value"))
    return designation("Patient", string(identifier.get("system")), value) if value else ""


def _id(resource: Json) -> str:
    return f"{resource['resourceType']}/{resource['id']}"
