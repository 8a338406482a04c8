"""Which weights fuse the vector and the full-text arm best: the measurement behind VECTOR_WEIGHT, WORDS_WEIGHT and RRF_K.

Ranks concepts by the arms alone, without a reading of the question, over questions whose resources are known; needs the
records they are about in the configured database. docs/decisions has the figures the weights were chosen by.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.evaluation.questions import Expected, read_questions
from core.retrieval.search import RRF_K, VECTOR_WEIGHT, WORDS_WEIGHT, search
from core.service import Service, open_service

WORDS_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0)  # weight of full text where vectors weigh 1
KS = (10, 30, 60, 120)
FIRST = 15  # concepts that come with an answer beside what it states


@dataclass(frozen=True, slots=True)
class Ranked:
    """The ranks of one record's concepts for one question: (vector rank, word rank or None, is it relevant)."""

    concepts: tuple[tuple[int, int | None, bool], ...]


def main() -> None:
    """Print recall and mean reciprocal rank of the relevant concepts under each pair of weights."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("questions", nargs="?", type=Path, help="a question file; the shipped set by default")
    parser.add_argument("--every", type=int, default=1, help="take each n-th question of a large file")
    arguments = parser.parse_args()
    with closing(open_service()) as service:
        found = _ranked(service, arguments.questions, arguments.every)
    print(f"{len(found)} questions; in use: vectors {VECTOR_WEIGHT}, words {WORDS_WEIGHT}, k {RRF_K}")
    print(f"{'vectors':>8}{'words':>7}{'k':>5}{'recall@' + str(FIRST):>11}{'MRR':>8}")
    for vector, words in [(1.0, w) for w in WORDS_SHARES] + [(0.0, 1.0)]:
        for k in KS:
            recall, reciprocal = _measure(found, vector, words, k)
            print(f"{vector:>8}{words:>7}{k:>5}{recall:>11.3f}{reciprocal:>8.3f}")


def _ranked(service: Service, path: Path | None, every: int) -> list[Ranked]:
    record_of = lru_cache(maxsize=4)(service.record)
    found = []
    for question in read_questions(path)[::every]:
        if question.expect is not Expected.ANSWER:
            continue
        record = record_of(question.patient)
        wanted = {record.resources[i].concept_key for i in question.relevant if i in record.resources}
        vector = service.stages.embedder.embed_question(question.ask)
        with service.stages.database.connection() as connection:
            concepts = search(connection, record.patient_ref, question.ask, vector)
        found.append(Ranked(tuple((c.vector_rank, c.word_rank, c.key in wanted) for c in concepts)))
    return found


def _measure(found: Sequence[Ranked], vector: float, words: float, k: int) -> tuple[float, float]:
    """(share of relevant concepts among the first, mean reciprocal rank of the first relevant one)."""
    recalls, reciprocals = [], []
    for ranked in found:
        order = sorted(
            ranked.concepts,
            key=lambda c: vector / (k + c[0]) + (words / (k + c[1]) if c[1] else 0.0),
            reverse=True,
        )
        places = [place for place, (_, _, relevant) in enumerate(order, 1) if relevant]
        if places:
            recalls.append(sum(place <= FIRST for place in places) / min(FIRST, len(places)))
            reciprocals.append(1 / places[0])
    return sum(recalls) / max(1, len(recalls)), sum(reciprocals) / max(1, len(reciprocals))


if __name__ == "__main__":
    main()
