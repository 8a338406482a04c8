"""Connections: a database that cannot be reached or used is one clear error, never a traceback and never a hang.

No message repeats a password, an address that holds one, or what a record holds. Every connection is prepared for
pgvector, runs in UTC and has no server-side JIT (it costs more than these queries).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
from pgvector.psycopg import register_vector
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import ConnectionPool, PoolTimeout, TooManyRequests

from core.config import Settings
from core.database.migrations import migrate
from core.errors import DatabaseUnavailable

_CONNECT_SECONDS = 10
# The pool logs each failed attempt; what it means for the user is said once, by the error.
logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)


class Database:
    """A pool of connections to one migrated ChartCite database."""

    def __init__(self, pool: ConnectionPool, where: str = "") -> None:
        self._pool, self._where = pool, where

    @contextmanager
    def connection(self) -> Iterator[psycopg.Connection]:
        """A connection in a transaction: committed when the block ends well, rolled back when it does not."""
        try:
            with self._pool.connection() as connection:
                yield connection
        except (PoolTimeout, TooManyRequests, psycopg.Error) as error:
            raise DatabaseUnavailable(_reason(error, self._where)) from None

    def close(self) -> None:
        self._pool.close()


def open_database(settings: Settings, on_wait: Callable[[str], None] | None = None) -> Database:
    """Connect (starting the embedded server when DATABASE_URL is unset), migrate and return the database.

    Raises DatabaseUnavailable with the next step when the server cannot be started, reached or used.
    """
    url = settings.database_url
    if not url:
        from core.database.embedded import ensure_running  # imports the server wheel: only where it is used

        url = ensure_running(settings.home.expanduser(), on_wait=on_wait)
    where = _where(url)
    try:
        with psycopg.connect(url, connect_timeout=_CONNECT_SECONDS) as connection:
            migrate(connection)
            register_vector(connection)
    except psycopg.OperationalError as error:
        raise DatabaseUnavailable(_reason(error, where)) from None
    except psycopg.Error as error:
        raise DatabaseUnavailable(
            f"The database at {where} cannot be prepared ({_first_line(error)}). "
            "ChartCite needs PostgreSQL 15+ with the pgvector extension 0.7+ and the right to create tables."
        ) from None
    pool = ConnectionPool(
        url,
        min_size=1,
        max_size=settings.pool_size,
        timeout=_CONNECT_SECONDS,
        reconnect_timeout=_CONNECT_SECONDS,
        configure=_configure,
        check=ConnectionPool.check_connection,
        kwargs={"connect_timeout": _CONNECT_SECONDS, "options": "-c timezone=UTC -c jit=off"},
        open=True,
    )
    return Database(pool, where)


def _configure(connection: psycopg.Connection) -> None:
    register_vector(connection)
    connection.commit()


def _reason(error: Exception, where: str) -> str:
    """What happened, by kind: the text of an error about data can hold the data."""
    state = getattr(error, "sqlstate", None) or ""
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        return f"The database user of {where} may not do this ({_first_line(error)}). Grant it the right, or use another."
    if isinstance(error, (psycopg.OperationalError, PoolTimeout, TooManyRequests)) and state[:2] not in (
        "22",
        "54",
    ):
        return (
            f"The database at {where} cannot be reached ({_first_line(error)}). "
            "Check DATABASE_URL and that PostgreSQL is running."
        )
    return f"The database at {where} refused a statement ({type(error).__name__} {state}). Run: python -m core doctor"


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def _where(url: str) -> str:
    """The address without user or password; raises DatabaseUnavailable where it is none (and does not repeat it)."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.Error:
        parts = {}
    if not parts or "@" in str(parts.get("host") or ""):  # an @ in the password would be taken for a host
        raise DatabaseUnavailable(
            "DATABASE_URL is not an address of a PostgreSQL database. It looks like "
            "postgresql://user:password@host:5432/database, with @ : / % in the password written as %40 %3A %2F %25."
        )
    host = str(parts.get("host") or parts.get("hostaddr") or "")
    port = f":{parts['port']}" if parts.get("port") and host[:1] != "/" else ""
    place = f"{host}{port}" if host and host[:1] != "/" else "the local socket"
    return f"{place} ({parts['dbname']})" if parts.get("dbname") else place
