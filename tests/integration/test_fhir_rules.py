"""FHIR rules as a reader meets them: records go in, a question is asked or an answer checked, and the rule holds."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from core.citing import cited_resources
from core.config import load_settings
from core.database.pool import Database
from core.embedding import Embedder
from core.feedback import Rating
from core.grounding.verdict import verify
from core.ingestion.forget import forget
from core.ingestion.ingest import ingest
from core.models import Answer, ClaimStatus, Verdict, VerdictStatus
from core.pipeline import Stages
from core.service import Service
from tests.integration.fhir_files import Json, bundle, observation, patient, write

pytestmark = pytest.mark.integration

SNOMED = "http://snomed.info/sct"


class Record:
    """A database that holds what was given, and what it answers."""

    def __init__(self, database: Database, embedder: Embedder, folder: Path) -> None:
        self._service = Service(Stages(load_settings(), database, embedder))
        self._database, self._embedder, self._folder = database, embedder, folder
        self._files = 0

    def take(self, *resources: Json) -> None:
        self._files += 1
        path = write(self._folder / f"{self._files}.json", bundle(*resources))
        report = ingest(self._database, self._embedder, [path])
        assert not report.quarantined, report.problems

    def ask(self, question: str, whose: str = "Patient/ada") -> Answer:
        return self._service.ask(whose, question).answer

    def check(self, answer: str, whose: str = "Patient/ada") -> Verdict:
        return verify(answer, self._service.record(whose))

    @property
    def service(self) -> Service:
        return self._service


@pytest.fixture
def record(database: Database, embedder: Embedder, tmp_path: Path) -> Record:
    return Record(database, embedder, tmp_path)


def cited(answer: Answer) -> set[str]:
    return {c.resource_id for c in answer.citations}


def status(verdict: Verdict) -> list[ClaimStatus]:
    return [c.status for c in verdict.claims]


def condition(identity: str, name: str, code: str = "1", **fields: object) -> Json:
    return {
        "resourceType": "Condition",
        "id": identity,
        "subject": {"reference": "Patient/ada"},
        "clinicalStatus": {"coding": [{"code": "active"}]},
        "verificationStatus": {"coding": [{"code": "confirmed"}]},
        "code": {"coding": [{"system": SNOMED, "code": code, "display": name}]},
        "onsetDateTime": "2020-01-02",
        **fields,
    }


def vaccine(identity: str, state: str, date: str) -> Json:
    return {
        "resourceType": "Immunization",
        "id": identity,
        "patient": {"reference": "Patient/ada"},
        "status": state,
        "occurrenceDateTime": date,
        "vaccineCode": {
            "coding": [{"system": "http://hl7.org/fhir/sid/cvx", "code": "140", "display": "Influenza"}]
        },
    }


# --- 1, 20: what is never evidence ----------------------------------------------------------------

NEVER = [
    pytest.param({"status": "entered-in-error"}, id="rule 1: entered in error"),
    pytest.param(
        {"modifierExtension": [{"url": "http://x/not", "valueBoolean": True}]}, id="rule 20: modifier"
    ),
    pytest.param({"implicitRules": "http://x/rules"}, id="rule 20: implicit rules"),
]


@pytest.mark.parametrize("fields", NEVER)
def test_a_result_that_is_never_evidence_answers_nothing(record: Record, fields: Json) -> None:
    record.take(
        patient(),
        observation("good", value=6.1, effectiveDateTime="2023-01-01"),
        observation("bad", **fields),
    )
    answer = record.ask("What is the latest HbA1c?")
    assert "6.1" in answer.answer
    assert cited(answer) == {"Observation/good"}
    assert "Observation/bad" not in answer.retrieved


@pytest.mark.parametrize("fields", NEVER)
def test_a_claim_that_rests_on_what_is_never_evidence_does_not_stand_and_is_told_why(
    record: Record, fields: Json
) -> None:
    record.take(patient(), observation("bad", **fields))
    verdict = record.check("The HbA1c was 7.1 % on 2024-03-01 [Observation/bad].")
    assert status(verdict) != [ClaimStatus.SUPPORTED]
    why = " ".join(c.found for claim in verdict.claims for c in claim.checks if not c.ok)
    assert "error" in why or "modifier" in why


@pytest.mark.parametrize("fields", NEVER)
def test_what_is_never_evidence_is_still_shown_and_says_so(record: Record, fields: Json) -> None:
    record.take(patient(), observation("bad", **fields))
    held = record.service.record("Patient/ada").resources["Observation/bad"]
    assert held.void_reason
    assert record.service.resource("Patient/ada", "Observation/bad")["id"] == "bad"


def test_rule_1_a_refuted_condition_is_no_active_problem(record: Record) -> None:
    refuted = condition("gout", "Gout (disorder)", "90560007")
    refuted["verificationStatus"] = {"coding": [{"code": "refuted"}]}
    record.take(patient(), condition("asthma", "Asthma (disorder)", "195967001"), refuted)
    answer = record.ask("What are the active problems?")
    assert "Asthma" in answer.answer
    assert "Gout" not in answer.answer


# --- 2: not done ----------------------------------------------------------------------------------


def test_rule_2_not_done_is_not_counted_as_done(record: Record) -> None:
    record.take(
        patient(), vaccine("done", "completed", "2022-10-01"), vaccine("undone", "not-done", "2023-10-01")
    )
    answer = record.ask("When was the last influenza vaccination?")
    assert "2022-10-01" in answer.answer
    assert "2023" not in answer.answer
    assert status(record.check("The influenza vaccine was given on 2023-10-01 [Immunization/undone].")) != [
        ClaimStatus.SUPPORTED
    ]


def test_rule_2_a_cancelled_result_is_not_the_latest(record: Record) -> None:
    record.take(
        patient(),
        observation("old", value=6.1, effectiveDateTime="2023-01-01"),
        observation("new", status="cancelled"),
    )
    assert "6.1" in record.ask("What is the latest HbA1c?").answer


# --- 5, 6: comparators and missing values ---------------------------------------------------------


def test_rule_5_a_bound_supports_the_bound_and_not_its_number(record: Record) -> None:
    record.take(patient(), observation("o", valueQuantity={"value": 5, "unit": "%", "comparator": "<"}))
    assert "<5 %" in record.ask("What is the latest HbA1c?").answer
    assert status(record.check("The HbA1c was <5 % [Observation/o].")) == [ClaimStatus.SUPPORTED]
    assert status(record.check("The HbA1c was 5 % [Observation/o].")) == [ClaimStatus.CONTRADICTED]


def test_rule_5_a_bound_in_a_goal_is_a_bound(record: Record) -> None:
    aim = {"measure": {"text": "HbA1c"}, "detailQuantity": {"value": 7, "unit": "%", "comparator": "<"}}
    goal = {
        "resourceType": "Goal",
        "id": "g",
        "subject": {"reference": "Patient/ada"},
        "lifecycleStatus": "active",
        "description": {"text": "Glycemic control"},
        "target": [aim],
    }
    record.take(patient(), goal)
    assert status(record.check("Glycemic control goal: HbA1c below 7 % [Goal/g].")) == [ClaimStatus.SUPPORTED]
    assert status(record.check("Glycemic control goal: HbA1c 7 % [Goal/g].")) == [ClaimStatus.CONTRADICTED]


def test_rule_6_a_missing_value_is_neither_zero_nor_the_latest(record: Record) -> None:
    missing = observation("none", dataAbsentReason={"text": "specimen clotted"})
    del missing["valueQuantity"]
    record.take(patient(), observation("old", value=6.1, effectiveDateTime="2023-01-01"), missing)
    answer = record.ask("What is the latest HbA1c?")
    assert "6.1" in answer.answer
    assert status(record.check("The HbA1c was 0 % [Observation/none].")) != [ClaimStatus.SUPPORTED]


# --- 15: ordered is not taken ---------------------------------------------------------------------


def drug(kind: str, identity: str, **fields: object) -> Json:
    return {
        "resourceType": kind,
        "id": identity,
        "subject": {"reference": "Patient/ada"},
        "medicationCodeableConcept": {"text": "Warfarin 5 mg"},
        **fields,
    }


def test_rule_15_do_not_give_is_not_a_current_medication(record: Record) -> None:
    other = {"medicationCodeableConcept": {"text": "Metformin 500 mg"}}
    record.take(
        patient(),
        drug("MedicationRequest", "never", status="active", intent="order", doNotPerform=True),
        drug("MedicationRequest", "taken", status="active", intent="order", **other),
    )
    answer = record.ask("What medications is the patient on?")
    assert "Metformin" in answer.answer
    assert "Warfarin" not in answer.answer
    claim = "Warfarin 5 mg is prescribed [MedicationRequest/never]."
    assert status(record.check(claim)) != [ClaimStatus.SUPPORTED]


@pytest.mark.parametrize(
    ("kind", "fields", "word"),
    [
        (
            "MedicationRequest",
            {"status": "active", "intent": "order", "authoredOn": "2024-01-02"},
            "prescribed",
        ),
        ("MedicationStatement", {"status": "active", "dateAsserted": "2024-01-02"}, "reported"),
        ("MedicationAdministration", {"status": "completed", "effectiveDateTime": "2024-01-02"}, "given"),
        ("MedicationDispense", {"status": "completed", "whenHandedOver": "2024-01-02"}, "dispensed"),
    ],
)
def test_rule_15_each_kind_of_record_of_a_drug_has_its_own_word(
    record: Record, kind: str, fields: Json, word: str
) -> None:
    record.take(patient(), drug(kind, "d", **fields))
    assert f"{word} 2024-01-02" in record.ask("Is the patient taking warfarin?").answer


# --- 18: merged patients --------------------------------------------------------------------------


def replaced(identity: str, survivor: str, **fields: object) -> Json:
    link = {"type": "replaced-by", "other": {"reference": f"Patient/{survivor}"}}
    return patient(identity, active=False, link=[link], **fields)


def test_rule_18_a_question_on_a_replaced_patient_is_answered_from_the_survivor_and_says_so(
    record: Record,
) -> None:
    record.take(
        replaced("old", "ada", birthDate="1911-01-01"),
        patient("ada", birthDate="1950-03-02"),
        observation("before", "Patient/old", 6.1, effectiveDateTime="2020-01-01"),
        observation("after", "Patient/ada", 7.1),
    )
    for asked in ("Patient/old", "Patient/ada"):
        answer = record.ask("How has HbA1c changed over time?", asked)
        assert answer.patient == "Patient/ada"
        assert answer.merged_from == ("Patient/old" if asked == "Patient/old" else None)
        assert cited(answer) >= {"Observation/before", "Observation/after"}
        born = record.ask("What is the date of birth?", asked)
        assert "1911" not in born.answer
        assert "Patient/old" not in born.retrieved
    assert status(record.check("The HbA1c was 6.1 % on 2020-01-01 [Observation/before].", "Patient/old")) == [
        ClaimStatus.SUPPORTED
    ]
    for asked in ("Patient/old", "Patient/ada"):
        both = {"Observation/before", "Observation/after"}
        assert set(record.service.search_record(asked, "hemoglobin")) == both
        assert record.service.evidence(asked, sorted(both)).keys() == both
        assert record.service.resource(asked, "Observation/before")["id"] == "before"
    assert record.service.patient("Patient/old").patient == "Patient/ada"
    assert record.service.patient("Patient/ada").holds == ["Patient/old"]


def test_rule_18_the_link_may_come_later_and_be_taken_back(record: Record) -> None:
    record.take(patient("ada"), patient("old"), observation("o", "Patient/old", 6.1))
    assert record.ask("What is the latest HbA1c?").refused
    record.take(replaced("old", "ada", meta={"lastUpdated": "2024-01-01T00:00:00Z"}))
    assert cited(record.ask("What is the latest HbA1c?")) == {"Observation/o"}
    record.take(patient("old", meta={"lastUpdated": "2024-02-01T00:00:00Z"}))
    assert record.ask("What is the latest HbA1c?").refused


@pytest.mark.parametrize("named", ["Patient/old", "Patient/ada"])
def test_rule_18_whoever_is_forgotten_is_forgotten_under_every_id(record: Record, named: str) -> None:
    record.take(
        replaced("old", "ada"), patient("ada"), patient("eve"),
        observation("before", "Patient/old", 6.1), observation("after", "Patient/ada", 7.1),
        observation("hers", "Patient/eve", 5.0),
    )  # fmt: skip
    found = record.ask("What is the latest HbA1c?", "Patient/old")
    record.service.give_feedback("somebody", found, Rating.RIGHT, "")
    gone = forget(record.service.stages.database, named)
    assert {gone.patient, *gone.merged} == {"Patient/old", "Patient/ada"}
    assert gone.resources == 4
    with record.service.stages.database.connection() as connection:
        left = connection.execute("select patient_ref, resource_id from resources order by 2").fetchall()
        assert left == [("Patient/eve", "Observation/hers"), ("Patient/eve", "Patient/eve")]
        assert connection.execute("select count(*) from feedback").fetchone() == (0,)
        assert connection.execute("select patient_ref from patients").fetchall() == [("Patient/eve",)]


def test_rule_18_a_chain_ends_at_its_last_and_a_circle_parts_the_records(record: Record) -> None:
    record.take(
        replaced("one", "two"), replaced("two", "ada"), patient("ada"), observation("o", "Patient/one", 6.1)
    )
    assert record.ask("What is the latest HbA1c?", "Patient/one").patient == "Patient/ada"
    record.take(
        replaced("x", "y"),
        replaced("y", "x"),
        observation("ox", "Patient/x", 8.1),
        observation("oy", "Patient/y", 9.1),
    )
    for mine, other in (("x", "y"), ("y", "x")):
        answer = record.ask("What is the latest HbA1c?", f"Patient/{mine}")
        assert answer.patient == f"Patient/{mine}"
        assert cited(answer) == {f"Observation/o{mine}"}
        assert f"Observation/o{other}" not in answer.retrieved


@pytest.mark.parametrize(
    "link",
    [
        pytest.param([{"type": "seealso", "other": {"reference": "Patient/ada"}}], id="see also"),
        pytest.param(
            [{"type": "replaces", "other": {"reference": "Patient/ada"}}], id="replaces, not answered"
        ),
        pytest.param(
            [{"type": "replaced-by", "other": {"reference": f"Patient/{i}"}} for i in ("ada", "eve")],
            id="two survivors",
        ),
        pytest.param(
            [{"type": "replaced-by", "other": {"reference": "Patient/away"}}], id="survivor not here"
        ),
    ],
)
def test_rule_18_no_other_link_joins_records(record: Record, link: list[Json]) -> None:
    record.take(
        patient("ada"), patient("eve"), patient("old", link=link), observation("o", "Patient/old", 6.1)
    )
    assert record.ask("What is the latest HbA1c?", "Patient/ada").refused
    assert record.ask("What is the latest HbA1c?", "Patient/old").patient == "Patient/old"


# --- 23, 24: the problem list, and what is not there ----------------------------------------------


def test_rule_23_clinical_problems_stand_apart_from_circumstances_and_what_is_folded_is_counted(
    record: Record,
) -> None:
    record.take(
        patient(),
        condition("a", "Asthma (disorder)", "195967001"),
        condition("b", "Full-time employment (finding)", "160903007"),
        condition("c", "Medication review due (situation)", "314529007"),
        condition("d", "Hazard", "2", category=[{"coding": [{"code": "sdoh"}]}]),
    )
    answer = record.ask("What are the active problems?")
    assert answer.verdict is VerdictStatus.GROUNDED
    clinical, _, other = answer.answer.partition("Other findings and circumstances")
    assert "Asthma" in clinical
    assert all(name not in clinical for name in ("employment", "review due", "Hazard"))
    assert all(name in other for name in ("employment", "Hazard"))
    assert "1 active administrative entry is not listed" in clinical


def test_rule_24_missing_is_not_negative_and_a_coded_negative_is_an_answer(record: Record) -> None:
    record.take(patient())
    absent = record.ask("Which allergies are documented?")
    assert absent.refused
    none = {
        "resourceType": "AllergyIntolerance",
        "id": "none",
        "patient": {"reference": "Patient/ada"},
        "clinicalStatus": {"coding": [{"code": "active"}]},
        "code": {
            "coding": [{"system": SNOMED, "code": "716186003", "display": "No known allergy (situation)"}]
        },
    }
    assert status(record.check("The patient has no allergies.")) != [ClaimStatus.SUPPORTED]
    record.take(none)
    answer = record.ask("Which allergies are documented?")
    assert "No known allergy" in answer.answer
    assert cited(answer) == {"AllergyIntolerance/none"}


# --- 17: documents --------------------------------------------------------------------------------


def test_rule_17_a_citation_of_a_document_carries_the_passage(record: Record) -> None:
    text = "Admitted with chest pain.\nA nodule was seen in the left lung.\nNo history of stroke."
    note = {
        "resourceType": "DocumentReference",
        "id": "d",
        "status": "current",
        "subject": {"reference": "Patient/ada"},
        "type": {"text": "Discharge summary"},
        "date": "2024-01-02T00:00:00Z",
        "content": [
            {"attachment": {"contentType": "text/plain", "data": base64.b64encode(text.encode()).decode()}}
        ],
    }
    record.take(patient(), note)
    claim = "Discharge summary: a nodule was seen in the left lung [DocumentReference/d]."
    held = record.service.record("Patient/ada")
    verdict = verify(claim, held)
    assert status(verdict) == [ClaimStatus.SUPPORTED]
    (citation,) = cited_resources(verdict.claims, held)
    passage = "A nodule was seen in the left lung."
    assert [(s.path, s.text) for s in citation.spans] == [("content[0].attachment", passage)]
    assert text[citation.spans[0].start : citation.spans[0].end] == passage
