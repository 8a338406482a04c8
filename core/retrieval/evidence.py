"""Evidence in rank order: what the answer rests on, then the rest of its series, then what else is near the question."""

from __future__ import annotations

from collections.abc import Sequence

import psycopg

from core.models import Evidence
from core.retrieval.match import Outcome, Topic
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
    evidence = {s.facts.resource_id: Evidence(s.facts, s.text, ("question",)) for s in selection.chosen}
    for stored in selection.series:
        if len(evidence) < limit or selection.resource_type == "Observation":
            evidence.setdefault(stored.facts.resource_id, Evidence(stored.facts, stored.text, ("question",)))
    about = {c.key for c in topic.concepts}
    near = [c for c in concepts if c.key not in about][:_SUPPLEMENTARY]
    latest = latest_instances(connection, patient, [c.key for c in near])
    for concept in near:
        if concept.key in latest and len(evidence) < limit + _SUPPLEMENTARY:
            stored = latest[concept.key]
            arms = ("vector", "text") if concept.word_rank else ("vector",)
            evidence.setdefault(stored.facts.resource_id, Evidence(stored.facts, stored.text, arms))
    return selection, list(evidence.values())
