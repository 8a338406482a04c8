"""Concepts of one patient ranked by vector and by words: exact, patient-scoped, one statement a question.

The two arms are fused by weighted reciprocal rank (RRF, Cormack et al. 2009): score = sum of weight / (RRF_K + rank).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

import psycopg
from pgvector import HalfVector
from pydantic import TypeAdapter

from core.database.queries import query
from core.embedding import Vectors
from core.models import Facts
from core.retrieval.language import language
from core.retrieval.parts import EVERY_PART, Parts
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
    connection: psycopg.Connection, patient: str, text: str, vector: Vectors, parts: Parts = EVERY_PART
) -> list[Concept]:
    """Every concept of the patient, nearest to the question first. `vector` has shape (384,)."""
    parameters = {"patient": patient, "vector": HalfVector(vector), "words": or_query(text)}
    found = [
        Concept(
            key=key,
            resource_type=kind,
            label=label,
            names=_lines(names),
            codes=frozenset(_lines(codes)),
            resources=count,
            first=first.date() if first else None,
            last=last.date() if last else None,
            distance=float(distance),
            vector_rank=vector_rank,
            word_rank=word_rank,
        )
        for key, kind, label, names, codes, count, first, last, distance, vector_rank, word_rank in connection.execute(
            query("search"), parameters
        )
    ]
    return sorted(found, key=lambda c: (-c.score(parts), c.key))


def _lines(text: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line for line in (text or "").split("\n") if line))


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


def referring(connection: psycopg.Connection, patient: str, ids: Sequence[str], limit: int) -> list[Stored]:
    """The patient's own resources that refer to one of these, newest first, at most `limit`."""
    parameters = {"patient": patient, "ids": list(ids), "limit": limit}
    return _stored(connection.execute(query("referring"), parameters))


def _stored(rows: Iterable[tuple[str, str]]) -> list[Stored]:
    return [Stored(FACTS.validate_json(facts), text) for facts, text in rows]
