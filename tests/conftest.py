"""What tests share: one real PostgreSQL a session, an empty migrated database a test, the demo records ingested once.

Nothing starts until a test asks for it, so unit tests pay nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from core.config import Settings
from core.database.embedded import EmbeddedPostgres
from core.database.pool import Database, open_database
from core.embedding import Embedder
from core.ingestion.ingest import ingest
from core.pipeline import Stages
from core.service import Service

DEMO = Path(__file__).resolve().parents[1] / "data" / "demo"
_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a PostgreSQL with pgvector that lives as long as the test session."""
    server = EmbeddedPostgres(tmp_path_factory.mktemp("postgres") / "home")
    yield server.ensure_running()
    server.stop()


@pytest.fixture(scope="session")
def new_database(postgres: str) -> Callable[[], str]:
    """Makes an empty, migrated database and returns its URL."""
    template = _create(postgres, "template1")
    open_database(Settings(database_url=template)).close()
    name = urlsplit(template).path[1:]
    return lambda: _create(postgres, name)


def _create(server: str, template: str) -> str:
    name = f"test_{next(_numbers)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"create database {name} template {template}")  # type: ignore[arg-type]
    return urlunsplit(urlsplit(server)._replace(path=f"/{name}"))


@pytest.fixture
def database_url(new_database: Callable[[], str]) -> str:
    """The URL of an empty, migrated database of the test's own."""
    return new_database()


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """An empty, migrated database of the test's own, opened."""
    opened = open_database(Settings(database_url=database_url, pool_size=2))
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    """The embedding model, loaded once."""
    return Embedder()


@pytest.fixture(scope="session")
def demo(new_database: Callable[[], str], embedder: Embedder) -> Iterator[Service]:
    """The service over the demo records (all of data/demo), ingested once a session; read-only by convention."""
    settings = Settings(database_url=new_database())
    service = Service(Stages(settings, open_database(settings), embedder))
    report = ingest(service.stages.database, embedder, [DEMO])
    assert (report.quarantined, report.problems) == (0, [])
    yield service
    service.close()
