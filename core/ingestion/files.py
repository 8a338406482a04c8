"""Files and folders as bounded streams of bytes: what is not there is said, what swells without end is stopped.

Takes .json, .ndjson, .gz of either and .zip of any.
"""

from __future__ import annotations

import codecs
import contextlib
import gzip
import hashlib
import os
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, cast

from core.errors import IngestError
from core.fhir.facts import VERSION

SUFFIXES = (".json", ".ndjson", ".jsonl", ".json.gz", ".ndjson.gz", ".jsonl.gz")
_SWOLLEN = 300  # times its compressed size; FHIR JSON compresses 10 to 100 times
_ALWAYS_ALLOWED = 64 << 20


class Unreadable(Exception):
    """A file, or a member of an archive, that cannot be read; the message says why and what to do."""


class Swollen(Unreadable):
    """Something that decompresses to more than a FHIR export ever does."""


class Bounded:
    """Bytes, of which no more are read than are believed: raises Swollen. A byte order mark is passed over."""

    def __init__(self, body: IO[bytes], allowance: int | None) -> None:
        self._body, self._left = body, allowance
        self._begun = False

    def read(self, size: int) -> bytes:
        part = self._counted(self._body.read(size))
        short = 0 < len(part) < size  # by a byte order mark, or at the end
        return part + self._counted(self._body.read(size - len(part))) if short else part

    def readline(self, size: int) -> bytes:
        return self._counted(self._body.readline(size))

    def _counted(self, part: bytes) -> bytes:
        if self._left is not None:
            self._left -= len(part)
            if self._left < 0:
                raise Swollen("swells beyond what a FHIR export holds")
        if part and not self._begun:
            self._begun = True
            part = part.removeprefix(codecs.BOM_UTF8)
        return part


@dataclass(frozen=True, slots=True)
class Source:
    """Something to ingest: the `name` it is known by (an absolute path, a URL), the file it lies in, its bytes there.

    `unit` is what its lines are called. A `lasting` source is remembered by its bytes once it was taken whole.
    """

    name: str
    path: Path
    size: int
    unit: str = "line"
    lasting: bool = True

    @property
    def archive(self) -> bool:
        return self.name.lower().endswith(".zip")


@dataclass(slots=True)
class Stream:
    """One JSON or NDJSON document: where it is, and how to open its bytes, decompressed, from their beginning.

    `allowance` is how many of them are believed. `consumed` says how many bytes of the source have been read for it.
    """

    source: str
    open: Callable[[], IO[bytes]]
    allowance: int | None
    lines: bool
    unit: str = "line"
    consumed: Callable[[], int] = field(default=lambda: 0)


def find_files(paths: list[Path]) -> list[Source]:
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
    return [source_of(path) for path in dict.fromkeys(found)]


def source_of(path: Path) -> Source:
    """A file as a source, known by its absolute path."""
    name = os.fsencode(os.path.abspath(path)).decode("utf-8", errors="replace")
    size = 0
    with contextlib.suppress(OSError):
        size = path.stat().st_size
    return Source(name, path, size)


def digest_of(source: Source) -> bytes | None:
    """SHA-256 of a source's bytes and of the version of the code that reads it; None when it cannot be read."""
    found = hashlib.sha256(b"%d:" % VERSION)
    try:
        with source.path.open("rb") as stream:
            while block := stream.read(1 << 20):
                found.update(block)
    except OSError:
        return None
    return found.digest()


def streams(source: Source) -> Iterator[Stream]:
    """The documents of one source: itself, or each member of a .zip. Raises Unreadable."""
    try:
        if source.archive:
            yield from _members(source)
            return
        with source.path.open("rb"):  # now, so that what cannot be opened is said as such
            pass
        yield _file(source)
    except (OSError, zipfile.BadZipFile) as error:
        raise Unreadable(f"cannot be opened ({_told(error)})") from None


def _file(source: Source) -> Stream:
    opened: list[IO[bytes]] = []

    def unpacked() -> IO[bytes]:
        opened.append(source.path.open("rb"))
        return _unpacked(opened[-1], zipped)

    zipped = source.name.lower().endswith(".gz")
    allowance = max(_ALWAYS_ALLOWED, _SWOLLEN * source.size) if zipped else None
    lines = source.unit != "line" or _of_lines(source.name)
    return Stream(source.name, unpacked, allowance, lines, source.unit, lambda: _position(opened[-1]))


def _members(source: Source) -> Iterator[Stream]:
    with zipfile.ZipFile(source.path) as archive:
        members = [
            m for m in archive.infolist() if _named_like_fhir(m.filename) and "__MACOSX/" not in m.filename
        ]
        if not members:
            raise Unreadable("holds no .json or .ndjson file")
        for member in sorted(members, key=lambda m: m.filename):
            name = member.filename.encode("utf-8", errors="replace").decode()
            try:
                archive.open(member).close()
            except (RuntimeError, NotImplementedError):  # encrypted, or a compression Python does not know
                raise Unreadable(
                    f"{name} is encrypted or compressed in an unknown way: unpack it first"
                ) from None
            yield _member(archive, member, f"{source.name}/{name}")


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str) -> Stream:
    zipped = name.lower().endswith(".gz")
    allowance = max(_ALWAYS_ALLOWED, _SWOLLEN * member.compress_size)
    return Stream(
        name,
        lambda: _unpacked(archive.open(member), zipped),
        allowance,
        _of_lines(name),
        consumed=lambda: member.header_offset,
    )


def _unpacked(raw: IO[bytes], zipped: bool) -> IO[bytes]:
    return cast(IO[bytes], gzip.GzipFile(fileobj=raw)) if zipped else raw


def _position(raw: IO[bytes]) -> int:
    return 0 if raw.closed else raw.tell()


def _of_lines(name: str) -> bool:
    name = name.lower().rpartition("/")[2]
    return ".ndjson" in name or ".jsonl" in name


def _named_like_fhir(name: str) -> bool:
    return name.lower().endswith((*SUFFIXES, ".zip"))


def _told(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
