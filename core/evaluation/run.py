"""An evaluation from question file to report: checked questions, real answers, and what the verifier lets through.

Nothing is measured against truth that the records do not bear out, and a question that fails to run counts as wrong.
What is asked here stands in the audit trail under a user of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from core.errors import ChartCiteError, EvaluationError
from core.evaluation import metrics, truth
from core.evaluation.ablation import ablations, measured, nearest, parts_without
from core.evaluation.calibration import calibration
from core.evaluation.mutations import KINDS, mutants
from core.evaluation.questions import SHIPPED, Question, read_questions
from core.evaluation.report import Missed, Report, Verification
from core.evaluation.stored import keep
from core.grounding.record import Record
from core.grounding.verdict import verify
from core.models import VerdictStatus
from core.pipeline import retrieve
from core.service import Service, open_service

AUDIT_USER = "evaluation"


@dataclass(frozen=True, slots=True)
class Step:
    """How far an evaluation is: so many of `total` questions (or answers) `done`, and what is done with them."""

    doing: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What an evaluation measures: whole answers by one answerer, or retrieval alone, where parts can be left `without`.

    `ablations` adds retrieval without each part in turn.
    """

    answerer: str | None = None
    retrieval_only: bool = False
    without: tuple[str, ...] = ()
    ablations: bool = False

    def __post_init__(self) -> None:
        if self.without and not self.retrieval_only:
            raise EvaluationError("Parts are left out of retrieval alone: an answer uses all of them.")
        parts_without(self.without)


WHOLE = Plan()
OnStep = Callable[[Step], None]


def evaluate_file(
    questions: Path | None = None,
    plan: Plan = WHOLE,
    on_step: OnStep = lambda _: None,
) -> Report:
    """Evaluate the configured database on a question file (the shipped one by default) and keep the report there.

    Raises EvaluationError when the file cannot be read or states what the records do not.
    """
    asked = read_questions(questions)
    with closing(open_service()) as service:
        report = evaluate(service, asked, (questions or SHIPPED).name, plan, on_step)
        keep(service, report)
    return report


def evaluate_shipped(service: Service, on_step: OnStep) -> int:
    """Evaluate an opened service on the shipped questions and keep the report; returns its number."""
    return keep(service, evaluate(service, read_questions(), SHIPPED.name, WHOLE, on_step))


def evaluate(
    service: Service,
    questions: Sequence[Question],
    name: str,
    plan: Plan = WHOLE,
    on_step: OnStep = lambda _: None,
) -> Report:
    """Evaluate an opened service on questions; their truth is checked first."""
    if not service.counts():
        raise EvaluationError("The database holds no records. Load some: python -m core ingest data/demo")
    service = _apart(service)
    record_of = lru_cache(maxsize=None)(service.record)
    truth.check(questions, record_of)
    outcomes = []
    for number, question in enumerate(questions):
        on_step(Step("Asking", number, len(questions)))
        outcomes.append(_outcome(service, question, plan))
    answerer = plan.answerer or service.stages.settings.answerer
    return Report(
        questions=name,
        answerer="none" if plan.retrieval_only else answerer,
        k=metrics.K,
        without=list(plan.without),
        overall=metrics.summarise(outcomes),
        by_category=_grouped(outcomes, lambda o: o.category),
        by_cohort=_grouped(outcomes, lambda o: o.cohort),
        verification=None if plan.retrieval_only else _verification(questions, outcomes, record_of, on_step),
        calibration=None if plan.without else calibration(outcomes),
        ablations=ablations(service, questions, lambda d, n: on_step(Step("Leaving parts out", d, n)))
        if plan.ablations
        else [],
        latency_ms=metrics.latency(o.timings_ms for o in outcomes if o.timings_ms),
        outcomes=outcomes,
    )


def _apart(service: Service) -> Service:
    """The same service, writing to the audit trail that nobody at a bedside asked."""
    settings = service.stages.settings.model_copy(update={"user": AUDIT_USER})
    return Service(replace(service.stages, settings=settings))


def _outcome(service: Service, question: Question, plan: Plan) -> metrics.Outcome:
    try:
        if plan.retrieval_only:
            parts = parts_without(plan.without)
            return measured(question, retrieve(service.stages, question.patient, question.ask, parts=parts))
        answer = service.ask(question.patient, question.ask, plan.answerer).answer
        found = retrieve(service.stages, question.patient, question.ask)
    except ChartCiteError as error:
        return metrics.failed(question, str(error))
    return metrics.judge(question, answer).model_copy(update={"nearest": nearest(found)})


def _grouped(
    outcomes: Sequence[metrics.Outcome], key: Callable[[metrics.Outcome], str]
) -> dict[str, metrics.Summary]:
    groups: dict[str, list[metrics.Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(key(outcome), []).append(outcome)
    return {name: metrics.summarise(group) for name, group in groups.items() if name}


def _verification(
    questions: Sequence[Question],
    outcomes: Sequence[metrics.Outcome],
    record_of: Callable[[str], Record],
    on_step: OnStep,
) -> Verification:
    """Every right answer as it is, then made wrong in each way that applies to it; checked against the whole record."""
    asked = {q.id: q for q in questions}
    right = [o for o in outcomes if o.right and o.answer]
    alarms = [o.id for o in right if o.verdict is not VerdictStatus.GROUNDED]
    tried: dict[str, list[bool]] = {}
    missed = []
    for number, outcome in enumerate(right):
        on_step(Step("Making answers wrong and checking them", number, len(right)))
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
