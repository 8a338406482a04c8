"""Whether a Patient was merged into another: only an explicit, unambiguous replaced-by counts.

Source: FHIR R4 Patient.link. "replaces", "refer" and "seealso" never move a question to another record.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.fhir.read import Json, obj, objects, string
from core.fhir.references import resolve


def replaced_by(patient: Json, full_urls: Mapping[str, str]) -> str:
    """The "Patient/id" that replaced this one, or "" where none did, several are named or it cannot be told which."""
    targets = {
        resolve(string(obj(link.get("other")).get("reference")), full_urls)
        for link in objects(patient.get("link"))
        if link.get("type") == "replaced-by"
    } - {f"Patient/{string(patient.get('id'))}"}
    target = next(iter(targets)) if len(targets) == 1 else ""
    return target if target.startswith("Patient/") else ""
