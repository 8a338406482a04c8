"""The unit a question wants its answer in ("glucose in mmol/L", "weight in pounds"), with the words that say so."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.fhir.quantities import SPOKEN_UNITS, canonical_unit
from core.words import fold

# Units of time and of nothing in particular are no units to ask for: "in seconds", "in points".
_NEVER = frozenset(
    {
        "s",
        "h",
        "hr",
        "hrs",
        "hour",
        "hours",
        "sec",
        "secs",
        "second",
        "seconds",
        "mm",
        "l",
        "g",
        "m",
    }
    | {"count", "points", "point", "score", "(score)", "{score}", "inr", "ph", "t-score"}
)
_FORMS = "|".join(re.escape(u).replace(r"\ ", r"\s+") for u in SPOKEN_UNITS if u not in _NEVER)
_IN_UNIT = re.compile(rf"(?<![a-z])(?:in|as|to|into)\s+(?P<u>{_FORMS})(?![a-z0-9/%])")


@dataclass(frozen=True, slots=True)
class AskedUnit:
    """`unit` is a canonical unit; `first`..`last` are the characters that name it."""

    unit: str
    first: int
    last: int


def find_unit(text: str) -> AskedUnit | None:
    """The unit a question names, or None."""
    match = _IN_UNIT.search(fold(text))
    return AskedUnit(canonical_unit(match["u"]), match.start(), match.end()) if match else None
