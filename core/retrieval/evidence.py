"""Evidence in rank order: what the answer rests on, then the rest of its series, then what else is near the question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import psycopg

from core.models import Evidence
from core.problems import is_clinical
from core.retrieval.match import Outcome, Topic
from core.retrieval.parts import EVERY_PART, Parts
from core.retrieval.question import Question
from core.retrieval.search import Concept, Stored, instances, latest_instances
from core.retrieval.select import Selection, select

FOLLOWED_FROM = 25  # references are followed from the first of the evidence only: what a reader sees
_SUPPLEMENTARY = 15


def gather(
    connection: psycopg.Connection,
    patient: str,
    question: Question,
    topic: Topic,
    concepts: Sequence[Concept],
    limit: int,
    parts: Parts = EVERY_PART,
) -> tuple[Selection, list[Evidence]]:
    """The selection an answer is computed from, and the evidence that goes with it.

    Everything the answer states is kept whatever its number; the rest fills up to `limit`. A chart needs the whole
    series of an Observation, so that is kept too.
    """
    found: list[Stored] = []
    if topic.outcome is Outcome.FOUND:
        found = instances(connection, patient, [c.key for c in topic.concepts])
    clock = max((c.last for c in concepts if c.last and c.resource_type != "Patient"), default=None)
    selection = select(question, topic, found, clock)
    if not parts.concepts:
        return selection, _nearest_rows(connection, patient, concepts, limit, parts)
    brought = {c.key: ("question", *c.arms(parts)) for c in topic.concepts}
    evidence = {s.facts.resource_id: _evidence(s, brought) for s in _varied_first(selection.chosen)}
    for stored in _same_moment_first(selection):
        if len(evidence) < limit or selection.resource_type == "Observation":
            evidence.setdefault(stored.facts.resource_id, _evidence(stored, brought))
    near = [c for c in concepts if c.key not in brought and c.arms(parts)][:_SUPPLEMENTARY]
    latest = latest_instances(connection, patient, [c.key for c in near])
    for concept in near:
        if concept.key in latest and len(evidence) < limit + _SUPPLEMENTARY:
            stored = latest[concept.key]
            evidence.setdefault(
                stored.facts.resource_id, Evidence(stored.facts, stored.text, concept.arms(parts))
            )
    return selection, list(evidence.values())


def _varied_first(chosen: Sequence[Stored]) -> list[Stored]:
    """What an answer states, each different thing once before any repeats: clinical problems before other findings.

    A dozen rows of "Medication review due" must not push three diagnoses out of what a reader sees first.
    """
    seen: Counter[str] = Counter()
    ranked = []
    for stored in chosen:
        facts = stored.facts
        aside = facts.resource_type == "Condition" and not is_clinical(facts)
        ranked.append(((aside, seen[facts.concept_key]), stored))
        seen[facts.concept_key] += 1
    return [stored for _, stored in sorted(ranked, key=lambda r: r[0])]


def _same_moment_first(selection: Selection) -> list[Stored]:
    """The series, newest first; before it what was recorded at the very time of what was chosen: the record has both."""
    moments = {(s.facts.concept_key, s.facts.date.instant) for s in selection.chosen if s.facts.date}

    def apart(stored: Stored) -> bool:
        date = stored.facts.date
        return date is None or (stored.facts.concept_key, date.instant) not in moments

    return sorted(selection.series, key=apart)


def _evidence(stored: Stored, brought: Mapping[str, tuple[str, ...]]) -> Evidence:
    return Evidence(stored.facts, stored.text, brought.get(stored.facts.concept_key, ("question",)))


def _nearest_rows(
    connection: psycopg.Connection, patient: str, concepts: Sequence[Concept], limit: int, parts: Parts
) -> list[Evidence]:
    """The rows of the nearest concepts, whatever is asked: what retrieval is without a reading of the question."""
    arms = {c.key: c.arms(parts) for c in concepts[:limit] if c.arms(parts)}
    rank = {key: n for n, key in enumerate(arms)}
    found = instances(connection, patient, list(arms))
    found.sort(key=lambda s: rank[s.facts.concept_key])
    return [Evidence(s.facts, s.text, arms[s.facts.concept_key]) for s in found[:limit]]
