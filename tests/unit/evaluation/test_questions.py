"""A question file that cannot be trusted is refused, by the name of the question."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from core.errors import EvaluationError, UnknownPatient
from core.evaluation.questions import Question, read_questions
from core.evaluation.truth import check
from core.fhir.facts import facts
from core.grounding.record import Record

GOOD: dict[str, Any] = {
    "id": "a1c-last",
    "patient": "ada",
    "category": "HbA1c monitoring",
    "ask": "What was the last A1c?",
    "resources": ["Observation/a1c-2"],
    "facts": [{"value": 7.1, "date": "2024-03-01"}],
}


def observation(number: int, value: float, day: str, status: str = "final") -> dict[str, Any]:
    return {
        "resourceType": "Observation",
        "id": f"a1c-{number}",
        "status": status,
        "code": {
            "text": "Hemoglobin A1c",
            "coding": [{"system": "http://loinc.org", "code": "4548-4", "display": "Hemoglobin A1c"}],
        },
        "effectiveDateTime": f"{day}T08:00:00Z",
        "valueQuantity": {"value": value, "unit": "%"},
    }


def record(patient: str) -> Record:
    """Two HbA1c results and an entry made in error of Patient/ada; nobody else."""
    if patient != "Patient/ada":
        raise UnknownPatient(f"There is no {patient}.")
    read = [
        facts(observation(1, 7.345, "2023-03-01"), patient),
        facts(observation(2, 7.1, "2024-03-01"), patient),
        facts(observation(3, 9.9, "2025-03-01", "entered-in-error"), patient),
    ]
    return Record(patient, {f.resource_id: f for f in read})


def written(folder: Path, *questions: dict[str, Any]) -> Path:
    path = folder / "questions.yaml"
    patients = {"ada": {"record": "Patient/ada", "cohort": "adults"}}
    body = {"cohorts": {"adults": "adults"}, "patients": patients, "questions": list(questions)}
    path.write_text(yaml.safe_dump(body, sort_keys=False))
    return path


def checked(folder: Path, **changes: Any) -> tuple[Question, ...]:
    raw = {k: v for k, v in {**GOOD, **changes}.items() if v is not None}
    found = read_questions(written(folder, raw))
    check(found, record)
    return found


def test_a_question_that_the_record_bears_out_is_taken(tmp_path: Path) -> None:
    (question,) = checked(tmp_path)
    assert (question.patient, question.cohort) == ("Patient/ada", "adults")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"resources": ["Observation/a1c-9"]}, "Observation/a1c-9 is not in the record"),
        ({"resources": ["Observation/a1c-3"]}, "is no evidence: entered in error"),
        ({"also": ["Observation/a1c-9"]}, "Observation/a1c-9 is not in the record"),
        ({"facts": [{"value": 7.2}]}, "value 7.2 is in none of its resources"),
        ({"facts": [{"date": "2024-03-02"}]}, "date 2024-03-02 is in none"),
        ({"facts": [{"value": 7.1, "date": "2023-03-01"}]}, "value 7.1 with date 2023-03-01 is in none"),
        ({"facts": [{"words": "metformin"}]}, "words metformin is in none"),
        ({"facts": [{"count": 2}]}, "count 2 is in none"),
        (
            {"facts": [{"direction": "higher"}], "resources": ["Observation/a1c-1", "Observation/a1c-2"]},
            "higher",
        ),
        ({"facts": [{"velocity": 2}]}, "velocity"),
        ({"resources": ["Observation/00000000-0000"]}, "is a placeholder"),
        ({"resources": ["Observation/TODO"]}, "is a placeholder"),
        ({"resources": ["Observation/<id>"]}, "is a placeholder"),
        ({"resources": []}, "needs resources and facts"),
        ({"facts": []}, "needs resources and facts"),
        ({"expect": "refuse"}, "has no resources and no facts"),
        ({"patient": "bob"}, "'bob' is not among the patients"),
        ({"forbid": [{"value": 7.1, "date": "2024-03-01"}]}, "both required and forbidden"),
        ({"note": "x"}, "note"),
    ],
)
def test_an_expectation_that_is_not_in_the_data_is_a_loud_error(
    tmp_path: Path, changes: dict[str, Any], reason: str
) -> None:
    with pytest.raises(EvaluationError, match="a1c-last") as error:
        checked(tmp_path, **changes)
    assert reason in str(error.value)


def test_a_value_may_be_given_as_it_is_printed(tmp_path: Path) -> None:
    checked(tmp_path, resources=["Observation/a1c-1"], facts=[{"value": 7.345}, {"value": 7.3}])


def test_a_direction_and_a_count_are_read_from_the_resources(tmp_path: Path) -> None:
    both = ["Observation/a1c-1", "Observation/a1c-2"]
    checked(tmp_path, resources=both, facts=[{"direction": "lower"}, {"count": 2}])


@pytest.mark.parametrize(
    "absent", ["hemoglobin a1c", "http://loinc.org|4548-4", "Observation/", "Observation/hemoglobin"]
)
def test_what_a_refusal_calls_absent_has_to_be_absent(tmp_path: Path, absent: str) -> None:
    with pytest.raises(EvaluationError, match="a1c-last"):
        checked(tmp_path, expect="refuse", why="absent", resources=None, facts=None, absent=[absent])
    others = ["glucose", "AllergyIntolerance/", "AllergyIntolerance/hemoglobin"]
    checked(tmp_path, expect="refuse", why="absent", resources=None, facts=None, absent=others)


def test_a_patient_that_is_not_in_the_database_is_a_loud_error(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    path.write_text(path.read_text().replace("Patient/ada", "Patient/grace"))
    with pytest.raises(EvaluationError, match="a1c-last: Patient/grace is not in the database"):
        check(read_questions(path), record)


def test_a_placeholder_patient_is_a_loud_error(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    path.write_text(path.read_text().replace("Patient/ada", "Patient/example"))
    with pytest.raises(EvaluationError, match=r"a1c-last: .*placeholder"):
        read_questions(path)


def test_the_same_id_or_the_same_question_twice_is_a_loud_error(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="a1c-last: the id is used twice"):
        read_questions(written(tmp_path, GOOD, GOOD | {"ask": "Another?"}))
    with pytest.raises(EvaluationError, match=r"again: the same question .* as a1c-last"):
        read_questions(written(tmp_path, GOOD, GOOD | {"id": "again", "ask": "what was the LAST A1c"}))


@pytest.mark.parametrize("text", ["", "- a list", "questions: [", "cohorts: {}\npatients: {}\nquestions: []"])
def test_a_file_of_another_shape_is_one_clear_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "questions.yaml"
    path.write_text(text)
    with pytest.raises(EvaluationError, match=r"questions\.yaml"):
        read_questions(path)
    with pytest.raises(EvaluationError, match="cannot be read"):
        read_questions(tmp_path / "none.yaml")


def test_json_lines_are_the_same_questions(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    line = {
        "id": "case-1",
        "patient": "Patient/ada",
        "category": "compare",
        "question": "Is the latest HbA1c lower?",
        "expect": "answer",
        "relevant": ["Observation/a1c-1", "Observation/a1c-2"],
        "must": [
            ["num:7.1"],
            ["date:2024-03-01"],
            ["int:2"],
            ["lower", "below"],
            ["hemoglobin a1c", "hba1c"],
        ],
        "forbid": ["date:2020-01-01"],
        "gold": "ignored",
    }
    refuse = {
        "id": "case-2",
        "patient": "Patient/ada",
        "question": "Insulin?",
        "expect": "refuse",
        "must": [],
    }
    path.write_text("\n".join([json.dumps(line), "", json.dumps(refuse)]))
    asked = read_questions(path)
    check(asked, record)
    shown = "value 7.1|date 2024-03-01|count 2|words lower or words below|words hemoglobin a1c or words hba1c"
    assert [str(f) for f in asked[0].facts] == shown.split("|")
    assert [str(f) for f in asked[0].forbid] == ["date 2020-01-01"]
    assert asked[1].expect == "refuse"


@pytest.mark.parametrize("text", ["", "not json", "[1]", '{"id": "case-1"}'])
def test_json_lines_that_are_no_questions_are_one_clear_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(text)
    with pytest.raises(EvaluationError, match=r"cases\.jsonl|case-1"):
        read_questions(path)
