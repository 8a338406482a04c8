"""High, low, normal and abnormal come only from the result's own flag or reference range, never from a number alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from core.fhir import interpretation as flags
from core.fhir.quantities import convert, unit_of
from core.grounding.checks.outcome import Outcome, agreed, contradicted, missing, several
from core.grounding.reading import Atom, Reading
from core.models import Facts, Quantity, ReferenceRange, Value


@dataclass(frozen=True, slots=True)
class InterpretationAtom(Atom):
    """`sense` is one of "high", "low", "normal", "abnormal"."""

    sense: str


_LIMIT = r"normal|reference)(?: range| limits?| of normal)*\b"
_PATTERNS = (
    (re.compile(r"\b(?:not (?:normal|within (?:the )?(?:normal|reference) (?:range|limits)))\b"), "abnormal"),
    (re.compile(r"\b(?:outside|out of) (?:the |its )?(?:normal |reference )?(?:range|limits)\b"), "abnormal"),
    (re.compile(r"\b(?:above|over|exceed(?:s|ed|ing)?) (?:the |its )?(?:upper|range|" + _LIMIT), "high"),
    (re.compile(r"\b(?:below|under) (?:the |its )?(?:lower|range|" + _LIMIT), "low"),
    (re.compile(r"\b(?:within|in) (?:the |its )?(?:normal|reference)(?: range| limits?)?\b|\bnot abnormal\b"), "normal"),
    (re.compile(r"\b(?:flagged (?:as )?)?(?:high|elevated|raised)\b(?!-[a-z])|\((?:h|hh)\)"), "high"),
    (re.compile(r"\b(?:flagged (?:as )?)?low\b(?!-[a-z])|\((?:l|ll)\)"), "low"),
    (re.compile(r"\b(?:normal|unremarkable)\b|\(n\)"), "normal"),
    (re.compile(r"\b(?:flagged (?:as )?)?abnormal(?:ity|ities)?\b|\((?:a|aa)\)"), "abnormal"),
)  # fmt: skip


_ANY = re.compile(r"normal|range|limit|high|elevated|raised|low\b|unremarkable|reference|\([a-z]{1,2}\)")


def read(reading: Reading) -> list[InterpretationAtom]:
    found: list[InterpretationAtom] = []
    if not reading.has(_ANY):
        return found
    for pattern, sense in _PATTERNS:
        for match in list(reading.find(pattern)):
            found.append(InterpretationAtom(*match.span(), match.group(), sense))
            reading.take(*match.span())
    return found


def senses(value: Value) -> set[str]:
    """What a value's own flags say, else what its own reference range says; empty when it has neither."""
    found: set[str] = {s.value for s in flags.senses(value.flags)}
    if not found and value.quantity and value.quantity.value is not None and not value.quantity.comparator:
        found = {s for r in value.ranges if (s := _by_range(value.quantity, r))}
        if len(found) > 1:  # ranges for different people: none is known to apply
            return set()
    if found & {"high", "low"}:
        found.add("abnormal")
    return found


def _by_range(quantity: Quantity, limits: ReferenceRange) -> str:
    low, high = (_limit(quantity, q) for q in (limits.low, limits.high))
    value = quantity.value
    if value is None or (low is None and high is None):
        return ""
    if low is not None and value < low:
        return "low"
    if high is not None and value > high:
        return "high"
    return "normal"


def _limit(quantity: Quantity, limit: Quantity | None) -> Decimal | None:
    if limit is None or limit.value is None:
        return None
    return convert(limit.value, unit_of(limit) or unit_of(quantity), unit_of(quantity))


def check(atom: InterpretationAtom, cited: Sequence[Facts]) -> Outcome:
    found = {s for f in cited for v in f.values for s in senses(v)}
    # One result whose components differ (a high systolic, a normal diastolic) is neither as a whole.
    mixed = len(cited) == 1 and len(found - {"abnormal"}) > 1
    if atom.sense in found and not mixed:
        return agreed("interpretation", atom.said, several(sorted(found)))
    if found:
        return contradicted("interpretation", atom.said, several(sorted(found)))
    words = {w.casefold() for f in cited for v in f.values for w in (v.text, *v.words) if w}
    details = {d.text.casefold() for f in cited for d in f.details if len(d.text) < 200}
    if any(re.search(rf"\b{re.escape(atom.said)}\b", w) for w in words | details):
        return agreed("interpretation", atom.said, atom.said)
    return missing("interpretation", atom.said, "no flag and no reference range in what is cited")
