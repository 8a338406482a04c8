"""A threshold on distance beside the decision: what each would refuse, rightly and wrongly."""

from __future__ import annotations

from core.evaluation.calibration import Calibration, Refusing, calibration
from core.evaluation.metrics import Outcome
from core.evaluation.questions import Expected


def outcome(expect: Expected, nearest: float | None, refused: bool | None) -> Outcome:
    return Outcome(
        id=f"{expect}-{nearest}",
        category="diagnosis",
        cohort="",
        question="Since when?",
        patient="Patient/ada",
        expect=expect,
        nearest=nearest,
        refused=refused,
    )


def measured(refused: bool | None = True) -> Calibration:
    """Two to refuse at 0.5 and 0.9, three to answer at 0.3, 0.5 and 0.7: no threshold parts them."""
    due = [outcome(Expected.REFUSE, d, refused) for d in (0.5, 0.9)]
    answerable = [outcome(Expected.ANSWER, d, None if refused is None else False) for d in (0.3, 0.5, 0.7)]
    found = calibration([*due, *answerable])
    assert found is not None
    return found


def test_a_threshold_refuses_what_is_farther() -> None:
    curve = {p.threshold: (p.due_refused, p.answerable_refused) for p in measured().points}
    assert curve[0.3] == (2, 2)
    assert curve[0.4] == (2, 2)
    assert curve[0.5] == (1, 1)
    assert curve[0.6] == (1, 1)
    assert curve[0.8] == (1, 0)
    assert curve[0.92] == (0, 0)


def test_the_decision_stands_beside_the_threshold_that_would_refuse_as_much() -> None:
    found = measured()
    assert found.decision == Refusing(due_refused=2, answerable_refused=0)
    assert found.matching is not None
    assert (found.matching.threshold, found.matching.answerable_refused) == (0.48, 2)


def test_a_refusal_that_was_not_due_counts_against_the_decision() -> None:
    found = calibration([outcome(Expected.REFUSE, 0.9, False), outcome(Expected.ANSWER, 0.3, True)])
    assert found is not None
    assert found.decision == Refusing(due_refused=0, answerable_refused=1)


def test_separation_counts_pairs_and_half_of_ties() -> None:
    assert measured().separation == round((1.5 + 3) / 6, 4)
    apart = calibration([outcome(Expected.REFUSE, 0.9, True), outcome(Expected.ANSWER, 0.3, False)])
    assert apart is not None
    assert apart.separation == 1.0


def test_retrieval_alone_has_a_curve_and_no_decision() -> None:
    found = measured(refused=None)
    assert (found.decision, found.matching) == (None, None)
    assert found.points


def test_without_both_kinds_of_question_there_is_nothing_to_calibrate() -> None:
    assert calibration([outcome(Expected.ANSWER, 0.3, False)]) is None
    assert calibration([outcome(Expected.REFUSE, None, True), outcome(Expected.ANSWER, 0.3, False)]) is None
