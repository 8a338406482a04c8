"""FHIR dates at their true precision: an impossible date reads as absent, a partial one covers its interval.

Source: FHIR R4 datatypes, date / dateTime / instant. The day shown is the wall-clock day of its own offset.
"""

from __future__ import annotations

import calendar
import re
from datetime import UTC, date, datetime

from core.fhir.read import string
from core.models import FhirDate, Precision

_SHAPE = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d{2})(?:-(?P<day>\d{2})(?P<time>T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?)?)?"
)


_LEAP_SECOND = re.compile(r"(T\d{2}:\d{2}):60")


def parse_date(value: object) -> FhirDate | None:
    """Read a FHIR date, dateTime or instant; None for anything that is not one or names no real day."""
    text = string(value)
    match = _SHAPE.fullmatch(text)
    if not match:
        return None
    try:
        year = int(match["year"])
        if not match["month"]:
            return _covering(text, date(year, 1, 1), date(year, 12, 31), Precision.YEAR)
        month = int(match["month"])
        if not match["day"]:
            last = calendar.monthrange(year, month)[1]
            return _covering(text, date(year, month, 1), date(year, month, last), Precision.MONTH)
        day = date(year, month, int(match["day"]))
        if not match["time"]:
            return _covering(text, day, day, Precision.DAY)
        instant = _instant(text)
        return (
            FhirDate(text, day, day, Precision.TIME, instant)
            if instant
            else _covering(text, day, day, Precision.DAY)
        )
    except (
        ValueError,
        OverflowError,
    ):  # calendar.IllegalMonthError is a ValueError; year 1 with an offset overflows
        return None


def _instant(text: str) -> datetime | None:
    """The moment; of a leap second the one before. None for 24:00 and beyond the years Python counts: the day stays."""
    if "T24:00" in text:
        return None
    moment = datetime.fromisoformat(_LEAP_SECOND.sub(r"\1:59", text))
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        return aware.astimezone(UTC)
    except OverflowError:
        return None


# Fields that name a version or a thing, whatever their text looks like.
_NO_DATES = frozenset(
    {"id", "version", "lotNumber", "serialNumber", "modelNumber", "name", "title", "language"}
)


def dated(field: str, value: object) -> bool:
    """Whether a field of unknown meaning holds a date or a Period: by its length or its name; value[x] is none."""
    if field.startswith("value") or field in _NO_DATES:
        return False
    if isinstance(value, dict):
        edges = [value[edge] for edge in ("start", "end") if edge in value]
        return value.keys() <= _PERIOD and any(parse_date(edge) for edge in edges)
    if not isinstance(value, str) or parse_date(value) is None:
        return False
    return len(value) >= 7 or field.endswith(("date", "Date", "DateTime"))


_PERIOD = frozenset({"id", "extension", "start", "end", "_start", "_end"})


def _covering(text: str, start: date, end: date, precision: Precision) -> FhirDate:
    return FhirDate(text, start, end, precision, datetime(start.year, start.month, start.day, tzinfo=UTC))
