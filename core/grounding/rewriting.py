"""An answer's numbers, lengths of time and dates in the one form that the checks read: "half an hour" is 30 minutes.

Nothing is added that the text does not say: a year is filled in only where the same list, or the statement just before,
names it. Names of cited resources and citations are left as they are, and the reader is always shown the original.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from core.grounding.checks import numbers
from core.wording import synonyms

_LONG = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december")  # fmt: skip
_NUMBER_OF_MONTH = {name: number for number, name in enumerate(_LONG, 1)}
_NUMBER_OF_MONTH |= {name[:3]: number for name, number in _NUMBER_OF_MONTH.items()} | {"sept": 9}
_MONTH = rf"(?:{'|'.join(sorted(_NUMBER_OF_MONTH, key=len, reverse=True))})\b\.?"
_YEAR = r"(?:18|19|20|21)\d{2}"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_COUNT = rf"(?:\d{{1,3}}|{numbers.WORD})"
_UNIT = r"(?:minute|hour|day|week|month|year|decade)"
# Parts and multiples of a length of time, in the next smaller unit.
_SMALLER = {
    "minute": (60, "seconds"), "hour": (60, "minutes"), "day": (24, "hours"), "week": (7, "days"), "month": (30, "days"),
    "year": (12, "months"), "decade": (10, "years"),
}  # fmt: skip
_PARTS = {"half": (1, 2), "a quarter": (1, 4), "three quarters": (3, 4)}
_FEASTS = {
    "new year's day": "1 January", "valentine's day": "14 February", "halloween": "31 October",
    "christmas eve": "24 December", "christmas day": "25 December", "boxing day": "26 December",
    "new year's eve": "31 December",
}  # fmt: skip


def _halves(match: re.Match[str]) -> str:
    """ "Half a year", "three quarters of an hour"."""
    times, unit = _SMALLER[match["unit"].lower()]
    top, bottom = _PARTS[re.sub(r"[\s-]+", " ", match["part"].lower())]
    count = times * top / bottom
    return f"{count:g} {unit}" if count == int(count) else match.group()


def _and_a_half(match: re.Match[str]) -> str:
    """ "A year and a half", "two and a half years"."""
    times, unit = _SMALLER[match["unit"].lower()]
    count = 1 if match["count"].lower() in ("a", "an") else numbers.count_value(match["count"])
    return f"{int(count * times + times / 2)} {unit}" if count else match.group()


def _decades(match: re.Match[str]) -> str:
    said = match["count"].lower()
    count = 1 if said in ("a", "one") else numbers.count_value(said)
    return f"{count * 10} years" if count else match.group()


def _weeks(match: re.Match[str]) -> str:
    return f"2 weeks{match['side'] or ''}"


def _digits(match: re.Match[str]) -> str:
    """A number in words from twenty on, in digits; "twenty-first" is an ordinal."""
    value = numbers.count_value(match.group())
    return str(value) if value is not None and value >= 20 else match.group()


def _feast(match: re.Match[str]) -> str:
    return f"{_FEASTS[match['feast'].lower().replace('’', chr(39))]} {match['year']}"


def _couple(match: re.Match[str]) -> str:
    return {"a couple": "two", "a dozen": "12", "half a dozen": "6", "a pair": "two"}[
        re.sub(r"\s+(?:of|)$", "", re.sub(r"\s+", " ", match["some"].lower()))
    ] + " "


_SIMPLE: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), turn)
    for pattern, turn in (
        (rf"\b(?P<count>an?|{_COUNT})\s+and a half\s+(?P<unit>{_UNIT})s?\b", _and_a_half),
        (rf"\b(?P<count>an?|one)\s+(?P<unit>{_UNIT})\s+and a half\b", _and_a_half),
        (rf"\b(?P<part>half|a quarter|three[\s-]quarters)(?:\s+of)?\s+an?\s+(?P<unit>{_UNIT})\b", _halves),
        (rf"\b(?P<count>an?|one|{_COUNT})\s+decades?\b", _decades),
        (r"\ba fortnight(?P<side>\s+(?:later|earlier|after|before|ago))?\b", _weeks),
        (rf"\b(?P<feast>{'|'.join(_FEASTS).replace(chr(39), '[' + chr(39) + '’]')}),?\s+(?:of\s+)?(?P<year>{_YEAR})\b",
            _feast),
        (r"\b(?P<some>a couple|a pair|half a dozen|a dozen)\s+(?:of\s+)?(?=[a-z])", _couple),
        (rf"(?<![\w.-])(?:{numbers.WORD})(?![\w-]|\s+(?:percent\b)?(?:first|second|third|fourth|fifth|sixth|seventh|"
            r"eighth|ninth)\b|\s+point\b)", _digits),
    )
)  # fmt: skip
_PHRASE = re.compile(rf"\b(?:{'|'.join(map(re.escape, synonyms().phrases))})(?!\w)", re.IGNORECASE)
# "When she was four": an age.
_WHEN_AGED = re.compile(
    r"\b((?:when|while|since|as) (?:he|she|they|[A-Z]\w+) (?:was|were|turned)"
    r"(?: (?:just|only|about|nearly|almost|already|still))?)"
    rf" ({_COUNT})(?=\s*(?:[,.;:)\ue000]|$|and\b|in\b|on\b))",
    re.IGNORECASE,
)
_AS_NEEDED = re.compile(
    r"\b(?:as|when|if) (?:required|necessary|needed)\b|\bon an as-needed basis\b", re.IGNORECASE
)
# "September and November 2012", "January 27 to February 3, 2017": the year that closes a list is that of each in it.
_LINK = (
    r"\s*(?:,|,?\s*(?:and|or|to|until|till|through|&|-|–|—)(?:\s+(?:again|then|finally|once more|once again))?)\s*"
    r"(?:in |on |from )?(?:the )?"
)
_TOLD = rf"(?:(?:the )?{_DAY}(?: of)? {_MONTH}|{_MONTH}(?: (?:the )?{_DAY})?)"
_YEARLESS = re.compile(
    rf"(?<![\w-]){_TOLD}(?=((?:{_LINK}{_TOLD}){{1,12}}),?\s+({_YEAR})\b)(?!,?\s+{_YEAR})", re.IGNORECASE
)
_MONTH_NAME = re.compile(rf"\b{_MONTH}", re.IGNORECASE)
# "From 17 to 27 April": both days are of the month that closes the pair.
_DAYS = re.compile(
    rf"(?<![\w./-])({_DAY})(?=\s*(?:-|–|to|and|until|through)\s*{_DAY}\s+(?:of\s+)?({_MONTH})(?!,?\s+(?:of\s+)?{_YEAR}))",
    re.IGNORECASE,
)
_FULL = re.compile(
    rf"(?P<iso>\b{_YEAR}-\d\d(?:-\d\d)?\b)|(?:\b(?P<day>{_DAY})\s+(?:of\s+)?)?\b(?P<month>{_MONTH})"
    rf"(?:\s+(?:the\s+)?(?P<after>{_DAY}))?,?\s+(?:of\s+)?(?P<year>{_YEAR})\b|(?<![\w./-])(?P<alone>{_YEAR})\b(?![\w/]|\.\d|-\d)",
    re.IGNORECASE,
)
_OF_THAT_YEAR = re.compile(
    rf"\b(?P<when>{_TOLD}),?\s+(?:of\s+)?(?:that|the same)(?:\s+same)?\s+year\b", re.IGNORECASE
)
_THAT_YEAR = re.compile(r"\b(?:in|during|of) (?:that|the same)(?: same)? year\b", re.IGNORECASE)
_THAT_MONTH = re.compile(r"\b(?:in|during|of) (?:that|the same)(?: same)? month\b", re.IGNORECASE)
_DAY_ALONE = re.compile(
    r"\b(?P<at>on|by|until|from|to|since) the (?P<day>\d{1,2})(?:st|nd|rd|th)\b"
    r"(?=\s*(?:[,.;:)\ue000\[]|$|and\b|to\b|it\b|he\b|she\b))",
    re.IGNORECASE,
)


@dataclass
class _Said:
    """The year, and the month where one was named, that a text was last about."""

    year: str = ""
    month: str = ""

    def read(self, text: str) -> None:
        for match in _FULL.finditer(text):
            if match["iso"]:
                self.year, self.month = match["iso"][:4], _name_of(int(match["iso"][5:7]))
            elif match["year"]:
                self.year, self.month = match["year"], match["month"].strip(".")
            else:
                self.year, self.month = match["alone"], ""


def _name_of(month: int) -> str:
    return _LONG[month - 1].capitalize() if 1 <= month <= 12 else ""


@dataclass
class Rewriter:
    """Rewrites the statements of one answer in order; `names` of cited resources are never touched."""

    names: Sequence[str] = ()
    _said: _Said = field(default_factory=_Said)

    @classmethod
    def of(cls, names: Iterable[str]) -> Rewriter:
        return cls(sorted({n for n in names if len(n) > 3}, key=len, reverse=True))

    def rewrite(self, text: str) -> str:
        """The same statement in the form that is checked."""
        pieces = self._outside_names(text)
        text = "".join(piece if named else _plainly(piece) for piece, named in pieces)
        text = self._dated(text)
        self._said.read(text)
        return text

    def _outside_names(self, text: str) -> list[tuple[str, bool]]:
        """The text in pieces, each with whether it is the name of a cited resource."""
        here = [n for n in self.names if n.casefold() in text.casefold()]
        if not here:
            return [(text, False)]
        parts = re.split(f"({'|'.join(map(re.escape, here))})", text, flags=re.IGNORECASE)
        return [(part, bool(i % 2)) for i, part in enumerate(parts)]

    def _dated(self, text: str) -> str:
        text = _YEARLESS.sub(_with_year, text)
        said = _Said(self._said.year, self._said.month)

        def at(match: re.Match[str]) -> _Said:
            said.year, said.month = self._said.year, self._said.month
            said.read(text[: match.start()])
            return said

        text = _DAYS.sub(lambda m: f"{m[1]} {m[2]}", text)
        text = _OF_THAT_YEAR.sub(lambda m: f"{m['when']} {at(m).year}" if at(m).year else m.group(), text)
        text = _THAT_MONTH.sub(lambda m: f"in {at(m).month} {said.year}" if at(m).month else m.group(), text)
        text = _THAT_YEAR.sub(lambda m: f"in {at(m).year}" if at(m).year else m.group(), text)
        return _DAY_ALONE.sub(
            lambda m: f"{m['at']} {m['day']} {at(m).month} {said.year}" if at(m).month else m.group(), text
        )


def _plainly(text: str) -> str:
    if _PHRASE.search(text):
        text = _PHRASE.sub(lambda m: synonyms().phrases[m.group().lower()], text)
    for pattern, turn in _SIMPLE:
        text = pattern.sub(turn, text)
    text = _WHEN_AGED.sub(r"\1 \2 years old", text)
    return _AS_NEEDED.sub("as needed", text)


def _with_year(match: re.Match[str]) -> str:
    """A date without a year, with that of the list it stands in; in a stretch over New Year the year before."""
    own, following = (_MONTH_NAME.findall(t) for t in (match.group(), match[1]))
    first, last = (
        _NUMBER_OF_MONTH[names[at].strip(".").lower()] for names, at in ((own, 0), (following, -1))
    )
    stretch = re.match(r"\s*(?:to|until|till|through|-|–|—)\s", match[1])
    if first > last and not stretch:
        return match.group()
    return f"{match.group()} {int(match[2]) - (first > last)}"
