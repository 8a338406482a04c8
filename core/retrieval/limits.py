"""A limit a question puts to a result ("above 5", "over 8 %", "140 or more"), with the words that say it.

A length of time ("over 5 years"), a year and a pair ("140/90") are no limits here: they stay words to be accounted for.
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass
from decimal import Decimal

from core.fhir.measured import measured
from core.fhir.quantities import SPOKEN_UNITS, canonical_unit, convert
from core.models import Facts
from core.words import fold

_NUMBER = r"(?P<v>\d+(?:\.\d+)?)(?![\d/.]*/\d)"
_FORMS = "|".join(re.escape(u).replace(r"\ ", r"\s+") for u in SPOKEN_UNITS if "1.73" not in u)
_UNIT = rf"(?:\s*(?P<u>ml\s?/\s?min(?:\s?/\s?1[.]73\s?\S{{0,6}})?|{_FORMS})(?![a-z0-9/]))?"
_NO_TIME = r"(?!\s*-?(?:years?|months?|weeks?|days?|hours?|times|yrs?|y/?o)\b)"
_WORDS = {
    ">=": r"at\s+least|no\s+less\s+than|>=|≥|reach(?:es|ed|ing)?|hit",
    "<=": r"at\s+most|no\s+more\s+than|up\s+to|<=|≤",
    ">": r"above|over|greater\s+than|higher\s+than|more\s+than|exceed(?:s|ed|ing)?|beyond|>",
    "<": r"below|under|less\s+than|lower\s+than|<",
}
_AFTER = {
    ">=": r"(?:or|and)\s+(?:more|higher|above|over|greater|up)",
    "<=": r"(?:or|and)\s+(?:less|lower|below|under)",
}
_PATTERNS = tuple(
    (sign, re.compile(pattern))
    for sign, pattern in (
        *((s, rf"{_NUMBER}{_UNIT}\s+(?:{words})(?![a-z])") for s, words in _AFTER.items()),
        *((s, rf"(?<![a-z])(?:{words})\s*(?:of\s+)?{_NUMBER}{_NO_TIME}{_UNIT}") for s, words in _WORDS.items()),
    )
)  # fmt: skip
# How a limit is said in an answer.
SAID = {">": "above", "<": "below", ">=": "at least", "<=": "at most"}


@dataclass(frozen=True, slots=True)
class Limit:
    """`sign` is one of > < >= <=, `unit` a canonical unit or "" for the record's own; `first`..`last` the characters."""

    sign: str
    value: Decimal
    unit: str
    first: int
    last: int

    def met_by(self, facts: Facts, codes: Set[str] = frozenset()) -> bool | None:
        """Whether a result lies beyond the limit; None where it cannot be told (no number, another unit, a bound)."""
        found = measured(facts, codes)
        if found is None:
            return None
        value = found.value if not self.unit else convert(found.value, found.unit, self.unit)
        if value is None:
            return None
        above = self.sign.startswith(">")
        if found.comparator:  # "<5" is certainly below 5 and not certainly above 3
            same_side = found.comparator.startswith(">") == above
            beyond = value >= self.value if above else value <= self.value
            return True if same_side and beyond else None
        beyond = value > self.value if above else value < self.value
        return beyond or (value == self.value and self.sign.endswith("="))


def find_limit(text: str) -> Limit | None:
    """The limit of a question, or None; two limits are none, since neither alone is what was asked."""
    folded = fold(text)
    found: list[Limit] = []
    for sign, pattern in _PATTERNS:
        for match in pattern.finditer(folded):
            if any(match.start() < f.last and f.first < match.end() for f in found):
                continue
            unit = canonical_unit(re.sub(r"\s?/\s?", "/", match["u"])) if match["u"] else ""
            unit = "mL/min/{1.73_m2}" if unit.startswith("ml/min/1") else unit
            found.append(Limit(sign, Decimal(match["v"]), unit, match.start(), match.end()))
    return found[0] if len(found) == 1 else None
