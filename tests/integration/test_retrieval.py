"""Retrieval on a real PostgreSQL: references both ways, arms that show, plans that reach their indexes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.config import Settings
from core.database.pool import Database
from core.embedding import Embedder
from core.ingestion.ingest import ingest
from core.models import Evidence
from core.pipeline import Stages, retrieve
from core.retrieval.parts import Parts
from tests.integration.fhir_files import Json, bundle, observation, patient, write

pytestmark = pytest.mark.integration
Look = Callable[..., list[Evidence]]


def condition(identity: str = "asthma", name: str = "Asthma", **fields: Any) -> Json:
    return _of("Condition", identity, code={"text": name}, onsetDateTime="2020-01-01", **fields)


def _of(kind: str, identity: str, whose: str = "Patient/ada", **fields: Any) -> Json:
    return {"resourceType": kind, "id": identity, "subject": {"reference": whose}, **fields}


def ordered(identity: str, reason: str, **fields: Any) -> Json:
    drug = {"text": "Fluticasone"}
    because = [{"reference": reason}]
    return _of(
        "MedicationRequest", identity, medicationCodeableConcept=drug, reasonReference=because, **fields
    )


@pytest.fixture
def look(database: Database, embedder: Embedder, tmp_path: Path) -> Look:
    """What a question finds in a record of these resources."""

    def run(question: str, *resources: Json, hops: int = 1, parts: Parts | None = None) -> list[Evidence]:
        if resources:
            ingest(database, embedder, [write(tmp_path / "a.json", bundle(patient(), *resources))])
        settings = Settings(max_reference_hops=hops)
        return retrieve(
            Stages(settings, database, embedder), "Patient/ada", question, parts=parts or Parts()
        ).evidence

    return run


def linked(found: list[Evidence]) -> list[str]:
    return [e.facts.resource_id for e in found if e.arms == ("reference",)]


# Many rows of other kinds, so that what is linked is not merely near.
OTHERS = [observation(f"n{i}", code={"text": f"Measure {chr(97 + i)} of {i}"}) for i in range(20)]


def test_what_was_ordered_for_a_condition_comes_with_it(look: Look) -> None:
    reasons = [
        ordered("rx", "Condition/asthma"),
        _of("CarePlan", "plan", status="active", addresses=[{"reference": "Condition/asthma"}]),
        _of(
            "ServiceRequest",
            "spiro",
            code={"text": "Breathing test"},
            reasonReference=[{"reference": "Condition/asthma"}],
        ),
    ]
    found = look("Does she have asthma?", condition(), *OTHERS, *reasons)
    assert {e.facts.resource_id for e in found} >= {
        "MedicationRequest/rx",
        "CarePlan/plan",
        "ServiceRequest/spiro",
    }


def test_references_are_followed_both_ways_and_end(look: Look) -> None:
    report = _of(
        "DiagnosticReport",
        "lab",
        code={"text": "Panel"},
        status="final",
        result=[{"reference": "Observation/a1c"}],
    )
    request = _of(
        "ServiceRequest",
        "ask",
        code={"text": "Panel"},
        supportingInfo=[{"reference": "DiagnosticReport/lab"}],
    )
    report["basedOn"] = [{"reference": "ServiceRequest/ask"}]
    result = observation(
        "a1c", encounter={"reference": "Encounter/visit"}, hasMember=[{"reference": "Observation/a1c"}]
    )
    visit = _of("Encounter", "visit", status="finished", **{"class": {"code": "AMB"}})
    found = look("What is the latest HbA1c?", result, report, request, visit, *OTHERS, hops=3)
    ids = [e.facts.resource_id for e in found]
    assert len(ids) == len(set(ids))
    assert ids[0] == "Observation/a1c"
    assert {"Encounter/visit", "DiagnosticReport/lab"} <= set(ids)


def test_void_and_foreign_resources_are_not_followed(look: Look) -> None:
    wrong = ordered("wrong", "Condition/asthma", status="entered-in-error")
    foreign = ordered("foreign", "Condition/asthma", whose="Patient/bob")
    found = look("Does she have asthma?", condition(), patient("bob"), wrong, foreign, *OTHERS)
    assert not {"MedicationRequest/wrong", "MedicationRequest/foreign"} & {e.facts.resource_id for e in found}


def test_a_visit_does_not_bring_everything_that_was_done_in_it(look: Look) -> None:
    visit = _of(
        "Encounter", "visit", status="finished", type=[{"text": "Eye visit"}], **{"class": {"code": "AMB"}}
    )
    done = [
        observation(
            f"v{i}", code={"text": f"Thing {chr(97 + i)} seen"}, encounter={"reference": "Encounter/visit"}
        )
        for i in range(20)
    ]
    found = look("When was the eye visit?", visit, *done)
    assert linked(found) == []


def test_what_is_linked_is_bounded(look: Look) -> None:
    many = [ordered(f"rx{i}", "Condition/asthma", authoredOn=f"2021-01-{i + 1:02d}") for i in range(30)]
    found = look("Does she have asthma?", condition(), *many)
    assert len(linked(found)) <= 12


def test_no_hops_no_references(look: Look) -> None:
    assert linked(look("Does she have asthma?", condition(), ordered("rx", "Condition/asthma"), hops=0)) == []


def test_parts_can_be_left_out(look: Look) -> None:
    look("asthma", condition(), ordered("rx", "Condition/asthma"), *OTHERS)
    question = "Does she have asthma?"
    assert all("vector" not in e.arms for e in look(question, parts=Parts.without("vector")))
    assert all("text" not in e.arms for e in look(question, parts=Parts.without("text")))
    assert all("reference" not in e.arms for e in look(question, parts=Parts.without("references")))
    flat = look(question, parts=Parts.without("concepts"))
    assert flat
    assert all("question" not in e.arms for e in flat)
    with pytest.raises(TypeError):
        Parts.without("everything")


def test_dozens_of_reminders_do_not_hide_three_diagnoses(look: Look) -> None:
    due = "Medication review due (situation)"
    reminders = [
        condition(f"due{i}", due, clinicalStatus={"coding": [{"code": "active"}]}) for i in range(30)
    ]
    chronic = [
        _of(
            "Condition",
            name.lower(),
            code={"text": f"{name} (disorder)"},
            onsetDateTime=f"20{11 + i}-05-01",
            clinicalStatus={"coding": [{"code": "active"}]},
        )
        for i, name in enumerate(("Asthma", "Eczema", "Migraine"))
    ]
    found = look("What are the active problems?", *reminders, *chronic)
    assert {e.facts.resource_id for e in found[:3]} == {
        "Condition/asthma",
        "Condition/eczema",
        "Condition/migraine",
    }
    assert len([e for e in found if "due" in e.facts.resource_id]) == 30


def test_two_results_of_one_moment_come_together(look: Look) -> None:
    same = [observation(f"w{i}", effectiveDateTime="2015-02-03T10:00:00Z") for i in range(2)]
    later = [observation(f"l{i}", effectiveDateTime=f"2020-01-{i + 1:02d}") for i in range(28)]
    found = look("What was the first HbA1c?", *same, *later)
    assert {e.facts.resource_id for e in found[:2]} == {"Observation/w0", "Observation/w1"}


HBA1C = {"text": "HbA1c"}


def test_an_ingest_is_seen_by_the_next_question(look: Look) -> None:
    def latest(*resources: Json) -> str:
        return look("What is the latest HbA1c?", *resources)[0].facts.resource_id

    later = observation("new", code=HBA1C, effectiveDateTime="2021-01-01")
    assert latest(observation("old", code=HBA1C, effectiveDateTime="2020-01-01")) == "Observation/old"
    assert latest(later) == "Observation/new"
    assert latest({**later, "status": "entered-in-error"}) == "Observation/old"


def test_the_rows_of_another_patient_are_not_ranked(
    database: Database, embedder: Embedder, tmp_path: Path
) -> None:
    ada = [patient(), observation("a", code={"text": "Ferritin"})]
    bob = [patient("bob"), observation("b", "Patient/bob", code={"text": "Zinc"})]
    ingest(database, embedder, [write(tmp_path / "a.json", bundle(*ada, *bob))])
    stages = Stages(Settings(), database, embedder)
    found = {
        ref: retrieve(stages, ref, "What is the latest zinc?").ids for ref in ("Patient/ada", "Patient/bob")
    }
    assert "Observation/b" not in found["Patient/ada"]
    assert found["Patient/bob"][0] == "Observation/b"
    assert "Observation/a" not in found["Patient/bob"]


@pytest.mark.parametrize("ids", ["ab", "ba"])
def test_of_two_of_one_moment_the_one_that_stands_later_in_its_source_is_later(look: Look, ids: str) -> None:
    same = {"code": HBA1C, "effectiveDateTime": "2021-01-01T08:00:00Z"}
    earlier, later = (observation(i, **same) for i in ids)
    assert look("What is the latest HbA1c?", earlier, later)[0].facts.resource_id == f"Observation/{ids[1]}"
    assert look("What was the first HbA1c?")[0].facts.resource_id == f"Observation/{ids[0]}"
