"""Words that say how old someone was stand on the birth date and the date of what is cited: at birth, in her forties.

An age in numbers ("37 years old") is a length of time and judged by `duration`; here are the words for one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from core.grounding.checks.outcome import Outcome, agreed, contradicted, missing
from core.grounding.reading import Atom, Reading
from core.grounding.record import Record
from core.models import Facts


@dataclass(frozen=True, slots=True)
class AgeAtom(Atom):
    """From `first` to `last`, in days since birth (`unit` "day") or in whole years (`unit` "year")."""

    first: int
    last: int
    unit: str


_BORN = (
    r"(?:at|since|from) birth|(?:(?:on )?the (?:very )?day|when) (?:he|she|they) (?:was|were) born|"
    r"(?:on )?(?:the |his |her )?day of (?:his |her )?birth|birth(?=[ -](?:weight|length|height))"
)
_INFANT = (
    r"(?:in|during) (?:(?:his|her|their|the) )?(?:first year(?: of life)?|infancy)|infant(?: boy| girl)?"
)
_COMPILED: tuple[tuple[re.Pattern[str], int, int, str], ...] = tuple(
    (re.compile(rf"\b(?:{words})\b"), first, last, unit)
    for words, first, last, unit in (
        (_BORN, 0, 3, "day"),
        (r"newborn|neonate|neonatal", 0, 31, "day"),
        (_INFANT, 0, 0, "year"),
        (r"bab(?:y|ies)(?: boy| girl)?", 0, 1, "year"),
        (r"toddlers?", 1, 3, "year"),
        (r"(?:as a|in|during|in (?:his|her)) child(?:hood)?", 0, 17, "year"),
        (r"schoolchild|school-?age(?:d)?", 5, 17, "year"),
        (r"teen(?:ager|aged?)?s?|adolescen(?:t|ce)|(?:in (?:his|her) )teens", 12, 19, "year"),
        (r"(?:as an|in|during) adult(?:hood)?|grown-?up", 18, 130, "year"),
        (r"elderly|pensioner|(?:in|during) (?:his|her) old age", 65, 130, "year"),
    )
)
_DECADES = {
    word: 10 * n
    for n, word in enumerate(
        ["twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties"], 2
    )
}
_DECADE = re.compile(
    rf"\bin (?:his|her|their) (early |mid[ -]?|late )?(?:({'|'.join(_DECADES)})|([2-9]0)'?s)\b"
)
_PART = {"early": (0, 4), "mid": (3, 7), "late": (6, 9)}
_ORDINALS = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
]  # fmt: skip
_BIRTHDAY = re.compile(
    rf"\b(?:(on|the day of)|the day (before|after)) (?:his|her|their) "
    rf"(?:({'|'.join(_ORDINALS)})|(\d{{1,3}})(?:st|nd|rd|th)) birthday\b"
)


def read(reading: Reading) -> list[AgeAtom]:
    found = []
    for match in list(reading.find(_BIRTHDAY)):
        year = _ORDINALS.index(match[3]) + 1 if match[3] else int(match[4])
        shift = {"before": -1, "after": 1}.get(match[2] or "", 0)
        found.append(AgeAtom(*match.span(), match.group(), year, shift, "birthday"))
        reading.take(*match.span())
    for match in list(reading.find(_DECADE)):
        start = _DECADES.get(match[2] or "") or int(match[3])
        low, high = _PART.get((match[1] or "").strip(" -"), (0, 9))
        found.append(AgeAtom(*match.span(), match.group(), start + low, start + high, "year"))
        reading.take(*match.span())
    for pattern, first, last, unit in _COMPILED:
        for match in list(reading.find(pattern)):
            found.append(AgeAtom(*match.span(), match.group(), first, last, unit))
            reading.take(*match.span())
    return sorted(found, key=lambda a: a.start)


def check(atom: AgeAtom, cited: Sequence[Facts], record: Record) -> Outcome:
    """The word against the patient's age on the dates of what is cited; on the record's last day where it has none."""
    born = record.patient.dated("birthDate") if record.patient else None
    days = [f.date.start for f in cited if f.date and f.resource_type != "Patient"]
    if not days and record.clock and cited:
        days = [record.clock]
    if not born or not days:
        return missing("age", atom.said, "no birth date in the record")
    if any(_fits(atom, born.start, day) for day in days):
        return agreed("age", atom.said, f"born {born.shown}")
    return contradicted("age", atom.said, f"born {born.shown}")


def _fits(atom: AgeAtom, born: date, day: date) -> bool:
    if atom.unit == "birthday":
        years = atom.first
        try:
            birthday = born.replace(year=born.year + years)
        except ValueError:  # born on a 29 February
            birthday = date(born.year + years, 3, 1)
        return (day - birthday).days == atom.last
    age = (day - born).days if atom.unit == "day" else years_between(born, day)
    return atom.first <= age <= atom.last


def years_between(born: date, day: date) -> int:
    """Whole years from a birth date to a day."""
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))
