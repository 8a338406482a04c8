"""What one answer was worth and what many were: pure functions of a question's truth and an answer.

A correct refusal is counted where refusals are counted and nowhere else: it never lowers recall, citations or facts.
A share is given with its 95 % interval (Wilson; for means of shares in [0, 1] it is conservative).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil, sqrt

from pydantic import BaseModel

from core.evaluation.found import says
from core.evaluation.questions import Expected, Question
from core.models import Answer, Timings, VerdictStatus

K = 25
_Z = 1.959964  # the 97.5 % quantile of the normal distribution


class Share(BaseModel):
    """A mean of n values between 0 and 1, with its 95 % interval; None when there is nothing to average."""

    mean: float | None
    low: float | None
    high: float | None
    n: int


class Retrieval(BaseModel):
    """How much of what an answer needs was retrieved. Ranks count from 1, None means not retrieved."""

    recall_at_k: float
    everything: bool
    first_rank: int | None
    missed: list[str]


class Outcome(BaseModel):
    """One question measured. Fields that do not apply (citations of a refusal, say) are None.

    `expected` are the facts of its truth in words (of a question to refuse: why), `needs` its resources. `nearest` is
    the cosine distance from the question to the nearest concept of the record.
    """

    id: str
    category: str
    cohort: str
    question: str
    patient: str
    expect: Expected
    expected: list[str] = []
    needs: list[list[str]] = []
    nearest: float | None = None
    retrieval: Retrieval | None = None
    answer: str | None = None
    verdict: VerdictStatus | None = None
    refused: bool | None = None
    correct: bool | None = None
    wrong_and_grounded: bool | None = None
    facts: float | None = None
    missing: list[str] = []
    forbidden: list[str] = []
    cited: list[str] = []
    citation_precision: float | None = None
    citation_recall: float | None = None
    uncalled_for: list[str] = []
    right: bool | None = None
    timings_ms: Timings | None = None
    problem: str = ""


class Percentiles(BaseModel):
    """Milliseconds, nearest-rank."""

    p50: float
    p95: float


class Summary(BaseModel):
    """A group of questions. `wrong_and_grounded` is the dangerous one: not correct, not refused, called grounded.

    `refused_when_due` is over the questions to refuse, `answered_when_due` over the others; recall, citations and facts are
    over the questions to answer only.
    """

    questions: int
    correct: Share
    wrong_and_grounded: Share
    refused_when_due: Share
    answered_when_due: Share
    facts: Share
    recall_at_k: Share
    everything_retrieved: Share
    first_relevant_is_first: Share
    mean_reciprocal_rank: Share
    citation_precision: Share
    citation_recall: Share


# The shares of a summary that are reported, in words.
MEASURES = {
    "correct": "correct",
    "wrong_and_grounded": "wrong, called grounded",
    "refused_when_due": "refused when due",
    "answered_when_due": "answered when due",
    "facts": "facts",
    "recall_at_k": "recall",
    "everything_retrieved": "all retrieved",
    "mean_reciprocal_rank": "MRR",
    "citation_precision": "cit. precision",
    "citation_recall": "cit. recall",
}


def retrieval(question: Question, retrieved: Sequence[str], k: int = K) -> Retrieval:
    """Recall within the first k ids (a set larger than k can at best fill them) and whether all of it is there at all."""
    groups = question.resources
    first = set(retrieved[:k])
    ranks = [i for i, r in enumerate(retrieved, 1) if r in question.relevant]
    found = set(retrieved)
    return Retrieval(
        recall_at_k=sum(bool(first & set(g)) for g in groups) / min(k, len(groups)) if groups else 1.0,
        everything=all(found & set(g) for g in groups),
        first_rank=ranks[0] if ranks else None,
        missed=[" or ".join(g) for g in groups if not found & set(g)],
    )


def judge(question: Question, answer: Answer) -> Outcome:
    """Measure one answer against the truth of its question."""
    base = Outcome(
        **_named(question),
        answer=answer.answer,
        verdict=answer.verdict,
        refused=answer.refused,
        cited=[c.resource_id for c in answer.citations],
        timings_ms=answer.timings_ms,
    )
    grounded = answer.verdict is VerdictStatus.GROUNDED
    if question.expect is Expected.REFUSE:
        correct = answer.refused and answer.verdict is VerdictStatus.UNGROUNDED and not answer.citations
        return base.model_copy(
            update={"correct": correct, "wrong_and_grounded": not answer.refused and grounded}
        )
    # A refusal names what lies near in the record: that is no statement of it.
    missing = [str(f) for f in question.facts if answer.refused or not says(answer.answer, f)]
    forbidden = [str(f) for f in question.forbid if not answer.refused and says(answer.answer, f)]
    right = not answer.refused and not missing and not forbidden
    cited = {c.resource_id for c in answer.citations}
    wanted = question.relevant
    groups = question.resources
    return base.model_copy(
        update={
            "retrieval": retrieval(question, answer.retrieved),
            "right": right,
            "correct": right and grounded,
            "wrong_and_grounded": not right and not answer.refused and grounded,
            "facts": 1 - len(missing) / len(question.facts),
            "missing": missing,
            "forbidden": forbidden,
            "citation_recall": sum(bool(cited & set(g)) for g in groups) / len(groups),
            "citation_precision": len(cited & (wanted | set(question.also))) / len(cited) if cited else None,
            "uncalled_for": sorted(cited - wanted - set(question.also)),
        }
    )


def judge_retrieval(question: Question, retrieved: Sequence[str]) -> Outcome:
    """Measure retrieval alone; a question to refuse has nothing to retrieve and is left as it is."""
    found = retrieval(question, retrieved) if question.expect is Expected.ANSWER else None
    return Outcome(**_named(question), retrieval=found)


def failed(question: Question, problem: str) -> Outcome:
    """A question that raised: nothing was answered, so nothing was correct."""
    return Outcome(
        **_named(question), problem=problem, correct=False, wrong_and_grounded=False, refused=False
    )


def _named(question: Question) -> dict[str, object]:
    return {
        "id": question.id,
        "category": question.category,
        "cohort": question.cohort,
        "question": question.ask,
        "patient": question.patient,
        "expect": question.expect,
        "expected": [str(fact) for fact in question.facts] or [w for w in [question.why] if w],
        "needs": [list(group) for group in question.resources],
    }


def summarise(outcomes: Sequence[Outcome]) -> Summary:
    """The shares over a group of outcomes."""
    to_refuse = [o for o in outcomes if o.expect is Expected.REFUSE]
    to_answer = [o for o in outcomes if o.expect is Expected.ANSWER]
    found = [o.retrieval for o in to_answer if o.retrieval]
    return Summary(
        questions=len(outcomes),
        correct=share(o.correct for o in outcomes),
        wrong_and_grounded=share(o.wrong_and_grounded for o in outcomes),
        refused_when_due=share(o.correct for o in to_refuse),
        answered_when_due=share(None if o.refused is None else not o.refused for o in to_answer),
        facts=share(o.facts for o in to_answer),
        recall_at_k=share(r.recall_at_k for r in found),
        everything_retrieved=share(r.everything for r in found),
        first_relevant_is_first=share(r.first_rank == 1 for r in found),
        mean_reciprocal_rank=share(1 / r.first_rank if r.first_rank else 0.0 for r in found),
        citation_precision=share(o.citation_precision for o in to_answer),
        citation_recall=share(o.citation_recall for o in to_answer),
    )


def failing(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """The outcomes a reader should open: not correct, or something missed in retrieval, uncited or cited in vain."""
    return [
        o
        for o in outcomes
        if o.correct is False
        or (o.retrieval and not o.retrieval.everything)
        or any(share is not None and share < 1 for share in (o.citation_precision, o.citation_recall))
    ]


def share(values: Iterable[float | None]) -> Share:
    """Mean and Wilson 95 % interval of values in [0, 1]; None values do not count."""
    known = [float(v) for v in values if v is not None]
    n = len(known)
    if not n:
        return Share(mean=None, low=None, high=None, n=0)
    p = sum(known) / n
    centre = (p + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
    half = _Z * sqrt(p * (1 - p) / n + _Z**2 / (4 * n * n)) / (1 + _Z**2 / n)
    return Share(
        mean=round(p, 4), low=round(max(0.0, centre - half), 4), high=round(min(1.0, centre + half), 4), n=n
    )


def latency(timings: Iterable[Timings]) -> dict[str, Percentiles]:
    """p50 and p95 of each stage, in milliseconds; {} when nothing was timed."""
    rows: list[Mapping[str, float]] = [t.model_dump() for t in timings]
    if not rows:
        return {}
    return {
        stage: Percentiles(p50=_percentile(rows, stage, 50), p95=_percentile(rows, stage, 95))
        for stage in rows[0]
    }


def _percentile(rows: Sequence[Mapping[str, float]], stage: str, percent: int) -> float:
    ordered = sorted(row[stage] for row in rows)
    return round(ordered[max(0, ceil(percent / 100 * len(ordered)) - 1)], 2)
