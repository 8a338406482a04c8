"""Rows into PostgreSQL, one file one transaction: killed at any point, the same command again completes the same table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

import psycopg
from pgvector import HalfVector

from core.database.queries import query
from core.embedding import Embedder
from core.ingestion.read import Problem
from core.ingestion.rows import Row

_STAGED_TYPES = (
    *(
        "text",
        "text",
        "text",
        "text",
        "bytea",
        "text",
        "timestamptz",
        "text",
        "bool",
        "bool",
        "text[]",
        "text[]",
        "text[]",
    ),
    *("text", "text", "jsonb", "timestamptz", "text", "bytea", "text"),
)
Known = dict[tuple[str, str], tuple[bytes, datetime | None]]


def known_rows(connection: psycopg.Connection, keys: Sequence[tuple[str, str]]) -> Known:
    """(patient_ref, resource_id) -> (content hash, last updated) of the rows that exist."""
    parameters = {"patients": [k[0] for k in keys], "ids": [k[1] for k in keys]}
    found = connection.execute(query("known_rows"), parameters).fetchall()
    return {(p, i): (bytes(digest), updated) for p, i, digest, updated in found}


def store_concepts(connection: psycopg.Connection, rows: Iterable[Row], embedder: Embedder) -> int:
    """Embed the texts that have no vector yet, longest together; returns how many were embedded."""
    texts = {r.text_hash: r.embedded_text for r in rows}
    known = connection.execute(query("known_concepts"), {"hashes": list(texts)}).fetchall()
    missing = sorted(set(texts) - {bytes(h) for h, _ in known}, key=lambda h: len(texts[h]))
    if not missing:
        return 0
    vectors = embedder.embed([texts[h] for h in missing])
    with connection.cursor() as cursor:
        # Another process may have embedded the same text meanwhile: its vector is the same one.
        cursor.executemany(
            "insert into concepts (text_hash, embedded_text, embedding) values (%s, %s, %s) on conflict (text_hash) do nothing",
            [(h, texts[h], HalfVector(v)) for h, v in zip(missing, vectors, strict=True)],
        )
    return len(missing)


def store_rows(connection: psycopg.Connection, rows: Sequence[Row]) -> tuple[int, int]:
    """Copy the rows into a staging table and merge them; returns (inserted, refreshed) as the database counted them."""
    if not rows:
        return 0, 0
    connection.execute(query("stage_resources"))
    with connection.cursor() as cursor:
        with cursor.copy("copy staged from stdin (format binary)") as copy:
            copy.set_types(_STAGED_TYPES)
            for each in rows:
                copy.write_row(each.columns())
        merged = cursor.execute(query("merge_resources")).fetchall()
        cursor.execute("drop table staged")
    inserted = sum(1 for (new,) in merged if new)
    return inserted, len(merged) - inserted


def store_patients(
    connection: psycopg.Connection, patients: Sequence[dict[str, str]], owners: Iterable[str]
) -> None:
    """Refresh the patients met in a file, and the count of every owner whose rows it brought."""
    with connection.cursor() as cursor:
        if patients:
            cursor.executemany(query("upsert_patient"), patients)
        cursor.execute(query("refresh_patients"), {"owners": sorted({o for o in owners if o})})


def store_problems(connection: psycopg.Connection, source: str, problems: Sequence[Problem]) -> None:
    """Replace what is in quarantine from one file by what is wrong with it now."""
    with connection.cursor() as cursor:
        cursor.execute("delete from quarantine where source = %s", (source,))
        cursor.executemany(
            "insert into quarantine (source, entry, reason) values (%s, %s, %s) on conflict do nothing",
            [(p.source, p.entry, p.reason) for p in problems],
        )
