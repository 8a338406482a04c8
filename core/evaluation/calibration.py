"""What a threshold on distance would decide, beside what the decision decides: whether a question can be answered here.

Pure. The decision is made by codes and names (docs/decisions/0005); the curve is the evidence that it should be.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from core.evaluation.metrics import Outcome
from core.evaluation.questions import Expected

_STEP = 50  # thresholds per unit of cosine distance


class Refusing(BaseModel):
    """What one way to decide does: how many of the questions to refuse it refuses, and how many of the others."""

    due_refused: int
    answerable_refused: int


class Point(Refusing):
    """Refusing every question whose nearest concept is farther than `threshold` (cosine distance, 0 to 2)."""

    threshold: float


class Calibration(BaseModel):
    """The curve over thresholds, and the decision's own point (None where nothing was answered).

    `separation` is the probability that a question to refuse lies farther from its nearest concept than one to answer
    (area under the ROC curve; 0.5 is chance). `matching` is the highest threshold that refuses what is due as often as
    the decision does; None where none does.
    """

    to_refuse: int
    to_answer: int
    separation: float
    points: list[Point]
    decision: Refusing | None = None
    matching: Point | None = None


def calibration(outcomes: Sequence[Outcome]) -> Calibration | None:
    """The calibration over outcomes whose nearest distance is known; None where either kind of question is missing."""
    known = [o for o in outcomes if o.nearest is not None]
    due = [o.nearest for o in known if o.expect is Expected.REFUSE and o.nearest is not None]
    answerable = [o.nearest for o in known if o.expect is Expected.ANSWER and o.nearest is not None]
    if not due or not answerable:
        return None
    first = int(min(*due, *answerable) * _STEP)
    last = int(max(*due, *answerable) * _STEP) + 1
    points = [_point(step / _STEP, due, answerable) for step in range(first, last + 1)]
    decision = _decision(known)
    caught = decision.due_refused if decision else len(due) + 1
    return Calibration(
        to_refuse=len(due),
        to_answer=len(answerable),
        separation=round(_separation(due, answerable), 4),
        points=points,
        decision=decision,
        matching=next((p for p in reversed(points) if p.due_refused >= caught), None),
    )


def _point(threshold: float, due: Sequence[float], answerable: Sequence[float]) -> Point:
    return Point(
        threshold=round(threshold, 2),
        due_refused=sum(d > threshold for d in due),
        answerable_refused=sum(d > threshold for d in answerable),
    )


def _decision(outcomes: Sequence[Outcome]) -> Refusing | None:
    if any(o.refused is None for o in outcomes):
        return None
    refused = [o.expect for o in outcomes if o.refused]
    return Refusing(
        due_refused=refused.count(Expected.REFUSE), answerable_refused=refused.count(Expected.ANSWER)
    )


def _separation(due: Sequence[float], answerable: Sequence[float]) -> float:
    """Mann and Whitney's U, ties counted half, as a share of all pairs."""
    above = sum((d > a) + (d == a) / 2 for d in due for a in answerable)
    return above / (len(due) * len(answerable))
