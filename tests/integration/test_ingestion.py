"""What ingestion takes, what it makes of a second version, whose a row is: on a real PostgreSQL with the real model."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from core.config import Settings
from core.database.pool import Database, open_database
from core.embedding import Embedder
from core.errors import IngestError
from core.ingestion.ingest import Progress, Report, ingest
from core.ingestion.read import LINES_A_DOCUMENT
from tests.integration.fhir_files import (
    Json,
    balanced,
    bundle,
    everything,
    medication,
    observation,
    patient,
    prescription,
    quarantine,
    table,
    versioned,
    write,
)

pytestmark = pytest.mark.integration
Take = Callable[..., Report]
OWNED = ("Patient/ada", "Observation/o1")


@pytest.fixture
def take(database: Database, embedder: Embedder, tmp_path: Path) -> Take:
    """Write {file name: content} and ingest those files, in that order; the report must add up."""

    def run(**files: object) -> Report:
        paths = [write(tmp_path / name.replace("__", "."), content) for name, content in files.items()]
        report = ingest(database, embedder, paths)
        assert balanced(report), report
        return report

    return run


# --- what is read ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", ["transaction", "batch", "collection", "searchset", "document", "message", "history"]
)
def test_a_bundle_of_any_type(take: Take, database: Database, kind: str) -> None:
    report = take(a__json=bundle(patient(), observation(), kind=kind))
    assert (report.read, report.written, report.quarantined) == (2, 2, 0)
    assert "7.1 %" in table(database)[OWNED]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", bundle(patient(), observation())),
        ("a.json.gz", bundle(patient(), observation())),
        ("a.ndjson", [patient(), observation()]),
        ("a.ndjson.gz", [patient(), observation()]),
        ("a.zip", {"in/a.json": bundle(patient(), observation()), "read.me": "no"}),
        ("a.zip", {"a.ndjson.gz": [patient(), observation()]}),
        ("a.JSON", b"\xef\xbb\xbf" + b'{"resourceType": "Patient", "id": "ada"}'),
    ],
)
def test_every_kind_of_file(
    database: Database, embedder: Embedder, tmp_path: Path, name: str, content: object
) -> None:
    write(tmp_path / "folder" / "inner" / name, content)
    report = ingest(database, embedder, [tmp_path])
    assert balanced(report)
    assert report.files == 1
    assert ("Patient/ada", "Patient/ada") in table(database)
    assert report.quarantined == 0


def test_a_lone_resource_and_every_file_of_a_folder(
    database: Database, embedder: Embedder, tmp_path: Path
) -> None:
    write(tmp_path / "b.json", observation())
    write(tmp_path / "a.json", patient())
    (tmp_path / "notes.txt").write_text("not a record")
    report = ingest(database, embedder, [tmp_path])
    assert (report.files, report.written) == (2, 2)


def test_urn_uuids_are_resolved_inside_their_bundle(take: Take, database: Database) -> None:
    one = observation("o1", "urn:uuid:ada", encounter={"reference": "urn:uuid:e1"})
    visit = {
        "resourceType": "Encounter",
        "id": "e1",
        "subject": {"reference": "urn:uuid:ada"},
        "status": "finished",
    }
    take(a__json=bundle(patient(), visit, one, urls=True))
    with database.connection() as connection:
        refs = connection.execute(
            "select refs from resources where resource_id = 'Observation/o1'"
        ).fetchone()
    assert refs == (["Encounter/e1", "Patient/ada"],)


def test_the_resource_is_kept_as_it_was_sent(take: Take, database: Database) -> None:
    sent = observation(extension=[{"url": "http://example.org/é", "valueString": 'a\\u0000"b'}])
    take(a__json=bundle(patient(), sent))
    with database.connection() as connection:
        kept = connection.execute(
            "select resource from resources where resource_id = 'Observation/o1'"
        ).fetchone()
    assert kept == (sent,)
    assert list(kept[0]) == list(sent)


def test_a_long_ndjson_file_is_one_transaction_of_many_documents(take: Take, database: Database) -> None:
    many = [observation(f"o{i}") for i in range(LINES_A_DOCUMENT + 50)]
    lines = [prescription(), *many, observation("o1", value=9.0), medication("Metformin"), patient()]
    report = take(a__ndjson=lines)
    assert (report.read, report.written, report.updated) == (len(lines), len(lines) - 1, 1)
    stored = table(database)
    assert "Metformin" in stored["Patient/ada", "MedicationRequest/rx"]
    assert "9 %" in stored[OWNED]
    with database.connection() as connection:
        counted = connection.execute("select resources from patients").fetchall()
    assert counted == [(len(many) + 2,)]
    assert take(a__ndjson=lines).unchanged == len(lines)


def test_a_bundle_without_entries_holds_nothing(take: Take) -> None:
    report = take(a__json={"resourceType": "Bundle", "type": "searchset"}, b__json=bundle())
    assert (report.files, report.read, report.quarantined) == (2, 0, 0)


def test_nothing_found_is_a_warning_and_a_missing_path_an_error(
    database: Database, embedder: Embedder, tmp_path: Path
) -> None:
    report = ingest(database, embedder, [tmp_path])
    assert (report.files, report.read) == (0, 0)
    assert "No .json" in report.warnings[0]
    with pytest.raises(IngestError, match="does not exist"):
        ingest(database, embedder, [tmp_path / "absent"])


def test_a_corpus_without_results_is_said_to_have_none(take: Take) -> None:
    assert "No Observation" in take(a__json=patient()).warnings[0]
    assert take(b__json=bundle(patient(), observation())).warnings == []


def test_progress_ends_at_the_end(database: Database, embedder: Embedder, tmp_path: Path) -> None:
    write(tmp_path / "a.json", bundle(patient(), observation()))
    write(tmp_path / "b.json", bundle(patient("bob"), observation("o2", "Patient/bob")))
    told: list[Progress] = []
    ingest(database, embedder, [tmp_path], told.append)
    assert told[-1].fraction == 1.0
    assert told[-1].resources == 4
    assert [p.fraction for p in told] == sorted(p.fraction for p in told)


# --- versions -------------------------------------------------------------------------------------


def test_the_same_again_is_unchanged_and_embeds_nothing(take: Take, database: Database) -> None:
    content = bundle(patient(), observation())
    first = take(a__json=content)
    before = everything(database)
    assert first.texts_embedded == 2
    for again in (take(a__json=content), take(a__json=b" " + str(content).replace("'", '"').encode())):
        assert (again.read, again.unchanged, again.texts_embedded) == (2, 2, 0)
    after = everything(database)
    assert {k: v for k, v in after.items() if k != "files"} == {
        k: v for k, v in before.items() if k != "files"
    }


def test_a_changed_resource_is_refreshed(take: Take, database: Database) -> None:
    take(a__json=bundle(patient(), observation()))
    report = take(a__json=bundle(patient(), observation(value=8.2)))
    assert (report.written, report.updated, report.unchanged) == (0, 1, 1)
    assert "8.2 %" in table(database)[OWNED]


OLD, NEW = observation(value=6.0), observation(value=9.0)
VERSIONS = [
    (versioned(OLD, "2024-01-01T00:00:00Z"), versioned(NEW, "2024-02-01T00:00:00+02:00")),
    (versioned(OLD, "", "2"), versioned(NEW, "", "10")),
    (versioned(OLD, "2024-01-01T00:00:00Z", "1"), versioned(NEW, "2024-01-01T00:00:00Z", "2")),
]


@pytest.mark.parametrize(("old", "new"), VERSIONS, ids=["lastUpdated", "versionId", "both"])
@pytest.mark.parametrize("together", [True, False], ids=["one file", "two files"])
@pytest.mark.parametrize("later_first", [True, False], ids=["later first", "earlier first"])
def test_the_later_version_wins_whatever_the_order(
    take: Take, database: Database, old: Json, new: Json, together: bool, later_first: bool
) -> None:
    pair = (new, old) if later_first else (old, new)
    if together:
        report = take(a__json=bundle(patient(), *pair))
        assert (report.written, report.superseded) == (2, 1)
    else:
        report = take(p__json=patient(), a__json=pair[0], b__json=pair[1])
        assert (report.superseded, report.updated) == ((1, 0) if later_first else (0, 1))
    assert "9 %" in table(database)[OWNED]


def test_copies_that_differ_without_a_version_are_reported(take: Take, database: Database) -> None:
    report = take(a__json=bundle(patient(), OLD, NEW, NEW))
    assert (report.written, report.unchanged, report.quarantined) == (2, 1, 1)
    assert "9 %" in table(database)[OWNED]
    [(name, entry, reason)] = quarantine(database)
    assert (name, entry) == ("a.json", "entry 1, Observation/o1")
    assert "no meta.lastUpdated" in reason


# --- whose a row is -------------------------------------------------------------------------------


def test_two_patients_in_a_bundle_keep_their_own_rows(take: Take, database: Database) -> None:
    take(
        a__json=bundle(
            patient("ada"),
            patient("bob"),
            observation("o1", "Patient/ada"),
            observation("o2", "https://example.org/fhir/Patient/bob/_history/3"),
        )
    )
    assert {key for key in table(database) if "Observation" in key[1]} == {
        ("Patient/ada", "Observation/o1"),
        ("Patient/bob", "Observation/o2"),
    }


def test_the_same_id_under_two_patients_is_two_rows(take: Take, database: Database) -> None:
    take(
        a__json=bundle(
            patient("ada"),
            patient("bob"),
            observation("o1", "Patient/ada", 5.0),
            observation("o1", "Patient/bob", 9.0),
        )
    )
    stored = table(database)
    assert "5 %" in stored["Patient/ada", "Observation/o1"]
    assert "9 %" in stored["Patient/bob", "Observation/o1"]


@pytest.mark.parametrize("order", ["wrong first", "right first", "one bundle", "one bundle, right first"])
def test_a_result_filed_under_the_wrong_patient_leaves_with_its_correction(
    take: Take, database: Database, order: str
) -> None:
    wrong = versioned(observation("o1", "Patient/bob"), "2024-03-01T10:00:00Z", "1")
    right = versioned(observation("o1", "Patient/ada"), "2024-03-02T10:00:00Z", "2")
    people = bundle(patient("ada"), patient("bob"))
    both = [wrong, right] if "right first" not in order else [right, wrong]
    if "one bundle" in order:
        report = take(a__json=people, b__json=bundle(*both))
    else:
        report = take(a__json=people, b__json=bundle(both[0]), c__json=bundle(both[1]))
    assert {k for k in table(database) if k[1] == "Observation/o1"} == {OWNED}
    assert report.read == 4
    with database.connection() as connection:
        counted = dict(connection.execute("select patient_ref, resources from patients").fetchall())
    assert counted == {"Patient/ada": 2, "Patient/bob": 1}


@pytest.mark.parametrize("beside", [[], [{"resourceType": "Patient"}]], ids=["whole", "with a problem"])
def test_files_that_differ_without_a_version_do_not_take_turns(
    take: Take, database: Database, beside: list[Json]
) -> None:
    files = {
        "a__json": bundle(patient(), observation(value=7.1), *beside),
        "b__json": bundle(observation(value=7.2)),
    }
    assert take(**files).updated == 1
    for _ in range(2):
        assert take(**files).updated == 0
        assert "7.2 %" in table(database)[OWNED]
    assert take(c__json=bundle(observation(value=7.3))).updated == 1


def test_urls_mean_something_within_their_bundle_only(take: Take, database: Database) -> None:
    def one(who: str, drug: str) -> Json:
        order = prescription(f"rx-{who}", "urn:uuid:m", "urn:uuid:1")
        found = bundle(order, patient(who), medication(drug, f"m-{who}"))
        for entry, url in zip(found["entry"], ("urn:uuid:9", "urn:uuid:1", "urn:uuid:m"), strict=True):
            entry["fullUrl"] = url
        return found

    assert take(a__ndjson=[one("ada", "Aspirin"), one("bob", "Warfarin")]).written == 6
    rows = table(database)
    assert "Aspirin" in rows["Patient/ada", "MedicationRequest/rx-ada"]
    assert "Warfarin" in rows["Patient/bob", "MedicationRequest/rx-bob"]


def test_new_resources_of_a_transaction_have_the_id_of_their_url(take: Take, database: Database) -> None:
    new = bundle(patient("ada"), observation("o1", "urn:uuid:ada"), kind="transaction", urls=True)
    for entry in new["entry"]:
        del entry["resource"]["id"]
    assert take(a__json=new).written == 2
    assert OWNED in table(database)


@pytest.mark.parametrize(
    "other",
    [
        {"resourceType": "AuditEvent", "id": "x", "entity": [{"what": {"reference": "Patient/bob"}}]},
        {"resourceType": "Person", "id": "x", "link": [{"target": {"reference": "Patient/bob"}}]},
        observation("x", None, subject={"display": "Miller, Bob"}),
        observation("x", None, subject="Patient/bob"),
    ],
)
def test_what_names_another_patient_is_not_the_only_patients(
    take: Take, database: Database, other: Json
) -> None:
    take(a__json=bundle(patient(), other))
    assert [i for owner, i in table(database) if owner == "Patient/ada"] == ["Patient/ada"]


def test_two_servers_in_one_bundle_are_not_mixed(take: Take, database: Database) -> None:
    found = bundle(patient("1"), observation("o1", "Patient/1"), patient("1"))
    for entry, base in zip(found["entry"], ("http://a", "http://a", "http://b"), strict=True):
        resource = entry["resource"]
        entry["fullUrl"] = f"{base}/{resource['resourceType']}/{resource['id']}"
    report = take(a__json=found)
    assert (report.written, report.quarantined) == (2, 1)
    assert "another server" in quarantine(database)[0][2]


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ({"resourceType": "Observation"}, "Observation has no valid id"),
        ({"id": "o1"}, "has no valid resourceType"),
        ({}, "is not a JSON object"),
    ],
)
def test_entries_of_one_server_without_an_id_are_told_as_such(
    take: Take, database: Database, entry: Json, reason: str
) -> None:
    found = {"resourceType": "Bundle", "type": "collection", "entry": []}
    found["entry"] = [{"fullUrl": f"http://{host}/Observation/1", "resource": entry} for host in "ab"]
    report = take(a__json=found)
    assert report.quarantined == 2
    assert all(reason in row[2] for row in quarantine(database))


def test_a_bundle_within_a_bundle_is_set_aside(take: Take, database: Database) -> None:
    report = take(a__json=bundle(patient(), {**bundle(patient("bob")), "id": "in"}))
    assert (report.written, report.quarantined) == (1, 1)
    assert "Bundle within a Bundle" in quarantine(database)[0][2]


@pytest.mark.parametrize("status", ["Entered-In-Error", "ENTERED_IN_ERROR", "Entered in Error"])
def test_what_was_entered_in_error_is_void_however_it_is_written(
    take: Take, database: Database, status: str
) -> None:
    take(a__json=bundle(patient(), observation(status=status)))
    with database.connection() as connection:
        assert connection.execute(
            "select void from resources where resource_id = 'Observation/o1'"
        ).fetchone() == (True,)


def test_a_refuted_condition_lends_its_name_to_nothing(take: Take, database: Database) -> None:
    refuted = {"coding": [{"code": "refuted"}]}
    gout = {"resourceType": "Condition", "id": "g", "code": {"text": "Gout"}, "verificationStatus": refuted}
    order = {**prescription(), "reasonReference": [{"reference": "Condition/g"}]}
    take(
        a__json=bundle(
            patient(), {**gout, "subject": {"reference": "Patient/ada"}}, order, medication("Allopurinol")
        )
    )
    assert "Gout" not in table(database)["Patient/ada", "MedicationRequest/rx"]


def test_directory_rows_are_shared(take: Take, database: Database) -> None:
    doctor = {"resourceType": "Practitioner", "id": "d", "name": [{"text": "Dr. Diaz"}]}
    report = take(a__json=bundle(patient("ada"), doctor), b__json=bundle(patient("bob"), doctor))
    assert (report.written, report.unchanged) == (3, 1)
    assert ("", "Practitioner/d") in table(database)


@pytest.mark.parametrize(
    "whose",
    ["Group/g", "Device/d", "Location/l", "urn:uuid:absent", "Patient?identifier=x|404"],
    ids=["group", "device", "location", "unknown urn", "unknown identifier"],
)
def test_a_subject_that_is_not_this_patient_is_never_this_patients(
    take: Take, database: Database, whose: str
) -> None:
    report = take(a__json=bundle(patient(), observation("o1", whose)))
    assert (report.written, report.quarantined) == (1, 1)
    assert list(table(database)) == [("Patient/ada", "Patient/ada")]
    assert "no patient" in quarantine(database)[0][2]


def test_a_resource_that_names_nobody_belongs_to_the_only_patient_of_its_bundle_or_to_nobody(
    take: Take, database: Database
) -> None:
    assert take(a__json=bundle(patient(), observation("o1", None))).written == 2
    report = take(b__json=bundle(patient("bob"), patient("eve"), observation("o2", None)))
    assert (report.written, report.quarantined) == (2, 1)
    assert {k for k in table(database) if k[1].startswith("Obs")} == {OWNED}


NPI = {"system": "http://hl7.org/fhir/sid/us-npi", "value": "99"}


@pytest.mark.parametrize("practitioner_first", [True, False])
@pytest.mark.parametrize("runs", ["one run", "two runs"])
def test_a_conditional_reference_is_matched_on_identifier_across_files(
    take: Take, database: Database, practitioner_first: bool, runs: str
) -> None:
    asking = prescription("rx", "Medication?identifier=urn:rx|7")
    asking["requester"] = {"reference": f"Practitioner?identifier={NPI['system']}|99"}
    doctor = {"resourceType": "Practitioner", "id": "dr", "identifier": [NPI], "name": [{"family": "Osler"}]}
    drug = medication("Metformin 500 mg", identifier=[{"system": "urn:rx", "value": "7"}])
    contents = [bundle(patient(), asking), bundle(doctor, drug)]
    if practitioner_first:
        contents.reverse()
    files = dict(zip(("a__json", "b__json"), contents, strict=True))
    for part in [files] if runs == "one run" else [{name: c} for name, c in files.items()]:
        take(**part)
    text = table(database)["Patient/ada", "MedicationRequest/rx"]
    assert "Osler" in text
    assert "Metformin 500 mg" in text
    with database.connection() as connection:
        rows = connection.execute("select facts from resources where resource_id = 'MedicationRequest/rx'")
        targets = {r["target"] for (facts,) in rows for r in json.loads(facts)["references"]}
    assert {"Practitioner/dr", "Medication/m1"} <= targets


def test_a_conditional_reference_that_two_resources_match_names_nobody(
    take: Take, database: Database
) -> None:
    doctors = [
        {"resourceType": "Practitioner", "id": i, "identifier": [NPI], "name": [{"family": i.title()}]}
        for i in ("osler", "mayo")
    ]
    seen = observation(performer=[{"reference": "Practitioner?identifier=99"}])
    take(a__json=bundle(*doctors), b__json=bundle(patient(), seen))
    text = table(database)[OWNED]
    assert "Osler" not in text
    assert "Mayo" not in text


@pytest.mark.parametrize(
    "subject",
    [
        {"reference": "Patient?identifier=urn:mrn|42"},
        {"reference": "Patient?identifier=urn%3Amrn%7C42"},
        {"identifier": {"system": "urn:mrn", "value": "42"}},
    ],
)
@pytest.mark.parametrize("patient_first", [True, False])
def test_a_patient_of_another_file_meant_by_identifier(
    take: Take, database: Database, subject: Json, patient_first: bool
) -> None:
    known = bundle(
        patient(identifier=[{"system": "urn:mrn", "value": "42"}]),
        patient("bob", identifier=[{"system": "urn:other", "value": "42"}]),
    )
    results = [observation(whose=None, subject=subject)]
    files = {"a__json": known, "b__ndjson": results}
    report = take(**(files if patient_first else {"a__ndjson": results, "b__json": known}))
    assert OWNED in table(database)
    assert (report.written, report.quarantined) == (3, 0)


def test_a_patient_of_another_file_is_never_meant_by_a_bare_value(take: Take, database: Database) -> None:
    known = bundle(patient(identifier=[{"system": "urn:mrn", "value": "42"}]))
    subject = {"reference": "Patient?identifier=42"}
    report = take(a__json=known, b__ndjson=[observation(whose=None, subject=subject)])
    assert report.quarantined == 1
    assert OWNED not in table(database)


def test_a_patient_named_by_identifier(take: Take, database: Database) -> None:
    one = patient("ada", identifier=[{"system": "urn:mrn", "value": "7"}])
    two = patient("bob", identifier=[{"system": "urn:mrn", "value": "8"}])
    other = observation("o2", None, subject={"identifier": {"system": "urn:mrn", "value": "8"}})
    take(a__json=bundle(one, two, observation("o1", "Patient?identifier=urn:mrn|7"), other))
    assert {("Patient/ada", "Observation/o1"), ("Patient/bob", "Observation/o2")} <= set(table(database))


def test_what_is_about_a_resource_is_its_patients_even_when_that_comes_later(
    take: Take, database: Database
) -> None:
    about = {"resourceType": "Provenance", "id": "v", "target": [{"reference": "Observation/o2"}]}
    report = take(
        a__ndjson=[about], b__ndjson=[patient("ada"), patient("bob"), observation("o2", "Patient/bob")]
    )
    assert (report.read, report.written, report.quarantined) == (4, 4, 0)
    assert ("Patient/bob", "Provenance/v") in table(database)
    assert quarantine(database) == []
    assert take(a__ndjson=[about]).unchanged == 1


def test_an_appointment_is_its_one_patients(take: Take, database: Database) -> None:
    def booked(identity: str, *who: str) -> Json:
        actors = [{"actor": {"reference": w}, "status": "accepted"} for w in ("Practitioner/d", *who)]
        return {"resourceType": "Appointment", "id": identity, "status": "booked", "participant": actors}

    people = (patient("ada"), patient("bob"))
    report = take(
        a__json=bundle(*people, booked("1", "Patient/bob"), booked("2", "Patient/ada", "Patient/bob"))
    )
    assert ("Patient/bob", "Appointment/1") in table(database)
    assert report.quarantined == 1


# --- names across files ---------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["together", "medication first", "medication last", "one run", "one zip"])
def test_a_medication_is_named_in_whatever_order_the_files_come(
    take: Take, database: Database, order: str
) -> None:
    if order == "together":
        take(a__json=bundle(patient(), prescription(), medication("Metformin")))
    elif order == "one run":
        take(a__json=bundle(patient(), prescription()), b__json=medication("Metformin"))
    elif order == "one zip":
        take(a__zip={"1.json": bundle(patient(), prescription()), "2.json": medication("Metformin")})
    else:
        files = [bundle(patient(), prescription()), medication("Metformin")]
        for content in reversed(files) if order == "medication first" else files:
            report = take(**{f"{content['resourceType']}__json": content})
        assert report.refreshed == (1 if order == "medication last" else 0)
    assert "Metformin" in table(database)["Patient/ada", "MedicationRequest/rx"]
    with database.connection() as connection:
        found = connection.execute(
            "select label, embedded_text from resources join concepts using (concept_id)"
            " where resource_id = 'MedicationRequest/rx'"
        ).fetchone()
        texts = connection.execute("select count(*) from concepts").fetchone()
    assert found is not None
    assert found[0] == "Metformin"
    assert "Metformin" in found[1]
    assert texts == (3,), "the text of the unnamed prescription is gone"


def test_a_medication_renamed_in_its_own_file_renames_the_prescription(
    take: Take, database: Database
) -> None:
    rest = (patient(), prescription("rx", "urn:uuid:m1"))
    take(a__json=bundle(*rest, medication("Metformin"), urls=True))
    report = take(a__json=bundle(*rest, medication("Glucophage"), urls=True))
    assert (report.updated, report.refreshed) == (1, 1)
    assert "Glucophage" in table(database)["Patient/ada", "MedicationRequest/rx"]
    with database.connection() as connection:
        refs = connection.execute(
            "select refs from resources where resource_id like 'MedicationRequest%'"
        ).fetchone()
    assert refs == (["Medication/m1", "Patient/ada"],), "the urns of its bundle are still resolved"


def test_a_name_in_ones_own_bundle_is_not_overruled_by_another_bundle(take: Take, database: Database) -> None:
    take(a__json=bundle(patient("ada"), prescription(), medication("Metformin")))
    take(b__json=bundle(patient("bob"), prescription("rx2", whose="Patient/bob"), medication("Insulin")))
    stored = table(database)
    assert "Metformin" in stored["Patient/ada", "MedicationRequest/rx"]
    assert "Insulin" in stored["Patient/bob", "MedicationRequest/rx2"]


def test_a_name_is_never_borrowed_from_another_patient(take: Take, database: Database) -> None:
    asthma = {
        "resourceType": "Condition",
        "id": "c",
        "subject": {"reference": "Patient/bob"},
        "code": {"text": "Secret asthma"},
    }
    rx = {**prescription(), "reasonReference": [{"reference": "Condition/c"}]}
    take(a__json=bundle(patient("ada"), rx, medication("Metformin")), b__json=bundle(patient("bob"), asthma))
    assert "asthma" not in table(database)["Patient/ada", "MedicationRequest/rx"]


# --- patients and vectors -------------------------------------------------------------------------


def test_the_patients_table_counts_and_describes(take: Take, database: Database) -> None:
    take(a__json=bundle(patient(birthDate="1950", gender="female"), observation("o1"), observation("o2")))
    take(b__json=observation("o3", "Patient/eve"))
    with database.connection() as connection:
        rows = connection.execute(
            "select patient_ref, name, birth_date, gender, resources from patients order by 1"
        ).fetchall()
    assert rows == [("Patient/ada", "Ada", "1950", "female", 3), ("Patient/eve", "", "", "", 1)]


def test_a_database_of_the_first_version_is_brought_up_to_date(postgres: str) -> None:
    url = postgres.replace("/chartcite?", "/first_version?")
    first = Path(__file__).resolve().parents[2] / "db" / "migrations" / "0001_records.sql"
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("create database first_version")
    with psycopg.connect(url) as connection:
        connection.execute(first.read_text())  # type: ignore[arg-type]
        connection.execute(
            "create table migrations (name text primary key, sha256 text, at timestamptz default now())"
        )
        digest = hashlib.sha256(first.read_bytes()).hexdigest()
        connection.execute("insert into migrations values ('0001_records.sql', %s)", [digest])
        connection.execute(
            "insert into concepts (text_hash, embedded_text, embedding) values ('x', 'x', %s)",
            ["[" + ",".join(["0"] * 384) + "]"],
        )
        connection.execute(
            """insert into resources
            select 'Patient/a', 'Observation/o', 'Observation', 'k', concept_id, 'l', null, '', false, false,
                '{}', '{}', '{}', 'sugar', '{}', to_jsonb('{"id":"o"}'::text), null, '', 'h', 's' from concepts"""
        )
    database = open_database(Settings(database_url=url, pool_size=1))
    with database.connection() as connection:
        row = connection.execute("select resource, tsv::text from resources").fetchone()
    database.close()
    assert row == ({"id": "o"}, "'sugar':1")
