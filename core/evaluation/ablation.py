"""What each part of retrieval buys: the same questions with parts left out, one at a time and the arms on their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.errors import EvaluationError
from core.evaluation import metrics
from core.evaluation.questions import Question
from core.evaluation.report import Ablation
from core.pipeline import Retrieved, retrieve
from core.retrieval.parts import Parts
from core.service import Service

PARTS = Parts.names()
# Each part alone, then each arm where it has to find the resources by itself.
ROWS: tuple[tuple[str, ...], ...] = (
    (),
    *((name,) for name in PARTS),
    ("concepts", "text"),
    ("concepts", "vector"),
)


def parts_without(names: Sequence[str]) -> Parts:
    """All parts but these; raises EvaluationError for a name that is none, or when nothing is left to rank by."""
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        raise EvaluationError(f"There is no part {unknown[0]!r} of retrieval. Parts: {', '.join(PARTS)}.")
    if {"vector", "text"} <= set(names):
        raise EvaluationError("Without vector and text there is nothing to rank by. Leave one of them in.")
    return Parts.without(*names)


def ablations(
    service: Service, questions: Sequence[Question], on_done: Callable[[int, int], None]
) -> list[Ablation]:
    """Retrieval of the questions to answer, once for each of ROWS; `on_done` receives how many of how many are done."""
    asked = [q for q in questions if q.resources]
    found = []
    for row, names in enumerate(ROWS):
        parts = parts_without(names)
        outcomes = []
        for number, question in enumerate(asked):
            on_done(row * len(asked) + number, len(ROWS) * len(asked))
            outcomes.append(
                measured(question, retrieve(service.stages, question.patient, question.ask, parts=parts))
            )
        summary = metrics.summarise(outcomes)
        found.append(
            Ablation(
                without=list(names),
                recall_at_k=summary.recall_at_k,
                everything_retrieved=summary.everything_retrieved,
                mean_reciprocal_rank=summary.mean_reciprocal_rank,
            )
        )
    return found


def measured(question: Question, found: Retrieved) -> metrics.Outcome:
    """Retrieval of one question, with the distance of the nearest concept."""
    return metrics.judge_retrieval(question, found.ids).model_copy(update={"nearest": nearest(found)})


def nearest(found: Retrieved) -> float | None:
    """The cosine distance of the nearest concept of the record; None of an empty one."""
    return round(min(c.distance for c in found.concepts), 4) if found.concepts else None
