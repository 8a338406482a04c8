"""A length of time stands only if two cited dates are that far apart; "ago" counts back from the record's last day.

A length is right when it rounds, or is cut off, to the stated number of the stated unit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import combinations

from core.grounding.checks import numbers
from core.grounding.checks.age import years_between
from core.grounding.checks.dates import DateAtom
from core.grounding.checks.outcome import Outcome, agreed, contradicted, missing
from core.grounding.reading import Atom, Reading
from core.grounding.record import Record
from core.models import Facts


@dataclass(frozen=True, slots=True)
class DurationAtom(Atom):
    """`kind`: "length", "later", "earlier", "ago", "age", "window" (the last N units), "calendar" (last year)."""

    count: int
    unit: str
    kind: str


_DAYS = {"minute": 1 / 1440, "hour": 1 / 24, "day": 1.0, "week": 7.0, "month": 30.4375, "year": 365.25}
_NUMBER = rf"(\d{{1,4}}|{numbers.WORD}|an?\b)"
_LENGTH = re.compile(
    rf"(?:\b(?:over|within|for|during|in the space of)\s+(?:the\s+)?(?:about\s+|course of\s+)?)?{numbers.START}\b{_NUMBER}"
    r"[\s-]+(minute|hour|day|week|month|year)s?\b(?:[\s-]*(later|earlier|ago|old|of age|apart|before|after)\b)?"
)
_NEXT = re.compile(r"\bthe (day|week|month|year) (before|earlier|prior|after|later)\b")
_AGED = re.compile(rf"\b(?:aged?|at age|at the age of)\s+(\d{{1,3}}|{numbers.WORD})\b(?:\s+years?)?")
_NOT_YET = re.compile(
    r"\b(?:nearly|almost|just (?:under|short of)|not (?:yet|quite)|approaching|going on)\s+$"
)
_RECENT = re.compile(
    rf"\b(?:the\s+)?(?:last|past|previous|preceding)\s+(?:(\d{{1,3}}|{numbers.WORD})\s+)?(day|week|month|year)s?\b"
)


def read(reading: Reading) -> list[DurationAtom]:
    found = []
    for match in list(reading.find(_RECENT)):
        count = numbers.count_value(match[1]) if match[1] else 1
        span = "calendar" if match.group() in ("last year", "last month", "last week") else "window"
        found.append(DurationAtom(*match.span(), match.group(), count or 1, match[2], span))
        reading.take(*match.span())
    for match in list(reading.find(_AGED)):
        count = numbers.count_value(match[1])
        if count is not None:
            found.append(DurationAtom(*match.span(), match.group(), count, "year", "age"))
            reading.take(*match.span())
    for match in list(reading.find(_NEXT)):
        side = "later" if match[2] in ("after", "later") else "earlier"
        found.append(DurationAtom(*match.span(), match.group(), 1, match[1], side))
        reading.take(*match.span())
    for match in list(reading.find(_LENGTH)):
        count = 1 if match[1] in ("a", "an") else numbers.count_value(match[1])
        if count is None:
            continue
        kind = {
            "old": "age",
            "of age": "age",
            "later": "later",
            "earlier": "earlier",
            "ago": "ago",
            "before": "earlier",
            "after": "later",
        }
        found.append(
            DurationAtom(*match.span(), match.group(), count, match[2], kind.get(match[3] or "", "length"))
        )
        reading.take(*match.span())
    return found


def check(
    atom: DurationAtom,
    cited: Sequence[Facts],
    record: Record,
    days: Sequence[DateAtom] = (),
    before: str = "",
) -> Outcome:
    """The stated length against every span between dates of the cited resources; an age on the stated `days`, if any.

    `before` is the text in front of it: "nearly six years old" is five.
    """
    if atom.kind == "age":
        return _age(atom, cited, record, days, before)
    if named := _in_a_name(atom, cited):
        return agreed("duration", atom.said, named)
    if atom.kind in ("window", "calendar"):
        return _recent(atom, cited, record)
    if atom.kind == "ago":
        spans = [float((record.clock - f.date.start).days) for f in cited if f.date and record.clock]
    else:
        spans = _between(cited)
    if any(_fits(atom, days) for days in spans):
        return agreed("duration", atom.said, atom.said)
    if spans:
        return contradicted(
            "duration",
            atom.said,
            _shown(min(spans, key=lambda d: abs(d - atom.count * _DAYS[atom.unit])), atom),
        )
    return missing("duration", atom.said, "no two dates in what is cited")


def _in_a_name(atom: DurationAtom, cited: Sequence[Facts]) -> str:
    """The drug that is called by a length of time: "24hr nicotine patch", "28 Day Pack"."""
    short = {"hour": "h(?:ou)?rs?", "minute": "min(?:ute)?s?"}.get(atom.unit, f"{atom.unit}s?")
    written = re.compile(rf"\b{atom.count}\s*-?{short}\b", re.IGNORECASE)
    return next(
        (f.label for f in cited if f.resource_type.startswith("Medication") and written.search(f.label)), ""
    )


def from_before(atom: DurationAtom, cited: Sequence[Facts], before: Sequence[Facts]) -> Outcome | None:
    """ "Two weeks later, on 30 September …": the length from what the statement before was about, on its own side."""
    if atom.kind not in ("later", "earlier"):
        return None
    sign = 1 if atom.kind == "later" else -1
    spans = [
        sign * (b.date.instant - a.date.instant).total_seconds() / 86400
        for a in before
        for b in cited
        if a.date and b.date
    ]
    if any(_fits(atom, days) for days in spans):
        return agreed("duration", atom.said, atom.said)
    if not spans:
        return None
    nearest = min(spans, key=lambda d: abs(d - atom.count * _DAYS[atom.unit]))
    return contradicted("duration", atom.said, _shown(nearest, atom))


def _between(cited: Sequence[Facts]) -> list[float]:
    spans = [
        abs((b.date.instant - a.date.instant).total_seconds()) / 86400
        for a, b in combinations(cited, 2)
        if a.date and b.date
    ]
    for facts in cited:
        moments: list[datetime] = [d.date.instant for d in facts.dates]
        spans += [abs((b - a).total_seconds()) / 86400 for a, b in combinations(moments, 2) if a != b]
    return spans


def _fits(atom: DurationAtom, days: float) -> bool:
    units = days / _DAYS[atom.unit]
    if atom.count == 1:
        return 0.75 <= units < 1.9
    slack = 0.04 * atom.count if atom.count > 2 else 0.01
    return atom.count - 0.5 - slack <= units < atom.count + 1 - 0.02


def _shown(days: float, atom: DurationAtom) -> str:
    return f"{days / _DAYS[atom.unit]:.1f} {atom.unit}s"


def _age(
    atom: DurationAtom, cited: Sequence[Facts], record: Record, stated: Sequence[DateAtom], before: str
) -> Outcome:
    """An age against the birth date: on the days stated, of a cited resource, of death, or on the record's last day."""
    patient = record.patient
    born = patient.dated("birthDate") if patient else None
    days: list[date] = [day for d in stated for interval in d.intervals for day in interval]
    if not days:
        days = [f.date.start for f in cited if f.date and f.resource_type != "Patient"]
        died = patient.dated("deceasedDateTime") if patient else None
        days += [d for d in (died.start if died else None, record.clock) if d]
    if not born or not days:
        return missing("age", atom.said, "no birth date in the record")
    ages = [_age_in(atom.unit, born.start, d) for d in days]
    if _NOT_YET.search(before):
        ages += [a + 1 for a in ages]
    if atom.count in ages:
        return agreed("age", atom.said, f"born {born.shown}")
    return contradicted("age", atom.said, f"born {born.shown}")


def _age_in(unit: str, born: date, day: date) -> int:
    """Whole units from a birth date to a day."""
    if unit == "year":
        return years_between(born, day)
    if unit == "month":
        return 12 * (day.year - born.year) + day.month - born.month - (day.day < born.day)
    return int((day - born).days / _DAYS[unit])


def recent(atom: DurationAtom, facts: Facts, record: Record) -> bool:
    """Whether a resource lies in "the last N units" before the record's last day."""
    if not record.clock or not facts.date:
        return False
    if atom.kind == "calendar":
        return _unit_of(facts.date.start, atom.unit) == _unit_of(record.clock, atom.unit) - 1
    return facts.date.end >= record.clock - timedelta(days=atom.count * _DAYS[atom.unit] + 1)


def _unit_of(day: date, unit: str) -> int:
    """The running number of the calendar year, month or week that a day lies in."""
    if unit == "year":
        return day.year
    return day.year * 12 + day.month if unit == "month" else (day.toordinal() - 1) // 7


def _recent(atom: DurationAtom, cited: Sequence[Facts], record: Record) -> Outcome:
    if not record.clock:
        return missing("window", atom.said, "no dated entry in the record")
    dated = [f for f in cited if f.date]
    outside = [f.date.shown for f in dated if f.date and not recent(atom, f, record)]
    if outside or not dated:
        return contradicted("window", atom.said, ", ".join(outside) or "no date in what is cited")
    return agreed("window", atom.said, f"the record's last day is {record.clock.isoformat()}")
