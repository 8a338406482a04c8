"""Which instances of a concept the answer needs: the latest one, all in a window, all. A set question gets the whole set.

Void records were never read; what was not done is not counted as done; a result without a value is not the latest result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from core.fhir.codes import plain
from core.models import Facts, ValueKind
from core.naming import MEDICATION_TYPES
from core.retrieval.instances import instances, is_panel, one_per_concept
from core.retrieval.question import Aggregate, Question
from core.retrieval.search import Stored
from core.retrieval.topic import Topic
from core.retrieval.window import Window
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
_OF_PEOPLE = ("Coverage", "CareTeam")
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
        s
        for s in found
        if not s.facts.not_done
        and _goes_by(s.facts, topic)
        and _for_reason(s.facts, topic)
        and _is_done_so(s.facts, question)
    ]
    resource_type = _type_of(found)
    series = _newest_first(
        s for s in found if s.facts.resource_type == resource_type and _fits_kind(s.facts, topic)
    )
    window = question.window.at(clock) if question.window else None
    status = _status_asked(question, topic, resource_type)
    during = question.taken and resource_type in MEDICATION_TYPES
    pool = [s for s in series if window is None or _in_window(s.facts, window, question.ended, during)]
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
    chosen = instances(pool, aggregate, topic)
    if _asks_for_a_day(topic, aggregate, window, question) and chosen and chosen[0].facts.date:
        day = max((s.facts.date for s in pool if s.facts.date), key=lambda d: d.instant)
        window = Window(
            day.start, day.end, None, f"{'on' if day.start == day.end else 'in'} {day.shown}", 0, 0
        )
        chosen = one_per_concept([s for s in pool if window.holds(s.facts.date)], topic)
    if question.number and aggregate is Aggregate.EVERY:
        chosen = pool[: question.number]
    if aggregate in (Aggregate.WHY, Aggregate.WHO, Aggregate.WHERE) and question.one:
        chosen = pool[-1:] if question.one is Aggregate.FIRST else pool[:1]
    elif aggregate in (Aggregate.WHO, Aggregate.WHERE) and resource_type == "Encounter" and window is None:
        chosen = pool[:1]  # "who is her doctor": the one seen last
    return Selection(
        resource_type, tuple(chosen), tuple(series), window, aggregate, status, len(series) - len(pool),
        tuple(considered),
    )  # fmt: skip


def _asks_for_a_day(topic: Topic, aggregate: Aggregate, window: Window | None, question: Question) -> bool:
    """Whether "the last labs" are asked for: those of the latest day that has any, not the latest of each ever made."""
    whole = topic.kind is not None and topic.kind.category == "laboratory" and not question.subject
    return whole and aggregate is Aggregate.LATEST and window is None and not question.summary


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


# Ordered is not taken, and taken is not given (FHIR R4 medication module).
_ORDERED = frozenset({"MedicationAdministration", "MedicationDispense"})
_GIVEN = frozenset({"MedicationRequest", "MedicationStatement", "MedicationDispense"})


def _is_done_so(facts: Facts, question: Question) -> bool:
    """Whether a medication was prescribed, or given, where the question says which."""
    if question.ordered:
        return facts.resource_type not in _ORDERED
    return not (question.administered and facts.resource_type in _GIVEN)


def _type_of(found: Sequence[Stored]) -> str:
    present = {s.facts.resource_type for s in found}
    ordered = [t for t in _TYPE_ORDER if t in present]
    return ordered[0] if ordered else min(present, default="")


def _newest_first(found: Iterable[Stored]) -> list[Stored]:
    return sorted(found, key=lambda s: s.facts.date.instant if s.facts.date else _BEFORE_ALL, reverse=True)


def _is_survey(facts: Facts) -> bool:
    """Whether a result answers a question put to the patient, whatever category it is filed under."""
    return facts.resource_type == "Observation" and facts.label.rstrip().endswith("?")


def _fits_kind(facts: Facts, topic: Topic) -> bool:
    category = topic.kind.category if topic.kind else ""
    if category in ("laboratory", "vital-signs") and _is_survey(facts):
        return False
    return not category or any(category == c.casefold().replace(" ", "-") for c in facts.categories)


def _in_window(facts: Facts, window: Window, ended: bool, during: bool = False) -> bool:
    """Whether a resource falls in the window; what is asked to have ended in it needs a recorded end there.

    `during` asks what was taken in it: begun by its end, and not known to have ended before it. Stopped without a
    recorded end counts only where it began in the window: how long it lasted is not known.
    """
    if ended and facts.resource_type in _CURRENT_BY_DEFAULT:
        return window.holds(facts.dated("abatementDateTime", "abatementPeriod.end", "period.end"))
    if during and facts.date and window.start and (window.end is None or facts.date.start <= window.end):
        end = facts.dated("effectivePeriod.end", "period.end")
        lasted = facts.status in ACTIVE if end is None else end.end >= window.start
        return lasted or window.holds(facts.date)
    return window.holds(facts.date)


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
        if asked is Aggregate.WHO and resource_type in _OF_PEOPLE:
            return Aggregate.LIST  # "who is her insurer": the entry itself says it
        if resource_type in _CURRENT_BY_DEFAULT and asked is Aggregate.LATEST and question.status:
            return Aggregate.STATUS  # "currently", "now": what holds, not what was entered last
        if window and asked is Aggregate.FIRST and not question.subject and "first" not in _words(question):
            return Aggregate.LIST  # "any medication started in 2020"
        return asked
    if question.summary and window:
        return Aggregate.EVERY  # what happened in a stretch of time: all of it
    if topic.kind and topic.kind.category and not question.subject:
        return Aggregate.LATEST if asked in (Aggregate.LATEST, Aggregate.LIST, Aggregate.HAS) else asked
    if asked is Aggregate.COMPARE and is_panel(topic) and window is None:
        return Aggregate.LATEST  # "compare LDL and HDL": one against the other, not each against its own past
    if asked in (Aggregate.WHO, Aggregate.WHERE):
        return Aggregate.LATEST
    single = (Aggregate.STATUS, Aggregate.WHEN, Aggregate.WHY, Aggregate.HAS, Aggregate.LIST)
    if asked in single:
        return Aggregate.EVERY if window else Aggregate.LATEST
    return asked


def _words(question: Question) -> set[str]:
    return {t.word for t in question.tokens}
