"""What a question is about in one record, as a value: the concepts it means, or why there are none."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.naming import is_a
from core.retrieval.language import RecordKind
from core.retrieval.search import Concept
from core.terminology import Term
from core.words import stems


class Outcome(StrEnum):
    """What came of looking for the question's subject in the record."""

    FOUND = "found"
    ABSENT = "absent"
    NOT_UNDERSTOOD = "not understood"
    ADVICE = "advice"
    ELSEWHERE = "elsewhere"


@dataclass(frozen=True, slots=True)
class Topic:
    """What a question is about in one patient's record.

    `concepts` are the concepts found, `label` how to call them together, `terms` the clinical terms meant.
    `unknown` are the words nothing accounted for; `asked` names the subject of a refusal. `quoted` are the names that
    the question quotes in full: one code may go by several names that a reader tells apart.
    """

    outcome: Outcome
    label: str = ""
    concepts: tuple[Concept, ...] = ()
    terms: tuple[Term, ...] = ()
    kind: RecordKind | None = None
    unknown: tuple[str, ...] = ()
    asked: str = ""
    component: Term | None = None
    reason: Term | None = None
    quoted: frozenset[str] = frozenset()


def is_kind(concept: Concept, kind: RecordKind | None) -> bool:
    """Whether a concept is of the kind of record that is asked for."""
    if kind is None:
        return True
    if concept.resource_type not in kind.types:
        return False
    if kind.named and not any(
        frozenset(s for w in words for s in stems(w)) <= frozenset(stems(n))
        for n in concept.names
        for words in kind.named
    ):
        return False
    return not kind.encounter_class or concept.key.split("|", 2)[1] == kind.encounter_class


def is_term(concept: Concept, term: Term) -> bool:
    """Whether a concept of the record is what a term means."""
    return is_a(term, concept.resource_type, concept.codes, concept.names)
