"""Connections: a database that cannot be reached is one clear error, never a traceback and never a hang.

Every connection is prepared for pgvector, runs in UTC and has no server-side JIT (it costs more than these queries).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import psycopg
from pgvector.psycopg import register_vector
from psycopg_pool import ConnectionPool, PoolTimeout

from core.config import Settings
from core.database.migrations import migrate
from core.errors import DatabaseUnavailable

_CONNECT_SECONDS = 10


class Database:
    """A pool of connections to one migrated ChartCite database."""

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool

    @contextmanager
    def connection(self) -> Iterator[psycopg.Connection]:
        """A connection in a transaction: committed when the block ends well, rolled back when it does not."""
        try:
            with self._pool.connection() as connection:
                yield connection
        except (PoolTimeout, psycopg.OperationalError) as error:
            raise DatabaseUnavailable(_reason(error)) from None

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
    try:
        with psycopg.connect(url, connect_timeout=_CONNECT_SECONDS) as connection:
            migrate(connection)
    except psycopg.OperationalError as error:
        raise DatabaseUnavailable(_reason(error, url)) from None
    except psycopg.Error as error:
        raise DatabaseUnavailable(
            f"The database at {_where(url)} cannot be prepared ({_first_line(error)}). "
            "ChartCite needs PostgreSQL 15+ with the pgvector extension 0.7+ and the right to create tables."
        ) from None
    pool = ConnectionPool(
        url,
        min_size=1,
        max_size=settings.pool_size,
        timeout=_CONNECT_SECONDS,
        configure=_configure,
        check=ConnectionPool.check_connection,
        kwargs={"connect_timeout": _CONNECT_SECONDS, "options": "-c timezone=UTC -c jit=off"},
        open=True,
    )
    return Database(pool)


def _configure(connection: psycopg.Connection) -> None:
    register_vector(connection)
    connection.commit()


def _reason(error: Exception, url: str = "") -> str:
    where = f" at {_where(url)}" if url else ""
    return f"The database{where} cannot be reached ({_first_line(error)}). Check DATABASE_URL and that PostgreSQL is running."


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def _where(url: str) -> str:
    """The address without user or password; an address that cannot be read is not repeated."""
    try:
        parts = urlsplit(url)
        return f"{parts.hostname or 'local socket'}{parts.path}"
    except ValueError:
        return "DATABASE_URL"
