"""Two reports compared: paired by question, with the exact test for small numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import EvaluationError
from core.evaluation import metrics
from core.evaluation.comparison import as_markdown, compare, read_report, sign_test
from core.evaluation.questions import Expected
from core.evaluation.report import Report


def report(**correct: bool) -> Report:
    outcomes = [
        metrics.Outcome(
            id=name,
            category="diagnosis",
            cohort="",
            question="Since when?",
            patient="Patient/ada",
            expect=Expected.ANSWER,
            correct=value,
        )
        for name, value in correct.items()
    ]
    return Report(
        questions="questions.yaml",
        answerer="record",
        k=25,
        overall=metrics.summarise(outcomes),
        by_category={},
        by_cohort={},
        verification=None,
        latency_ms={},
        outcomes=outcomes,
    )


def test_what_was_gained_and_lost_is_named_and_only_shared_questions_count() -> None:
    found = compare(report(a=True, b=False, c=False, d=True), report(a=False, b=True, c=True, e=True))
    (change,) = found.changes
    assert (change.measure, change.compared, change.before, change.after) == ("correct", 3, 1, 2)
    assert (change.gained, change.lost, change.p) == (["b", "c"], ["a"], 1.0)
    assert (found.only_before, found.only_after) == (["d"], ["e"])
    text = as_markdown(found)
    assert "| correct | 1 | 2 | 3 | 2 | 1 | 1.000 |" in text
    assert "- correct, gained: b, c" in text


@pytest.mark.parametrize(
    ("gained", "lost", "p"), [(0, 0, 1.0), (5, 0, 0.0625), (6, 0, 0.03125), (3, 3, 1.0), (8, 1, 0.0390625)]
)
def test_the_sign_test_is_exact_and_two_sided(gained: int, lost: int, p: float) -> None:
    assert sign_test(gained, lost) == pytest.approx(p)
    assert sign_test(lost, gained) == pytest.approx(p)


def test_a_report_is_read_as_it_was_written_and_anything_else_is_one_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(report(a=True).model_dump_json())
    assert read_report(path) == report(a=True)
    path.write_text("{}")
    with pytest.raises(EvaluationError, match=r"report\.json is not a report"):
        read_report(path)
    with pytest.raises(EvaluationError, match="cannot be read"):
        read_report(tmp_path / "none.json")
