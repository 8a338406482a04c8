"""Refusals: what was searched and what lies near it. They state nothing about the patient and cite nothing."""

from __future__ import annotations

from collections.abc import Sequence

from core.fhir.codes import plain
from core.fhir.types import spoken
from core.generation.wording import render
from core.models import REFUSAL, Draft
from core.naming import SPEAKS_OF
from core.retrieval.match import Outcome, Topic
from core.retrieval.search import Concept
from core.retrieval.select import Selection, has_result

_NEAR = 3


def refusal(topic: Topic, selection: Selection | None, concepts: Sequence[Concept]) -> Draft:
    """The refusal: what was searched and what lies near it. It states nothing about the patient and cites nothing."""
    near: list[str] = []
    if topic.outcome is not Outcome.ADVICE:
        clinical = [
            c
            for c in concepts
            if c.resource_type not in ("DocumentReference", "Patient", "Encounter", "CareTeam")
        ]
        near = list(dict.fromkeys(plain(c.label) for c in clinical if c.word_rank))[:_NEAR]
    text = render(
        "refusal.jinja2",
        refusal=REFUSAL,
        outcome=topic.outcome.name.lower(),
        searched=_searched(topic, selection, concepts),
        near=near,
    )
    return Draft(text, refused=True, answerer="record")


def _spoken_of(topic: Topic) -> tuple[str, ...]:
    """The types of record the terms of a question would stand in."""
    return tuple(dict.fromkeys(t for term in topic.terms for t in SPEAKS_OF[term.kind]))


def _searched(topic: Topic, selection: Selection | None, concepts: Sequence[Concept]) -> str:
    """How much was looked through, by type, and over which years."""
    if topic.outcome is Outcome.ADVICE or not concepts:
        return ""
    kinds = (
        topic.kind.types if topic.kind else _spoken_of(topic) or tuple({c.resource_type for c in concepts})
    )
    counts = {t: sum(c.resources for c in concepts if c.resource_type == t) for t in kinds}
    shown = sorted(((n, t) for t, n in counts.items() if n), reverse=True)[:4]
    what = ", ".join(f"{n} {spoken(t).lower()} record{'s' if n != 1 else ''}" for n, t in shown)
    years = [d.year for c in concepts if c.resource_type in kinds for d in (c.first, c.last) if d]
    span = f" from {min(years)} to {max(years)}" if years else ""
    about = f' for "{topic.asked}"' if topic.asked else ""
    if selection and selection.series:
        answered = selection.resource_type != "Observation" or any(
            has_result(s.facts) for s in selection.series
        )
        missed = f"; {len(selection.series)} on record, none {'as asked' if answered else 'with a result'}"
        return f"{what or 'this record'}{span}{about}{missed}"
    return f"{what or 'this record'}{span}{about}"
