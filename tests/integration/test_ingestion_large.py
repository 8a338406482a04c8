"""A Bundle too large to hold is read entry by entry, to the same rows as one that is parsed whole."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core.config import Settings
from core.database.pool import Database, open_database
from core.embedding import Embedder
from core.ingestion import read
from core.ingestion.ingest import Report, ingest
from tests.integration.fhir_files import (
    Json,
    balanced,
    bundle,
    medication,
    observation,
    patient,
    quarantine,
    table,
    write,
)

pytestmark = pytest.mark.integration
NPI = {"system": "urn:npi", "value": "99"}


@pytest.fixture
def streamed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is too large, and two resources fill a document."""
    monkeypatch.setattr(read, "HELD_BYTES", 40)
    monkeypatch.setattr(read, "LINES_A_DOCUMENT", 2)


def taken(database: Database, embedder: Embedder, path: Path) -> Report:
    report = ingest(database, embedder, [path])
    assert balanced(report), report
    return report


def record() -> Json:
    """References forwards and backwards, by url, by identifier and by nothing but the company they keep."""
    asking: Json = {
        "resourceType": "MedicationRequest",
        "id": "rx",
        "status": "active",
        "intent": "order",
        "subject": {"reference": "urn:uuid:ada"},
        "medicationReference": {"reference": "urn:uuid:m1"},
        "requester": {"reference": "Practitioner?identifier=urn:npi|99"},
        "encounter": {"reference": "urn:uuid:visit"},
    }
    visit: Json = {
        "resourceType": "Encounter",
        "id": "visit",
        "status": "finished",
        "class": {"code": "AMB"},
        "subject": {"reference": "urn:uuid:ada"},
    }
    doctor: Json = {
        "resourceType": "Practitioner",
        "id": "dr",
        "identifier": [NPI],
        "name": [{"family": "Osler"}],
    }
    alone = {"resourceType": "Basic", "id": "b", "code": {"text": "Nobody's but the patient's"}}
    results = [observation(f"o{n}", "urn:uuid:ada") for n in range(5)]
    return bundle(asking, *results, alone, visit, patient(), medication("Metformin"), doctor, urls=True)


def rows(database: Database) -> list[tuple[object, ...]]:
    with database.connection() as connection:
        return connection.execute(
            "select patient_ref, resource_id, text_content, facts from resources order by 1, 2"
        ).fetchall()


@pytest.mark.parametrize("name", ["a.json", "a.json.gz", "a.zip"])
def test_it_becomes_the_same_rows(
    new_database: Callable[[], str],
    embedder: Embedder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    content: object = {"a.json": record()} if name.endswith(".zip") else record()
    path, found = write(tmp_path / name, content), []
    for held in (read.HELD_BYTES, 40):
        monkeypatch.setattr(read, "HELD_BYTES", held)
        monkeypatch.setattr(read, "LINES_A_DOCUMENT", 2)
        database = open_database(Settings(database_url=new_database()))
        try:
            report = taken(database, embedder, path)
            assert (report.read, report.written, report.quarantined) == (11, 11, 0)
            found.append(rows(database))
            assert taken(database, embedder, path).unchanged == 11
        finally:
            database.close()
    assert found[0] == found[1]
    [text] = [str(row[2]) for row in found[0] if row[1] == "MedicationRequest/rx"]
    assert "Metformin" in text
    assert "Osler" in text


@pytest.mark.usefixtures("streamed")
@pytest.mark.parametrize("ending", [b"", b"]", b"]} x"], ids=["cut", "cut in the object", "something after"])
def test_one_that_is_not_whole_is_not_taken_at_all(
    database: Database, embedder: Embedder, tmp_path: Path, ending: bytes
) -> None:
    body = json.dumps(record()).encode().removesuffix(b"]}")
    report = taken(database, embedder, write(tmp_path / "a.json", body + ending))
    assert (report.read, report.quarantined) == (1, 1)
    assert "truncated or not valid JSON" in quarantine(database)[0][2]
    assert table(database) == {}


@pytest.mark.usefixtures("streamed")
def test_a_truncated_gzip_of_it_is_not_taken_at_all(
    database: Database, embedder: Embedder, tmp_path: Path
) -> None:
    body = gzip.compress(json.dumps(record()).encode())
    assert taken(database, embedder, write(tmp_path / "a.json", b"{}")).quarantined == 1
    (tmp_path / "b.json.gz").write_bytes(body[:-200])
    assert taken(database, embedder, tmp_path / "b.json.gz").quarantined == 1
    assert table(database) == {}


@pytest.mark.usefixtures("streamed")
def test_a_bad_entry_costs_itself_only(database: Database, embedder: Embedder, tmp_path: Path) -> None:
    found = bundle(patient(), observation())
    deleted = {"request": {"method": "DELETE", "url": "Observation/o9"}}
    found["entry"] += [None, "x", {}, {"resource": "x"}, deleted, {"resource": observation("o2")}]
    report = taken(database, embedder, write(tmp_path / "a.json", found))
    assert (report.read, report.written, report.quarantined) == (8, 3, 5)
    assert [(e, r.partition(":")[0]) for _, e, r in quarantine(database)] == [
        *((f"entry {n}", "has no resource") for n in (2, 3, 4, 5)),
        ("entry 6", "deletes a resource"),
    ]


@pytest.mark.usefixtures("streamed")
@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"type": "collection", "resourceType": "Bundle", "entry": {"a": "x" * 50}}, "not a list"),
        ({"resourceType": "Bundle", "id": "x" * 50}, "without entries"),
        ({"a": "x" * 50}, "not FHIR"),
        (["x" * 50], "not FHIR"),
    ],
)
def test_what_has_no_entries_is_said(
    database: Database, embedder: Embedder, tmp_path: Path, content: object, said: str
) -> None:
    assert taken(database, embedder, write(tmp_path / "a.json", content)).quarantined == 1
    assert said in quarantine(database)[0][2]


@pytest.mark.usefixtures("streamed")
def test_one_large_resource_is_taken(database: Database, embedder: Embedder, tmp_path: Path) -> None:
    body = b"\xef\xbb\xbf" + json.dumps(patient(text={"div": "x" * 500})).encode()
    assert taken(database, embedder, write(tmp_path / "a.json", body)).written == 1


def test_a_source_of_many_problems_is_counted_whole_and_listed_in_part(
    database: Database, embedder: Embedder, tmp_path: Path
) -> None:
    report = ingest(database, embedder, [write(tmp_path / "a.ndjson", [patient(), *[{"a": 1}] * 3_000])])
    assert (report.read, report.written, report.quarantined) == (3_001, 1, 3_000)
    assert len(report.problems) == 1_000
    assert len(quarantine(database)) == 3_000
