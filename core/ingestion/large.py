"""A Bundle too large to hold at once: read twice, entry by entry, so that memory stays bounded and references resolve.

The first reading finds what its entries are known by, and whether it is whole: of a Bundle that is cut off or is not
JSON nothing is taken, since half a record reads like a whole one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import IO

import ijson

from core.fhir.read import obj, string
from core.fhir.types import DIRECTORY
from core.ingestion.conditional import conditional_references, designated, designations
from core.ingestion.document import Document, reference_to
from core.ingestion.files import Bounded, Stream, Unreadable
from core.ingestion.neighbours import raw_references


@dataclass(slots=True)
class _Known:
    """What the entries of a Bundle are known by; patients and directory rows also by identifier."""

    urls: dict[str, str] = field(default_factory=dict)
    designations: dict[str, set[str]] = field(default_factory=dict)
    patients: set[str] = field(default_factory=set)
    conditional: bool = False

    def add(self, entry: object) -> None:
        resource = obj(obj(entry).get("resource"))
        kind, identity = resource.get("resourceType"), resource.get("id")
        if not isinstance(kind, str) or not isinstance(identity, str):
            return
        target = reference_to(resource)
        if (url := string(obj(entry).get("fullUrl"))) and not url.endswith("/" + target):
            self.urls[url] = target
        if kind == "Patient":
            self.patients.add(target)
        if kind == "Patient" or kind in DIRECTORY:
            for each in designations(resource):
                self.designations.setdefault(each, set()).add(target)


def is_bundle(stream: Stream) -> bool:
    """Whether the JSON object says it is a Bundle; raises Unreadable where it cannot be parsed up to there."""
    with closing(stream.open()) as body:
        return next(_items(body, stream, "resourceType"), None) == "Bundle"


def documents(stream: Stream, resources: int, size: int) -> Iterator[Document]:
    """The entries of a Bundle in documents of at most so many resources, and about so many bytes; raises Unreadable."""
    known = _Known()
    for entry, _ in _entries(stream):
        known.add(entry)
    alone = next(iter(known.patients)) if len(known.patients) == 1 else ""
    document = Document(stream.source, last=False, only_patient=alone)
    begun = 0
    for index, (entry, read) in enumerate(_entries(stream)):
        if len(document.resources) >= resources or read - begun > size:
            yield _closed(document, known, stream)
            document, begun = document.next(), read
            document.only_patient = alone
        document.take_entry(entry, f"entry {index}")
    document.last = True
    if document.first and not document.read:
        document.refuse("", "is a Bundle without entries, or its entry is not a list")
    yield _closed(document, known, stream)


def _closed(document: Document, known: _Known, stream: Stream) -> Document:
    """The document with the urls its own references need, of all that the Bundle knows."""
    for raw in raw_references(document.resources):
        if raw in known.urls:
            document.full_urls[raw] = known.urls[raw]
    for raw in conditional_references(document.resources):
        document.conditional = True
        meant = known.designations.get(designated(raw), set())
        if len(meant) == 1:
            document.full_urls[raw] = next(iter(meant))
    document.consumed = stream.consumed()
    return document


def _entries(stream: Stream) -> Iterator[tuple[object, int]]:
    """Each entry, and how many bytes were read up to it."""
    with closing(stream.open()) as body:
        for entry in _items(body, stream, "entry.item"):
            yield entry, stream.consumed()


def _items(body: IO[bytes], stream: Stream, path: str) -> Iterator[object]:
    try:
        yield from ijson.items(Bounded(body, stream.allowance), path, use_float=True)
    except ijson.JSONError:
        raise Unreadable("is truncated or not valid JSON: export it again") from None
