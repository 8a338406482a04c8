"""Bad files and entries are reported with file, entry and reason; the rest goes in; no reason repeats a record."""

from __future__ import annotations

import gzip
import json
import os
import zipfile
from pathlib import Path

import pytest

from core.database.pool import Database
from core.embedding import Embedder
from core.ingestion.ingest import Report, ingest
from tests.integration.fhir_files import (
    Json,
    balanced,
    bundle,
    encoded,
    everything,
    observation,
    patient,
    quarantine,
    table,
    write,
)

pytestmark = pytest.mark.integration
SECRET = "Zebra"  # stands for what a record holds; never seen outside the record
ADA, ONE = ("Patient/ada", "Patient/ada"), ("Patient/ada", "Observation/o1")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one good file; what is put beside it must not cost it anything."""
    write(tmp_path / "good.json", bundle(patient(), observation()))
    return tmp_path


def taken(database: Database, embedder: Embedder, folder: Path) -> Report:
    report = ingest(database, embedder, [folder])
    assert balanced(report), report
    assert {ADA, ONE} <= set(table(database))
    said = [(p["source"].rpartition("/")[2], p["entry"], p["reason"]) for p in report.problems]
    assert sorted(said) == sorted(quarantine(database))
    assert SECRET not in json.dumps([[entry, reason] for _, entry, reason in said])
    return report


def nested(levels: int) -> bytes:
    return b'{"x":' * levels + b"1" + b"}" * levels


GOOD = json.dumps(bundle(patient("bob", name=[{"text": SECRET}]), observation("o2", "Patient/bob"))).encode()
FILES: list[tuple[str, bytes, str]] = [
    ("truncated.json.gz", gzip.compress(GOOD)[:-20], "truncated or damaged"),
    ("damaged.json.gz", gzip.compress(GOOD)[:40] + b"xxxx" + gzip.compress(GOOD)[44:], "damaged"),
    ("not_gzip.json.gz", GOOD, "truncated or damaged"),
    ("gzip.json", gzip.compress(GOOD), "gzip under another name"),
    ("cut.json", GOOD[:-30], "not valid JSON"),
    ("words.json", f"{SECRET} is not JSON".encode(), "not valid JSON"),
    ("list.json", b"[" + GOOD + b"]", "not FHIR"),
    ("text.json", b'"Zebra"', "not FHIR"),
    ("other.json", b'{"name": "Zebra"}', "not FHIR"),
    ("type.json", b'{"resourceType": {"Zebra": 1}}', "not FHIR"),
    ("null.json", b"null", "not FHIR"),
    ("empty.json", b"", "is empty"),
    ("blank.json", b" \n\t ", "is empty"),
    ("empty.ndjson", b"", "is empty"),
    ("empty.json.gz", b"", "is empty"),
    ("utf16.json", GOOD.decode().encode("utf-16"), "UTF-16"),
    ("utf16.ndjson", GOOD.decode().encode("utf-16"), "UTF-16"),
    ("utf32.json", GOOD.decode().encode("utf-32-be"), "UTF-32"),
    ("latin1.json", '{"resourceType": "Patient", "id": "é"}'.encode("latin-1"), "not valid JSON"),
    ("deep.json", nested(5_000), "1,000 levels deep"),
    ("bad.zip", b"PK not a zip", "cannot be opened"),
    ("entries.json", b'{"resourceType": "Bundle", "entry": {"Zebra": 1}}', "is not a list"),
]


@pytest.mark.parametrize(("name", "body", "reason"), FILES, ids=[f[0] for f in FILES])
def test_a_bad_file_is_one_problem_and_costs_nothing_else(
    database: Database, embedder: Embedder, folder: Path, name: str, body: bytes, reason: str
) -> None:
    (folder / name).write_bytes(body)
    report = taken(database, embedder, folder)
    assert (report.read, report.written, report.quarantined) == (3, 2, 1)
    [problem] = report.problems
    assert problem["source"].endswith(name)
    assert reason in problem["reason"]
    assert not any(owner == "Patient/bob" for owner, _ in table(database)), "nothing half-written"


ENTRIES: list[tuple[str, object, str]] = [
    ("null", None, "has no resource"),
    ("a text", "Zebra", "has no resource"),
    ("a list", [observation("x")], "has no resource"),
    ("without a resource", {"fullUrl": "urn:uuid:1"}, "has no resource"),
    ("a null resource", {"resource": None}, "has no resource"),
    ("a resource that is a text", {"resource": "Zebra"}, "has no resource"),
    ("an empty resource", {"resource": {}}, "is not a JSON object"),
    ("without a type", {"resource": {"id": "x"}}, "no valid resourceType"),
    ("a type that is a number", {"resource": {"resourceType": 7, "id": "x"}}, "no valid resourceType"),
    ("a type that is a path", {"resource": {"resourceType": "../Zebra", "id": "x"}}, "no valid resourceType"),
    ("without an id", {"resource": {"resourceType": "Observation"}}, "no valid id"),
    ("an id with a slash", {"resource": {"resourceType": "Observation", "id": "Zebra/x"}}, "no valid id"),
    ("an id that is a number", {"resource": {"resourceType": "Observation", "id": 7}}, "no valid id"),
    ("an id of 65 characters", {"resource": {"resourceType": "Observation", "id": "x" * 65}}, "no valid id"),
    ("nested 5,000 deep", {"resource": observation("x", note="NEST-5000")}, "1,000 levels deep"),
    ("nested 600 deep", {"resource": observation("x", note="NEST-600")}, "250 levels deep"),
    ("half a surrogate pair", {"resource": observation("x", note="LONE")}, "not valid JSON"),
    ("a raw NUL byte", {"resource": observation("x", note="NUL")}, "not valid JSON"),
    ("an infinite number", {"resource": observation("x", note="HUGE")}, "not valid JSON"),
]


@pytest.mark.parametrize(("entry", "reason"), [e[1:] for e in ENTRIES], ids=[e[0] for e in ENTRIES])
@pytest.mark.parametrize("lines", [False, True], ids=["bundle", "ndjson"])
def test_a_bad_entry_costs_itself_only(
    database: Database, embedder: Embedder, tmp_path: Path, entry: object, reason: str, lines: bool
) -> None:
    if lines and not (isinstance(entry, dict) and isinstance(entry.get("resource"), dict)):
        entry = {"resource": entry}  # a line is the resource itself
    good = [{"resource": patient()}, {"resource": observation("o1")}, {"resource": observation("o2")}]
    entries = [*good[:2], entry, good[2]]
    if lines:
        body = encoded("a.ndjson", [e.get("resource") if isinstance(e, dict) else e for e in entries])
    else:
        body = encoded("a.json", {"resourceType": "Bundle", "type": "collection", "entry": entries})
    for mark, text in (
        (b'"NEST-5000"', nested(5_000)),
        (b'"NEST-600"', nested(600)),
        (b'"NUL"', b'"Ze\0bra"'),
        (b'"LONE"', b'"\\ud800"'),
        (b'"HUGE"', b"1" + b"0" * 400),
    ):
        body = body.replace(mark, text)
    (tmp_path / ("a.ndjson" if lines else "a.json")).write_bytes(body)
    report = taken(database, embedder, tmp_path)
    assert (report.read, report.written, report.quarantined) == (4, 3, 1)
    [problem] = report.problems
    assert problem["entry"].startswith("line 3" if lines else "entry 2")
    assert (reason in problem["reason"]) or lines


ODD: list[tuple[str, Json]] = [
    ("a text where an object should be", {"code": SECRET, "subject": {"reference": "Patient/ada"}}),
    ("objects where texts should be", {"status": {"a": 1}, "effectiveDateTime": {"b": [2]}}),
    ("lists in lists", {"category": [[["x"]]], "component": [[{"code": 1}], None, "x"]}),
    ("nulls everywhere", {"code": None, "valueQuantity": None, "note": [None], "meta": None}),
    ("an impossible date", {"effectiveDateTime": "2024-02-31T25:61:00Z", "issued": "yesterday"}),
    ("a date of year 0", {"effectiveDateTime": "0000-00-00"}),
    ("a date of year 1 far east", {"effectiveDateTime": "0001-01-01T00:00:00+14:00"}),
    ("a date of year 9999 far west", {"effectiveDateTime": "9999-12-31T23:59:59-12:00"}),
    ("a number as a text", {"valueQuantity": {"value": "7,1 or so", "unit": 5}}),
    ("a huge integer", {"valueQuantity": {"value": 10**300, "unit": "%"}, "valueInteger": 10**30}),
    ("a tiny number", {"valueQuantity": {"value": 1e-300, "unit": "%"}}),
    ("a NUL character", {"note": [{"text": "be\0fore"}], "code": {"text": "A\0B"}}),
    ("a text that looks like a NUL", {"note": [{"text": "be\\u0000fore \\\0"}]}),
    ("a lastUpdated that is none", {"meta": {"lastUpdated": "soon", "versionId": {"a": 1}}}),
    ("a name of 20,000 characters", {"code": {"text": "sodium " * 3_000}}),
    ("a name of one 20,000-character word", {"code": {"text": "x" * 20_000}}),
    ("a note of 2 MB", {"note": [{"text": " ".join(f"word{i}" for i in range(200_000))}]}),
    (
        "a thousand codings",
        {"code": {"coding": [{"system": "s" * 50, "code": str(i)} for i in range(1_000)]}},
    ),
    ("an empty key", {"": "y", "extension": {"": [""]}}),
]


@pytest.mark.parametrize("fields", [o[1] for o in ODD], ids=[o[0] for o in ODD])
def test_an_odd_resource_is_stored_or_set_aside_and_never_in_the_way(
    database: Database, embedder: Embedder, folder: Path, fields: Json
) -> None:
    write(folder / "odd.json", bundle(patient("ada"), {**observation("odd"), **fields}, observation("o3")))
    report = taken(database, embedder, folder)
    assert (report.read, report.written, report.quarantined) == (5, 4, 0)
    assert ("Patient/ada", "Observation/odd") in table(database)
    assert ingest(database, embedder, [folder]).unchanged == 5


def test_what_the_database_refuses_is_set_aside_and_the_rest_of_the_file_is_stored(
    database: Database, embedder: Embedder, folder: Path
) -> None:
    with database.connection() as connection:
        # As a database of one's own might: a rule that some rows break.
        connection.execute(
            "alter table resources add check (text_content not like '%66 \\%%' and label <> 'Zebra')"
        )
    bad = [observation("b1", value=66), observation("b2", code={"text": SECRET})]
    write(folder / "b.json", bundle(patient("ada"), *[observation(f"g{i}") for i in range(9)], *bad))
    report = taken(database, embedder, folder)
    assert (report.written, report.quarantined) == (11, 2)
    assert {p["entry"] for p in report.problems} == {"entry 10, Observation/b1", "entry 11, Observation/b2"}
    assert {p["reason"] for p in report.problems} == {"cannot be stored (CheckViolation)"}


def test_a_name_that_no_text_column_takes_is_set_aside(
    database: Database, embedder: Embedder, folder: Path
) -> None:
    write(folder / "b.json", bundle(patient("ada"), {**observation("b1"), "Zebra\0": "x"}, observation("b2")))
    report = taken(database, embedder, folder)
    assert (report.read, report.written, report.quarantined) == (5, 3, 1)
    assert report.problems[0]["reason"] == "cannot be stored (CharacterNotInRepertoire)"


def test_a_bomb_is_stopped_by_what_it_swells_to(database: Database, embedder: Embedder, folder: Path) -> None:
    spaces = b" " * (70 << 20)
    with zipfile.ZipFile(folder / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.json", b'{"resourceType": "Patient", "id": "bob"}' + spaces)
        archive.writestr("b.ndjson", b'{"resourceType": "Patient", "id": "bob"}' + spaces + b"\n")
    (folder / "bomb.json.gz").write_bytes(gzip.compress(spaces, 9))
    report = taken(database, embedder, folder)
    assert (report.written, report.quarantined) == (2, 3)
    assert all("MiB of JSON" in p["reason"] or "swells" in p["reason"] for p in report.problems)


def test_a_zip_keeps_its_good_members(database: Database, embedder: Embedder, folder: Path) -> None:
    write(
        folder / "a.zip",
        {
            "bad.json": b"{",
            "good.json": bundle(patient("bob"), observation("o2", "Patient/bob")),
            "__MACOSX/._good.json": b"\0",
        },
    )
    write(folder / "none.zip", {"readme.txt": b"x"})
    report = taken(database, embedder, folder)
    assert (report.written, report.quarantined) == (4, 2)
    assert [q[0] for q in quarantine(database)] == ["bad.json", "none.zip"]


def test_problems_go_when_the_file_is_mended_and_files_of_one_name_keep_their_own(
    database: Database, embedder: Embedder, folder: Path
) -> None:
    for inner in ("a", "b"):
        write(folder / inner / "x.json", b"{")
    write(folder / "c.zip", {"x.json": b"{"})
    assert taken(database, embedder, folder).quarantined == 3
    assert taken(database, embedder, folder).quarantined == 3
    write(folder / "a" / "x.json", patient("bob"))
    write(folder / "c.zip", {"y.json": patient("eve")})
    report = taken(database, embedder, folder)
    assert (report.written, report.unchanged, report.quarantined) == (2, 2, 1)
    with database.connection() as connection:
        assert connection.execute("select source from quarantine").fetchall() == [
            (str(folder / "b" / "x.json"),)
        ]


def test_a_file_that_may_not_be_read(database: Database, embedder: Embedder, folder: Path) -> None:
    (folder / "loop.json").symlink_to(folder / "loop.json")  # unreadable for everybody, root too
    write(folder / "secret.json", patient("bob")).chmod(0)
    report = taken(database, embedder, folder)
    if os.geteuid() == 0:
        assert report.quarantined == 0
    else:
        assert [p["source"] for p in report.problems] == [str(folder / "secret.json")]
        assert "Permission denied" in report.problems[0]["reason"]


def test_a_second_reading_changes_nothing(database: Database, embedder: Embedder, folder: Path) -> None:
    for name, body, _ in FILES:
        (folder / name).write_bytes(body)
    taken(database, embedder, folder)
    before = everything(database)
    report = taken(database, embedder, folder)
    assert (report.written, report.updated, report.texts_embedded) == (0, 0, 0)
    assert everything(database) == before
