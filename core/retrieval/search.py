"""Concepts of one patient ranked by vector and by words: exact and patient-scoped, no approximate index.

Vectors are kept between questions (core.retrieval.profile); the words of a question are one statement to the database.
The two arms are fused by weighted reciprocal rank (RRF, Cormack et al. 2009): score = sum of weight / (RRF_K + rank).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

import psycopg
from pydantic import TypeAdapter

from core.database.queries import query
from core.embedding import Vectors
from core.models import Facts
from core.retrieval.language import language
from core.retrieval.parts import EVERY_PART, Parts
from core.retrieval.profile import Profile
from core.words import tokens

FACTS: TypeAdapter[Facts] = TypeAdapter(Facts)
# Chosen by measurement: docs/decisions/0008-weights-of-the-arms.md, benchmarks/ranking.py.
VECTOR_WEIGHT, WORDS_WEIGHT, RRF_K = 1.0, 0.25, 30
NEAREST = 25  # concepts; farther than that, the vector arm did not bring one


@dataclass(frozen=True, slots=True)
class Concept:
    """One concept of the patient's record: what it is, how often it is there and how near it is to the question.

    `distance` is the cosine distance of the nearest embedded text; ranks count from 1, `word_rank` is None where no
    word of the question occurs.
    """

    key: str
    resource_type: str
    label: str
    names: tuple[str, ...]
    codes: frozenset[str]
    resources: int
    first: date | None
    last: date | None
    distance: float
    vector_rank: int
    word_rank: int | None

    def score(self, parts: Parts = EVERY_PART) -> float:
        """The fused RRF score of the arms in use; higher is nearer."""
        vector = VECTOR_WEIGHT / (RRF_K + self.vector_rank) if parts.vector else 0.0
        words = WORDS_WEIGHT / (RRF_K + self.word_rank) if parts.text and self.word_rank else 0.0
        return vector + words

    def arms(self, parts: Parts = EVERY_PART) -> tuple[str, ...]:
        """Which arms bring it: "vector" where it is among the nearest, "text" where a word of the question occurs."""
        vector = parts.vector and self.vector_rank <= NEAREST
        text = parts.text and self.word_rank is not None
        return ("vector",) * vector + ("text",) * text


@dataclass(frozen=True, slots=True)
class Stored:
    """A stored resource: its facts and its card text."""

    facts: Facts
    text: str


def search(
    connection: psycopg.Connection,
    profile: Profile,
    patient: str,
    text: str,
    vector: Vectors,
    parts: Parts = EVERY_PART,
) -> list[Concept]:
    """Every concept of the patient, nearest to the question first. `vector` has shape (384,) and unit length."""
    distances = profile.distances(vector)
    scores: dict[str, float] = {}
    if words := or_query(text):
        scores = dict(connection.execute(query("words"), {"patient": patient, "words": words}))
    near, fitting = _ranks(distances), _ranks(-score for score in scores.values())
    found = [
        Concept(
            key=entry.key,
            resource_type=entry.resource_type,
            label=entry.label,
            names=entry.names,
            codes=entry.codes,
            resources=entry.resources,
            first=entry.first,
            last=entry.last,
            distance=distance,
            vector_rank=near[distance],
            word_rank=fitting[-scores[entry.key]] if entry.key in scores else None,
        )
        for entry, distance in zip(profile.entries, distances, strict=True)
    ]
    return sorted(found, key=lambda c: (-c.score(parts), c.key))


def _ranks(values: Iterable[float]) -> dict[float, int]:
    """The rank of each value from 1, the smallest first; equal values share a rank."""
    ranks: dict[float, int] = {}
    for place, value in enumerate(sorted(values), 1):
        ranks.setdefault(value, place)
    return ranks


def or_query(text: str) -> str | None:
    """A tsquery of the question's own words, ORed and quoted (ANDed words match nothing in a four-line text), or None."""
    frame = language().frame
    words = dict.fromkeys(t.stem.replace("'", "") for t in tokens(text) if t.stem not in frame)
    return " | ".join(f"'{word}':*" for word in words if word) or None


def instances(connection: psycopg.Connection, patient: str, concepts: Sequence[str]) -> list[Stored]:
    """Every resource of the named concepts, newest first; void ones never."""
    return _stored(connection.execute(query("instances"), {"patient": patient, "concepts": list(concepts)}))


def latest_instances(
    connection: psycopg.Connection, patient: str, concepts: Sequence[str]
) -> dict[str, Stored]:
    """The newest resource of each named concept, by concept key."""
    rows = connection.execute(query("latest_instances"), {"patient": patient, "concepts": list(concepts)})
    return {s.facts.concept_key: s for s in _stored(rows)}


def by_id(connection: psycopg.Connection, patient: str, ids: Iterable[str]) -> dict[str, Stored]:
    """The patient's own resources (or shared directory rows) with these ids; another patient's are never found."""
    rows = connection.execute(query("by_id"), {"patient": patient, "ids": list(ids)})
    return {s.facts.resource_id: s for s in _stored(rows)}


def _stored(rows: Iterable[tuple[str, str]]) -> list[Stored]:
    return [Stored(FACTS.validate_json(facts), text) for facts, text in rows]
