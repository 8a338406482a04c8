"""References followed from evidence, inside the same patient: bounded in hops and in number, cycles end by themselves."""

from __future__ import annotations

from collections.abc import Sequence

import psycopg

from core.models import Evidence
from core.retrieval.search import by_id

# What adds to an answer; a performer or a payer does not.
_FOLLOWED = (
    "reasonReference",
    "medicationReference",
    "result",
    "addresses",
    "goal",
    "encounter",
    "context",
    "basedOn",
    "hasMember",
)
_AT_MOST = 12


def follow(
    connection: psycopg.Connection, patient: str, evidence: Sequence[Evidence], hops: int
) -> list[Evidence]:
    """The resources that the evidence refers to, nearest first, that are not evidence already."""
    seen = {e.facts.resource_id for e in evidence}
    found: list[Evidence] = []
    frontier = list(evidence)
    for _ in range(hops):
        wanted = [
            r.target
            for name in _FOLLOWED
            for e in frontier
            for r in e.facts.references
            if r.path.split("[")[0].split(".")[-1] == name and r.target and r.target not in seen
        ]
        wanted = list(dict.fromkeys(wanted))[: _AT_MOST - len(found)]
        if not wanted:
            break
        stored = by_id(connection, patient, wanted)
        frontier = [Evidence(stored[i].facts, stored[i].text, ("reference",)) for i in wanted if i in stored]
        frontier = [e for e in frontier if not e.facts.void]
        found += frontier
        seen.update(wanted)
    return found
