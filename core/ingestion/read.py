"""FHIR JSON from files and folders: a bad file or entry is a Problem beside the rest, never an exception and never a loss.

Takes .json, .ndjson, .gz of either and .zip of any; Bundles of every type and bare resources.
"""

from __future__ import annotations

import gzip
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import orjson

from core.errors import IngestError
from core.fhir.read import Json, obj, string

SUFFIXES = (".json", ".ndjson", ".json.gz", ".ndjson.gz", ".zip")
MAX_DOCUMENT_BYTES = 512 * 1024 * 1024  # of one uncompressed JSON document: what a zip bomb may cost
_TYPE = re.compile(r"[A-Z][A-Za-z]{1,63}")
_ID = re.compile(r"[A-Za-z0-9\-.]{1,64}")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be taken: where it is and why, with what to do about it."""

    source: str
    entry: str
    reason: str


@dataclass(slots=True)
class Document:
    """The resources of one Bundle, resource or NDJSON file, with the urls its entries are known by."""

    source: str
    resources: list[Json] = field(default_factory=list)
    full_urls: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def find_files(paths: list[Path]) -> list[Path]:
    """Every readable file under the paths, sorted; raises IngestError for a path that is not there."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found.extend(
                p for p in sorted(path.rglob("*")) if p.is_file() and p.name.lower().endswith(SUFFIXES)
            )
        elif path.is_file():
            found.append(path)
        else:
            raise IngestError(f"{path} does not exist. Check the path; nothing was ingested.")
    return list(dict.fromkeys(found))


def read_file(path: Path) -> Iterator[Document]:
    """The documents of one file: one for a JSON or NDJSON file, one a member for a zip."""
    try:
        if path.name.lower().endswith(".zip"):
            with zipfile.ZipFile(path) as archive:
                for member in sorted(archive.infolist(), key=lambda m: m.filename):
                    if member.filename.lower().endswith(SUFFIXES[:4]):
                        with archive.open(member) as stream:
                            yield _document(stream, f"{path.name}/{member.filename}")
        else:
            with path.open("rb") as stream:
                yield _document(stream, path.name)
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        yield _unreadable(path.name, f"cannot be opened: {error}")


def _unreadable(source: str, reason: str) -> Document:
    return Document(source, problems=[Problem(source, "", reason)])


def _document(stream: BinaryIO | io.BufferedIOBase, source: str) -> Document:
    try:
        opened = gzip.GzipFile(fileobj=stream) if source.lower().endswith(".gz") else stream
        body = opened.read(MAX_DOCUMENT_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        return _unreadable(source, f"is truncated or damaged ({error}): export it again")
    if len(body) > MAX_DOCUMENT_BYTES:
        return _unreadable(
            source, f"holds more than {MAX_DOCUMENT_BYTES >> 20} MiB of JSON: split it, or use NDJSON by type"
        )
    body = body.removeprefix(b"\xef\xbb\xbf")
    if ".ndjson" in source.lower():
        return _ndjson(body, source)
    try:
        parsed = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        return _unreadable(source, f"is not valid JSON ({error}): export it again")
    document = Document(source)
    if not isinstance(parsed, dict) or not string(parsed.get("resourceType")):
        return _unreadable(source, "is JSON but not FHIR: it has no resourceType")
    if parsed["resourceType"] == "Bundle":
        _bundle(parsed, document)
    else:
        _take(parsed, "", document)
    return document


def _ndjson(body: bytes, source: str) -> Document:
    document = Document(source)
    for number, line in enumerate(body.splitlines(), 1):
        if not line.strip():
            continue
        try:
            _take(orjson.loads(line), f"line {number}", document)
        except orjson.JSONDecodeError as error:
            document.problems.append(Problem(source, f"line {number}", f"is not valid JSON ({error})"))
    return document


def _bundle(bundle: Json, document: Document) -> None:
    entries = bundle.get("entry")
    if entries is not None and not isinstance(entries, list):
        document.problems.append(Problem(document.source, "entry", "is not a list"))
        return
    for index, entry in enumerate(entries or []):
        where = f"entry {index}"
        resource = obj(entry).get("resource")
        if not isinstance(resource, dict):
            document.problems.append(Problem(document.source, where, "has no resource"))
            continue
        if _take(resource, where, document) and (url := string(obj(entry).get("fullUrl"))):
            document.full_urls[url] = f"{resource['resourceType']}/{resource['id']}"


def _take(resource: object, where: str, document: Document) -> bool:
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
        document.problems.append(Problem(document.source, where, reason))
        return False
    document.resources.append(body)
    return True
