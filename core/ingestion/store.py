"""Rows into PostgreSQL inside the caller's transaction: what the database refuses is set aside by itself, nothing else.

One ingestion stores at a time (`lock`), so that two that meet the same rows neither deadlock nor count wrongly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import psycopg
from pgvector import HalfVector

from core.database.queries import query
from core.embedding import Embedder
from core.ingestion.candidates import Known
from core.ingestion.document import Problem
from core.ingestion.rows import Key, Row, Version

_LOCK = 0x43686172_74496E67  # any constant: "ChartIng"
_TYPES = (
    *("text", "text", "text", "text", "bytea", "text", "timestamptz", "text", "bool", "bool"),
    *("text[]", "text[]", "text[]", "text[]", "text[]", "text[]"),
    *("text", "text", "text", "timestamptz", "text", "bytea", "text", "int4"),
)
# SQLSTATE classes that a row can be the cause of: data, constraint, program limit.
_OF_THE_ROW = ("22", "23", "54")
TEXTS_AT_ONCE = 1_024


@dataclass(slots=True)
class Stored:
    """What the database made of some rows: how many were inserted and refreshed, and which it refused, and why."""

    inserted: int = 0
    refreshed: int = 0
    taken: list[Row] = field(default_factory=list)
    refused: list[tuple[Row, str]] = field(default_factory=list)


def lock(connection: psycopg.Connection) -> None:
    """Until the end of the transaction, no other ingestion stores anything."""
    connection.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))


def known_rows(connection: psycopg.Connection, keys: Iterable[Key]) -> Known:
    """(patient_ref, resource_id) -> (content hash, version) of the rows that exist."""
    keys = list(keys)
    parameters = {"patients": [k[0] for k in keys], "ids": [k[1] for k in keys]}
    found = connection.execute(query("known_rows"), parameters).fetchall()
    return {(p, i): (bytes(digest), Version(updated, number)) for p, i, digest, updated, number in found}


def rows_elsewhere(connection: psycopg.Connection, rows: Sequence[Row]) -> Known:
    """(patient_ref, resource_id) -> (content hash, version) of the rows of other patients that have the same id.

    Only resources that say their version are looked for: two sources may use the same ids.
    """
    versioned = [r for r in rows if r.version != Version() and r.key[0]]
    if not versioned:
        return {}
    parameters = {"patients": [r.key[0] for r in versioned], "ids": [r.key[1] for r in versioned]}
    found = connection.execute(query("rows_elsewhere"), parameters).fetchall()
    return {(p, i): (bytes(digest), Version(updated, number)) for p, i, digest, updated, number in found}


def remove(connection: psycopg.Connection, keys: Sequence[Key]) -> None:
    """Take rows out that turned out to be another patient's, and count again what their patients have."""
    if keys:
        parameters = {"patients": [k[0] for k in keys], "ids": [k[1] for k in keys]}
        connection.execute(query("remove_rows"), parameters)
        connection.execute(query("refresh_patients"), {"owners": sorted({k[0] for k in keys})})


def owners_of(connection: psycopg.Connection, ids: Sequence[str]) -> dict[str, frozenset[str]]:
    """The patients that have a stored resource with each id."""
    found: dict[str, set[str]] = {}
    if ids:
        for identity, owner in connection.execute(query("owners_of"), {"ids": list(ids)}):
            found.setdefault(identity, set()).add(owner)
    return {identity: frozenset(patients) for identity, patients in found.items()}


def meant_by(connection: psycopg.Connection, designations: Sequence[str]) -> dict[str, str]:
    """The designations that mean exactly one stored resource -> its "Type/id"."""
    if not designations:
        return {}
    return dict(connection.execute(query("by_identifier"), {"meant": list(designations)}).fetchall())


def unknown_texts(connection: psycopg.Connection, rows: Iterable[Row]) -> dict[bytes, str]:
    """The embedded texts of the rows that have no vector yet, by hash."""
    texts = {r.text_hash: r.embedded_text for r in rows}
    if not texts:
        return {}
    found = connection.execute(query("known_concepts"), {"hashes": list(texts)}).fetchall()
    for (digest,) in found:
        del texts[bytes(digest)]
    return texts


def embed_texts(
    connection: psycopg.Connection,
    texts: Mapping[bytes, str],
    embedder: Embedder,
    on_done: Callable[[int], None] = lambda _: None,
) -> int:
    """Give each text a vector; commits nothing. Returns how many texts were embedded."""
    if not texts:
        return 0
    hashes = sorted(texts)  # an order of their own, whatever order the files came in
    vectors = embedder.embed_corpus([texts[h] for h in hashes], on_done)
    connection.execute(query("stage_concepts"))
    with connection.cursor() as cursor:
        with cursor.copy("copy staged_concepts from stdin (format binary)") as copy:
            copy.set_types(("bytea", "text", "halfvec"))
            for digest, vector in zip(hashes, vectors, strict=True):
                copy.write_row((digest, texts[digest], HalfVector(vector)))
        cursor.execute(query("merge_concepts"))
        cursor.execute("drop table staged_concepts")
    return len(hashes)


def store_rows(connection: psycopg.Connection, rows: Sequence[Row]) -> Stored:
    """Write the rows; one that the database refuses is found by halving and costs itself only."""
    if not rows:
        return Stored()
    try:
        with connection.transaction():
            inserted, refreshed = _merge(connection, rows)
        return Stored(inserted, refreshed, list(rows))
    except (psycopg.Error, UnicodeError, ValueError, OverflowError) as error:
        if not _of_the_row(error):
            raise
        if len(rows) == 1:
            return Stored(refused=[(rows[0], f"cannot be stored ({type(error).__name__})")])
    middle = len(rows) // 2
    one, other = store_rows(connection, rows[:middle]), store_rows(connection, rows[middle:])
    return Stored(
        one.inserted + other.inserted,
        one.refreshed + other.refreshed,
        one.taken + other.taken,
        one.refused + other.refused,
    )


def _of_the_row(error: Exception) -> bool:
    if not isinstance(error, psycopg.Error) or (isinstance(error, psycopg.DataError) and not error.sqlstate):
        return True  # found before anything was sent
    return (error.sqlstate or "").startswith(_OF_THE_ROW)


def _merge(connection: psycopg.Connection, rows: Sequence[Row]) -> tuple[int, int]:
    """Copy the rows into a staging table and merge them; (inserted, refreshed) as the database counted them."""
    connection.execute(query("stage_resources"))
    with connection.cursor() as cursor:
        with cursor.copy("copy staged from stdin (format binary)") as copy:
            copy.set_types(_TYPES)
            for each in rows:
                copy.write_row(each.columns)
        merged = cursor.execute(query("merge_resources")).fetchall()
        cursor.execute("drop table staged")
    inserted = sum(1 for (new,) in merged if new)
    return inserted, len(merged) - inserted


def store_patients(connection: psycopg.Connection, rows: Sequence[Row]) -> None:
    """Refresh the patients among the rows, and the number of resources of every patient they belong to."""
    patients = [r.patient for r in rows if r.patient is not None]
    owners = sorted({r.key[0] for r in rows if r.key[0]})
    with connection.cursor() as cursor:
        if patients:
            cursor.executemany(query("upsert_patient"), patients)
        if owners:
            cursor.execute(query("refresh_patients"), {"owners": owners})


def resources_of(connection: psycopg.Connection, source: str, digest: bytes) -> int | None:
    """How many resources of this source were taken, with these very bytes; None if it was not.

    Negative (-1 less what was taken) where some of it is in quarantine, so that it is worth reading again.
    """
    row = connection.execute(query("file_taken"), {"source": source, "sha256": digest}).fetchone()
    return int(row[0]) if row else None


def record_file(connection: psycopg.Connection, source: str, digest: bytes, resources: int) -> None:
    """Remember that a file was taken whole."""
    parameters = {"source": source, "sha256": digest, "resources": resources}
    connection.execute(query("record_file"), parameters)


def forget_files(connection: psycopg.Connection) -> None:
    """From now on each file is read again: some may hold rows as they no longer are."""
    connection.execute(query("forget_files"))


def clear_problems(connection: psycopg.Connection, file: str) -> None:
    """Forget what was wrong with a file (and with each member of it) before it is read again."""
    connection.execute(query("clear_quarantine"), {"file": file})


def store_problems(connection: psycopg.Connection, problems: Sequence[Problem]) -> None:
    """Put what could not be taken into quarantine."""
    if problems:
        with connection.cursor() as cursor:
            cursor.executemany(query("quarantine"), [_told(p) for p in problems])


def drop_problems(connection: psycopg.Connection, problems: Sequence[Problem]) -> None:
    """Take out of quarantine what could be taken after all."""
    if problems:
        with connection.cursor() as cursor:
            cursor.executemany(query("drop_from_quarantine"), [_told(p) for p in problems])


def _told(problem: Problem) -> dict[str, str]:
    """As it is kept: an index entry has an end, a name in an archive may have none."""
    return {"source": problem.source[:600], "entry": problem.entry[:300], "reason": problem.reason[:300]}
