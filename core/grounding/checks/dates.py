"""A date stands only if a dated field of the cited resource lies inside it; a more precise claim than the record fails.

"March 2021" is supported by 2021-03-14, a record of "2021" supports no month. Where the words give the date a role
(onset, resolved, prescribed, issued), only the fields of that role count.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from core.grounding.checks.outcome import Outcome, agreed, contradicted, missing, several
from core.grounding.reading import Atom, Reading
from core.models import DatedField, Facts, Precision

Interval = tuple[date, date]


@dataclass(frozen=True, slots=True)
class DateAtom(Atom):
    """A date of the text: the days it may mean (two readings for 04/05/2020), its precision, the role the words give it.

    `clock` is a stated time of day, "HH:MM".
    """

    intervals: tuple[Interval, ...]
    precision: Precision
    role: str = ""
    clock: str = ""


@dataclass(frozen=True, slots=True)
class WindowAtom(Atom):
    """A stretch of time that frames a claim: "since 2016", "between 2012 and 2016", "in 2019"."""

    first: date
    last: date
    kind: str  # "since", "after", "before", "until", "between", "in"
    precision: Precision = Precision.YEAR

    def holds(self, facts: Facts) -> bool:
        """Whether the resource's date lies wholly inside; an undated resource lies in no window."""
        return bool(facts.date and self.first <= facts.date.start and facts.date.end <= self.last)


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
_DIGIT = re.compile(r"\d")
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

# The words that give a date its role, and the fields that can play it.
ROLES: dict[str, tuple[re.Pattern[str], tuple[str, ...]]] = {
    "resolved": (
        re.compile(r"\b(?:resolved|resolution|abated|abatement|remitted|cleared)\b[^.;]{0,24}$"),
        ("abatement",),
    ),
    "ended": (
        re.compile(
            r"\b(?:ended|ending|ends|end date|end|stopped|discontinued|discharged|until|finished|completed)\b"
            r"[^.;\d]{0,16}$"
        ),
        ("abatement", "period.end", "effectivePeriod.end", "performedPeriod.end", "expirationDate", "lastOccurrence"),
    ),
    "onset": (
        re.compile(r"\b(?:onset|began|begun|started|start date|starting|start)\b[^.;\d]{0,24}$"),
        ("onset", "period.start", "effectivePeriod.start", "performedPeriod.start", "effective", "authoredOn", "startDate",
         "started", "performedDateTime", "occurrence"),
    ),
    "authored": (
        re.compile(r"\b(?:authored|prescribed|ordered|written|prescription date|order date)\b[^.;\d]{0,16}$"),
        ("authoredOn", "authored", "dateAsserted", "date"),
    ),
    "issued": (re.compile(r"\b(?:issued|released)\b[^.;\d]{0,12}$"), ("issued",)),
    "born": (re.compile(r"\b(?:born|birth|birthdate|dob)\b[^.;\d]{0,12}$"), ("birthDate",)),
    "died": (re.compile(r"\b(?:died|death|deceased)\b[^.;\d]{0,12}$"), ("deceased",)),
    "expires": (re.compile(r"\b(?:expires|expired|expiry|expiration)\b[^.;\d]{0,12}$"), ("expirationDate",)),
}  # fmt: skip


def read(reading: Reading) -> list[DateAtom]:
    """Every date of the text, most precise forms first. Windows are made from these by `windows`."""
    found: list[DateAtom] = []
    if not reading.has(_DIGIT):
        return found

    def add(
        start: int, end: int, intervals: Sequence[Interval | None], precision: Precision, clock: str = ""
    ) -> None:
        real = tuple(i for i in intervals if i)
        said = reading.text[start:end].strip()
        reading.take(start, end)
        found.append(DateAtom(start, end, said, real, precision, _role(reading, start), clock))

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
        add(*m.span(), [_month(int(m[2]), _MONTHS[m[1]])], Precision.MONTH)
    for pattern, year, month in ((_ISO_MONTH, 1, 2), (_SLASH_MONTH, 2, 1)):
        for m in list(reading.find(pattern)):
            add(*m.span(), [_month(int(m[year]), int(m[month]))], Precision.MONTH)
    for m in list(reading.find(_DAY_ONLY)):
        month_name, day_text = (m[1], m[2]) if m[1] else (m[4], m[3])
        # "may 5 …" needs a day; the year is the record's to give.
        add(*m.span(), _any_year(_MONTHS[month_name], int(_day_number(day_text))), Precision.DAY)
    for m in list(reading.find(_BARE_YEAR)):
        if _YEAR_BEFORE.search(reading.before(m.start())):
            before = reading.before(m.start())
            part = _PART_OF_YEAR.search(before)
            first, last = _part(int(m[1]), part[1] if part else "")
            start = m.start() - (len(part[0]) if part else 0)
            add(start, m.end(), [(first, last)], Precision.YEAR)
    found.sort(key=lambda atom: atom.start)
    return [_with_clock(reading, atom) for atom in found]


def _with_clock(reading: Reading, atom: DateAtom) -> DateAtom:
    match = _CLOCK.match(reading.after(atom.end, 16)) if not atom.clock else None
    if not match or atom.precision is not Precision.DAY:
        return atom
    hours, minutes = (int(p) for p in match[1].split(":"))
    if (match[2] or "").startswith("p") and hours < 12:
        hours += 12
    reading.take(atom.end, atom.end + match.end())
    return DateAtom(
        atom.start,
        atom.end,
        f"{atom.said} {match[1]}",
        atom.intervals,
        atom.precision,
        atom.role,
        f"{hours:02d}:{minutes:02d}",
    )


def _role(reading: Reading, start: int) -> str:
    """The role given by the nearest word before the date: "status stopped, authored 2016-12-10" is when it was authored."""
    before = reading.unclaimed_before(start, 48)
    found = [(m.start(), role) for role, (pattern, _) in ROLES.items() if (m := _last(pattern, before))]
    return max(found, default=(0, ""))[1]


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The match that begins latest: role words may stand one after another."""
    found = pattern.search(text)
    while found and (later := pattern.search(text, found.start() + 1)):
        found = later
    return found


def _day_number(text: str) -> str:
    return str(_ORDINAL.get(text, text))


def _day(year: str, month: str, day: str) -> Interval | None:
    try:
        found = date(int(year), int(month), int(day))
    except ValueError:
        return None
    return found, found


def _month(year: int, month: int) -> Interval:
    return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])


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


def fields_for(atom: DateAtom, facts: Facts) -> list[DatedField]:
    """The dated fields of a resource that may support a date with this role."""
    every = list(facts.dates)
    if facts.date and not any(d.date == facts.date for d in every):
        every.append(DatedField(facts.date_field, facts.date))
    every += [DatedField(v.path, d) for v in facts.values for d in (v.when, v.until) if d]
    if not atom.role:
        return every
    wanted = ROLES[atom.role][1]
    fitting = [d for d in every if d.field.startswith(wanted)]
    if not fitting and (
        atom.role in ("onset", "authored") or (atom.role == "ended" and facts.resource_type in _MOMENTARY)
    ):
        # A resource with no start of its own starts when it is dated.
        fitting = [d for d in every if d.field == facts.date_field]
    return fitting


# What is recorded with one date was begun and completed on it.
_MOMENTARY = frozenset(
    {
        "Procedure",
        "Immunization",
        "Observation",
        "MedicationAdministration",
        "DiagnosticReport",
        "ImagingStudy",
    }
)


def supports(atom: DateAtom, facts: Facts) -> bool:
    """Whether one dated field of the resource lies within the date as stated."""
    return any(_within(atom, d) for d in fields_for(atom, facts)) or _in_words(atom, facts)


def _within(atom: DateAtom, dated: DatedField) -> bool:
    if not any(first <= dated.date.start and dated.date.end <= last for first, last in atom.intervals):
        return False
    return not atom.clock or dated.date.text[11:16] == atom.clock


def _in_words(atom: DateAtom, facts: Facts) -> bool:
    """A date written in a document or a note counts where it stands there as such."""
    if atom.precision is not Precision.DAY or not atom.intervals:
        return False
    iso = atom.intervals[0][0].isoformat()
    return any(iso in d.text for d in facts.details)


def check(atom: DateAtom, cited: Sequence[Facts]) -> Outcome:
    """The date against every resource it may belong to: one has to support it."""
    if not atom.intervals:
        return contradicted("date", atom.said, "no such day in the calendar")
    for facts in cited:
        if supports(atom, facts):
            return agreed("date", atom.said, _shown(fields_for(atom, facts)) or facts.label)
    held = [d for facts in cited for d in fields_for(atom, facts)]
    if held:
        return contradicted("date", _expected(atom), _shown(held))
    return missing("date", _expected(atom), f"no {atom.role + ' ' if atom.role else ''}date in what is cited")


def _expected(atom: DateAtom) -> str:
    return f"{atom.role} {atom.said}" if atom.role else atom.said


def _shown(held: Sequence[DatedField]) -> str:
    return several([d.date.shown for d in held])
