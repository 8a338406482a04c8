"""FHIR JSON from files: a bad file or entry is a Problem beside the rest, never an exception and never a loss.

Bundles of every type, bare resources, and NDJSON read a few thousand lines at a time. A Problem's reason says what is
wrong and never repeats what a record holds.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from core.fhir.read import Json, obj, string
from core.ingestion.conditional import MARK
from core.ingestion.files import MAX_DOCUMENT_BYTES, Stream, Unreadable, source_of, streams
from core.ingestion.split import split_entries

LINES_A_DOCUMENT = 4_000
_BYTES_A_DOCUMENT = 32 << 20
_TYPE = re.compile(r"[A-Z][A-Za-z]{1,63}")
_ID = re.compile(r"[A-Za-z0-9\-.]{1,64}")
_DAMAGED = (OSError, EOFError, zlib.error, zipfile.BadZipFile)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be taken: where it is and why, with what to do about it."""

    source: str
    entry: str
    reason: str


@dataclass(slots=True)
class Document:
    """The resources of one Bundle, of one resource, or of some lines of NDJSON.

    `places` say where each resource stands; `full_urls` are the urls its entries are known by. `first` and `last` tell
    which documents are the beginning and the end of their source; a document that is both is the whole of it.
    `conditional` says that references by identifier occur.
    """

    source: str
    resources: list[Json] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    full_urls: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    conditional: bool = False
    first: bool = True
    last: bool = True

    @property
    def read(self) -> int:
        return len(self.resources) + len(self.problems)

    def refuse(self, place: str, reason: str) -> None:
        self.problems.append(Problem(self.source, place, reason))


def read_file(path: Path) -> Iterator[Document]:
    """The documents of one file, in order; what cannot be read is a document with a problem."""
    try:
        for stream in streams(path):
            yield from _lines(stream) if stream.lines else [_whole(stream)]
    except Unreadable as error:
        yield _unreadable(source_of(path), str(error))


def _unreadable(source: str, reason: str, first: bool = True) -> Document:
    return Document(source, problems=[Problem(source, "", reason)], first=first)


def _whole(stream: Stream) -> Document:
    """A JSON file: a Bundle or one resource."""
    limit = min(MAX_DOCUMENT_BYTES, stream.allowance or MAX_DOCUMENT_BYTES)
    try:
        body = stream.body.read(limit + 1)
    except _DAMAGED:
        return _unreadable(stream.source, "is truncated or damaged: export it again")
    if len(body) > limit:
        return _unreadable(stream.source, f"holds more than {limit >> 20} MiB of JSON: use NDJSON by type")
    if reason := _not_text(body):
        return _unreadable(stream.source, reason)
    document = Document(stream.source, conditional=MARK in body)
    parsed = _parsed(body)
    if isinstance(parsed, Unreadable):
        return _salvaged(body, document) or _unreadable(stream.source, str(parsed))
    if not isinstance(parsed, dict) or not string(parsed.get("resourceType")):
        return _unreadable(stream.source, "is JSON but not FHIR: it has no resourceType")
    _take_any(parsed, "", document)
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
    _bundle({**envelope, "entry": entries}, "", document)
    return document


def _lines(stream: Stream) -> Iterator[Document]:
    """NDJSON, some thousand lines a document; a damaged end costs what comes after it, not what came before."""
    document, size, total = Document(stream.source, last=False), 0, 0
    for number, line in enumerate(_raw_lines(stream), 1):
        if isinstance(line, Unreadable):
            document.refuse(f"line {number}", str(line))
            break
        if len(document.resources) >= LINES_A_DOCUMENT or size > _BYTES_A_DOCUMENT:
            yield document
            document, size = Document(stream.source, first=False, last=False), 0
        size, total = size + len(line), total + len(line)
        if not line.strip():
            continue
        if number == 1 and (reason := _not_text(line)):
            document.refuse("", reason)
            break
        document.conditional |= MARK in line
        parsed = _parsed(line)
        if isinstance(parsed, Unreadable):
            document.refuse(f"line {number}", str(parsed))
        else:
            _take_any(parsed, f"line {number}", document)
    document.last = True
    if not total and not document.problems:
        document.refuse("", "is empty: export it again")
    yield document


def _raw_lines(stream: Stream) -> Iterator[bytes | Unreadable]:
    """Each line, or at the end the reason why there are no more of them."""
    total = 0
    while True:
        try:
            line = stream.body.readline(MAX_DOCUMENT_BYTES + 1)
        except _DAMAGED:
            yield Unreadable("is truncated or damaged from here: export it again")
            return
        if not line:
            return
        total += len(line)
        if len(line) > MAX_DOCUMENT_BYTES or (stream.allowance and total > stream.allowance):
            yield Unreadable("swells beyond what a FHIR export holds: the rest of the file was not read")
            return
        yield line


def _take_any(parsed: object, place: str, document: Document) -> None:
    if isinstance(parsed, dict) and parsed.get("resourceType") == "Bundle":
        _bundle(parsed, place, document)
    else:
        _take(parsed, place, document)


def _bundle(bundle: Json, place: str, document: Document) -> None:
    entries = bundle.get("entry")
    if entries is not None and not isinstance(entries, list):
        document.refuse(", ".join(p for p in (place, "entry") if p), "is not a list")
        return
    for index, entry in enumerate(entries or []):
        where = ", ".join(p for p in (place, f"entry {index}") if p)
        if isinstance(entry, Unreadable):
            document.refuse(where, str(entry))
            continue
        resource = obj(entry).get("resource")
        if not isinstance(resource, dict):
            document.refuse(where, "has no resource")
        elif _take(resource, where, document) and (url := string(obj(entry).get("fullUrl"))):
            document.full_urls[url] = f"{resource['resourceType']}/{resource['id']}"


def _take(resource: object, place: str, document: Document) -> bool:
    """Keep a resource whose type and id can be cited; anything else is a Problem."""
    body = obj(resource)
    kind, identity = body.get("resourceType"), body.get("id")
    reason = ""
    if not body:
        reason = "is not a JSON object"
    elif not isinstance(kind, str) or not _TYPE.fullmatch(kind):
        reason = "has no valid resourceType"
    elif not isinstance(identity, str) or not _ID.fullmatch(identity):
        reason = f"{kind} has no valid id (1 to 64 of A-Z a-z 0-9 - .)"
    if reason:
        document.refuse(place, reason)
        return False
    document.resources.append(body)
    document.places.append(place)
    return True
