"""The measures of one answer and of many, on answers written by hand."""

from __future__ import annotations

from typing import Any

import pytest

from core.evaluation import metrics
from core.evaluation.questions import Question
from core.models import Answer, Citation, Timings, VerdictStatus

REFUSAL = "Insufficient data in the available FHIR resources to answer this question."


def question(**changes: Any) -> Question:
    fields: dict[str, Any] = {
        "id": "q",
        "patient": "Patient/ada",
        "category": "HbA1c monitoring",
        "cohort": "adults",
        "ask": "Last two HbA1c results?",
        "resources": ["Observation/a", ["Observation/b", "Observation/b-copy"]],
        "also": ["Observation/c"],
        "facts": [{"value": 7.1, "date": "2024-03-01"}, {"value": 7.4, "date": "2023-03-01"}],
        "forbid": [{"date": "2020-01-01"}],
    }
    return Question.model_validate({k: v for k, v in {**fields, **changes}.items() if v is not None})


TO_REFUSE = {
    "expect": "refuse",
    "why": "absent",
    "resources": None,
    "facts": None,
    "also": None,
    "forbid": None,
}


def answer(
    text: str,
    cited: tuple[str, ...] = (),
    verdict: VerdictStatus = VerdictStatus.GROUNDED,
    refused: bool = False,
    retrieved: tuple[str, ...] = ("Observation/a", "Observation/b"),
    total: float = 10.0,
) -> Answer:
    return Answer(
        patient="Patient/ada",
        question="Last two HbA1c results?",
        answer=text,
        verdict=verdict,
        refused=refused,
        answerer="record",
        claims=[],
        citations=[Citation(resource_id=i, resource_type=i.split("/")[0], date=None, text="") for i in cited],
        retrieved=list(retrieved),
        timings_ms=Timings(total=total),
    )


RIGHT = "- 2024-03-01: 7.1 % [Observation/a]\n- 2023-03-01: 7.4 % [Observation/b]"


def test_a_right_answer_is_right_whichever_copy_it_cites() -> None:
    for second in ("Observation/b", "Observation/b-copy"):
        found = metrics.judge(question(), answer(RIGHT, ("Observation/a", second)))
        assert (found.correct, found.wrong_and_grounded, found.facts) == (True, False, 1.0)
        assert (found.citation_recall, found.citation_precision) == (1.0, 1.0)


def test_what_may_be_cited_as_well_costs_nothing_and_anything_else_does() -> None:
    found = metrics.judge(question(), answer(RIGHT, ("Observation/a", "Observation/c", "Observation/x")))
    assert found.citation_precision == pytest.approx(2 / 3)
    assert found.citation_recall == 0.5
    assert found.uncalled_for == ["Observation/x"]


def test_a_wrong_answer_called_grounded_is_the_dangerous_one() -> None:
    text = "- 2024-03-01: 7.1 % [Observation/a]"
    grounded = metrics.judge(question(), answer(text, ("Observation/a",)))
    assert (grounded.correct, grounded.wrong_and_grounded, grounded.facts) == (False, True, 0.5)
    assert grounded.missing == ["value 7.4 with date 2023-03-01"]
    caught = metrics.judge(question(), answer(text, ("Observation/a",), VerdictStatus.UNGROUNDED))
    assert (caught.correct, caught.wrong_and_grounded) == (False, False)


def test_what_must_not_be_said_makes_an_answer_wrong() -> None:
    found = metrics.judge(
        question(), answer(f"{RIGHT}\n- 2020-01-01: 6 % [Observation/c]", ("Observation/a",))
    )
    assert (found.right, found.forbidden) == (False, ["date 2020-01-01"])


def test_a_right_answer_the_verifier_turns_down_is_a_false_alarm_not_a_wrong_answer() -> None:
    found = metrics.judge(question(), answer(RIGHT, verdict=VerdictStatus.PARTIALLY_GROUNDED))
    assert (found.right, found.correct, found.wrong_and_grounded) == (True, False, False)


def test_a_refusal_that_is_due_is_counted_as_a_refusal_and_nowhere_else() -> None:
    refused = answer(REFUSAL, verdict=VerdictStatus.UNGROUNDED, refused=True, retrieved=("Observation/z",))
    due = metrics.judge(question(**TO_REFUSE), refused)
    right = metrics.judge(question(), answer(RIGHT, ("Observation/a", "Observation/b")))
    summary = metrics.summarise([due, right])
    assert due.correct
    assert (summary.correct.mean, summary.correct.n) == (1.0, 2)
    assert (summary.refused_when_due.mean, summary.refused_when_due.n) == (1.0, 1)
    for measure in ("recall_at_k", "citation_recall", "citation_precision", "facts", "mean_reciprocal_rank"):
        share = getattr(summary, measure)
        assert (share.mean, share.n) == (1.0, 1), measure


def test_a_refusal_that_is_not_due_is_no_answer_but_never_a_wrong_one() -> None:
    found = metrics.judge(question(), answer(REFUSAL, (), VerdictStatus.UNGROUNDED, refused=True))
    assert (found.correct, found.wrong_and_grounded, found.citation_precision) == (False, False, None)
    assert metrics.summarise([found]).answered_when_due.mean == 0.0


def test_what_a_refusal_names_as_near_is_not_said() -> None:
    near = f"{REFUSAL} Related in this record: 7.1 % on 2024-03-01, 6 % on 2020-01-01."
    found = metrics.judge(question(), answer(near, (), VerdictStatus.UNGROUNDED, refused=True))
    assert (found.facts, len(found.missing), found.forbidden) == (0.0, 2, [])


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        (answer("It was 7.1 % [Observation/a].", ("Observation/a",)), True),
        (answer("It was 7.1 %.", (), VerdictStatus.UNGROUNDED), False),
        (answer(REFUSAL, ("Observation/a",), VerdictStatus.UNGROUNDED, refused=True), False),
    ],
)
def test_an_answer_where_a_refusal_is_due_is_not_correct(given: Answer, wrong: bool) -> None:
    found = metrics.judge(question(**TO_REFUSE), given)
    assert (found.correct, found.wrong_and_grounded) == (False, wrong)


def test_recall_counts_resources_within_the_first_k_and_a_larger_set_can_fill_them() -> None:
    ids = [f"Observation/{n}" for n in range(40)]
    asked = question(resources=ids, facts=[{"count": 40}])
    assert metrics.retrieval(asked, ids, k=25).recall_at_k == 1.0
    late = metrics.retrieval(asked, ["Observation/x", *ids], k=25)
    assert (late.recall_at_k, late.everything, late.first_rank) == (24 / 25, True, 2)
    half = metrics.retrieval(asked, ids[:20], k=25)
    assert (half.recall_at_k, half.everything, half.missed) == (20 / 25, False, ids[20:])
    assert metrics.retrieval(asked, [], k=25).first_rank is None


def test_a_question_that_failed_to_run_is_not_correct() -> None:
    found = metrics.failed(question(), "the model did not answer")
    assert metrics.summarise([found]).correct.mean == 0.0
    assert metrics.failing([found]) == [found]


def test_an_interval_is_wilsons_and_never_a_point_however_good_the_sample() -> None:
    share = metrics.share([True] * 20)
    assert (share.mean, share.n, share.high) == (1.0, 20, 1.0)
    assert share.low == pytest.approx(0.8389, abs=1e-3)  # Wilson 1927, 20 of 20
    half = metrics.share([1.0, 0.0] * 50)
    assert (half.low, half.high) == (pytest.approx(0.4038, abs=1e-3), pytest.approx(0.5962, abs=1e-3))
    assert metrics.share([None]).mean is None


def test_latency_is_by_stage_and_by_nearest_rank() -> None:
    found = metrics.latency(Timings(total=float(n), verify=1.0) for n in range(1, 101))
    assert (found["total"].p50, found["total"].p95, found["verify"].p95) == (50.0, 95.0, 1.0)
    assert metrics.latency([]) == {}
