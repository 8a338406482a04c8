"""Further statements of a resource (a dose, a reaction, a reason, a note): no clinical field goes unread.

Three layers: fields many types share, readers for what a type says in its own way, and a generic walk over
whatever is left, so that a field nobody thought of is still shown, searched and checked. Nothing here raises.
"""

from __future__ import annotations

from core.fhir import codes
from core.fhir.read import Json, objects, string
from core.fhir.readers import READERS
from core.fhir.source import Source
from core.fhir.surroundings import Surroundings
from core.fhir.version import foreign_version
from core.fhir.walk import walk
from core.models import Detail

# field -> the kind its texts are filed under.
_CODED = {
    "statusReason": "status reason",
    "reasonCode": "reason",
    "bodySite": "body site",
    "outcome": "outcome",
    "route": "route",
    "site": "site",
    "complication": "complication",
    "conclusionCode": "conclusionCode",
    "severity": "severity",
    "achievementStatus": "achievementStatus",
    "method": "method",
}
_NAMED = {
    "reasonReference": "reason",
    "reason": "reason",  # R5
    "indication": "reason",
    "addresses": "addresses",
}
_TEXTS = ("criticality", "conclusion", "description", "patientInstruction", "instructionsText")


def details(resource: Json, kind: str, around: Surroundings, named: Json) -> tuple[Detail, ...]:
    """Every further statement of a resource, in a fixed order, each with the FHIR path it was read from.

    `named` is the CodeableConcept that names the resource: it is not stated again.
    """
    source = Source(resource, around, named)
    for path, name in _CODED.items():
        value = resource.get(path)
        source.add(
            name,
            path,
            *(map(codes.plain, codes.labels(value)) if not isinstance(value, str) else [string(value)]),
        )
    for path, name in _NAMED.items():
        source.add(name, path, *source.names(path))
    for path in _TEXTS:
        source.add(path, path, string(resource.get(path)))
    source.add("FHIR version", "resourceType", foreign_version(resource))
    source.add("note", "note", *(string(n.get("text")) for n in objects(resource.get("note"))))
    read, fields = READERS.get(kind, (None, ()))
    if read:
        read(source)
    walk(source, {*_CODED, *_NAMED, *_TEXTS, "note", *fields})
    return tuple(dict.fromkeys(source.found))
