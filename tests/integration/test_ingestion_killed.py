"""An ingestion that is killed and started again, or run twice at once, leaves the tables of an undisturbed one."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.config import Settings
from core.database.pool import Database, open_database
from core.embedding import Embedder
from core.ingestion.ingest import Report, ingest
from tests.integration.fhir_files import (
    Json,
    bundle,
    everything,
    medication,
    observation,
    patient,
    prescription,
    write,
)

pytestmark = pytest.mark.integration

ROOT = Path(__file__).resolve().parents[2]
KILLS = 3
# Ingests the folder, telling of each step: a line begins when the step does.
CHILD = """
import sys
from pathlib import Path
from core.config import Settings
from core.database.pool import open_database
from core.embedding import Embedder
from core.ingestion.ingest import ingest
database = open_database(Settings(database_url=sys.argv[1], pool_size=2))
report = ingest(database, Embedder(), [Path(sys.argv[2])], lambda step: print(step.fraction, flush=True))
print(report.model_dump_json(), flush=True)
database.close()
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that need one another: names from later files, an orphan, a conflict, a bad entry, a large file."""
    folder = tmp_path_factory.mktemp("corpus")
    doctor: Json = {"resourceType": "Practitioner", "id": "d", "name": [{"text": "Dr. Diaz"}]}
    for number in range(6):
        who = f"Patient/p{number}"
        rows = [
            observation(f"o{i}", who, i, code={"text": f"Finding {i % 40} of {number}"})
            for i in range(400 + number)
        ]
        rx = prescription(f"rx{number}", f"Medication/m{number}", who)
        conflict = observation("o1", who, 99, code={"text": "Finding 1, another copy"})
        write(
            folder / f"{number}.json.gz",
            bundle(patient(f"p{number}"), {**doctor, "active": number % 2 == 0}, *rows, rx, conflict),
        )
    write(folder / "7.ndjson", [medication(f"Drug {n}", f"m{n}") for n in range(6)])
    about = {"resourceType": "Provenance", "id": "v", "target": [{"reference": "Observation/late"}]}
    write(folder / "8.ndjson", [about, {"resourceType": "Observation"}])
    write(folder / "9.json", observation("late", "Patient/p1"))
    return folder


@contextmanager
def opened(url: str) -> Iterator[Database]:
    database = open_database(Settings(database_url=url, pool_size=2))
    yield database
    database.close()


@pytest.fixture(scope="module")
def undisturbed(
    new_database: Callable[[], str], embedder: Embedder, corpus: Path
) -> dict[str, list[tuple[object, ...]]]:
    """The tables after one undisturbed ingestion."""
    with opened(new_database()) as database:
        report = ingest(database, embedder, [corpus])
        assert report.quarantined == 7
        assert report.refreshed == 6
        return everything(database)


def start(url: str, corpus: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, url, str(corpus)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )


def complete(child: subprocess.Popen[str]) -> Report:
    output, _ = child.communicate(timeout=200)
    assert child.returncode == 0
    return Report.model_validate_json(output.splitlines()[-1])


def test_killed_at_random_moments_and_completed(
    new_database: Callable[[], str], corpus: Path, undisturbed: dict[str, list[tuple[object, ...]]]
) -> None:
    url, chance = new_database(), random.Random()
    for _ in range(KILLS):
        child = start(url, corpus)
        assert child.stdout is not None
        for _ in range(chance.randint(10, 24)):  # files read, batches embedded, files stored, in this order
            child.stdout.readline()
        try:
            child.wait(timeout=chance.uniform(0, 0.1))
        except subprocess.TimeoutExpired:
            child.kill()
        child.stdout.close()
        child.wait()
    complete(start(url, corpus))
    with opened(url) as database:
        assert everything(database) == undisturbed


def test_two_at_once_write_each_row_once(
    new_database: Callable[[], str], corpus: Path, undisturbed: dict[str, list[tuple[object, ...]]]
) -> None:
    url = new_database()
    reports = [complete(child) for child in [start(url, corpus), start(url, corpus)]]
    with opened(url) as database:
        assert everything(database) == undisturbed
    assert sum(r.written for r in reports) == len(undisturbed["resources"])
