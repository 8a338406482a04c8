"""References followed from evidence, both ways, inside the same patient: bounded in hops and number; cycles end.

What evidence refers to comes first; then what refers to it: what was ordered for a condition, the report of a result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import psycopg

from core.models import Evidence, Facts
from core.retrieval.search import Stored, by_id, referring

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
    "derivedFrom",
    "partOf",
)
# By these, what refers to a resource is about it; by its encounter, a whole visit would be.
_FOLLOWED_BACK = frozenset(_FOLLOWED) - {"encounter", "context", "medicationReference"} | {"condition"}
_NOT_FOLLOWED_BACK = frozenset({"Patient", "Encounter", "Practitioner", "Organization", "Location"})
_AT_MOST = 12  # resources one way
_LOOKED_AT = 60  # resources that refer to the evidence, before it is known by which of their fields


def follow(
    connection: psycopg.Connection, patient: str, evidence: Sequence[Evidence], hops: int
) -> list[Evidence]:
    """The resources that what was asked for refers to, nearest first, then those that refer to it.

    Where nothing was, what is near to the question is followed forward. None of them is evidence already, none void.
    """
    if not hops:
        return []
    asked = [e for e in evidence if "question" in e.arms]
    forward = _forward(connection, patient, asked or evidence, {e.facts.resource_id for e in evidence}, hops)
    return [
        *forward,
        *_back(connection, patient, asked, {e.facts.resource_id for e in (*evidence, *forward)}),
    ]


def _forward(
    connection: psycopg.Connection, patient: str, start: Sequence[Evidence], known: set[str], hops: int
) -> list[Evidence]:
    seen, frontier = set(known), list(start)
    found: list[Evidence] = []
    for _ in range(hops):
        targets = [
            target for name in _FOLLOWED for e in frontier for target in _targets(e.facts, frozenset({name}))
        ]
        wanted = [t for t in dict.fromkeys(targets) if t not in seen][: _AT_MOST - len(found)]
        if not wanted:
            break
        stored = by_id(connection, patient, wanted)
        frontier = _as_evidence(stored[i] for i in wanted if i in stored)
        found += frontier
        seen.update(wanted)
    return found


def _back(
    connection: psycopg.Connection, patient: str, asked: Sequence[Evidence], seen: set[str]
) -> list[Evidence]:
    ids = {e.facts.resource_id for e in asked if e.facts.resource_type not in _NOT_FOLLOWED_BACK}
    if not ids:
        return []
    near = [
        s
        for s in referring(connection, patient, sorted(ids), _LOOKED_AT)
        if s.facts.resource_id not in seen and ids.intersection(_targets(s.facts, _FOLLOWED_BACK))
    ]
    return _as_evidence(near[:_AT_MOST])


def _targets(facts: Facts, fields: frozenset[str]) -> list[str]:
    """What a resource refers to by one of these fields."""
    return [r.target for r in facts.references if r.target and _field(r.path) in fields]


def _field(path: str) -> str:
    """The element a reference stands in: "result" of "result[3]"."""
    return path.split("[")[0].split(".")[-1]


def _as_evidence(found: Iterable[Stored]) -> list[Evidence]:
    return [Evidence(s.facts, s.text, ("reference",)) for s in found if not s.facts.void]
