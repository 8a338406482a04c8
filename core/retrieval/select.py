"""Which instances of a concept the answer needs: the latest one, all in a window, all. A set question gets the whole set.

Void records were never read; what was not done is not counted as done; a result without a value is not the latest result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal

from core.fhir.codes import plain
from core.fhir.measured import measured
from core.models import Facts, ValueKind
from core.naming import MEDICATION_TYPES
from core.retrieval.match import Topic
from core.retrieval.question import Aggregate, Question
from core.retrieval.search import Stored
from core.retrieval.window import Window
from core.terminology import analytes_of
from core.words import stems

# One question is answered from one kind of record; the first kind present wins.
_TYPE_ORDER = (
    *("Observation", "Condition", "MedicationRequest", "MedicationStatement", "MedicationAdministration"),
    *(
        "MedicationDispense",
        "AllergyIntolerance",
        "Immunization",
        "Procedure",
        "CarePlan",
        "Encounter",
        "Goal",
    ),
    *(
        "DiagnosticReport",
        "ImagingStudy",
        "ServiceRequest",
        "FamilyMemberHistory",
        "Device",
        "DocumentReference",
    ),
)
# FHIR R4 statuses that mean the thing holds now, per value set of each type.
ACTIVE = frozenset(
    {"active", "recurrence", "relapse", "in-progress", "accepted", "on-hold", "draft", "planned", "intended"}
)
_CURRENT_BY_DEFAULT = {
    "Condition",
    "AllergyIntolerance",
    "CarePlan",
    "CareTeam",
    "Goal",
    "Coverage",
    *MEDICATION_TYPES,
}
_BEFORE_ALL = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Selection:
    """The resources an answer rests on.

    `chosen` are those the answer states, newest first; `series` every resource of the topic of the same type, newest first.
    `status` is the one the answer is limited to, or "". `window` is the question's, resolved against the
    record's clock. `outside` counts what the window or the status left out. `considered` are the results a limit
    was put to, in the window.
    """

    resource_type: str
    chosen: tuple[Stored, ...]
    series: tuple[Stored, ...]
    window: Window | None
    aggregate: Aggregate
    status: str = ""
    outside: int = 0
    considered: tuple[Stored, ...] = ()


def select(question: Question, topic: Topic, found: Sequence[Stored], clock: date | None) -> Selection:
    """Choose the instances the question asks for from every instance of the topic's concepts."""
    found = [
        s for s in found if not s.facts.not_done and _goes_by(s.facts, topic) and _for_reason(s.facts, topic)
    ]
    resource_type = _type_of(found)
    series = _newest_first(
        s for s in found if s.facts.resource_type == resource_type and _fits_kind(s.facts, topic)
    )
    window = question.window.at(clock) if question.window else None
    status = _status_asked(question, topic, resource_type)
    pool = [s for s in series if window is None or _in_window(s.facts, window, question)]
    if status:
        pool = [s for s in pool if (s.facts.status in ACTIVE) is (status == "active")]
    if resource_type == "Observation":
        pool = [s for s in pool if has_result(s.facts)]
    aggregate = _aggregate(question, topic, resource_type, window)
    considered = pool
    if question.limit:
        codes = topic.component.codes if topic.component else frozenset()
        pool = [s for s in pool if question.limit.met_by(s.facts, codes)]
        aggregate = Aggregate.COUNT if question.aggregate is Aggregate.COUNT else Aggregate.EVERY
    chosen = _instances(pool, aggregate, topic)
    if question.number and aggregate is Aggregate.EVERY:
        chosen = pool[: question.number]
    if aggregate is Aggregate.WHY and question.one:
        chosen = pool[-1:] if question.one is Aggregate.FIRST else pool[:1]
    return Selection(
        resource_type, tuple(chosen), tuple(series), window, aggregate, status, len(series) - len(pool),
        tuple(considered),
    )  # fmt: skip


def has_result(facts: Facts) -> bool:
    """Whether an Observation states anything: a value, a component or an answer."""
    return any(v.kind is not ValueKind.ABSENT for v in facts.values)


def _goes_by(facts: Facts, topic: Topic) -> bool:
    return not topic.quoted or not topic.quoted.isdisjoint({facts.label, *(plain(n) for n in facts.names)})


def _for_reason(facts: Facts, topic: Topic) -> bool:
    """Whether the record gives the asked-for condition as the reason ("medications for diabetes")."""
    reason = topic.reason
    if reason is None:
        return True
    words = {stems(w) for w in reason.words}
    return any(reason.is_named_by(r) or stems(plain(r)) in words for r in facts.detail("reason", "addresses"))


def _type_of(found: Sequence[Stored]) -> str:
    present = {s.facts.resource_type for s in found}
    ordered = [t for t in _TYPE_ORDER if t in present]
    return ordered[0] if ordered else min(present, default="")


def _newest_first(found: Iterable[Stored]) -> list[Stored]:
    return sorted(found, key=lambda s: s.facts.date.instant if s.facts.date else _BEFORE_ALL, reverse=True)


def _fits_kind(facts: Facts, topic: Topic) -> bool:
    category = topic.kind.category if topic.kind else ""
    return not category or any(category == c.casefold().replace(" ", "-") for c in facts.categories)


def _in_window(facts: Facts, window: Window, question: Question) -> bool:
    """Whether a resource falls in the window; what is asked to have ended in it needs a recorded end there.

    Of "medications in 2005", also what was prescribed before and is active still.
    """
    if _by_period(facts, question) and facts.status == "active" and window.end and facts.date:
        return facts.date.start <= window.end
    if question.ended and facts.resource_type in _CURRENT_BY_DEFAULT:
        return window.holds(facts.dated("abatementDateTime", "abatementPeriod.end", "period.end"))
    return window.holds(facts.date)


def _by_period(facts: Facts, question: Question) -> bool:
    """Whether what was taken in a time is asked, and not what was prescribed or happened in it."""
    named = {question.tokens[i].stem for i in question.kind_tokens}
    prescribed = {s for s in named if s.startswith("prescri")}
    taken = bool(named) and not prescribed and not question.subject and not question.ended
    return taken and facts.resource_type in MEDICATION_TYPES


def _status_asked(question: Question, topic: Topic, resource_type: str) -> str:
    """The status a question limits its answer to; asking for one named thing does not hide what it was."""
    if question.subject or resource_type not in _CURRENT_BY_DEFAULT or question.aggregate is Aggregate.STATUS:
        return ""
    if question.window and resource_type in MEDICATION_TYPES and not question.summary:
        return ""  # "taking in 2018": what was so then, not what is now
    return question.status


def _aggregate(question: Question, topic: Topic, resource_type: str, window: Window | None) -> Aggregate:
    """What the words ask for, as it applies to this kind of record."""
    asked = question.aggregate
    if resource_type != "Observation":
        if resource_type in _CURRENT_BY_DEFAULT and asked is Aggregate.LATEST and question.status:
            return Aggregate.STATUS  # "currently", "now": what holds, not what was entered last
        return asked
    if question.summary and window:
        return Aggregate.EVERY  # what happened in a stretch of time: all of it
    if topic.kind and topic.kind.category and not question.subject:
        return Aggregate.LATEST if asked in (Aggregate.LATEST, Aggregate.LIST, Aggregate.HAS) else asked
    single = (Aggregate.STATUS, Aggregate.WHEN, Aggregate.WHY, Aggregate.HAS, Aggregate.LIST)
    if asked in single:
        return Aggregate.EVERY if window else Aggregate.LATEST
    return asked


def _instances(pool: Sequence[Stored], aggregate: Aggregate, topic: Topic) -> Sequence[Stored]:
    if not pool:
        return ()
    match aggregate:
        case Aggregate.LATEST:
            latest = _one_per_concept(pool) if _is_panel(topic) else list(pool[:1])
            return [s for one in latest for s in (one, *_beside(one, pool, topic))]
        case Aggregate.FIRST:
            return pool[-1:]
        case Aggregate.PREVIOUS:
            return _two_occasions(pool)[1:] if pool[0].facts.resource_type == "Observation" else pool
        case Aggregate.COMPARE:
            return _two_occasions(pool)
        case Aggregate.HIGHEST | Aggregate.LOWEST:
            return _extremes(pool, aggregate, topic)
    return pool


def _two_occasions(pool: Sequence[Stored]) -> Sequence[Stored]:
    """The newest result and the newest of an earlier time: one taken at the same moment is not the one before."""
    earlier = [
        s
        for s in pool[1:]
        if s.facts.date and pool[0].facts.date and s.facts.date.instant < pool[0].facts.date.instant
    ]
    return [pool[0], *earlier[:1]]


def _is_panel(topic: Topic) -> bool:
    """A category ("vital signs") asks for the latest of each of its concepts; so do several analytes at once."""
    return bool(topic.kind and topic.kind.category) or len(topic.terms) > 1


def _one_per_concept(pool: Sequence[Stored]) -> list[Stored]:
    latest: dict[str, Stored] = {}
    for stored in pool:
        latest.setdefault(_analyte(stored.facts), stored)
    return list(latest.values())


def _beside(one: Stored, pool: Sequence[Stored], topic: Topic) -> list[Stored]:
    """Other results of the very same time that say something else: the record holds both, and neither is later."""
    if one.facts.resource_type != "Observation" or one.facts.date is None:
        return []
    key, seen, found = _analyte(one.facts), {_stated(one.facts, topic)}, []
    for other in pool:
        same = other.facts.date is not None and other.facts.date.instant == one.facts.date.instant
        if same and _analyte(other.facts) == key and _stated(other.facts, topic) not in seen:
            seen.add(_stated(other.facts, topic))
            found.append(other)
    return found


def _analyte(facts: Facts) -> str:
    analytes = analytes_of(f"{c.system}|{c.code}" for c in facts.codings)
    return analytes[0].key if analytes else facts.concept_key


def _stated(facts: Facts, topic: Topic) -> tuple[object, ...]:
    number = measured(facts, topic.component.codes if topic.component else frozenset())
    if number:
        return (number.value, number.unit, number.comparator)
    return tuple(v.text for v in facts.values)


def _extremes(pool: Sequence[Stored], aggregate: Aggregate, topic: Topic) -> list[Stored]:
    """The extreme of each unit: values in different units are not compared. The newest of equal ones; comparators never."""
    by_unit: dict[str, list[tuple[Decimal, Stored]]] = {}
    for stored in pool:
        number = measured(stored.facts, topic.component.codes if topic.component else frozenset())
        if number and not number.comparator:
            by_unit.setdefault(number.unit, []).append((number.value, stored))
    pick = max if aggregate is Aggregate.HIGHEST else min
    return [pick(group, key=lambda g: g[0])[1] for group in by_unit.values()]
