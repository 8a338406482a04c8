"""A gate that is not passed names its measure, its threshold and the questions that pulled it down."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import EvaluationError
from core.evaluation import metrics
from core.evaluation.gates import Gates, breaches, read_gates
from core.evaluation.questions import Expected
from core.evaluation.report import Missed, Report, Verification
from core.evaluation.text import as_markdown
from core.models import Timings, VerdictStatus


def outcome(name: str, correct: bool) -> metrics.Outcome:
    return metrics.Outcome(
        id=name,
        category="diagnosis",
        cohort="adults",
        question="Since when?",
        patient="Patient/ada",
        expect=Expected.ANSWER,
        answer="On 2020-01-01 [Condition/a].",
        verdict=VerdictStatus.GROUNDED,
        refused=False,
        correct=correct,
        wrong_and_grounded=not correct,
        facts=float(correct),
        missing=[] if correct else ["date 2019-01-01"],
        timings_ms=Timings(total=10.0 if correct else 400.0),
    )


def report() -> Report:
    outcomes = [outcome("right", True), outcome("wrong", False)]
    summary = metrics.summarise(outcomes)
    return Report(
        questions="questions.yaml",
        answerer="record",
        k=25,
        overall=summary,
        by_category={"diagnosis": summary},
        by_cohort={"adults": summary},
        verification=Verification(
            right_answers=1,
            false_alarms=metrics.share([False]),
            false_alarm_ids=[],
            caught=metrics.share([True, False]),
            caught_by_kind={"unit": metrics.share([False]), "value": metrics.share([True])},
            missed=[Missed(question="right", kind="unit", answer="14.7 g/g")],
        ),
        latency_ms=metrics.latency(o.timings_ms for o in outcomes if o.timings_ms),
        outcomes=outcomes,
    )


def test_a_breach_names_the_questions() -> None:
    gates = Gates(at_least={"correct": 0.9}, at_most={"wrong_and_grounded": 0.0}, total_ms_p95_at_most=300)
    found = breaches(report(), gates)
    assert [str(b) for b in found] == [
        "correct is 0.500, the gate is 0.900: wrong",
        "wrong_and_grounded is 0.500, the gate is 0.000: wrong",
        "total ms, p95 is 400.000, the gate is 300.000: wrong",
    ]


def test_a_breach_of_the_verifier_names_what_it_accepted() -> None:
    found = breaches(report(), Gates(caught_at_least={"all": 0.6, "unit": 0.5, "value": 1.0}))
    assert [(b.measure, b.questions) for b in found] == [
        ("caught: all", ["right (unit)"]),
        ("caught: unit", ["right (unit)"]),
    ]


def test_gates_that_are_met_are_silent_and_a_measure_not_taken_meets_none() -> None:
    assert breaches(report(), Gates(at_least={"correct": 0.5}, caught_at_least={"value": 1.0})) == []
    assert [b.measure for b in breaches(report(), Gates(at_least={"recall_at_k": 0.1}))] == ["recall_at_k"]


@pytest.mark.parametrize(
    "text", ["at_least: {speed: 1}", "at_best: {correct: 1}", "- 1", "at_least: {correct: x}"]
)
def test_a_gate_that_gates_nothing_is_an_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "gates.yaml"
    path.write_text(text)
    with pytest.raises(EvaluationError, match=r"gates\.yaml"):
        read_gates(path)


def test_the_report_reads_as_markdown_with_every_question_that_went_wrong() -> None:
    text = as_markdown(report())
    assert "| correct | 0.500 | 0.095 to 0.905 | 2 |" in text
    assert "- **wrong** (diagnosis, Patient/ada): Since when?" in text
    assert "  - not said: date 2019-01-01" in text
    assert "- **right**, made wrong (unit) and accepted: 14.7 g/g" in text
