"""The relevance decision: which concepts of this record the question is about, or that there is none.

Nothing is matched by nearness alone. Codes decide first, then the record's own names; a content word of the question
that neither accounts for makes it not understood, and a term that names nothing in the record makes it absent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.naming import MEDICATION_TYPES, SPEAKS_OF
from core.retrieval.allergens import allergies_to
from core.retrieval.by_name import FILLER, by_name, corrected, quotable_names, quoted
from core.retrieval.language import first_place, language
from core.retrieval.question import Aggregate, Question
from core.retrieval.search import Concept
from core.retrieval.topic import Outcome, Topic, is_kind, is_term
from core.terminology import Term, TermKind, topics
from core.terminology import terms as all_terms
from core.words import stems

_GIVEN_FOR_A_REASON = {*MEDICATION_TYPES, "Procedure", "Encounter", "CarePlan", "ServiceRequest"}


def match(question: Question, concepts: Sequence[Concept]) -> Topic:
    """Decide what the question is about in the record whose concepts these are."""
    asked = asked_of(question)
    if question.advice:
        terms = tuple(dict.fromkeys(m.term for m in question.terms))
        return Topic(Outcome.ADVICE, asked=asked, terms=terms, kind=question.kind)
    if _is_answered_elsewhere(question, concepts):
        return Topic(Outcome.ELSEWHERE, asked=asked)
    if question.judged and question.aggregate is not Aggregate.RANGE and not _asks_for_one_result(question):
        return Topic(Outcome.NOT_UNDERSTOOD, asked=asked, kind=question.kind)
    if question.kind and question.kind.weak and question.terms:
        question = replace(question, kind=None)
    pool = [c for c in concepts if is_kind(c, question.kind)]
    words = tuple(question.tokens[i].stem for i in question.subject)
    if not words:
        if question.kind is None:
            return Topic(Outcome.NOT_UNDERSTOOD, asked=asked)
        found = tuple(_of_the_heading(question.kind.label, pool))
        return Topic(_outcome(found), question.kind.label, found, kind=question.kind, asked=asked)
    absent: Topic | None = None
    for attempt in (quoted, _by_allergen, _by_terms, _by_heading, by_name):
        if topic := attempt(question, words, pool, concepts):
            if topic.outcome is Outcome.FOUND:
                return topic
            absent = topic
            break
    if absent:
        return _by_heading(question, words, pool, concepts) or absent
    mended = tuple(corrected(w, pool) for w in words)
    if mended != words and (topic := by_name(question, mended, pool, concepts)):
        return topic
    named = tuple(m.term for m in question.terms)
    covered = {i for m in question.terms for i in range(m.first, m.last + 1)}
    unknown = tuple(question.tokens[i].word for i in question.subject if i not in covered)
    outcome = Outcome.ABSENT if (named and not unknown) or question.kind else Outcome.NOT_UNDERSTOOD
    return Topic(outcome, asked=asked, terms=named, unknown=unknown, kind=question.kind)


def _of_the_heading(label: str, pool: Sequence[Concept]) -> Sequence[Concept]:
    """What the vocabulary puts under the name of a kind ("vital signs"), where it does and the record has any of it."""
    keys = next((keys for heading, keys in topics() if heading == stems(label)), frozenset())
    members = [t for t in all_terms() if t.key in keys and t.kind is TermKind.ANALYTE]
    return [c for c in pool if any(is_term(c, t) for t in members)] or pool


def _is_answered_elsewhere(question: Question, concepts: Sequence[Concept]) -> bool:
    """Whether a question is none about a record: it says so, unless a name of the record has those words."""
    spoken = tuple(t.stem for t in question.tokens)
    said = [p for p in language().elsewhere if first_place(spoken, p) >= 0]
    return bool(said) and not any(first_place(n, p) >= 0 for p in said for n in quotable_names(concepts))


def asked_of(question: Question) -> str:
    """The subject of a question in its own words."""
    return question.words(question.subject) or (question.kind.label if question.kind else "")


_ONE_RESULT = {Aggregate.LATEST, Aggregate.HAS, Aggregate.STATUS}
_SEVERAL_AT_ONCE = {
    Aggregate.COMPARE,
    Aggregate.LATEST,
    Aggregate.EVERY,
    Aggregate.TREND,
    Aggregate.LIST,
    Aggregate.HAS,
    Aggregate.STATUS,
}


def _asks_for_one_result(question: Question) -> bool:
    """Whether "normal", "high" … are asked of one result, which carries its own flag and range."""
    terms = {m.term.key for m in question.terms if m.term.kind is TermKind.ANALYTE}
    return len(terms) == 1 and question.aggregate in _ONE_RESULT and question.window is None


def _outcome(found: Sequence[Concept]) -> Outcome:
    return Outcome.FOUND if found else Outcome.ABSENT


def _by_allergen(
    question: Question, words: tuple[str, ...], pool: Sequence[Concept], every: Sequence[Concept]
) -> Topic | None:
    """Allergies to what the words name, asked for as such, or by a word that is an allergen and nothing else."""
    wanted = tuple(w for w in words if w not in FILLER)
    of_allergies = question.kind is not None and question.kind.types == ("AllergyIntolerance",)
    if not of_allergies and (question.kind is not None or question.terms):
        return None
    found = allergies_to(wanted, pool)
    if not found:
        return None
    label = question.words(question.subject)
    return Topic(Outcome.FOUND, label, tuple(found), kind=question.kind, asked=label)


def _by_heading(
    question: Question, words: tuple[str, ...], pool: Sequence[Concept], every: Sequence[Concept]
) -> Topic | None:
    """The results that stand under a heading ("kidney function", "lipid panel"), the vocabulary's own groups."""
    if question.kind is not None and question.kind.types != ("Observation",):
        return None
    if question.aggregate not in _SEVERAL_AT_ONCE:
        return None
    spoken = tuple(t.stem for t in question.tokens)
    wanted = frozenset(words)
    for heading, keys in topics():
        if not wanted or not wanted <= frozenset(heading) or first_place(spoken, heading) < 0:
            continue
        members = [t for t in all_terms() if t.key in keys and t.kind is TermKind.ANALYTE]
        found = [c for c in every if c.resource_type == "Observation" and any(is_term(c, t) for t in members)]
        present = tuple(t for t in members if any(is_term(c, t) for c in found))
        label = question.words(question.subject)
        if found:
            return Topic(Outcome.FOUND, label, tuple(found), present, question.kind, asked=label)
    return None


def _by_terms(
    question: Question, words: tuple[str, ...], pool: Sequence[Concept], every: Sequence[Concept]
) -> Topic | None:
    """Clinical terms that account for every content word."""
    if not question.terms:
        return None
    covered = {i for m in question.terms for i in range(m.first, m.last + 1)}
    # "stage 4", "colon cancer": what no term says has to stand in the name of what is found.
    beside = frozenset(question.tokens[i].stem for i in question.subject if i not in covered)
    terms = _preferred(question, [m.term for m in question.terms])
    found: list[Concept] = []
    component = None
    for term in terms:
        here = [c for c in pool if is_term(c, term) and _says(c, beside)]
        here = [c for c in here if c.resource_type != "AllergyIntolerance" or question.kind]
        if (narrower := _narrower(question, term)) is not None:
            here = [c for c in here if c.codes & narrower]
        if not here and term.panels and not beside:
            here = [c for c in pool if c.resource_type == "Observation" and c.codes & term.panels]
            component = term if here else component
        found += here
    if topic := _drugs_for(question, terms, pool):
        return topic
    if not _answers_together(question, terms):
        return Topic(Outcome.NOT_UNDERSTOOD, asked=asked_of(question), terms=tuple(terms), kind=question.kind)
    label = " and ".join(dict.fromkeys(t.label for t in terms))
    if not found and any(not w.isdigit() for w in beside):
        return None
    if not found and question.kind is None and any(t.kind is TermKind.CONDITION for t in terms):
        # "the last retinopathy grading": no diagnosis, but a result whose name says it
        found = [
            c for c in pool if c.resource_type == "Observation" and _is_named(c, terms, language().qualifiers)
        ]
    if not found and question.kind is not None:
        called = [c for c in pool if _is_named(c, terms, frozenset())]
        if called:  # "COPD care plan": Chronic obstructive pulmonary disease clinical management plan
            return Topic(Outcome.FOUND, label, tuple(called), tuple(terms), question.kind, asked=label)
        if named_so := by_name(question, words, pool, every):
            return named_so
        conditions = [c for t in terms if (c := _condition(t))]
        # "medications for diabetes": what the record gives that as a reason for
        if conditions and pool and set(question.kind.types) <= _GIVEN_FOR_A_REASON:
            named = f"{question.kind.label} for {label}"
            return Topic(
                Outcome.FOUND,
                named,
                tuple(pool),
                tuple(terms),
                question.kind,
                asked=named,
                reason=conditions[0],
            )
        return None  # a term of another kind than the record's: its words may still be a name there
    return Topic(
        _outcome(found),
        label,
        tuple(dict.fromkeys(found)),
        tuple(terms),
        question.kind,
        asked=label,
        component=component,
    )


def passes_over(topic: Topic, question: Question) -> bool:
    """Whether one of several things named is not among what was found: silence would read as an answer."""
    if topic.reason is not None:
        return False
    places: dict[int, list[Term]] = {}
    for m in question.terms:
        places.setdefault(m.first, []).append(m.term)
    borne = [any(is_term(c, t) for t in terms for c in topic.concepts) for terms in places.values()]
    return len(borne) > 1 and any(borne) and not all(borne)


def _condition(term: Term) -> Term | None:
    """The condition a term is, or that a drug for it is for."""
    if term.kind is TermKind.CONDITION:
        return term
    return next((t for t in all_terms() if t.kind is TermKind.CONDITION and t.key == term.treated_as), None)


def _narrower(question: Question, term: Term) -> frozenset[str] | None:
    """The codes that a narrower word for a result stands for ("fasting glucose"); None where the word says no more."""
    if term.kind is not TermKind.ANALYTE:
        return None
    said = (question.words(tuple(range(m.first, m.last + 1))) for m in question.terms if m.term is term)
    return next((codes for words in said if (codes := term.narrower_codes(words)) is not None), None)


def _drugs_for(question: Question, terms: Sequence[Term], pool: Sequence[Concept]) -> Topic | None:
    """ "Antibiotics for strep": drugs of a class that the record gives the condition as a reason for."""
    drugs = [t for t in terms if t.kind is TermKind.DRUG_CLASS]
    conditions = [m for m in question.terms if m.term in terms and m.term.kind is TermKind.CONDITION]
    if len(drugs) != 1 or not conditions or len(terms) != 2 or not conditions[0].first:
        return None
    found = tuple(c for c in pool if c.resource_type in MEDICATION_TYPES and is_term(c, drugs[0]))
    if question.tokens[conditions[0].first - 1].word != "for" or not found:
        return None
    reason = conditions[0].term
    label = f"{drugs[0].label} for {reason.label}"
    return Topic(Outcome.FOUND, label, found, tuple(terms), question.kind, asked=label, reason=reason)


def _answers_together(question: Question, terms: Sequence[Term]) -> bool:
    """Whether one answer can speak of all the terms: a term it would pass over silently makes it another question.

    "A1c before the stroke" is not the latest A1c; "compare LDL and HDL" is not LDL against its own past.
    """
    places: dict[tuple[int, int], set[TermKind]] = {}
    for m in question.terms:
        if m.term in terms:
            places.setdefault((m.first, m.last), set()).add(m.term.kind)
    kinds = [k for k in places.values() if k]
    if kinds and not set.intersection(*kinds):
        return False
    distinct = {t.key for t in terms if t.kind is TermKind.ANALYTE}
    return len(distinct) < 2 or question.aggregate in _SEVERAL_AT_ONCE


def _is_named(concept: Concept, terms: Sequence[Term], without: frozenset[str]) -> bool:
    """Whether a name of the concept says one of the conditions, and none of the words that turn its meaning."""
    conditions = [t for t in terms if t.kind is TermKind.CONDITION]
    return any(
        t.is_named_by(n) and not frozenset(stems(n)) & without for t in conditions for n in concept.names
    )


def _says(concept: Concept, words: frozenset[str]) -> bool:
    """Whether one name of a concept holds all these words; of an allergy to a class, any of its members may."""
    if concept.resource_type == "AllergyIntolerance":
        return words <= frozenset(s for n in (concept.label, *concept.names) for s in stems(n))
    return not words or any(words <= frozenset(stems(n)) for n in (concept.label, *concept.names))


def _preferred(question: Question, terms: Sequence[Term]) -> list[Term]:
    """The reading of words that are two terms at once ("retinopathy"): the one whose kind the question names."""
    if question.kind is not None:
        fitting = [t for t in terms if set(SPEAKS_OF[t.kind]) & set(question.kind.types)]
        if fitting:
            return fitting
    return list(dict.fromkeys(terms))
