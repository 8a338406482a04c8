"""Interpretation flags of a result: how each reads, and whether it says high, low, normal or abnormal.

Source: HL7 v3 ObservationInterpretation (also the codes of HL7 v2 table 0078). "<" and ">" are off the scale of the
instrument: they say nothing of a reference range, so they have no sense.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from core.models import Coding


class Sense(StrEnum):
    """What a flag says of a result against its reference range."""

    HIGH = "high"
    LOW = "low"
    NORMAL = "normal"
    ABNORMAL = "abnormal"


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag in words; `sense` is None for what is no statement about a range; `critical` asks for attention now."""

    words: str
    sense: Sense | None = None
    critical: bool = False


_FLAGS: dict[str, Flag] = {
    "H": Flag("high", Sense.HIGH),
    "HH": Flag("critically high", Sense.HIGH, critical=True),
    "HU": Flag("significantly high", Sense.HIGH),
    "HX": Flag("above high threshold", Sense.HIGH),
    "L": Flag("low", Sense.LOW),
    "LL": Flag("critically low", Sense.LOW, critical=True),
    "LU": Flag("significantly low", Sense.LOW),
    "LX": Flag("below low threshold", Sense.LOW),
    "N": Flag("normal", Sense.NORMAL),
    "A": Flag("abnormal", Sense.ABNORMAL),
    "AA": Flag("critically abnormal", Sense.ABNORMAL, critical=True),
    "EX": Flag("outside threshold", Sense.ABNORMAL),
    "<": Flag("below the measurable range"),
    ">": Flag("above the measurable range"),
    "POS": Flag("positive"),
    "NEG": Flag("negative"),
    "DET": Flag("detected"),
    "ND": Flag("not detected"),
    "RR": Flag("reactive"),
    "NR": Flag("non-reactive"),
    "WR": Flag("weakly reactive"),
    "IND": Flag("indeterminate"),
    "E": Flag("equivocal"),
    "R": Flag("resistant"),
    "S": Flag("susceptible"),
    "I": Flag("intermediate"),
    "SDD": Flag("susceptible, dose dependent"),
    "NS": Flag("non-susceptible"),
    "B": Flag("better"),
    "W": Flag("worse"),
    "U": Flag("significant change up"),
    "D": Flag("significant change down"),
}


def flag_words(coding: Coding) -> str:
    """A flag as it reads: of a known code its words, else its display, else the code."""
    known = _FLAGS.get(coding.code)
    return known.words if known else coding.display or coding.code


def flag_sense(coding: Coding) -> Sense | None:
    """What a flag says: by its code, else by a display that is one of the four words."""
    if known := _FLAGS.get(coding.code):
        return known.sense
    return next((s for s in Sense if coding.display.casefold() == s), None)


def senses(flags: Iterable[Coding]) -> list[Sense]:
    """What the flags of one result say, in their order, without repeats."""
    return list(dict.fromkeys(s for f in flags if (s := flag_sense(f))))


def is_critical(flags: Iterable[Coding]) -> bool:
    """Whether any flag marks the result as critical."""
    return any((known := _FLAGS.get(f.code)) and known.critical for f in flags)
