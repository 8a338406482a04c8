"""The README's tables: written whole, true when a measurement agrees, stale when it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import EvaluationError
from core.evaluation import metrics
from core.evaluation.calibration import calibration
from core.evaluation.questions import Expected
from core.evaluation.readme import stale, tables, write
from core.evaluation.report import Ablation, Report, Verification

ROOT = Path(__file__).resolve().parents[3]
NAMES = ("answers", "refusals", "ablations", "verifier")


def report(right: int = 80, recall: float = 0.9, caught: int = 10) -> Report:
    """81 questions to answer, of which `right` are, and one to refuse."""
    answered = [
        metrics.Outcome(
            id=str(n),
            category="diagnosis",
            cohort="adults",
            question="Since when?",
            patient="Patient/ada",
            expect=Expected.ANSWER,
            nearest=0.4,
            refused=False,
            correct=n < right,
            wrong_and_grounded=False,
            facts=1.0,
        )
        for n in range(81)
    ]
    refused = answered[0].model_copy(
        update={"id": "r", "expect": Expected.REFUSE, "expected": ["absent"], "refused": True, "nearest": 0.6}
    )
    outcomes = [*answered, refused.model_copy(update={"correct": True, "facts": None})]
    share = metrics.share([recall] * 81)
    return Report(
        questions="questions.yaml",
        answerer="record",
        k=25,
        overall=metrics.summarise(outcomes),
        by_category={},
        by_cohort={},
        verification=Verification(
            right_answers=81,
            false_alarms=metrics.share([False] * 81),
            false_alarm_ids=[],
            caught=metrics.share([n < caught for n in range(10)]),
            caught_by_kind={"date_day": metrics.share([n < caught for n in range(10)])},
            missed=[],
        ),
        calibration=calibration(outcomes),
        ablations=[
            Ablation(
                without=["vector"], recall_at_k=share, everything_retrieved=share, mean_reciprocal_rank=share
            )
        ],
        latency_ms={},
        outcomes=outcomes,
    )


@pytest.fixture
def readme(tmp_path: Path) -> Path:
    path = tmp_path / "README.md"
    blocks = (f"<!-- evaluation: {name} -->\nold\n<!-- /evaluation: {name} -->" for name in NAMES)
    path.write_text("# Ours\n\n" + "\n\nwords between\n\n".join(blocks) + "\n\nthe end\n")
    return path


def test_what_was_written_is_true_and_nothing_else_was_touched(readme: Path) -> None:
    write(readme, report())
    text = readme.read_text()
    assert "| right, every fact cited and verified | 0.988 | 0.934 to 0.998 | 82 |" in text
    assert "| because: absent | 1 of 1 | – |" in text
    assert "| date day | 1.000 |" in text
    assert "| without vector | 0.900 | 0.900 | 0.900 |" in text
    assert "\nold\n" not in text
    assert (text.startswith("# Ours\n"), text.endswith("the end\n")) == (True, True)
    assert text.count("words between") == 3
    assert stale(readme, report()) == []
    write(readme, report())
    assert readme.read_text() == text


def test_one_answer_or_one_catch_less_makes_them_stale(readme: Path) -> None:
    write(readme, report())
    assert [s.split(":")[0] for s in stale(readme, report(right=79))] == ["answers"]
    assert [s.split(":")[0] for s in stale(readme, report(caught=9))] == ["verifier", "verifier"]


def test_what_vectors_decide_may_differ_by_two_questions_and_no_more(readme: Path) -> None:
    write(readme, report(recall=0.9))
    assert stale(readme, report(recall=0.9 + 2 / 81)) == []
    assert stale(readme, report(recall=0.9 - 2 / 81)) == []
    assert len(stale(readme, report(recall=0.9 - 3 / 81))) == 1


@pytest.mark.parametrize(
    ("written", "by_hand"),
    [
        ("| 0.988 |", "| 0.998 |"),
        ("| date day |", "| date |"),
        ("| because: absent | 1 of 1 | – |\n", ""),
        ("| without vector | 0.900 | 0.900 | 0.900 |", "| without vector | 0.900 | 0.900 |"),
        ("| without vector | 0.900 | 0.900 | 0.900 |", "| without vector | good | 0.900 | 0.900 |"),
        ("| 82 questions |", "| 83 questions |"),
    ],
)
def test_what_was_changed_by_hand_is_stale(readme: Path, written: str, by_hand: str) -> None:
    write(readme, report())
    text = readme.read_text()
    assert text.count(written) == 1
    readme.write_text(text.replace(written, by_hand))
    assert stale(readme, report()) != []


def test_an_empty_table_is_stale(readme: Path) -> None:
    assert len(stale(readme, report())) == 4


@pytest.mark.parametrize("broken", ["<!-- evaluation: answers -->", "<!-- /evaluation: verifier -->"])
def test_a_missing_marker_is_an_error_that_names_it(readme: Path, broken: str) -> None:
    readme.write_text(readme.read_text().replace(broken, ""))
    with pytest.raises(EvaluationError, match="evaluation:"):
        write(readme, report())
    with pytest.raises(EvaluationError, match="evaluation:"):
        stale(readme, report())


def test_a_report_of_retrieval_alone_has_no_tables() -> None:
    with pytest.raises(EvaluationError, match="whole answers"):
        tables(report().model_copy(update={"verification": None}))


def test_the_readme_of_the_repository_has_its_tables() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in NAMES:
        block = text.split(f"<!-- evaluation: {name} -->")[1].split(f"<!-- /evaluation: {name} -->")[0]
        assert len(block.strip().splitlines()) > 3, name
