"""Evidence in rank order: what the answer rests on, then the rest of its series, then what else is near the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import psycopg

from core.models import Evidence
from core.retrieval.parts import EVERY_PART, Parts
from core.retrieval.reading import Asked
from core.retrieval.search import Concept, Stored, instances, latest_instances

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
    stated = [s for a in asked for s in (*((a.event.stored,) if a.event else ()), *a.selection.chosen)]
    evidence = {s.facts.resource_id: _evidence(s, brought) for s in stated}
    for one in asked:
        charted = one.selection.resource_type == "Observation" and not one.question.summary
        for stored in one.selection.series:
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
