"""What a patient's record is about: its concepts, vectors and links, read once and kept until an ingest touches it.

Only what does not depend on a question is kept, for the patients asked about last; a profile is handed out for no other
patient than the one it was read for.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import psycopg
from pgvector import HalfVector

from core.database.queries import query
from core.embedding import DIMENSIONS, Vectors

_KEPT = 128  # of a record of 6,000 resources, a profile takes about 1 MB

_EVERYBODYS = ("Patient", "Encounter", "Practitioner", "Organization", "Location")


@dataclass(frozen=True, slots=True)
class Entry:
    """One concept of a record: what it is, every name and code of it, how often it is there, first and last when."""

    key: str
    resource_type: str
    label: str
    names: tuple[str, ...]
    codes: frozenset[str]
    resources: int
    first: date | None
    last: date | None


@dataclass(frozen=True, slots=True)
class Profile:
    """The concepts of a record and the unit vectors of their texts, shape (texts, 384); `owner` says whose each is.

    `links` leads from a resource to those that refer to it, each with its place among all of them, newest first.
    """

    entries: tuple[Entry, ...]
    vectors: Vectors
    owner: npt.NDArray[np.intp]
    links: Mapping[str, tuple[tuple[int, str], ...]]

    def distances(self, vector: Vectors) -> list[float]:
        """The cosine distance of each concept's nearest text to a unit vector, in the order of the entries."""
        nearest = np.full(len(self.entries), 2.0)
        np.minimum.at(nearest, self.owner, 1.0 - self.vectors @ vector)
        return [float(d) for d in nearest]

    def referring(self, ids: Iterable[str]) -> list[str]:
        """Ids of the resources that refer to one of these, newest first."""
        return [i for _, i in sorted({link for target in ids for link in self.links.get(target, ())})]


class Profiles:
    """The profiles of the patients asked about last. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, tuple[str, Profile]] = OrderedDict()

    def of(self, connection: psycopg.Connection, patient: str) -> Profile:
        """The profile of one patient's record as it is now."""
        row = connection.execute(query("record_version"), {"patient": patient}).fetchone()
        version = str(row[0] or "") if row else ""
        with self._lock:
            kept = self._kept.get(patient)
            if kept and kept[0] == version:
                self._kept.move_to_end(patient)
                return kept[1]
        profile = _read(connection, patient)
        with self._lock:
            self._kept[patient] = (version, profile)
            self._kept.move_to_end(patient)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return profile


class _Way(NamedTuple):
    """One row of the query: a way a concept is named, and the text it is embedded by."""

    key: str
    resource_type: str
    label: str
    names: list[str]
    codes: list[str]
    resources: int
    first: datetime | None
    last: datetime | None
    text: int
    embedding: HalfVector


def _read(connection: psycopg.Connection, patient: str) -> Profile:
    """The binary format spares the server the printing of every vector."""
    with connection.cursor(binary=True) as cursor:
        rows = cursor.execute(query("concepts_of"), {"patient": patient}).fetchall()
    ways: dict[str, list[_Way]] = {}
    for way in map(_Way._make, rows):
        ways.setdefault(way.key, []).append(way)
    place = {key: n for n, key in enumerate(ways)}
    texts = {(w.key, w.text): w.embedding for named in ways.values() for w in named}
    vectors = np.array([t.to_numpy() for t in texts.values()], dtype=np.float32).reshape(-1, DIMENSIONS)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    owner = np.array([place[key] for key, _ in texts], dtype=np.intp)
    return Profile(tuple(map(_entry, ways.values())), vectors, owner, _links(connection, patient))


def _links(connection: psycopg.Connection, patient: str) -> dict[str, tuple[tuple[int, str], ...]]:
    found: dict[str, list[tuple[int, str]]] = {}
    parameters = {"patient": patient, "everybodys": list(_EVERYBODYS)}
    for place, (target, resource_id) in enumerate(connection.execute(query("links"), parameters)):
        found.setdefault(target, []).append((place, resource_id))
    return {target: tuple(links) for target, links in found.items()}


def _entry(ways: Sequence[_Way]) -> Entry:
    return Entry(
        key=ways[0].key,
        resource_type=min(w.resource_type for w in ways),
        label=min(w.label for w in ways),
        names=tuple(dict.fromkeys(name for w in ways for name in w.names if name)),
        codes=frozenset(code for w in ways for code in w.codes if code),
        resources=sum(w.resources for w in ways),
        first=min((w.first.date() for w in ways if w.first), default=None),
        last=max((w.last.date() for w in ways if w.last), default=None),
    )
