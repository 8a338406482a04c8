"""The published JSON of an evaluation: what was asked, what came of it, shares with their intervals."""

from __future__ import annotations

from pydantic import BaseModel

from core.evaluation import metrics
from core.evaluation.calibration import Calibration


class Missed(BaseModel):
    """A wrong answer that the verifier called grounded."""

    question: str
    kind: str
    answer: str


class Verification(BaseModel):
    """How the verifier did on answers known to be right and on the same answers made wrong."""

    right_answers: int
    false_alarms: metrics.Share
    false_alarm_ids: list[str]
    caught: metrics.Share
    caught_by_kind: dict[str, metrics.Share]
    missed: list[Missed]


class Ablation(BaseModel):
    """Retrieval with some parts left out, or none."""

    without: list[str]
    recall_at_k: metrics.Share
    everything_retrieved: metrics.Share
    mean_reciprocal_rank: metrics.Share


class Report(BaseModel):
    """One evaluation. `by_category` and `by_cohort` hold only the groups there are; `without` are the parts left out."""

    questions: str
    answerer: str
    k: int
    without: list[str] = []
    overall: metrics.Summary
    by_category: dict[str, metrics.Summary]
    by_cohort: dict[str, metrics.Summary]
    verification: Verification | None
    calibration: Calibration | None = None
    ablations: list[Ablation] = []
    latency_ms: dict[str, metrics.Percentiles]
    outcomes: list[metrics.Outcome]
