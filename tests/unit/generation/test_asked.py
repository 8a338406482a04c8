"""What is asked in more than one piece: overviews, several questions, limits, events, ages, and what leans on before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from core.fhir.dates import parse_date
from core.fhir.facts import facts
from core.generation.record import RecordAnswerer
from core.grounding.record import Record
from core.grounding.verdict import verify
from core.models import REFUSAL, VerdictStatus
from core.retrieval.reading import Reader, split
from core.retrieval.search import Concept, Stored
from tests.unit.generation.test_record_answers import A1C, PATIENT, condition, medication, observation

STROKE = condition("stroke", "Stroke", "230690007", "active", "2020-06-01")
METFORMIN = medication("met", "Metformin 500 MG", "active", "2018-05-01")
PERSON = {"resourceType": "Patient", "id": "p", "gender": "female", "birthDate": "1950-06-02"}
RECORD = [*A1C, STROKE, METFORMIN]


def ask(question: str, resources: Sequence[Any], previous: str = "") -> str:
    """The answer of a record of these resources, which has to be grounded or a refusal."""
    found = {f.resource_id: f for f in (facts(r, PATIENT) for r in [*resources, PERSON])}
    groups: dict[str, list[Any]] = {}
    for f in found.values():
        groups.setdefault(f.concept_key, []).append(f)
    concepts = [
        Concept(
            key, g[0].resource_type, g[0].label, g[0].names, frozenset(f"{c.system}|{c.code}" for c in g[0].codings),
            len(g), min(f.date.start for f in g), max(f.date.start for f in g), 0.5, 1, 1,
        )
        for key, g in groups.items()
    ]  # fmt: skip
    reader = Reader(concepts, lambda keys: [Stored(f, f.label) for k in keys for f in groups[k]], 2000)
    draft = RecordAnswerer().draft(reader.read(question, previous), concepts, parse_date("1950-06-02"))
    verdict = verify(draft.text, Record(PATIENT, found), question=question)
    assert draft.refused or verdict.verdict is VerdictStatus.GROUNDED, (draft.text, verdict.claims)
    return draft.text


@pytest.mark.parametrize(
    ("question", "said", "unsaid"),
    [
        ("was HbA1c ever above 8?", ["Yes. HbA1c above 8 %:", "8.2 %"], ["7.4 %"]),
        ("HbA1c of 7.4 or more", ["8.2 %", "7.4 %"], ["7.0 %"]),
        ("any HbA1c over 9?", ["Every HbA1c on record is at most 9 %", "The highest is 8.2 %"], ["Yes"]),
        ("how many HbA1c results were below 8?", ["HbA1c was below 8 % 2 times"], ["8.2 %"]),
        ("HbA1c < 7 since 2021", ["7.0 %"], ["7.4 %", "8.2 %"]),
    ],
)
def test_a_limit_is_put_to_every_result(question: str, said: list[str], unsaid: list[str]) -> None:
    text = ask(question, RECORD)
    assert all(s in text for s in said), text
    assert not any(s in text for s in unsaid), text


def test_a_limit_in_a_unit_that_does_not_convert_is_refused() -> None:
    assert ask("HbA1c above 53 mmol/mol", RECORD).startswith(REFUSAL)


def test_a_limit_on_what_is_no_result_is_refused() -> None:
    assert ask("metformin above 5", RECORD).startswith(REFUSAL)


@pytest.mark.parametrize(
    ("question", "said", "unsaid"),
    [
        ("HbA1c before the stroke", ["Stroke: active, onset 2020-06-01", "7.4 %", "8.2 %"], ["7.0 %"]),
        ("HbA1c since the stroke", ["7.0 %"], ["7.4 %"]),
        ("HbA1c after starting metformin", ["Metformin", "8.2 %", "7.0 %"], []),
    ],
)
def test_an_event_of_the_record_tells_the_time(question: str, said: list[str], unsaid: list[str]) -> None:
    text = ask(question, RECORD)
    assert all(s in text for s in said), text
    assert not any(s in text for s in unsaid), text


def test_an_event_that_the_record_does_not_hold_tells_no_time() -> None:
    assert ask("HbA1c before the hip fracture", RECORD).startswith(REFUSAL)


def test_several_questions_are_answered_one_by_one_and_a_gap_is_said() -> None:
    text = ask("What is the latest HbA1c and is she on insulin?", RECORD)
    assert "The most recent HbA1c was 7.0 %" in text
    assert f'{REFUSAL[:-1]}: "is she on insulin".' in text


def test_what_a_gap_quotes_has_to_be_asked() -> None:
    record = Record(PATIENT, {f.resource_id: f for f in (facts(r, PATIENT) for r in RECORD)})
    answer = (
        f'The most recent HbA1c was 7.0 % on 2021-03-12 [Observation/a3]. {REFUSAL[:-1]}: "she has cancer".'
    )
    assert verify(answer, record, question="latest HbA1c?").verdict is VerdictStatus.PARTIALLY_GROUNDED


def test_an_overview_cites_each_kind_of_record() -> None:
    text = ask("Give me an overview", RECORD)
    for said in ("Personal details:", "aged 70 at the latest entry", "Stroke", "Metformin"):
        assert said in text


def test_what_happened_in_a_year_is_all_of_it() -> None:
    text = ask("What happened in 2020?", RECORD)
    assert "Stroke" in text
    assert "Metformin" not in text


def test_an_age_is_counted_on_the_day_of_what_is_asked() -> None:
    assert "aged 69" in ask("How old was she when the stroke was diagnosed?", RECORD)
    assert "aged 70 at the latest entry" in ask("how old is she", RECORD)


def test_no_word_of_a_death_is_no_answer() -> None:
    assert ask("is she alive?", RECORD).startswith(REFUSAL)


@pytest.mark.parametrize(
    ("previous", "question", "said"),
    [
        ("What is the latest HbA1c?", "and before that?", "The previous HbA1c was 7.4 %"),
        ("Is she on metformin?", "since when?", "prescribed 2018-05-01"),
        ("How has creatinine changed over time?", "and HbA1c?", "HbA1c went from 8.2 %"),
        ("What were the HbA1c results in 2019?", "and in 2020?", "7.4 %"),
    ],
)
def test_a_question_may_lean_on_the_one_before(previous: str, question: str, said: str) -> None:
    assert said in ask(question, RECORD, previous)


def test_a_question_of_its_own_leans_on_nothing() -> None:
    assert ask("Is she on metformin?", RECORD, "latest HbA1c") == ask("Is she on metformin?", RECORD)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("last a1c? last ldl? any statin?", ["last a1c", "last ldl", "any statin"]),
        ("What is her HbA1c and is she on metformin?", ["What is her HbA1c", "is she on metformin"]),
        ("BP in 1.5 years", ["BP in 1.5 years"]),
    ],
)
def test_a_text_is_parted_at_its_sentences_and_joints(text: str, pieces: list[str]) -> None:
    assert split(text) == pieces


def test_a_stroke_is_counted_as_one() -> None:
    assert "1 record of Stroke" in ask("how many strokes?", [STROKE, observation("a1", "2019-01-10", 8.2)])


def test_two_results_of_one_moment_are_both_shown() -> None:
    text = ask("latest HbA1c", [*A1C, observation("b3", "2021-03-12", 8.1)])
    assert "7.0 %" in text
    assert "8.1 %" in text


def test_a_group_of_results_by_its_name_is_each_of_them() -> None:
    text = ask("kidney function", [*A1C, observation("g", "2021-01-01", 55, "33914-3", "mL/min")])
    assert "eGFR was 55 mL/min" in text
    assert "HbA1c" not in text


def test_what_was_taken_in_a_year_is_what_was_prescribed_by_then_and_is_active_still() -> None:
    later = medication("later", "Simvastatin 10 MG", "active", "2021-01-01")
    text = ask("medications in 2019", [METFORMIN, later])
    assert "Metformin" in text
    assert "Simvastatin" not in text


def test_what_is_asked_about_as_stopped_and_is_not_is_said_to_be_active_still() -> None:
    assert "still active" in ask("when was metformin stopped?", RECORD)


def test_medications_for_a_condition_are_those_the_record_gives_that_reason_for() -> None:
    for_it = medication("m", "Glipizide 5 MG", "active", "2019-01-01", reasonCode=[{"text": "Diabetes"}])
    assert "Glipizide" in ask("medications for diabetes", [for_it, METFORMIN])
    assert "Metformin" not in ask("medications for diabetes", [for_it, METFORMIN])


def test_a_comparison_of_two_analytes_gives_the_latest_of_both() -> None:
    egfr = observation("g", "2021-01-01", 55, "33914-3", "mL/min")
    text = ask("compare HbA1c and eGFR", [*A1C, egfr])
    assert "The most recent HbA1c was 7.0 %" in text
    assert "The most recent eGFR was 55 mL/min" in text


def test_a_range_that_no_result_carries_is_no_answer() -> None:
    assert ask("what is the reference range for HbA1c?", RECORD).startswith(REFUSAL)
