"""Ingestion, file by file: read = written + updated + unchanged + superseded + quarantined, always.

A file is one transaction. An unchanged resource is recognised by its hash and costs neither rendering nor embedding.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, Field

from core.database.pool import Database
from core.embedding import Embedder
from core.fhir.naming import label_of
from core.fhir.read import Json
from core.fhir.surroundings import Surroundings
from core.ingestion import store
from core.ingestion.owner import owners
from core.ingestion.read import Document, Problem, find_files, read_file
from core.ingestion.rows import content_hash, patient_columns, row, version


class Report(BaseModel):
    """What an ingestion did. Counts are rows the database wrote, never attempts."""

    files: int = 0
    read: int = 0
    written: int = 0
    updated: int = 0
    unchanged: int = 0
    superseded: int = 0
    quarantined: int = 0
    texts_embedded: int = 0
    seconds: float = 0.0
    by_type: dict[str, int] = Field(default_factory=dict)
    problems: list[dict[str, str]] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)


@dataclass(slots=True)
class Progress:
    """How far an ingestion is: files done of all, resources seen so far, and the file at hand."""

    done: int
    files: int
    resources: int
    source: str


@dataclass(slots=True)
class _Tally:
    counts: Counter[str] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)


def ingest(
    database: Database,
    embedder: Embedder,
    paths: list[Path],
    on_progress: Callable[[Progress], None] = lambda _: None,
) -> Report:
    """Ingest every file under the paths; raises IngestError only when a path does not exist at all."""
    started = time.perf_counter()
    files = find_files(paths)
    tally = _Tally()
    for number, path in enumerate(files):
        on_progress(Progress(number, len(files), tally.counts["read"], path.name))
        for document in read_file(path):
            _take(database, embedder, document, tally)
    on_progress(Progress(len(files), len(files), tally.counts["read"], ""))
    return Report(
        files=len(files),
        **{name: tally.counts[name] for name in _COUNTED},
        seconds=round(time.perf_counter() - started, 2),
        by_type=dict(tally.types.most_common()),
        problems=[{"source": p.source, "entry": p.entry, "reason": p.reason} for p in tally.problems],
        warnings=_warnings(files, tally),
    )


_COUNTED = ("read", "written", "updated", "unchanged", "superseded", "quarantined", "texts_embedded")


def _warnings(files: list[Path], tally: _Tally) -> list[str]:
    if not files:
        return ["No .json, .ndjson, .gz or .zip file was found under the given paths."]
    if tally.types and not tally.types["Observation"] and not tally.counts["unchanged"]:
        return [
            "No Observation was found: there is no result to ask about or to chart. "
            "(Synthea's option -m filters modules, not patients; generate without it.)"
        ]
    return []


def _take(database: Database, embedder: Embedder, document: Document, tally: _Tally) -> None:
    """One document into the database, whole or not at all."""
    problems = list(document.problems)
    owned: dict[tuple[str, str], Json] = {}
    superseded = 0
    for resource, owner in zip(
        document.resources, owners(document.resources, document.full_urls), strict=True
    ):
        identity = f"{resource['resourceType']}/{resource['id']}"
        if owner is None:
            problems.append(
                Problem(
                    document.source, identity, "belongs to no patient that can be told from its references"
                )
            )
            continue
        key = (owner, identity)
        if key in owned:
            superseded += 1
            if _is_older(resource, owned[key]):
                continue
        owned[key] = resource
    with database.connection() as connection:
        known = store.known_rows(connection, list(owned))
        around = _surroundings(document, owned)
        rows, unchanged = [], 0
        for key, resource in owned.items():
            digest = content_hash(resource)
            stored, stored_at = known.get(key, (b"", None))
            updated_at, _ = version(resource)
            if stored == digest:
                unchanged += 1
            elif stored and stored_at and updated_at and updated_at < stored_at:
                superseded += 1
            else:
                rows.append(row(resource, key[0], around, digest, document.source))
        embedded = store.store_concepts(connection, rows, embedder)
        written, updated = store.store_rows(connection, rows)
        patients = [patient_columns(r.resource) for r in rows if r.facts.resource_type == "Patient"]
        store.store_patients(connection, patients, {r.facts.patient_ref for r in rows})
        store.store_problems(connection, document.source, problems)
    tally.types.update(r.facts.resource_type for r in rows)
    tally.problems += problems
    tally.counts.update(
        read=len(document.resources) + len(document.problems),
        written=written,
        updated=updated,
        unchanged=unchanged,
        superseded=superseded,
        quarantined=len(problems),
        texts_embedded=embedded,
    )


def _is_older(one: Json, other: Json) -> bool:
    """Whether `one` is an earlier version than `other` (FHIR R4 Meta); without versions the later in the file wins."""
    (a, a_version), (b, b_version) = version(one), version(other)
    if a and b and a != b:
        return a < b
    if a_version.isdigit() and b_version.isdigit():
        return int(a_version) < int(b_version)
    return False


def _surroundings(document: Document, owned: dict[tuple[str, str], Json]) -> Surroundings:
    """What the document's resources may say about each other: names, urls, medications."""
    labels = {identity: name for (_, identity), r in owned.items() if (name := label_of(r))}
    medications = {identity: r for (_, identity), r in owned.items() if r["resourceType"] == "Medication"}
    return Surroundings(document.full_urls, labels, medications)
