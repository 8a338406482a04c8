"""Whose row a resource is: exactly one patient's, or nobody's. A resource of another patient is never attached to this one."""

from __future__ import annotations

from collections.abc import Mapping

from core.fhir.read import Json, obj, objects, string
from core.fhir.references import resolve
from core.fhir.types import DIRECTORY

_NO_PATIENT = "-"
_PATIENT_FIELDS = ("subject", "patient", "beneficiary", "individual", "for", "subscriber", "candidate")


def owners(resources: list[Json], full_urls: Mapping[str, str]) -> list[str | None]:
    """For each resource "Patient/id", "" for a shared directory row, or None when it belongs to no patient that can be known."""
    patients = {f"Patient/{r['id']}" for r in resources if r["resourceType"] == "Patient"}
    alone = next(iter(patients)) if len(patients) == 1 else None
    known = {f"{r['resourceType']}/{r['id']}": _stated(r, full_urls) for r in resources}
    return [_owner(r, full_urls, known, alone) for r in resources]


def _owner(
    resource: Json, full_urls: Mapping[str, str], known: Mapping[str, str | None], alone: str | None
) -> str | None:
    stated = known[f"{resource['resourceType']}/{resource['id']}"]
    if stated is not None:
        return stated if stated != _NO_PATIENT else None
    targets = [obj(t) for name in ("target", "focus", "result") for t in objects(resource.get(name))]
    through = {owner for t in targets if (owner := known.get(resolve(string(t.get("reference")), full_urls)))}
    if len(through) == 1:
        return next(iter(through))
    return alone if not through else None


def _stated(resource: Json, full_urls: Mapping[str, str]) -> str | None:
    """The owner a resource names itself: a patient, "" for nobody by type; None when it names no subject at all.

    A subject that is no patient (a Group, a Device) is _NO_PATIENT: the resource is not evidence about one.
    """
    kind = resource["resourceType"]
    if kind == "Patient":
        return f"Patient/{resource['id']}"
    if kind in DIRECTORY:
        return ""
    targets = [
        resolve(string(reference.get("reference")), full_urls)
        for name in _PATIENT_FIELDS
        for reference in objects(resource.get(name))
    ]
    patients = [t for t in targets if t.startswith("Patient/")]
    if patients:
        return patients[0]
    return _NO_PATIENT if any(targets) else None
