"""Concepts found by the record's own names: quoted in full, or by words that are what a name is about.

A word in passing names nothing, and a slip of one letter is mended only where it can mean one word of the record.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from rapidfuzz.distance import DamerauLevenshtein

from core.fhir.codes import plain
from core.naming import MEDICATION_TYPES
from core.retrieval.language import first_place, language
from core.retrieval.question import Question
from core.retrieval.search import Concept
from core.retrieval.topic import Outcome, Topic, is_kind, is_term
from core.terminology import TermKind
from core.words import stems

_ANTIBODY = frozenset({"ab", "ag"})  # in the name of every antibody and antigen test, in no question

FILLER = frozenset(stems("a an the of in on at to for with and or by from due using as into"))


@lru_cache(maxsize=50_000)
def name_words(name: str) -> tuple[str, ...]:
    """The stems of a name without filler words."""
    return tuple(s for s in stems(name) if s not in FILLER)


def quotable_names(concepts: Iterable[Concept]) -> list[tuple[str, ...]]:
    """The names of a record as stems, in full: what a question may quote."""
    return [stems(name) for c in concepts for name in {c.label, *c.names}]


def quoted(
    question: Question, words: tuple[str, ...], pool: Sequence[Concept], every: Sequence[Concept]
) -> Topic | None:
    """A name of the record that the question quotes in full and that accounts for every content word."""
    spoken = tuple(t.stem for t in question.tokens)
    best: dict[int, list[tuple[Concept, str]]] = {}
    # A quoted name may hold the kind's own word ("Allergy screening test"), so every concept is looked at.
    for concept in every:
        for name in {concept.label, *concept.names}:
            full = stems(name)
            size = len(name_words(name))
            if not full or full in language().kinds or first_place(spoken, full) < 0:
                continue
            if concept.resource_type == "AllergyIntolerance" and question.kind is None:
                continue
            if set(words) <= set(full) and (size > 1 or is_kind(concept, question.kind)):
                best.setdefault(size, []).append((concept, name))
    if not best:
        return None
    named = [*best[max(best)], *_begun_with(best[max(best)], every)]
    found = list(dict.fromkeys(c for c, _ in named))
    quoted_names = frozenset(plain(n) for _, n in named)
    of_kind = [c for c in found if is_kind(c, question.kind)]
    found = of_kind or found
    terms = [m.term for m in question.terms if m.term.kind is TermKind.ANALYTE]
    if terms:  # the code decides what an analyte is; a quoted name only finds what no code does
        coded = [c for c in every if any(is_term(c, t) for t in terms)]
        if coded:
            return None
    return Topic(
        Outcome.FOUND,
        found[0].label,
        tuple(found),
        kind=question.kind,
        asked=found[0].label,
        quoted=quoted_names,
    )


def _begun_with(named: Sequence[tuple[Concept, str]], every: Sequence[Concept]) -> list[tuple[Concept, str]]:
    """Procedures whose name begins with a name that was quoted: a "Depression screening using …" is one too."""
    known = {c.key for c, _ in named}
    wanted = {stems(n) for c, n in named if c.resource_type == "Procedure"}
    return [
        (concept, name)
        for concept in every
        if concept.resource_type == "Procedure" and concept.key not in known
        for name in (concept.label, *concept.names)
        if any(stems(name)[: len(full)] == full for full in wanted)
    ]


def by_name(
    question: Question, words: tuple[str, ...], pool: Sequence[Concept], every: Sequence[Concept]
) -> Topic | None:
    """Names of the record that hold every content word of the question."""
    wanted = frozenset(w for w in words if w not in FILLER)
    if not wanted:
        return None
    qualifiers = language().qualifiers
    spoken = {t.stem for t in question.tokens}
    found: list[tuple[int, Concept]] = []
    for concept in pool:
        if concept.resource_type == "AllergyIntolerance" and question.kind is None:
            continue  # a substance is asked for as an allergy, or it is not one: "does she take aspirin?"
        for name in {concept.label, *concept.names}:
            # LOINC's property and system ("[Units/volume] in Serum") say how it was measured, not what it is.
            held = frozenset(
                name_words(name.split("[")[0] if concept.resource_type == "Observation" else name)
            )
            if (
                wanted <= held
                and (concept.resource_type == "Goal" or not (held - spoken) & qualifiers)
                and (question.kind is not None or _names_enough(concept, wanted, held))
            ):
                found.append((len(held - wanted), concept))
    if not found:
        return None
    exact = [c for extra, c in found if extra == 0]
    chosen = tuple(dict.fromkeys(exact or [c for _, c in sorted(found, key=lambda f: f[0])]))
    label = chosen[0].label if len(chosen) == 1 else question.words(question.subject)
    return Topic(Outcome.FOUND, label, chosen, kind=question.kind, asked=label)


def _names_enough(concept: Concept, wanted: frozenset[str], held: frozenset[str]) -> bool:
    """Whether the words asked for are what a name is about and not a word in passing; of a drug, any ingredient is.

    More than half of a result's name has to be asked for: FEV1 is not FEV1/FVC.
    """
    if concept.resource_type in MEDICATION_TYPES:
        return True
    if concept.resource_type == "Observation":
        return 2 * len(wanted) > len(held - language().frame - _ANTIBODY)
    return 3 * len(wanted) >= len(held)


def corrected(word: str, pool: Sequence[Concept]) -> str:
    """The word of the record that a slip of one letter meant, if it can be only one; drugs, conditions and allergens."""
    if len(word) < 5:
        return word
    known = {
        w
        for c in pool
        if c.resource_type == "Condition"
        or c.resource_type in MEDICATION_TYPES
        or c.resource_type == "AllergyIntolerance"
        for name in c.names
        for w in name_words(name)
        if len(w) >= 5
    }
    near = [w for w in known if w[0] == word[0] and DamerauLevenshtein.distance(w, word, score_cutoff=1) <= 1]
    return near[0] if len(near) == 1 else word
