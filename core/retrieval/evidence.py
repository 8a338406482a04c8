"""Evidence in rank order: what the answer rests on, then the rest of its series, then what else is near the question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import psycopg

from core.fhir.problems import is_errand
from core.models import Evidence
from core.problems import is_clinical
from core.retrieval.parts import EVERY_PART, Parts
from core.retrieval.reading import Asked
from core.retrieval.search import Concept, Stored, instances, latest_instances
from core.retrieval.select import Selection

FOLLOWED_FROM = 25  # references are followed from the first of the evidence only: what a reader sees
_SUPPLEMENTARY = 15


def gather(
    connection: psycopg.Connection,
    patient: str,
    asked: Sequence[Asked],
    concepts: Sequence[Concept],
    limit: int,
    parts: Parts = EVERY_PART,
) -> list[Evidence]:
    """The evidence that goes with everything that is asked.

    Everything the answer states is kept whatever its number; the rest fills up to `limit`. A chart needs the whole
    series of an Observation, so that is kept too.
    """
    if not parts.concepts:
        return _nearest_rows(connection, patient, concepts, limit, parts)
    brought = {c.key: ("question", *c.arms(parts)) for a in asked for c in a.topic.concepts}
    events = [a.event.stored for a in asked if a.event]
    stated = [*events, *(s for a in asked for s in _varied_first(a.selection.chosen))]
    evidence = {s.facts.resource_id: _evidence(s, brought) for s in stated}
    for one in asked:
        charted = one.selection.resource_type == "Observation" and not one.question.summary
        for stored in _same_moment_first(one.selection):
            if len(evidence) < limit or charted:
                evidence.setdefault(stored.facts.resource_id, _evidence(stored, brought))
    near = [c for c in concepts if c.key not in brought and c.arms(parts)][:_SUPPLEMENTARY]
    latest = latest_instances(connection, patient, [c.key for c in near])
    for concept in near:
        if concept.key in latest and len(evidence) < limit + _SUPPLEMENTARY:
            stored = latest[concept.key]
            evidence.setdefault(
                stored.facts.resource_id, Evidence(stored.facts, stored.text, concept.arms(parts))
            )
    return list(evidence.values())


def _varied_first(chosen: Sequence[Stored]) -> list[Stored]:
    """What an answer states, each different thing once before any repeats: clinical problems, other findings, errands last.

    A dozen rows of "Medication review due" must not push three diagnoses out of what a reader sees first.
    """
    seen: Counter[str] = Counter()
    ranked = []
    for stored in chosen:
        facts = stored.facts
        aside = facts.resource_type == "Condition" and not is_clinical(facts)
        repeats = seen[facts.concept_key]
        ranked.append(
            ((facts.resource_type == "Condition" and is_errand(facts), repeats > 0, aside, repeats), stored)
        )
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
