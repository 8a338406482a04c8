"""FHIR JSON from files: a bad file or entry is a Problem beside the rest, never an exception and never a loss.

Bundles of every type, bare resources, and NDJSON read a few thousand lines at a time.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing
from typing import IO

import orjson

from core.fhir.read import obj, objects, string
from core.ingestion import large
from core.ingestion.conditional import MARK
from core.ingestion.document import Document, reference_to
from core.ingestion.files import Bounded, Source, Stream, Swollen, Unreadable, streams
from core.ingestion.split import split_entries

LINES_A_DOCUMENT = 4_000
HELD_BYTES = 24 << 20  # of a Bundle that is parsed whole; a larger one is read entry by entry
_BYTES_A_DOCUMENT = 16 << 20
_LONGEST = 256 << 20  # bytes of one resource, after decompression
_DAMAGED = (OSError, EOFError, zlib.error, zipfile.BadZipFile)


def read_source(source: Source) -> Iterator[Document]:
    """The documents of one source, in order; what cannot be read is a document with a problem."""
    try:
        for stream in streams(source):
            yield from _lines(stream) if stream.lines else _json(stream)
    except Unreadable as error:
        yield _unreadable(source.name, str(error))


def _unreadable(source: str, reason: str, first: bool = True) -> Document:
    document = Document(source, first=first)
    document.refuse("", reason)
    return document


def _json(stream: Stream) -> Iterator[Document]:
    """A JSON file: a Bundle or one resource; what swells or is cut off beyond a document's size is refused whole."""
    begun = False
    try:
        with closing(stream.open()) as opened:
            body = Bounded(opened, stream.allowance).read(HELD_BYTES + 1)
        if len(body) <= HELD_BYTES:
            yield _whole(stream, body)
        elif large.is_bundle(stream):
            for document in large.documents(stream, LINES_A_DOCUMENT, _BYTES_A_DOCUMENT):
                begun = True
                yield document
        else:
            yield _single(stream)
    except _DAMAGED:
        yield _unreadable(stream.source, "is truncated or damaged: export it again", first=not begun)
    except Unreadable as error:
        yield _unreadable(stream.source, str(error), first=not begun)


def _single(stream: Stream) -> Document:
    """One large resource."""
    with closing(stream.open()) as opened:
        body = Bounded(opened, stream.allowance).read(_LONGEST + 1)
    if len(body) > _LONGEST:
        return _unreadable(stream.source, f"is one resource of more than {_LONGEST >> 20} MiB of JSON")
    return _whole(stream, body)


def _whole(stream: Stream, body: bytes) -> Document:
    if reason := _not_text(body):
        return _unreadable(stream.source, reason)
    document = Document(stream.source, conditional=MARK in body, size=len(body))
    parsed = _parsed(body)
    if isinstance(parsed, Unreadable):
        return _salvaged(body, document) or _unreadable(stream.source, str(parsed))
    if not isinstance(parsed, dict) or not string(parsed.get("resourceType")):
        return _unreadable(stream.source, "is JSON but not FHIR: it has no resourceType")
    document.take(parsed)
    return document


def _not_text(body: bytes) -> str:
    """Why the bytes cannot be FHIR JSON at all, or ""."""
    if not body.strip():
        return "is empty: export it again"
    if body.startswith(b"\x1f\x8b"):
        return "is gzip under another name: call it .json.gz or .ndjson.gz"
    if body.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in body[:4]:
        return "is not in UTF-8 but in UTF-16 or UTF-32: convert it to UTF-8"
    return ""


def _parsed(body: bytes) -> object:
    """The JSON value, or (not raised) why there is none, without any of its content."""
    try:
        return orjson.loads(body.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError as error:
        if "depth limit" in error.msg:
            return Unreadable("is nested more than 1,000 levels deep")
        where = f"line {error.lineno}, column {error.colno}"
        return Unreadable(f"is not valid JSON ({where}: {error.msg}): export it again")


def _salvaged(body: bytes, document: Document) -> Document | None:
    """A Bundle with an entry that does not parse: the other entries. None when it is cut off, or no Bundle."""
    parts = split_entries(body)
    envelope = _parsed(parts[0]) if parts else None
    if parts is None or not isinstance(envelope, dict) or envelope.get("resourceType") != "Bundle":
        return None
    entries: list[object] = [_parsed(text) for text in parts[1]]
    document.take({**envelope, "entry": entries})
    return document


def _lines(stream: Stream) -> Iterator[Document]:
    """NDJSON, some thousand lines a document; a damaged end costs what comes after it, not what came before."""
    with closing(stream.open()) as opened:
        yield from _of_lines(stream, opened)


def _of_lines(stream: Stream, opened: IO[bytes]) -> Iterator[Document]:
    document, size, total, apart = Document(stream.source, last=False), 0, 0, False
    for number, line in enumerate(_raw_lines(stream, opened), 1):
        place = f"{stream.unit} {number}"
        if isinstance(line, Unreadable):
            document.refuse(place, str(line))
            break
        total += len(line)
        if not line.strip():
            continue
        if number == 1 and (reason := _not_text(line)):
            document.refuse("", reason)
            break
        parsed = _parsed(line)
        alone = _has_its_own_urls(parsed)
        full = len(document.resources) >= LINES_A_DOCUMENT or size > _BYTES_A_DOCUMENT
        if document.read and (apart or alone or full):
            document.consumed = stream.consumed()
            yield document
            document, size = document.next(), 0
        apart = alone
        size += len(line)
        document.conditional |= MARK in line
        if isinstance(parsed, Unreadable):
            document.refuse(place, str(parsed))
        else:
            document.take(parsed, place)
            document.only_patient = _only_patient(document) if alone else ""
    document.last = True
    if not total and not document.problems:
        document.refuse("", "is empty: export it again")
    document.consumed = stream.consumed()
    yield document


def _has_its_own_urls(parsed: object) -> bool:
    """Whether it is a Bundle whose urls (urn:uuid) mean nothing outside of it."""
    entries = objects(obj(parsed).get("entry")) if obj(parsed).get("resourceType") == "Bundle" else []
    return any(string(e.get("fullUrl")).startswith("urn:") for e in entries)


def _only_patient(document: Document) -> str:
    patients = {reference_to(r) for r in document.resources if r["resourceType"] == "Patient"}
    return next(iter(patients)) if len(patients) == 1 else ""


def _raw_lines(stream: Stream, opened: IO[bytes]) -> Iterator[bytes | Unreadable]:
    """Each line, or at the end the reason why there are no more of them."""
    body = Bounded(opened, stream.allowance)
    while True:
        try:
            line = body.readline(_LONGEST + 1)
        except Swollen as error:
            yield Unreadable(f"{error}: the rest of the file was not read")
            return
        except _DAMAGED:
            yield Unreadable("is truncated or damaged from here: export it again")
            return
        if not line:
            return
        if len(line) > _LONGEST:
            yield Unreadable(f"is longer than {_LONGEST >> 20} MiB: the rest of the file was not read")
            return
        yield line
