"""Expectations checked against the records in the database: what they do not bear out is never measured against.

Pure: records in, EvaluationError out, naming the question and the expectation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal

from core.errors import EvaluationError, UnknownPatient
from core.evaluation.found import DIRECTION_WORDS, STATUS_WORDS, printed_as
from core.evaluation.questions import Atom, AtomKind, Expected, Question
from core.fhir.codes import plain
from core.fhir.types import RESOURCE_TYPES
from core.grounding.record import Record, in_date_order
from core.models import Facts, Quantity
from core.words import fold

_DIRECTIONS = {w for words in DIRECTION_WORDS.values() for w in words}


def check(questions: Iterable[Question], record_of: Callable[[str], Record]) -> None:
    """Raise EvaluationError at the first question whose truth is not in its patient's record."""
    for question in questions:
        try:
            record = record_of(question.patient)
        except UnknownPatient:
            raise _wrong(
                question, f"{question.patient} is not in the database. Ingest the records it asks about"
            ) from None
        if question.expect is Expected.REFUSE:
            _check_absent(question, record)
        else:
            _check_answerable(question, record)


def _check_answerable(question: Question, record: Record) -> None:
    for resource_id in (*question.relevant, *question.also):
        if resource_id not in record.resources:
            raise _wrong(question, f"{resource_id} is not in the record of {question.patient}")
        if record.resources[resource_id].void:
            raise _wrong(
                question, f"{resource_id} is no evidence: {record.resources[resource_id].void_reason}"
            )
    relevant = [record.resources[i] for group in question.resources for i in group]
    for fact in question.facts:
        if not any(_holds(together, relevant, question) for together in fact.any_of):
            raise _wrong(question, f"{fact} is in none of its resources")
    for fact in question.forbid:
        if fact in question.facts:
            raise _wrong(question, f"{fact} is both required and forbidden")


def _holds(together: Sequence[Atom], relevant: Sequence[Facts], question: Question) -> bool:
    """Whether the parts that one resource can bear are borne by one resource, and the rest by all of them."""
    own = [a for a in together if a.kind not in (AtomKind.COUNT, AtomKind.DIRECTION)]
    for atom in together:
        if atom.kind is AtomKind.COUNT and int(atom.text) != len(question.resources):
            return False
        if atom.kind is AtomKind.DIRECTION and atom.text != _direction(relevant):
            return False
    return not own or any(all(_states(facts, atom) for atom in own) for facts in relevant)


def _states(facts: Facts, atom: Atom) -> bool:
    match atom.kind:
        case AtomKind.VALUE:
            return any(printed_as(atom.text, q) or q == Decimal(atom.text) for q in _numbers(facts))
        case AtomKind.DATE:
            return any(d.date.shown == atom.text for d in facts.dates)
        case AtomKind.STATUS:
            return atom.text in facts.statuses or bool(
                set(facts.statuses) & set(STATUS_WORDS.get(atom.text, ()))
            )
    word = fold(atom.text)
    # Words of direction in an imported question compare resources: no single one states them.
    return word in _DIRECTIONS or any(word in fold(text) for text in _texts(facts))


def _numbers(facts: Facts) -> list[Decimal]:
    quantities: list[Quantity | None] = []
    for value in facts.values:
        quantities += [value.quantity, value.denominator, value.low, value.high]
    return [q.value for q in quantities if q and q.value is not None]


def _texts(facts: Facts) -> list[str]:
    """Everything a resource says in words."""
    texts = [
        facts.label,
        *facts.names,
        *facts.statuses,
        *facts.categories,
        *(c.display for c in facts.codings),
    ]
    texts += [d.text for d in facts.details] + [r.display for r in facts.references]
    for value in facts.values:
        texts += [value.label, value.text, *value.words]
    return [*texts, *(plain(t) for t in texts)]


def _direction(relevant: Sequence[Facts]) -> str:
    """How the newest of the resources compares with the oldest, or "" where they are not single numbers."""
    ordered = in_date_order(relevant)
    old, new = _numbers(ordered[0]), _numbers(ordered[-1])
    if len(old) != 1 or len(new) != 1:
        return ""
    return "higher" if new > old else "lower" if new < old else "same"


def _check_absent(question: Question, record: Record) -> None:
    """No resource that is evidence may go by what is absent: a name, "system|code", "Type/" or "Type/name"."""
    for absent in question.absent:
        kind, slash, name = absent.partition("/")
        if not slash or kind not in RESOURCE_TYPES:
            kind, name = "", absent
        for facts in record.resources.values():
            if facts.void or (kind and kind != facts.resource_type):
                continue
            codes = {f"{c.system}|{c.code}" for c in facts.codings}
            if name in codes or any(fold(name) in fold(n) for n in (facts.label, *facts.names)):
                raise _wrong(question, f"{absent!r} is to be absent and {facts.resource_id} goes by it")


def _wrong(question: Question, what: str) -> EvaluationError:
    return EvaluationError(f"{question.id}: {what}.")
