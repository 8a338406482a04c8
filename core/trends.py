"""Every numeric series of a record, what began and ended beside it, and nothing invented between two results.

A series is one measurement in one unit: the same measurement in another unit is a series of its own, never converted.
A change is given between two exact results only. Pure: no database, no drawing library.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from dateutil.relativedelta import relativedelta

from core.fhir.dates import parse_date
from core.models import Facts
from core.problems import is_clinical
from core.timeline import Panel, Point, bands_of, moments, panels_of

_FIRST = "HbA1c"
_CATEGORIES = {"laboratory": "Laboratory", "vital-signs": "Vital signs"}  # HL7 observation-category
_GROUPS = (_FIRST, *_CATEGORIES.values(), "Scores and other")
_MEDICATIONS = ("MedicationRequest", "MedicationStatement")
_ONGOING = ("active", "recurrence", "relapse", "on-hold")
_CHILD = 18


@dataclass(frozen=True, slots=True)
class Series:
    """One measurement in one unit over time. `name` addresses it in a URL; `other_units` are its sister series."""

    name: str
    group: str
    panel: Panel
    other_units: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How many resources gave a value (a blood pressure is one)."""
        return len({p.resource_id for p in self.panel.points})

    @property
    def last(self) -> tuple[Point, ...]:
        """The values of the last result: one, or one of each component."""
        end = self.panel.points[-1]
        return tuple(p for p in self.panel.points if p.resource_id == end.resource_id)

    @property
    def last_shown(self) -> str:
        """The last result as it is read: "7.6 %", "138 / 82 mmHg"."""
        last = self.last
        if len(last) == 1:
            return last[0].shown
        unit = self.panel.unit
        return " / ".join(p.shown.removesuffix(unit).strip() for p in last) + (f" {unit}" if unit else "")

    @property
    def change(self) -> str:
        """From the last but one result to the last, "" where either is only a limit or there is no other."""
        lines = [self._change(p.line) for p in self.last]
        if not all(lines):
            return ""
        before = self._points_of(self.last[0].line)[-2].shown_date
        return f"{' / '.join(lines)} since {before}" if set(lines) != {"0"} else f"unchanged since {before}"

    def _change(self, line: str) -> str:
        points = self._points_of(line)
        if len(points) < 2 or points[-1].comparator or points[-2].comparator:
            return ""
        # Of the numbers as they are read beside it: a difference between two equal ones would look like a mistake.
        difference = Decimal(points[-1].shown.split()[0]) - Decimal(points[-2].shown.split()[0])
        return f"+{difference}" if difference > 0 else f"−{abs(difference)}" if difference else "0"

    def _points_of(self, line: str) -> list[Point]:
        return [p for p in self.panel.points if p.line == line]


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that began, and perhaps ended, beside the results: a diagnosis or an order of a medication.

    `end` is None where no end is recorded; `ongoing` says that the record calls it active.
    """

    resource_id: str
    lane: str
    kind: str
    status: str
    shown_date: str
    shown_end: str
    start: datetime
    end: datetime | None
    ongoing: bool


def series_of(record: Iterable[Facts]) -> tuple[Series, ...]:
    """Every numeric series: HbA1c first, then laboratory, vital signs and the rest, the longest first."""
    facts = {f.resource_id: f for f in record}
    panels = _told_apart(panels_of(facts.values()), facts)
    units: dict[str, list[str]] = {}
    for panel in panels:
        units.setdefault(panel.name, []).append(panel.unit)
    found = [
        Series(
            name,
            _group(panel, facts),
            panel,
            tuple(u or "no unit" for u in units[panel.name] if u != panel.unit),
        )
        for name, panel in zip(_addresses(panels), panels, strict=True)
    ]
    return tuple(sorted(found, key=lambda s: (_GROUPS.index(s.group), -s.count, s.panel.title)))


def _told_apart(panels: Sequence[Panel], facts: Mapping[str, Facts]) -> list[Panel]:
    """Two measurements that go by one short name in one unit (in blood, in serum) get their full names."""
    met = Counter(panel.title for panel in panels)
    return [_renamed(p, facts[p.points[0].resource_id].label) if met[p.title] > 1 else p for p in panels]


def _renamed(panel: Panel, name: str) -> Panel:
    points = tuple(replace(p, line=name) if p.line == panel.name else p for p in panel.points)
    return replace(panel, name=name, points=points)


def _group(panel: Panel, facts: Mapping[str, Facts]) -> str:
    if panel.name == _FIRST:
        return _GROUPS[0]
    categories = {c.lower() for c in facts[panel.points[0].resource_id].categories}
    return next((name for word, name in _CATEGORIES.items() if word in categories), _GROUPS[-1])


def marks_of(record: Iterable[Facts]) -> tuple[Mark, ...]:
    """Diagnoses and medication orders with a date, by lane: what is active first, then what began last."""
    marks = [m for facts in record if (m := _mark(facts))]
    lanes: dict[str, list[Mark]] = {}
    for mark in sorted(marks, key=lambda m: m.start):
        lanes.setdefault(mark.lane, []).append(mark)
    ordered = sorted(
        lanes.values(), key=lambda lane: (any(m.ongoing for m in lane), lane[-1].start), reverse=True
    )
    return tuple(mark for lane in ordered for mark in lane)


def within(panel: Panel, first: datetime | None) -> Panel | None:
    """The panel from a moment on; None when nothing of it is left."""
    if first is None:
        return panel
    points = tuple(p for p in panel.points if p.end >= first)
    return replace(panel, points=points, bands=bands_of(points)) if points else None


def since(panels: Sequence[Panel], years: int) -> datetime:
    """So many years before the last result of the panels."""
    return max(p.end for panel in panels for p in panel.points) - relativedelta(years=years)


def born_of_child(birth_date: str, panels: Sequence[Panel]) -> datetime | None:
    """The birth date when the last of the results was measured in childhood, so that the axis tells the age."""
    born = parse_date(birth_date)
    if born is None or not panels:
        return None
    birth = moments(born)[0]
    last = max(p.end for panel in panels for p in panel.points)
    return birth if last - relativedelta(years=_CHILD) < birth else None


def _mark(facts: Facts) -> Mark | None:
    if facts.void or facts.not_done or facts.date is None:
        return None
    if facts.resource_type == "Condition" and is_clinical(facts):
        kind, end = (
            "Diagnosis",
            facts.dated("abatementDateTime", "abatementPeriod.end", "abatementPeriod.start"),
        )
    elif facts.resource_type in _MEDICATIONS:
        kind, end = "Medication", facts.dated("effectivePeriod.end")
    else:
        return None
    start = moments(facts.date)[0]
    ended = moments(end)[2] if end else None
    return Mark(
        resource_id=facts.resource_id,
        lane=facts.label,
        kind=kind,
        status=facts.status,
        shown_date=facts.date.shown,
        shown_end=end.shown if end else "",
        start=start,
        end=ended if ended and ended >= start else None,
        ongoing=end is None and facts.status in _ONGOING,
    )


def _addresses(panels: Sequence[Panel]) -> list[str]:
    """A short name for each panel, told apart by a number where two would be the same."""
    met: Counter[str] = Counter()
    names = []
    for panel in panels:
        name = re.sub(r"[^a-z0-9%/.]+", "-", panel.title.lower()).strip("-") or "series"
        met[name] += 1
        names.append(name if met[name] == 1 else f"{name}-{met[name]}")
    return names
