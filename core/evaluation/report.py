"""An evaluation from question file to report: checked questions, real answers, shares with their intervals.

Nothing is measured against truth that the records do not bear out, and a question that fails to run counts as wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

from pydantic import BaseModel

from core.errors import ChartCiteError, EvaluationError
from core.evaluation import metrics, truth
from core.evaluation.mutations import KINDS, mutants
from core.evaluation.questions import SHIPPED, Question, read_questions
from core.evaluation.text import as_markdown
from core.grounding.record import Record
from core.grounding.verdict import verify
from core.models import VerdictStatus
from core.pipeline import retrieve
from core.service import Service, open_service


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


class Report(BaseModel):
    """The published JSON of an evaluation. `by_category` and `by_cohort` hold only the groups there are."""

    questions: str
    answerer: str
    k: int
    overall: metrics.Summary
    by_category: dict[str, metrics.Summary]
    by_cohort: dict[str, metrics.Summary]
    verification: Verification | None
    latency_ms: dict[str, metrics.Percentiles]
    outcomes: list[metrics.Outcome]


def evaluate_file(
    questions: Path | None = None, retrieval_only: bool = False, answerer: str | None = None
) -> Report:
    """Evaluate the configured database on a question file (the shipped one by default).

    Raises EvaluationError when the file cannot be read or states what the records do not.
    """
    asked = read_questions(questions)
    service = open_service()
    try:
        return evaluate(service, asked, (questions or SHIPPED).name, retrieval_only, answerer)
    finally:
        service.close()


def evaluate(
    service: Service,
    questions: Sequence[Question],
    name: str,
    retrieval_only: bool = False,
    answerer: str | None = None,
) -> Report:
    """Evaluate an opened service on questions; their truth is checked first."""
    if not service.counts():
        raise EvaluationError("The database holds no records. Load some: python -m core ingest data/demo")
    record_of = lru_cache(maxsize=None)(service.record)
    truth.check(questions, record_of)
    if retrieval_only:
        outcomes = [
            metrics.judge_retrieval(q, retrieve(service.stages, q.patient, q.ask).ids) for q in questions
        ]
    else:
        outcomes = [_asked(service, q, answerer) for q in questions]
    return Report(
        questions=name,
        answerer="none" if retrieval_only else answerer or service.stages.settings.answerer,
        k=metrics.K,
        overall=metrics.summarise(outcomes),
        by_category=_grouped(outcomes, lambda o: o.category),
        by_cohort=_grouped(outcomes, lambda o: o.cohort),
        verification=None if retrieval_only else _verification(questions, outcomes, record_of),
        latency_ms=metrics.latency(o.timings_ms for o in outcomes if o.timings_ms),
        outcomes=outcomes,
    )


def print_report(report: Report) -> None:
    """The report as Markdown on stdout."""
    print(as_markdown(report))


def _asked(service: Service, question: Question, answerer: str | None) -> metrics.Outcome:
    try:
        return metrics.judge(question, service.ask(question.patient, question.ask, answerer).answer)
    except ChartCiteError as error:
        return metrics.failed(question, str(error))


def _grouped(
    outcomes: Sequence[metrics.Outcome], key: Callable[[metrics.Outcome], str]
) -> dict[str, metrics.Summary]:
    groups: dict[str, list[metrics.Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(key(outcome), []).append(outcome)
    return {name: metrics.summarise(group) for name, group in groups.items() if name}


def _verification(
    questions: Sequence[Question], outcomes: Sequence[metrics.Outcome], record_of: Callable[[str], Record]
) -> Verification:
    """Every right answer as it is, then made wrong in each way that applies to it; checked against the whole record."""
    asked = {q.id: q for q in questions}
    right = [o for o in outcomes if o.right and o.answer]
    alarms = [o.id for o in right if o.verdict is not VerdictStatus.GROUNDED]
    tried: dict[str, list[bool]] = {}
    missed = []
    for outcome in right:
        question, record = asked[outcome.id], record_of(outcome.patient)
        for mutant in mutants(outcome.answer or "", record, seed=outcome.id):
            verdict = verify(mutant.text, record, question=question.ask).verdict
            caught = verdict is not VerdictStatus.GROUNDED
            tried.setdefault(mutant.kind, []).append(caught)
            if not caught:
                missed.append(Missed(question=outcome.id, kind=mutant.kind, answer=mutant.text))
    return Verification(
        right_answers=len(right),
        false_alarms=metrics.share(o.id in alarms for o in right),
        false_alarm_ids=alarms,
        caught=metrics.share(c for found in tried.values() for c in found),
        caught_by_kind={kind: metrics.share(tried[kind]) for kind in KINDS if kind in tried},
        missed=missed,
    )
