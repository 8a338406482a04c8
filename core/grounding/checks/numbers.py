"""Numbers as people write them: digits, thousands, a decimal comma before a unit, words up to ninety-nine.

The precision stated is kept ("7.10" has two places), because a claim is right or wrong at the precision it states.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from core.fhir.quantities import CELLS, SPOKEN_UNITS, canonical_unit
from core.grounding.citations import MARK

_SMALL = [
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
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
WORDS: dict[str, int] = {word: number for number, word in enumerate(_SMALL)}
WORDS |= {word: 10 * number for number, word in enumerate(_TENS, 2)}
WORDS |= {
    f"{tens} {unit}": value + WORDS[unit] for tens, value in list(WORDS.items())[20:] for unit in _SMALL[1:10]
}
WORD = "(?:" + "|".join(sorted((w.replace(" ", r"[\s-]") for w in WORDS), key=len, reverse=True)) + ")"
_TO_99 = WORD
_ONES = "(?:a|" + "|".join(_SMALL[1:10]) + ")"
WORD = rf"(?:{_ONES}[\s-]hundred(?:(?:[\s-]and)?[\s-]{_TO_99})?|{_TO_99})"
DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
# Not inside a word ("HbA1c"), a code ("COVID-19"), a path or a longer number.
START = r"(?<![a-z0-9_.])(?<![a-z]-)(?<!\d[/,])"


def _unit_pattern() -> str:
    forms = []
    for unit in SPOKEN_UNITS:
        if "1.73" in unit:
            continue
        form = re.escape(unit).replace(r"\ ", r"\s+").replace("/", r"\s?/\s?")
        forms.append(form)
    egfr = r"ml\s?/\s?min\s?(?:/|per)\s?[\[({]?1[.]73[\s_]?(?:m2|m²|m\^2|sqm|square met(?:er|re)s?)[\])}]?"
    # "in" is inches only where nothing that could be a place or a time follows.
    inches = rf"in(?=\s*(?:$|[(),.;\[|{MARK}]|on\b|tall\b|at\b))|\""
    extra = (
        inches
        + "|"
        + r"mm\s?\[?hg\]?|units?\s?/\s?ml|unt\s?/\s?ml|mg\s?/\s?ml|meq|iu|units?|unt|actuat|points?"
    )
    # Any other "x/y" after a number is a unit that nobody listed: it is compared as it stands.
    other = r"[a-zµμ]{1,6}(?:/[a-zµμ][a-zµμ0-9]{0,5}){1,2}"
    cells = re.sub(r"\((?!\?)", "(?:", CELLS)
    return f"(?:{egfr}|{cells}|{extra}|{'|'.join(forms)}|{other})"


UNIT = _unit_pattern()
_UNIT_END = r"(?![a-z0-9²/^%])"
NUMBER = re.compile(
    rf"{START}(?P<sign>[-−](?=\d))?(?:(?P<comma>\d+,\d{{1,2}})(?=\s*{UNIT}{_UNIT_END})|(?P<digits>{DIGITS})|"
    rf"(?P<point>{WORD}\s+point\s+{WORD}(?:\s{WORD})?)\b|(?P<word>{WORD})\b(?=[\s-]*{UNIT}{_UNIT_END}))"
    rf"(?:[\s-]{{0,2}}(?P<unit>{UNIT}){_UNIT_END})?"
)


@dataclass(frozen=True, slots=True)
class Stated:
    """A number as stated: its value, the decimal places written and its canonical unit ("" when none is written)."""

    value: Decimal
    places: int
    unit: str

    def equals(self, held: Decimal) -> bool:
        """Whether a recorded number rounds to the stated one at the stated precision (either way at a half).

        Rounding to a whole number may not move it by more than a twentieth: "4" is not a potassium of 4.3.
        """
        error = abs(held - self.value)
        if self.places == 0 and error > abs(held) / 20:
            return False
        return error <= Decimal(5).scaleb(-self.places - 1)


def stated(match: re.Match[str]) -> Stated:
    """The number of a NUMBER match."""
    if match["digits"]:
        text = match["digits"].replace(",", "")
    elif match["comma"]:
        text = match["comma"].replace(",", ".")
    elif match["point"]:
        whole, _, part = re.sub(r"[\s-]+", " ", match["point"]).partition(" point ")
        text = f"{word_value(whole)}.{''.join(str(word_value(p)) for p in part.split())}"
    else:
        text = str(word_value(match["word"]))
    places = len(text.partition(".")[2])
    value = Decimal(text)
    return Stated(-value if match["sign"] else value, places, unit_of(match["unit"] or ""))


_EGFR = re.compile(r"ml\s?/\s?min\s?(?:/|per).*1[.]73")


def unit_of(text: str) -> str:
    """The canonical unit of a unit as matched in prose."""
    if not text:
        return ""
    if _EGFR.match(text):
        return "mL/min/{1.73_m2}"
    if text in ("in", '"'):
        return "[in_i]"
    return canonical_unit(re.sub(r"\s?/\s?", "/", text))


def word_value(text: str) -> int:
    """A number in words up to 999; 0 for any other text."""
    plain = re.sub(r"[\s-]+", " ", text.strip())
    hundreds, hundred, rest = plain.partition(" hundred")
    if not hundred:
        return WORDS.get(plain, 0)
    return 100 * WORDS.get(hundreds, 1) + WORDS.get(rest.removeprefix(" and").strip(), 0)


def count_value(text: str) -> int | None:
    """A whole number in digits or words, or None."""
    plain = re.sub(r"[\s-]+", " ", text.strip().casefold())
    if plain.isascii() and plain.isdigit() and len(plain) < 7:
        return int(plain)
    return word_value(plain) if "hundred" in plain else WORDS.get(plain)
