"""Dates as people write them, each as the days it may mean: ISO, either order of slashes, month names, seasons, quarters.

Only what is written is read: a date of two readings (04/05/2020) keeps both, one without a year any year.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from core.grounding.reading import Reading
from core.models import Precision

Interval = tuple[date, date]


@dataclass(frozen=True, slots=True)
class Written:
    """One date of a text, at its place: the stretches of days it may mean, and how precise it is.

    `clock` is a stated time of day, "HH:MM".
    """

    start: int
    end: int
    intervals: tuple[Interval, ...]
    precision: Precision
    clock: str = ""


_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
            "september sept sep", "october oct", "november nov", "december dec",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH = "(" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\b\.?"
_YEAR = r"((?:18|19|20|21)\d{2})"
_ORDINALS = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
    "eighteenth", "nineteenth", "twentieth", "twenty-first", "twenty-second", "twenty-third",
    "twenty-fourth", "twenty-fifth", "twenty-sixth", "twenty-seventh", "twenty-eighth", "twenty-ninth",
    "thirtieth", "thirty-first",
]  # fmt: skip
_ORDINAL = {word: number for number, word in enumerate(_ORDINALS, 1)}
_DAY = rf"(\d{{1,2}}(?=st|nd|rd|th|\b)|{'|'.join(sorted(_ORDINALS, key=len, reverse=True))})(?:st|nd|rd|th)?"
_ANY = re.compile(rf"\d|\b{_MONTH}")
_ISO = re.compile(
    rf"(?<![\w.-]){_YEAR}[-/.](\d{{1,2}})[-/.](\d{{1,2}})"
    r"(?:[t ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?\s?(?:z|utc|[+-]\d{2}:?\d{2})?)?(?![\w-]|\.\d)"
)
_NUMERIC = re.compile(rf"(?<![\w./-])(\d{{1,2}})[/.-](\d{{1,2}})[/.-]{_YEAR}(?![\w/-]|\.\d)")
_SHORT_YEAR = re.compile(r"(?<![\w./-])(\d{1,2})/(\d{1,2})/(\d{2})(?![\w/-]|\.\d)")
_DAY_MONTH = re.compile(rf"(?<![\w.])(?:the\s+)?{_DAY}[\s-]+(?:of\s+)?{_MONTH}[\s,-]+{_YEAR}(?!\w)")
_DAYS_OF_MONTH = re.compile(
    rf"(?<![\w.]){_DAY}(?=(?:\s*(?:-|–|to|and|until|through)\s*){_DAY}\s+(?:of\s+)?{_MONTH}[\s,-]+{_YEAR}(?!\w))"
)
_MONTH_DAY = re.compile(rf"(?<!\w){_MONTH}\s+(?:the\s+)?{_DAY},?\s+{_YEAR}(?!\w)")
_MONTH_YEAR = re.compile(rf"(?<!\w){_MONTH}[\s,-]+(?:of\s+)?{_YEAR}(?!\w)")
_ISO_MONTH = re.compile(rf"(?<![\w./-]){_YEAR}-(0[1-9]|1[0-2])(?![\w/-]|\.\d)")
_SLASH_MONTH = re.compile(rf"(?<![\w./-])(0?[1-9]|1[0-2])/{_YEAR}(?![\w/-]|\.\d)")
_DAY_ONLY = re.compile(rf"(?<!\w)(?:{_MONTH}\s+{_DAY}|{_DAY}\s+(?:of\s+)?{_MONTH})(?![\w.]*\d)(?!\w)")
_BARE_YEAR = re.compile(
    rf"(?<![\w./-]){_YEAR}(?![\w/]|\.\d|-\d|\s*(?:%|mg|ml|kg|g/|units?\b|times\b|results?\b|kcal|mmol))"
)
# A bare four-digit number is a year where the words around it say so.
_YEAR_BEFORE = re.compile(
    r"(?:\b(?:the|his|her|its|in|since|from|of|until|till|to|through|between|and|by|during|before|after|around|circa|early|late|mid|"
    r"start of|beginning of|middle of|end of|year|onset|diagnosed|started|resolved|ended|stopped|prescribed|ordered|dated|"
    r"years|for|over|as of|prior to|throughout|vs\.?|versus|or|was|is)[\s-]*|[(,:;|–—-]\s*|^\s*)$"
)
_CLOCK = re.compile(r"^\s*(?:,|at|@)*\s*(\d{1,2}:\d{2})(?::\d{2})?\s*(am|pm|a\.m\.|p\.m\.|utc|h\b)?")
_PART_OF_YEAR = re.compile(r"\b(?:the )?(early|late|mid|start of|beginning of|middle of|end of)[\s-]+$")
# Thirds of a month, seasons of the northern year, and the quarters and halves of any.
_PART_OF_MONTH = re.compile(
    r"\b(?:the )?(early|late|mid|start of|beginning of|middle of|end of)(?: in)?[\s-]+$"
)
_SEASON = re.compile(
    rf"(?<!\w)(?:the )?(?:(early|mid|late)[\s-]+)?(spring|summer|autumn|fall|winter)(?: of)?,? "
    rf"{_YEAR}(?:[/–-](\d{{2}}))?(?!\w)"
)
_QUARTER = re.compile(
    rf"(?<!\w)(?:the )?(?:q([1-4])|(first|second|third|fourth|last) (quarter|half))(?: of)?,? {_YEAR}(?!\w)"
)
_SEASONS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "fall": (9, 11), "winter": (12, 2)}
_NTH_PART = {"first": 1, "second": 2, "third": 3, "fourth": 4}


def forms(reading: Reading) -> list[Written]:
    """Every date of the text in text order, the most precise forms read first; what is read is claimed."""
    found: list[Written] = []
    if not reading.has(_ANY):
        return found

    def add(
        start: int, end: int, intervals: Sequence[Interval | None], precision: Precision, clock: str = ""
    ) -> None:
        reading.take(start, end)
        found.append(Written(start, end, tuple(i for i in intervals if i), precision, clock))

    for m in list(reading.find(_ISO)):
        add(*m.span(), [_day(m[1], m[2], m[3])], Precision.DAY, m[4] or "")
    for m in list(reading.find(_NUMERIC)):
        readings = [_day(m[3], m[1], m[2])]
        if m[1] != m[2]:
            readings.append(_day(m[3], m[2], m[1]))
        add(*m.span(), readings, Precision.DAY)
    for m in list(reading.find(_SHORT_YEAR)):
        years = (f"20{m[3]}", f"19{m[3]}")
        add(
            *m.span(), [_day(y, *pair) for y in years for pair in {(m[1], m[2]), (m[2], m[1])}], Precision.DAY
        )
    for m in list(reading.find(_DAYS_OF_MONTH)):  # "from 18 to 21 August 1993"
        add(*m.span(), [_day(m[4], str(_MONTHS[m[3]]), _day_number(m[1]))], Precision.DAY)
    for m in list(reading.find(_DAY_MONTH)):
        add(*m.span(), [_day(m[3], str(_MONTHS[m[2]]), _day_number(m[1]))], Precision.DAY)
    for m in list(reading.find(_MONTH_DAY)):
        add(*m.span(), [_day(m[3], str(_MONTHS[m[1]]), _day_number(m[2]))], Precision.DAY)
    for m in list(reading.find(_MONTH_YEAR)):
        part = _PART_OF_MONTH.search(reading.before(m.start()))
        start = m.start() - (len(part[0]) if part else 0)
        add(start, m.end(), [_month(int(m[2]), _MONTHS[m[1]], part[1] if part else "")], Precision.MONTH)
    for pattern, year, month in ((_ISO_MONTH, 1, 2), (_SLASH_MONTH, 2, 1)):
        for m in list(reading.find(pattern)):
            add(*m.span(), [_month(int(m[year]), int(m[month]))], Precision.MONTH)
    for m in list(reading.find(_DAY_ONLY)):
        month_name, day_text = (m[1], m[2]) if m[1] else (m[4], m[3])
        # "may 5 …" needs a day; the year is the record's to give.
        add(*m.span(), _any_year(_MONTHS[month_name], int(_day_number(day_text))), Precision.DAY)
    for m in list(reading.find(_SEASON)):
        add(*m.span(), _season(m[2], m[1] or "", int(m[3]), m[4] or ""), Precision.MONTH)
    for m in list(reading.find(_QUARTER)):
        add(*m.span(), [_part_of_year(m)], Precision.MONTH)
    for m in list(reading.find(_BARE_YEAR)):
        if _YEAR_BEFORE.search(reading.before(m.start())):
            before = reading.before(m.start())
            part = _PART_OF_YEAR.search(before)
            first, last = _part(int(m[1]), part[1] if part else "")
            start = m.start() - (len(part[0]) if part else 0)
            add(start, m.end(), [(first, last)], Precision.YEAR)
    found.sort(key=lambda written: written.start)
    return [_with_clock(reading, written) for written in found]


def _with_clock(reading: Reading, written: Written) -> Written:
    match = _CLOCK.match(reading.after(written.end, 16)) if not written.clock else None
    if not match or written.precision is not Precision.DAY:
        return written
    hours, minutes = (int(p) for p in match[1].split(":"))
    if (match[2] or "").startswith("p") and hours < 12:
        hours += 12
    reading.take(written.end, written.end + match.end())
    return replace(written, clock=f"{hours:02d}:{minutes:02d}")


def _day_number(text: str) -> str:
    return str(_ORDINAL.get(text, text))


def _day(year: str, month: str, day: str) -> Interval | None:
    try:
        found = date(int(year), int(month), int(day))
    except ValueError:
        return None
    return found, found


_DAYS_OF_PART = {
    "early": (1, 12), "start of": (1, 10), "beginning of": (1, 10), "mid": (8, 22), "middle of": (8, 22), "late": (18, 31),
    "end of": (20, 31),
}  # fmt: skip


def _month(year: int, month: int, part: str = "") -> Interval:
    """The month, or the third of it (with some days of overlap) that "early", "mid" or "late" names."""
    length = calendar.monthrange(year, month)[1]
    first, last = _DAYS_OF_PART.get(part, (1, length))
    return date(year, month, first), date(year, month, min(last, length))


def _season(name: str, part: str, year: int, next_year: str) -> list[Interval | None]:
    """The months of a season; a winter may begin or end in its year, or be written as of both ("2018/19")."""
    first, last = _SEASONS[name]
    if name == "winter":
        begun, ended = (_month(year, 12)[0], _month(year + 1, 2)[1]), (_month(year, 1)[0], _month(year, 2)[1])
        return [begun] if next_year else [begun, ended]
    months = {"early": (first, first), "mid": (first + 1, first + 1), "late": (last, last)}.get(
        part, (first, last)
    )
    return [(_month(year, months[0])[0], _month(year, months[1])[1])]


def _part_of_year(match: re.Match[str]) -> Interval | None:
    """ "Q3 2019", "the first half of 2019"."""
    length = 6 if match[3] == "half" else 3
    count = 12 // length
    nth = int(match[1]) if match[1] else _NTH_PART.get(match[2], count)
    if nth > count:
        return None
    year = int(match[4])
    return _month(year, (nth - 1) * length + 1)[0], _month(year, nth * length)[1]


_PARTS = {
    "early": (1, 5), "start of": (1, 3), "beginning of": (1, 3), "mid": (4, 9), "middle of": (4, 9), "late": (8, 12),
    "end of": (10, 12),
}  # fmt: skip


def _part(year: int, word: str) -> Interval:
    """The year, or the part of it that "early", "mid" or "late" names (four months each, two of overlap)."""
    first, last = _PARTS.get(word, (1, 12))
    return date(year, first, 1), date(year, last, calendar.monthrange(year, last)[1])


def _any_year(month: int, day: int) -> list[Interval | None]:
    return [_day(str(year), str(month), str(day)) for year in range(1900, 2100)]
