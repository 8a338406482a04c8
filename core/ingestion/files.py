"""Files and folders as bounded streams of bytes: what is not there is said, what swells without end is stopped.

Takes .json, .ndjson, .gz of either and .zip of any.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from core.errors import IngestError
from core.fhir.facts import VERSION

SUFFIXES = (".json", ".ndjson", ".json.gz", ".ndjson.gz")
MAX_DOCUMENT_BYTES = 256 << 20  # of one JSON document, or one line of NDJSON, after decompression
_SWOLLEN = 300  # times its compressed size; FHIR JSON compresses 10 to 100 times
_ALWAYS_ALLOWED = 64 << 20


class Unreadable(Exception):
    """A file, or a member of an archive, that cannot be read; the message says why and what to do."""


@dataclass(slots=True)
class Stream:
    """One JSON or NDJSON document: where it is, and its bytes, decompressed; `allowance` is how many are believed."""

    source: str
    body: IO[bytes]
    allowance: int | None

    @property
    def lines(self) -> bool:
        return ".ndjson" in self.source.lower().rpartition("/")[2]


def find_files(paths: list[Path]) -> list[Path]:
    """Every FHIR file under the paths, sorted within each; raises IngestError for a path that is not there."""
    found: list[Path] = []
    for path in paths:
        try:
            if path.is_dir():
                found += [p for p in sorted(path.rglob("*")) if _named_like_fhir(p.name) and p.is_file()]
            elif path.is_file():
                found.append(path)
            elif path.exists():
                raise IngestError(f"{path} is neither a file nor a folder. Nothing was ingested.")
            else:
                raise IngestError(f"{path} does not exist. Check the path; nothing was ingested.")
        except (OSError, ValueError) as error:
            raise IngestError(f"{path} cannot be read ({_told(error)}). Nothing was ingested.") from None
    return list(dict.fromkeys(found))


def source_of(path: Path) -> str:
    """The name a file is known by in the database: its absolute path."""
    return os.fsencode(os.path.abspath(path)).decode("utf-8", errors="replace")


def digest_of(path: Path) -> bytes | None:
    """SHA-256 of a file's bytes and of the version of the code that reads it; None when it cannot be read."""
    found = hashlib.sha256(b"%d:" % VERSION)
    try:
        with path.open("rb") as stream:
            while block := stream.read(1 << 20):
                found.update(block)
    except OSError:
        return None
    return found.digest()


def streams(path: Path) -> Iterator[Stream]:
    """The documents of one file: itself, or each member of a .zip. Raises Unreadable."""
    source = source_of(path)
    try:
        if path.name.lower().endswith(".zip"):
            yield from _members(path, source)
            return
        with path.open("rb") as raw:
            yield _stream(raw, source, path.stat().st_size)
    except (OSError, zipfile.BadZipFile) as error:
        raise Unreadable(f"cannot be opened ({_told(error)})") from None


def _members(path: Path, source: str) -> Iterator[Stream]:
    with zipfile.ZipFile(path) as archive:
        members = [
            m for m in archive.infolist() if _named_like_fhir(m.filename) and "__MACOSX/" not in m.filename
        ]
        if not members:
            raise Unreadable("holds no .json or .ndjson file")
        for member in sorted(members, key=lambda m: m.filename):
            name = member.filename.encode("utf-8", errors="replace").decode()
            try:
                raw = archive.open(member)
            except (RuntimeError, NotImplementedError):  # encrypted, or a compression Python does not know
                raise Unreadable(
                    f"{name} is encrypted or compressed in an unknown way: unpack it first"
                ) from None
            with raw:
                yield _stream(raw, f"{source}/{name}", member.compress_size, packed=True)


def _stream(raw: IO[bytes], source: str, size: int, packed: bool = False) -> Stream:
    zipped = source.lower().endswith(".gz")
    body = cast(IO[bytes], gzip.GzipFile(fileobj=raw)) if zipped else raw
    return Stream(source, body, max(_ALWAYS_ALLOWED, _SWOLLEN * size) if zipped or packed else None)


def _named_like_fhir(name: str) -> bool:
    return name.lower().endswith((*SUFFIXES, ".zip"))


def _told(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
