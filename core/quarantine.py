"""What could not be taken from the files that were loaded, and why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import psycopg

from core.database.queries import query


@dataclass(frozen=True, slots=True)
class Quarantined:
    """One file or entry that was not taken. `source` is the file, `entry` its place in it ("" for the whole file)."""

    source: str
    entry: str
    reason: str
    at: datetime


def quarantined(
    connection: psycopg.Connection, offset: int = 0, limit: int = 50
) -> tuple[list[Quarantined], int]:
    """A stretch of the list, the latest first, and how long the list is."""
    rows = connection.execute(query("quarantine_list"), {"offset": offset, "limit": limit}).fetchall()
    return [Quarantined(*row[:4]) for row in rows], rows[0][4] if rows else 0
