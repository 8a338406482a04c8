"""What an answer says of one resource, as plain words: each figure from typed facts, the wording left to the template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal

from dateutil.relativedelta import relativedelta

from core.fhir.codes import plain
from core.fhir.measured import Measured, measured
from core.fhir.quantities import convert, printed_unit, shown_number
from core.fhir.render.results import result
from core.fhir.values import shown_flags, shown_ranges, shown_value
from core.models import Facts, FhirDate, Precision, Quantity, Value
from core.retrieval.question import Question
from core.substance import turned
from core.terminology import Term
from core.words import stems

# Ordered is not taken (FHIR R4 medication module): each kind of record has its own verb.
_VERB = {
    "MedicationRequest": "prescribed",
    "MedicationStatement": "reported",
    "MedicationAdministration": "given",
    "MedicationDispense": "dispensed",
}


@dataclass(frozen=True, slots=True)
class Item:
    """One line of an answer: a resource, or several of one concept (`every`), with its name, date, value and facts."""

    id: str
    name: str
    date: str = ""
    value: str = ""
    flag: str = ""
    range: str = ""
    facts: tuple[str, ...] = ()
    number: Measured | None = None
    every: tuple[Item, ...] = field(default=())


def result_item(
    facts: Facts, name: str, component: Term | None = None, beside: Facts | None = None, unit: str = ""
) -> Item:
    """An Observation's result: of one component when that was asked for, else as a whole (138/82 mmHg).

    `beside` is a result it is compared with: enough digits are shown to tell the two apart. In another `unit`, the
    recorded value stands beside the converted one.
    """
    number = measured(facts, component.codes if component else frozenset())
    source = number.source if number and (component or len(facts.values) == 1) else None
    other = measured(beside, component.codes if component else frozenset()) if beside else None
    recorded = _value(facts, source, other.value if other else None)
    turned_to = in_unit(facts, number, unit) if unit else ""
    return Item(
        id=facts.resource_id,
        name=name,
        date=facts.date.shown if facts.date else "",
        value=f"{turned_to} ({recorded})" if turned_to else recorded,
        flag=shown_flags(source) if source else "",
        range=shown_ranges(source) if source else "",
        number=number,
    )


def in_unit(facts: Facts, number: Measured | None, unit: str) -> str:
    """The result in another unit, as printed; "" where it is recorded in that unit or no table turns it."""
    if number is None or number.comparator or number.unit == unit:
        return ""
    value = convert(number.value, number.unit, unit)
    if value is None:
        value = turned(facts, number.value, number.unit, unit)
    if value is None:
        return ""
    return f"{shown_number(value, unit=unit)} {printed_unit(Quantity(value, unit, unit))}".rstrip()


def _value(facts: Facts, source: Value | None, beside: Decimal | None) -> str:
    if source:
        return shown_value(source, *([beside] if beside is not None else []))
    coded = len(facts.values) == 1 and facts.values[0].text
    return f'"{plain(facts.values[0].text)}"' if coded else result(facts)


@dataclass(frozen=True, slots=True)
class Ages:
    """What an age is counted from, and the day of the record's latest entry; days that are not known give no age.

    `since` asks how long ago a thing began instead.
    """

    born: FhirDate | None = None
    clock: date | None = None
    since: bool = False

    def at(self, facts: Facts) -> str:
        """ "aged 42" on the day of a resource; of the patient at death, else at the record's latest entry."""
        day = facts.date
        if self.since:
            return _lasted(facts) or self._ago(day)
        if facts.resource_type == "Patient":
            day = facts.dated("deceasedDateTime")
            if day is None and not facts.detail("deceased") and self.clock:
                return self._aged(self.clock, " at the latest entry")
        if day is None or day.precision not in (Precision.DAY, Precision.TIME):
            return ""
        return self._aged(day.start)

    def _ago(self, day: FhirDate | None) -> str:
        """ "7 years ago as the record stands", at its latest entry: whole years, months or days, as a clinician says it."""
        if day is None or self.clock is None or day.precision not in (Precision.DAY, Precision.TIME):
            return ""
        gone = relativedelta(self.clock, day.start)
        number, unit = (
            (gone.years, "year")
            if gone.years
            else (gone.months, "month")
            if gone.months
            else (gone.days, "day")
        )
        return f"{number} {unit}{'s' if number != 1 else ''} ago as the record stands" if number > 0 else ""

    def _aged(self, day: date, when: str = "") -> str:
        if self.born is None or self.born.precision not in (Precision.DAY, Precision.TIME):
            return ""
        born = self.born.start
        return f"aged {day.year - born.year - ((day.month, day.day) < (born.month, born.day))}{when}"


_IN_DAYS = 60  # longer is told in whole months or years


def _lasted(facts: Facts) -> str:
    """ "for 10 days": how long what has a recorded end took; "" for what goes on or took no day."""
    if facts.resource_type not in ("Encounter", "Procedure", "Condition"):
        return ""
    start = facts.dated("period.start", "performedPeriod.start", "onsetDateTime", "onsetPeriod.start")
    end = facts.dated("period.end", "performedPeriod.end", "abatementDateTime", "abatementPeriod.end")
    if not start or not end or {start.precision, end.precision} - {Precision.DAY, Precision.TIME}:
        return ""
    gone, days = relativedelta(end.start, start.start), (end.start - start.start).days
    whole = ((gone.years, "year"), (gone.years * 12 + gone.months, "month")) if days > _IN_DAYS else ()
    number, unit = next((w for w in whole if w[0] > 1), (days, "day"))
    return f"for {number} {unit}{'s' if number != 1 else ''}" if number > 0 else ""


def record_item(facts: Facts, ages: Ages | None = None) -> Item:
    """A condition, medication, allergy, procedure … with its status, dates and what qualifies them."""
    about = [*_FACTS.get(facts.resource_type, _other)(facts), ages.at(facts) if ages else ""]
    shown = facts.date.shown if facts.date else ""
    own = Item(facts.resource_id, facts.label, shown, facts=tuple(a for a in about if a))
    return Item(own.id, own.name, own.date, facts=own.facts, every=(own,))


# Who did or wrote a thing, and where it was, in the words of an answer; the record's own kind of detail -> preposition.
_WHO = {"requester": "by", "performer": "by", "author": "by", "with": "with", "recorder": "recorded by"}
_WHERE = {"location": "at", "provider": "at"}


# What is said of a patient only where it is asked for.
_ABOUT = ("race", "ethnicity", "address", "language", "marital status")


def asked_of_person(question: Question) -> list[str]:
    """The details of a person that a question names."""
    spoken = {t.stem for t in question.tokens}
    return [kind for kind in _ABOUT if set(stems(kind)) <= spoken]


def person_item(facts: Facts, details: Sequence[str], ages: Ages | None = None) -> Item:
    """A patient with the details asked for."""
    own = record_item(facts, ages)
    told = tuple(f"{kind} {text}" for kind in details for text in facts.detail(kind)[:1])
    return replace(own, facts=(*own.facts, *told))


def who_item(facts: Facts, place: bool = False) -> Item | None:
    """A resource with the people it names, or with its place; None where it names none."""
    named = [
        f"{preposition} {text}"
        for kind, preposition in (_WHERE if place else _WHO).items()
        for text in facts.detail(kind)
    ]
    own = record_item(facts)
    named = list(dict.fromkeys(named))
    return replace(own, facts=(*own.facts, *named)) if named else None


def merged(found: Sequence[Facts]) -> Item:
    """Repeats of one concept as one line: the newest one's words with the first and the last date, all of them cited."""
    newest = record_item(found[0])
    days = sorted((f.date for f in found if f.date), key=lambda d: d.instant)
    facts = newest.facts
    if days and days[0].shown != days[-1].shown:
        span = f"from {days[0].shown} to {days[-1].shown}"
        facts = tuple(_over(fact, days[-1].shown, span) for fact in facts)
    return Item(newest.id, newest.name, newest.date, facts=facts, every=tuple(record_item(f) for f in found))


def _over(fact: str, day: str, span: str) -> str:
    """A fact that ends in the newest date, over the whole span of dates instead."""
    return (
        f"{fact.removesuffix(day)}{span}"
        if fact.endswith(day) and not fact.startswith(("from ", "since "))
        else fact
    )


def _status(facts: Facts) -> str:
    doubt = next((w for w in facts.statuses if w in ("unconfirmed", "provisional", "differential")), "")
    return " ".join(w for w in (doubt, facts.status.replace("-", " ")) if w)


def _dated(word: str, date: FhirDate | None) -> str:
    return f"{word} {date.shown}" if date else ""


def _condition(facts: Facts) -> list[str]:
    onset = facts.dated("onsetDateTime", "onsetPeriod.start", "onsetPeriod")
    return [
        _status(facts),
        _dated("onset", onset) or _dated("recorded", facts.dated("recordedDate")),
        _dated("resolved", facts.dated("abatementDateTime", "abatementPeriod.end", "abatementPeriod")),
    ]


def _medication(facts: Facts) -> list[str]:
    given = (
        facts.resource_type in ("MedicationAdministration", "MedicationDispense")
        and facts.status == "completed"
    )
    doses = facts.detail("dose")
    reasons = facts.detail("reason")
    return [
        "do not give" if facts.not_done else "" if given else _status(facts),
        _dated(_VERB[facts.resource_type], facts.date),
        *doses[:1],
        f"for {plain(reasons[0])}" if reasons else "",
        *(f"stopped because: {plain(r)}" for r in facts.detail("status reason")[:1]),
    ]


def _allergy(facts: Facts) -> list[str]:
    reactions = facts.detail("reaction")
    criticality = facts.detail("criticality")
    named = any(word in facts.label.casefold() for word in ("allerg", "intoleran"))
    return [
        "" if named else next(iter(facts.detail("allergy type", "type")), "allergy"),
        _status(facts),
        _dated("recorded", facts.dated("recordedDate") or facts.date),
        f"criticality {criticality[0]}" if criticality else "",
        f"reaction: {'; '.join(reactions)}" if reactions else "",
    ]


def _encounter(facts: Facts) -> list[str]:
    reasons = facts.detail("reason")
    shown = facts.date.shown if facts.date else ""
    return [shown, *facts.detail("class")[:1], f"reason: {plain(reasons[0])}" if reasons else ""]


def _plan(facts: Facts) -> list[str]:
    end = facts.dated("period.end")
    if facts.date and end:
        return [f"from {facts.date.shown} to {end.shown}", _status(facts)]
    return [_dated("since", facts.date), _status(facts)]


def _patient(facts: Facts) -> list[str]:
    return [
        *facts.detail("gender")[:1],
        _dated("born", facts.dated("birthDate")),
        _dated("deceased", facts.dated("deceasedDateTime")),
    ]


# The status of nearly every document, report and study: it is worth a word only where it is another.
_USUAL = frozenset({"final", "current", "available", "finished"})


def _other(facts: Facts) -> list[str]:
    # The date first: "completed 2021-03-14" would say when something ended.
    return [facts.date.shown if facts.date else "", "" if facts.status in _USUAL else _status(facts)]


_FACTS = {
    "AllergyIntolerance": _allergy,
    "CarePlan": _plan,
    "CareTeam": _plan,
    "Condition": _condition,
    "Encounter": _encounter,
    "MedicationAdministration": _medication,
    "MedicationDispense": _medication,
    "MedicationRequest": _medication,
    "MedicationStatement": _medication,
    "Patient": _patient,
}
