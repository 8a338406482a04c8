"""Whether an answer says a thing: in the words of a reader, never in an id, never by a digit that means something else.

Pure text. Citations are removed first; a date counts in any usual form and its digits are no numbers; a number counts
as it is rounded in print, but not where rounding loses its meaning (2.87 printed as 3).
"""

from __future__ import annotations

import calendar
import re
from decimal import Decimal
from functools import lru_cache

from core.evaluation.questions import Atom, AtomKind, Fact
from core.grounding import citations

_MONTHS = {name.lower(): i for i, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name.lower(): i for i, name in enumerate(calendar.month_abbr) if name} | {"sept": 9}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_TIME = r"(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s?(?:Z|[+-]\d{2}:?\d{2}))?)?"
_ISO = re.compile(rf"\b(\d{{4}})-(\d{{2}})(?:-(\d{{2}}))?{_TIME}(?!\d)")
_DAY_MONTH = re.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?({_MONTH})\.?,?\s+(\d{{4}})\b", re.IGNORECASE
)
_MONTH_DAY = re.compile(rf"\b({_MONTH})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}})\b", re.IGNORECASE)
_SLASHED = re.compile(r"\b(\d{1,2})/(\d{1,2})/(\d{4})\b")  # month first, as ChartCite reads questions
_NUMBER = re.compile(
    r"(?<![\w.,])(?<![A-Za-z]-)(-?)(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?!\d)(?!(?:st|nd|rd|th)\b)"
)
_COUNTS = (
    *(
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
    ),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")

# A whole number printed for a small fraction loses what matters: 2.87 is not 3.
_WHOLE_FROM = Decimal(20)
_SIGNIFICANT = 2

STATUS_WORDS: dict[str, tuple[str, ...]] = {
    "active": ("active", "ongoing", "current", "currently"),
    "stopped": ("stopped", "discontinued", "not active", "no longer", "ended"),
    "completed": ("completed", "finished", "ended"),
    "resolved": ("resolved", "no longer", "not active", "ended"),
}
DIRECTION_WORDS: dict[str, tuple[str, ...]] = {
    "higher": ("higher", "above", "up", "increase", "increased", "rose", "risen", "rising", "greater"),
    "lower": (
        "lower",
        "below",
        "down",
        "decrease",
        "decreased",
        "fell",
        "fallen",
        "falling",
        "dropped",
        "declined",
    ),
    "same": ("same", "unchanged", "equal", "no change", "stable"),
}


def says(answer: str, fact: Fact) -> bool:
    """Whether the answer states the fact: one of its alternatives, all parts of it in the same statement."""
    statements = _statements(answer)
    return any(
        any(all(_has(atom, statement) for atom in together) for statement in statements)
        for together in fact.any_of
    )


@lru_cache(maxsize=64)
def _statements(answer: str) -> tuple[str, ...]:
    """Lines and sentences, citations removed."""
    text = citations.mask(answer)[0].replace(citations.MARK, " ")
    lines = (line.strip() for line in text.splitlines())
    return tuple(s for line in lines for s in _SENTENCE.split(line) if s)


def _has(atom: Atom, text: str) -> bool:
    match atom.kind:
        case AtomKind.VALUE:
            return any(printed_as(n, Decimal(atom.text)) for n in numbers(text))
        case AtomKind.DATE:
            return atom.text in dates(text)
        case AtomKind.COUNT:
            return _counts(text, int(atom.text))
        case AtomKind.STATUS:
            return any(_word(w, text) for w in STATUS_WORDS.get(atom.text, (atom.text,)))
        case AtomKind.DIRECTION:
            return any(_word(w, text) for w in DIRECTION_WORDS[atom.text])
    return _word(atom.text, text)


def dates(text: str) -> frozenset[str]:
    """Every date of a text as YYYY-MM-DD (YYYY-MM where no day is given); a time after it is part of it."""
    found = {"-".join(p for p in m.groups() if p) for m in _ISO.finditer(text)}
    parts = [(y, _MONTHS[m.lower()], d) for d, m, y in _DAY_MONTH.findall(text)]
    parts += [(y, _MONTHS[m.lower()], d) for m, d, y in _MONTH_DAY.findall(text)]
    parts += [(y, int(m), d) for m, d, y in _SLASHED.findall(text)]
    return frozenset(found | {f"{y}-{m:02d}-{int(d):02d}" for y, m, d in parts})


def numbers(text: str) -> tuple[str, ...]:
    """Every number of a text as printed, without thousands separators; digits of dates, names and ordinals are none.

    A hyphen is a sign only where nothing stands before it: "5.8-6.6" are two positive numbers.
    """
    for pattern in (_ISO, _DAY_MONTH, _MONTH_DAY, _SLASHED):
        text = pattern.sub(" ", text)
    return tuple(sign + digits.replace(",", "") for sign, digits in _NUMBER.findall(text.replace("−", "-")))


def printed_as(printed: str, value: Decimal) -> bool:
    """Whether a printed number is the value, rounded to the digits it is printed with, and still says what it says."""
    number = Decimal(printed)
    if number == value:
        return True
    decimals = len(printed.partition(".")[2])
    if abs(number - value) > Decimal(5).scaleb(-decimals - 1):
        return False
    if decimals == 0 and abs(value) < _WHOLE_FROM:
        return False
    return len(printed.lstrip("-0.").replace(".", "")) >= _SIGNIFICANT


def _counts(text: str, count: int) -> bool:
    if str(count) in numbers(text):
        return True
    words = [_COUNTS[count]] if count < len(_COUNTS) else []
    words += ["once", "a single", "only one"] if count == 1 else ["twice"] if count == 2 else []
    return any(_word(w, text) for w in words)


def _word(word: str, text: str) -> bool:
    """The word or phrase as such: "active" is neither in "inactive" nor in "not active"; a plural is the same word."""
    pattern = rf"(?<!\w)(?<!\bnot )(?<!\bno longer ){re.escape(word)}(?:s|es)?(?!\w)"
    return re.search(pattern, text, re.IGNORECASE) is not None
