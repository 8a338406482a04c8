"""Conditional references ("Practitioner?identifier=system|value") as the one resource they mean, or as none.

Two resources that match are no match. The document itself is asked first, then the database, where patients, and the
directory rows that nobody owns, are known by their identifiers. FHIR R4 http.html#trules, search.html#token.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from urllib.parse import unquote

from core.fhir.read import Json, as_bytes, objects, string
from core.fhir.types import DIRECTORY

MARK = b"?identifier"  # some writers escape the "=" that follows
Lookup = Callable[[Sequence[str]], Mapping[str, str]]
"""Designations ("Type?identifier=system|value") -> "Type/id" of the one stored resource that each means."""

_REFERENCE = re.compile(rb'"reference":"([A-Z][A-Za-z]{1,63}\?identifier=[^"\\&]+)"')
_KNOWN = DIRECTORY | {"Patient"}
_LONGEST = 500  # characters: an index entry has an end


def designation(kind: str, system: str, value: str) -> str:
    """How a resource is meant by identifier; without a system, by the value alone."""
    return f"{kind}?identifier={f'{system}|' if system else ''}{value}"


def designated(reference: str) -> str:
    """The designation a conditional reference holds, "" where it is none by identifier."""
    kind, mark, token = reference.partition("?identifier=")
    system, _, value = unquote(token).strip().rpartition("|")
    meant = designation(kind, system, value) if mark and value and "/" not in kind else ""
    return meant if len(meant) <= _LONGEST else ""


def designations(resource: Json) -> list[str]:
    """Everything a resource may be meant by: each identifier with its system, and by its value alone."""
    kind = string(resource.get("resourceType"))
    found = []
    for identifier in objects(resource.get("identifier")):
        system, value = string(identifier.get("system")), string(identifier.get("value"))
        if value:
            found += [designation(kind, system, value), designation(kind, "", value)]
    return [d for d in dict.fromkeys(found) if len(d) <= _LONGEST]


def stored_designations(resource: Json) -> list[str]:
    """Those by which other files may mean the resource. A patient is told by system and value only."""
    kind = resource.get("resourceType")
    if kind not in _KNOWN:
        return []
    return [d for d in designations(resource) if kind != "Patient" or "|" in d]


def conditional_references(resources: Iterable[Json]) -> set[str]:
    """Every conditional reference by identifier that the resources hold, as written."""
    return {r.decode() for each in resources for r in _REFERENCE.findall(as_bytes(each))}


def resolved(references: Iterable[str], resources: Iterable[Json], elsewhere: Lookup) -> dict[str, str]:
    """The references (as written) that mean one resource -> its "Type/id"."""
    meant = {raw: d for raw in references if (d := designated(raw))}
    wanted = set(meant.values())
    here: dict[str, set[str]] = {}
    for resource in resources if wanted else ():
        for each in wanted.intersection(designations(resource)):
            here.setdefault(each, set()).add(f"{resource['resourceType']}/{resource['id']}")
    stored = elsewhere(sorted(wanted - here.keys())) if wanted - here.keys() else {}
    found = {d: next(iter(ids)) for d, ids in here.items() if len(ids) == 1} | dict(stored)
    return {raw: found[d] for raw, d in meant.items() if d in found}
