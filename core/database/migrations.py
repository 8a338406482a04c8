"""Migrations: each file of db/migrations is applied once, in order, in its own transaction, by one process at a time."""

from __future__ import annotations

import hashlib

import psycopg

from core.database.queries import ROOT
from core.errors import DatabaseUnavailable

_LOCK = 0x43686172_74436974  # any constant: "ChartCit"


def migrate(connection: psycopg.Connection) -> list[str]:
    """Apply what is missing and return the names applied; raises DatabaseUnavailable when an applied file was edited."""
    applied = []
    with connection.transaction():
        connection.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))
        connection.execute(
            "create table if not exists migrations"
            " (name text primary key, sha256 text not null, at timestamptz default now())"
        )
        done: dict[str, str] = dict(connection.execute("select name, sha256 from migrations").fetchall())
        for path in sorted((ROOT / "migrations").glob("*.sql")):
            body = path.read_text(encoding="utf-8")
            digest = hashlib.sha256(body.encode()).hexdigest()
            if path.name not in done:
                connection.execute(body)
                connection.execute(
                    "insert into migrations (name, sha256) values (%s, %s)", (path.name, digest)
                )
                applied.append(path.name)
            elif done[path.name] != digest:
                raise DatabaseUnavailable(
                    f"db/migrations/{path.name} differs from what this database was built with. "
                    "Restore the file, or use an empty database."
                )
    return applied
