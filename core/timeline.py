"""From retrieved Observations to chart panels: true dates, one unit per panel, no value not in the record.

A void or undone result is not drawn. A comparator ("<5") and a partial date ("2021") stay what they are: the
point says so and the chart draws it differently. Pure: no database, no drawing library.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import StrEnum

from core.fhir.codes import LOINC, plain
from core.fhir.interpretation import Sense, senses
from core.fhir.quantities import convert, printed_unit, shown_number, shown_quantity, unit_of
from core.models import (
    Coding,
    Evidence,
    Facts,
    FhirDate,
    Precision,
    Quantity,
    ReferenceRange,
    Result,
    Value,
    ValueKind,
)

# What clinicians call a series whose LOINC display is a phrase (LOINC short names and common usage).
_SHORT_NAMES = {
    "4548-4": "HbA1c",
    "17856-6": "HbA1c",
    "59261-8": "HbA1c",
    "85354-9": "Blood pressure",
    "55284-4": "Blood pressure",
    "8480-6": "Systolic",
    "8462-4": "Diastolic",
    "39156-5": "BMI",
    "29463-7": "Body weight",
    "8302-2": "Body height",
    "33914-3": "eGFR",
    "62238-1": "eGFR",
    "48642-3": "eGFR",
    "98979-8": "eGFR",
    "14959-1": "Albumin/creatinine ratio, urine",
    "9318-7": "Albumin/creatinine ratio, urine",
    "2708-6": "Oxygen saturation",
    "2085-9": "HDL cholesterol",
    "18262-6": "LDL cholesterol",
    "13457-7": "LDL cholesterol",
    "2093-3": "Total cholesterol",
    "2160-0": "Creatinine",
    "38483-4": "Creatinine",
    "2339-0": "Glucose",
    "2345-7": "Glucose",
    "6690-2": "Leukocytes",
    "789-8": "Erythrocytes",
    "718-7": "Hemoglobin",
    "777-3": "Platelets",
}
# "Sodium [Moles/volume] in Serum or Plasma by …": the property, system and method parts of a LOINC long name.
_LONG_NAME_TAIL = re.compile(r"\s*\[[^\]]*\].*$|\s+in (?:Blood|Serum|Plasma|Urine|Arterial blood)\b.*$")


class Standing(StrEnum):
    """Where a result stands by its own flag, or by its own reference range where it has no flag."""

    LOW = "low"
    HIGH = "high"
    ABNORMAL = "abnormal"
    WITHIN = "within"
    UNKNOWN = ""


_STANDING = {
    Sense.LOW: Standing.LOW,
    Sense.HIGH: Standing.HIGH,
    Sense.ABNORMAL: Standing.ABNORMAL,
    Sense.NORMAL: Standing.WITHIN,
}


@dataclass(frozen=True, slots=True)
class Point:
    """One result, drawn at wall-clock `at`; `start`/`end` differ when only a month or year is known.

    `low`/`high` are the result's own reference range in the panel's unit, None where it has no such limit.
    """

    resource_id: str
    line: str
    value: float
    shown: str
    comparator: str
    at: datetime
    start: datetime
    end: datetime
    shown_date: str
    partial: bool
    standing: Standing
    cited: bool
    status: str
    low: float | None = None
    high: float | None = None
    range_text: str = ""


@dataclass(frozen=True, slots=True)
class Band:
    """A reference range and the stretch of time over which results carried it; an open side is None."""

    start: datetime
    end: datetime
    low: float | None
    high: float | None
    text: str


@dataclass(frozen=True, slots=True)
class Panel:
    """One chart: one quantity in one unit; more than one of `lines` only for a measurement's components."""

    key: str
    name: str
    unit: str
    points: tuple[Point, ...]
    bands: tuple[Band, ...]

    @property
    def title(self) -> str:
        """The y axis title: name and unit, e.g. "HbA1c (%)"."""
        return f"{self.name} ({self.unit})" if self.unit else self.name

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(p.line for p in self.points))

    @property
    def takeaway(self) -> str:
        """The chart in one sentence per line, for those who cannot see it."""
        return " ".join(
            self._takeaway(line, [p for p in self.points if p.line == line]) for line in self.lines
        )

    def _takeaway(self, line: str, points: list[Point]) -> str:
        name = self.name if line == self.name else f"{self.name}, {line.lower()}"
        last = points[-1]
        if len(points) == 1:
            return f"{name}: one result, {last.shown} on {last.shown_date}."
        lowest, highest = min(points, key=lambda p: p.value), max(points, key=lambda p: p.value)
        outside = sum(p.standing in (Standing.LOW, Standing.HIGH, Standing.ABNORMAL) for p in points)
        return (
            f"{name}: {len(points)} results from {points[0].shown_date} to {last.shown_date}, "
            f"lowest {lowest.shown}, highest {highest.shown}, last {last.shown}"
            + (f"; {outside} outside the reference range." if outside else ".")
        )


def timeline(result: Result) -> tuple[Panel, ...]:
    """The panels of one answered question, cited ones first, then by rank; () when nothing is numeric."""
    cited = {c.resource_id for c in result.answer.citations}
    panels = panels_of((e.facts for e in result.evidence), cited)
    return tuple(sorted(panels, key=lambda panel: not any(p.cited for p in panel.points)))


def panels_of(record: Iterable[Facts | Evidence], cited: Iterable[str] = ()) -> tuple[Panel, ...]:
    """Group every numeric Observation value by what was measured and its unit, each group sorted by time."""
    marked = frozenset(cited)
    grouped: dict[tuple[str, str], list[tuple[Facts, Value, FhirDate, Quantity]]] = {}
    for item in record:
        facts = item.facts if isinstance(item, Evidence) else item
        for value, when, quantity in _numbers(facts):
            group = grouped.setdefault((facts.concept_key, unit_of(quantity)), [])
            group.append((facts, value, when, quantity))
    return tuple(_panel(f"{key}|{unit}", rows, marked) for (key, unit), rows in grouped.items())


def is_charted(facts: Facts) -> bool:
    """Whether a resource gives a chart a point: a dated number that is evidence."""
    return next(_numbers(facts), None) is not None


def _numbers(facts: Facts) -> Iterator[tuple[Value, FhirDate, Quantity]]:
    if facts.resource_type != "Observation" or facts.void or facts.not_done or facts.date is None:
        return
    for value in facts.values:
        if value.kind is ValueKind.QUANTITY and value.quantity and value.quantity.value is not None:
            yield value, facts.date, value.quantity


def short_name(label: str, codings: Iterable[Coding] = ()) -> str:
    """A series' usual clinical name by its LOINC code, else its label without property, system and method.

    Where the label is the display of another code system, the LOINC display is used: it keeps the side
    and the specimen ("Left eye Intraocular pressure") that a SNOMED CT observable leaves out.
    """
    found = tuple(codings)
    loinc = next((c for c in found if c.system == LOINC), None)
    if loinc and loinc.code in _SHORT_NAMES:
        return _SHORT_NAMES[loinc.code]
    if loinc and loinc.display and label in {plain(c.display) for c in found}:
        label = loinc.display
    return _LONG_NAME_TAIL.sub("", label) or label


def _panel(key: str, rows: list[tuple[Facts, Value, FhirDate, Quantity]], cited: frozenset[str]) -> Panel:
    facts, _, _, first = rows[0]
    name = short_name(facts.label, facts.codings)
    # Components stay in recorded order (systolic before diastolic); the sort is stable.
    points = sorted((_point(name, *row, cited) for row in rows), key=lambda p: p.at)
    return Panel(key, name, printed_unit(first), tuple(points), bands_of(points))


def _point(
    panel: str, facts: Facts, value: Value, when: FhirDate, quantity: Quantity, cited: frozenset[str]
) -> Point:
    assert quantity.value is not None  # panels_of keeps no other
    own = value.path.startswith("value")
    line = panel if own else short_name(value.label, value.codings)
    low, high, text = _own_range(value.ranges, unit_of(quantity))
    start, at, end = moments(when)
    return Point(
        resource_id=facts.resource_id,
        line=line,
        value=float(quantity.value),
        shown=shown_quantity(quantity, [limit for limit in (low, high) if limit is not None]),
        comparator=quantity.comparator,
        at=at,
        start=start,
        end=end,
        shown_date=when.shown,
        partial=when.precision in (Precision.YEAR, Precision.MONTH),
        standing=_standing(value, quantity.value, low, high),
        cited=facts.resource_id in cited,
        status=facts.status,
        low=None if low is None else float(low),
        high=None if high is None else float(high),
        range_text=text,
    )


def moments(when: FhirDate) -> tuple[datetime, datetime, datetime]:
    """First moment, moment to draw, last moment: the recorded wall clock; the middle of a partial date."""
    start = datetime.combine(when.start, time.min)
    if when.precision is Precision.TIME:
        try:
            moment = datetime.fromisoformat(when.text).replace(tzinfo=None, microsecond=0)
        except ValueError:
            moment = start
        return moment, moment, moment
    if when.precision is Precision.DAY:
        return start, start, start
    end = datetime.combine(_day_after(when.end), time.min)
    return start, start + (end - start) / 2, end


def _day_after(day: date) -> date:
    return day + timedelta(days=1) if day < date.max else day


def _own_range(ranges: tuple[ReferenceRange, ...], unit: str) -> tuple[Decimal | None, Decimal | None, str]:
    """The first range with a limit that can be expressed in the value's unit."""
    for found in ranges:
        low, high = _limit(found.low, unit), _limit(found.high, unit)
        if low is not None or high is not None:
            return low, high, found.text or _range_text(low, high)
    return None, None, ""


def _limit(quantity: Quantity | None, unit: str) -> Decimal | None:
    if quantity is None or quantity.value is None:
        return None
    return convert(quantity.value, unit_of(quantity) or unit, unit)


def _range_text(low: Decimal | None, high: Decimal | None) -> str:
    if low is not None and high is not None:
        return f"{shown_number(low)} to {shown_number(high)}"
    return (
        f"at least {shown_number(low)}" if low is not None else f"at most {shown_number(high or Decimal(0))}"
    )


def _standing(value: Value, number: Decimal, low: Decimal | None, high: Decimal | None) -> Standing:
    flagged = next((_STANDING[s] for s in senses(value.flags)), None)
    if flagged:
        return flagged
    if low is not None and number < low:
        return Standing.LOW
    if high is not None and number > high:
        return Standing.HIGH
    return Standing.UNKNOWN if low is None and high is None else Standing.WITHIN


def bands_of(points: Sequence[Point]) -> tuple[Band, ...]:
    """Successive results with the same range share a band; a change of range falls halfway between them."""
    bands: list[Band] = []
    for line in dict.fromkeys(p.line for p in points):
        bands.extend(_bands_of([p for p in points if p.line == line]))
    return tuple(bands)


def _bands_of(points: list[Point]) -> list[Band]:
    bands: list[Band] = []
    for i, point in enumerate(points):
        if point.low is None and point.high is None:
            continue
        start = points[i - 1].at + (point.at - points[i - 1].at) / 2 if i else point.start
        end = point.at + (points[i + 1].at - point.at) / 2 if i + 1 < len(points) else point.end
        last = bands[-1] if bands else None
        if last and (last.low, last.high, last.end) == (point.low, point.high, start):
            bands[-1] = Band(last.start, end, last.low, last.high, last.text)
        else:
            bands.append(Band(start, end, point.low, point.high, point.range_text))
    return bands
