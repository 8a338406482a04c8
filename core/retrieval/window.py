"""The time a question is limited to, with the words that say so: "since 2016", "between … and …", "in the last 6 months".

A relative window counts back from the record's own clock, the day of its latest entry, never from today.
"""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date, timedelta

from dateutil.relativedelta import relativedelta

from core.models import FhirDate
from core.words import fold

_MONTHS = {name.lower(): i for i, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name.lower(): i for i, name in enumerate(calendar.month_abbr) if name} | {"sept": 9}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE = (
    r"(?:\d{4}-\d{2}-\d{2}|\d{4}-\d{2}|\d{1,2}/\d{1,2}/\d{4}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTH})\.?,?\s+\d{{4}}"
    rf"|(?:{_MONTH})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}|(?:{_MONTH})\.?,?\s+(?:of\s+)?\d{{4}}|(?:19|20)\d{{2}})"
)
NUMBER_WORDS = {
    w: i
    for i, w in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], 1
    )
}
_UNITS = {"day": "days", "week": "weeks", "month": "months", "year": "years"}
_START_OF = r"(?:the\s+)?(?:start|beginning)\s+of\s+"
_END_OF = r"(?:the\s+)?end\s+of\s+"
_TO = r"(?:to|until|till|through|up\s+to)"
_LAST = r"(?:last|past|previous|preceding)"
_SPAN = "day|week|month|year"
_COUNT = r"(?:(?P<n>\d+|[a-z]+)\s+)?"
_PATTERNS = (
    ("between", re.compile(rf"\bbetween\s+(?:{_START_OF})?(?P<a>{_DATE})\s+and\s+(?:{_END_OF})?(?P<b>{_DATE})")),
    ("between", re.compile(rf"\bfrom\s+(?:{_START_OF})?(?P<a>{_DATE})\s+{_TO}\s+(?:{_END_OF})?(?P<b>{_DATE})")),
    ("between", re.compile(rf"\b(?P<a>{_DATE})\s*(?:-|–|—|to|through)\s*(?P<b>{_DATE})")),
    ("last", re.compile(rf"\b(?:(?:in|over|within|during|for)\s+)?(?:the\s+)?{_LAST}\s+{_COUNT}(?P<u>{_SPAN})s?\b")),
    ("since", re.compile(rf"\bsince\s+(?:{_START_OF})?(?P<a>{_DATE})(?:\s+(?:on|onwards?))?(?!\w)")),
    ("since", re.compile(rf"\bfrom\s+(?:{_START_OF})?(?P<a>{_DATE})\s+(?:on|onwards?)(?!\w)")),
    ("after", re.compile(rf"\b(?:after|later\s+than)\s+(?:{_END_OF})?(?P<a>{_DATE})")),
    ("before", re.compile(rf"\b(?:before|prior\s+to|earlier\s+than)\s+(?:{_START_OF})?(?P<a>{_DATE})")),
    ("until", re.compile(rf"\b(?:until|till|up\s+to|by|through)\s+(?:{_END_OF})?(?P<a>{_DATE})")),
    ("in", re.compile(rf"\b(?:in|during|on|for|from|of|throughout)\s+(?:the\s+year\s+)?(?P<a>{_DATE})")),
    ("in", re.compile(rf"(?P<a>{_DATE})")),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Window:
    """A span of days, both ends inclusive, open where None; `back` counts back from the record's clock instead.

    `phrase` says it to a reader; `first`..`last` is the span of the question's characters that named it.
    """

    start: date | None
    end: date | None
    back: relativedelta | None
    phrase: str
    first: int
    last: int

    def at(self, clock: date | None) -> Window:
        """The window with `back` resolved against the record's own clock."""
        if self.back is None or clock is None:
            return self
        start = clock - self.back + timedelta(days=1)
        phrase = f"between {start.isoformat()} and {clock.isoformat()}"
        return Window(start, clock, None, phrase, self.first, self.last)

    def holds(self, day: FhirDate | None) -> bool:
        """Whether a date lies wholly inside; a partial date that only overlaps does not, an unknown one never."""
        if day is None:
            return False
        return (self.start is None or day.start >= self.start) and (self.end is None or day.end <= self.end)


def find_window(text: str) -> Window | None:
    """The first window a question names, or None. Impossible dates name none."""
    folded = fold(text)
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(folded):
            if window := _window(kind, match):
                return window
    return None


def _window(kind: str, match: re.Match[str]) -> Window | None:
    phrase, first, last = match.group().strip(), match.start(), match.end()
    if kind == "last":
        count = match["n"]
        number = int(count) if count and count.isdigit() else NUMBER_WORDS.get(count or "one")
        if number is None or number > 200:
            return None
        back = relativedelta(**{_UNITS[match["u"]]: number})  # type: ignore[arg-type]
        unit = match["u"] if number == 1 else f"{match['u']}s"
        shown = f"in the last {unit}" if number == 1 else f"in the last {number} {unit}"
        return Window(None, None, back, shown, first, last)
    span = _span(match["a"])
    if span is None:
        return None
    start, end, shown = span
    match kind:
        case "between":
            other = _span(match["b"])
            if other is None:
                return None
            if other[1] < start:
                (start, end, shown), other = other, (start, end, shown)
            return Window(start, other[1], None, f"between {shown} and {other[2]}", first, last)
        case "since":
            return Window(start, None, None, f"since {shown}", first, last)
        case "after":
            return Window(end + timedelta(days=1), None, None, f"after {shown}", first, last)
        case "before":
            return Window(None, start - timedelta(days=1), None, f"before {shown}", first, last)
        case "until":
            return Window(None, end, None, f"until {shown}", first, last)
    preposition = "on" if start == end else "in"
    return Window(
        start, end, None, phrase if phrase[:2] in ("in", "on") else f"{preposition} {shown}", first, last
    )


def _span(text: str) -> tuple[date, date, str] | None:
    """(first day, last day, as shown) of a date phrase; month/day/year when written with slashes."""
    words = re.findall(r"\d+|[a-z]+", text)
    numbers = [int(w) for w in words if w.isdigit()]
    month = next((_MONTHS[w] for w in words if w in _MONTHS), None)
    try:
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
            day = date.fromisoformat(text)
            return day, day, text
        if "/" in text:
            day = date(numbers[2], numbers[0], numbers[1])
            return day, day, day.isoformat()
        if re.fullmatch(r"\d{4}-\d{2}", text):
            month, numbers = numbers[1], numbers[:1]
        if month is None:
            return date(numbers[0], 1, 1), date(numbers[0], 12, 31), str(numbers[0])
        if len(numbers) == 2:
            day = date(max(numbers), month, min(numbers))
            return day, day, day.isoformat()
        year = numbers[0]
        return (
            date(year, month, 1),
            date(year, month, calendar.monthrange(year, month)[1]),
            f"{calendar.month_name[month]} {year}",
        )
    except (ValueError, IndexError):
        return None


_AT_AGE = re.compile(
    r"\b(?:(?:at|from|of|aged?)\s+)+(?:the\s+)?(?:age\s+(?:of\s+)?(?P<a>\d{1,3})|(?P<b>\d{1,3})\s*(?:years?|yrs?)(?:\s+(?:old|of\s+age))?)\b"
)


def aged_window(text: str, born: date | None) -> str:
    """The text with "at age 5" put as the year of life it is, by a known birth date; else as it stands."""
    match = _AT_AGE.search(fold(text))
    if match is None or born is None:
        return text
    age = int(match["a"] or match["b"])
    first = born + relativedelta(years=age)
    last = first + relativedelta(years=1) - timedelta(days=1)
    return f"{text[: match.start()]}between {first.isoformat()} and {last.isoformat()}{text[match.end() :]}"
