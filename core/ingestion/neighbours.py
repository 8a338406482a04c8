"""The names a resource borrows from others: from its own Bundle, from the database, and never from another patient."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from core.fhir.facts import void_reason
from core.fhir.naming import label_of
from core.fhir.read import Json, as_bytes
from core.fhir.references import resolve
from core.fhir.surroundings import Surroundings
from core.ingestion.owner import NOBODY

_REFERENCE = re.compile(rb'"reference":"([^"\\]+)"')
T = TypeVar("T")


@dataclass(slots=True)
class Neighbours:
    """What is known around some resources: the urls of their Bundle, and names and medications by owner and id.

    `here` are the ids whose names come from the document itself. `seen` holds the content hash of each resource that
    was looked up in the database, to tell later whether it changed. `conditional` says that there are references by
    identifier; those that could be resolved are among the urls.
    """

    full_urls: Mapping[str, str] = field(default_factory=dict)
    names: dict[tuple[str, str], str] = field(default_factory=dict)
    medications: dict[str, Json] = field(default_factory=dict)
    here: set[str] = field(default_factory=set)
    seen: dict[tuple[str, str], bytes] = field(default_factory=dict)
    conditional: bool = False

    def add(self, owner: str, identity: str, resource: Json) -> None:
        """Make the name of a resource known to its owner's rows, or to everybody's when nobody owns it."""
        if void_reason(resource):
            return  # what was entered in error, or refuted, lends its name to nothing
        if name := label_of(resource):
            self.names[owner, identity] = name
        if resource.get("resourceType") == "Medication":
            self.medications[identity] = resource

    def around(self, owner: str) -> tuple[Surroundings, set[str]]:
        """The surroundings of one resource of this owner, and the set that will hold every "Type/id" it asks about."""
        asked: set[str] = set()
        names = _Asked(lambda i: self.names.get((owner, i)) or self.names.get((NOBODY, i)), asked)
        return Surroundings(self.full_urls, names, _Asked(self.medications.get, asked)), asked


class _Asked(Mapping[str, T]):
    """A mapping that remembers what it was asked for, found or not."""

    def __init__(self, find: Callable[[str], T | None], asked: set[str]) -> None:
        self._find, self._asked = find, asked

    def __getitem__(self, key: str) -> T:
        if key:
            self._asked.add(key)
        found = self._find(key) if key else None
        if found is None:
            raise KeyError(key)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def raw_references(resources: Sequence[Json]) -> set[str]:
    """Every reference that the resources hold, as written."""
    return {r.decode() for each in resources for r in _REFERENCE.findall(as_bytes(each))}


def referred_to(resources: Sequence[Json], full_urls: Mapping[str, str]) -> set[str]:
    """Every "Type/id" that the resources refer to."""
    return {target for raw in raw_references(resources) if (target := resolve(raw, full_urls))}
