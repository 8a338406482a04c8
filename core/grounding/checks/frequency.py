"""How often a drug is taken stands only if a dosage of the cited resource says the same rate, however it is worded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from core.grounding.checks import numbers
from core.grounding.checks.outcome import Outcome, agreed, contradicted, missing, several
from core.grounding.reading import Atom, Reading
from core.models import Facts

Rate = Fraction  # doses per hour


@dataclass(frozen=True, slots=True)
class FrequencyAtom(Atom):
    rate: Rate


_HOURS = {"hour": 1, "hr": 1, "h": 1, "day": 24, "week": 168, "month": 720, "year": 8760}
_ADVERBS = {
    "hourly": 1,
    "daily": 24,
    "weekly": 168,
    "monthly": 720,
    "yearly": 8760,
    "annually": 8760,
    "nightly": 24,
}
_COUNT = rf"(?:(once|twice|thrice)|(\d{{1,2}}|{numbers.WORD})\s*(?:times|x|×))"
_UNIT = r"(hour|hr|h|day|week|month|year)s?"
_LATIN = {"qd": 24, "od": 24, "bid": 12, "tid": 8, "qid": 6, "qhs": 24, "qam": 24, "qpm": 24, "qod": 48}
_PATTERNS = (
    re.compile(rf"\b{_COUNT}\s*(?:a|an|per|each|every|/)?\s*(?:(\d{{1,3}}|{numbers.WORD})\s+)?{_UNIT}\b"),
    re.compile(rf"\b{_COUNT}[\s-]+(hourly|daily|weekly|monthly|yearly|annually)\b"),
    re.compile(
        rf"\b(?:every|each|q)\s*(other\s+)?(?:(\d{{1,3}}|{numbers.WORD})(?:\s*(?:-|to)\s*\d{{1,3}})?)?\s*{_UNIT}\b"
    ),
    re.compile(r"\b(hourly|daily|weekly|monthly|nightly)\b"),
    re.compile(r"\b(qd|od|bid|tid|qid|qhs|qam|qpm|qod|b\.i\.d\.?|t\.i\.d\.?|q\.i\.d\.?|q\.d\.?)(?!\w)"),
)
_TIMES = {"once": 1, "twice": 2, "thrice": 3}


def _rates(text: str) -> list[tuple[int, int, Rate]]:
    """(start, end, doses per hour) of every frequency in folded text."""
    found: list[tuple[int, int, Rate]] = []

    def add(start: int, end: int, rate: Rate | None) -> None:
        if rate and not any(s < end and start < e for s, e, _ in found):
            found.append((start, end, rate))

    for m in _PATTERNS[0].finditer(text):
        times = _TIMES.get(m[1] or "") or numbers.count_value(m[2] or "")
        every = numbers.count_value(m[3]) if m[3] else 1
        add(*m.span(), Fraction(times, every * _HOURS[m[4]]) if times and every else None)
    for m in _PATTERNS[1].finditer(text):
        times = _TIMES.get(m[1] or "") or numbers.count_value(m[2] or "")
        add(*m.span(), Fraction(times, _ADVERBS[m[3]]) if times else None)
    for m in _PATTERNS[2].finditer(text):
        every = 2 if m[1] else numbers.count_value(m[2]) if m[2] else 1
        add(*m.span(), Fraction(1, every * _HOURS[m[3]]) if every else None)
    for m in _PATTERNS[3].finditer(text):
        add(*m.span(), Fraction(1, _ADVERBS[m[1]]))
    for m in _PATTERNS[4].finditer(text):
        add(*m.span(), Fraction(1, _LATIN[m[1].replace(".", "")]))
    return sorted(found)


def read(reading: Reading, cited: Sequence[Facts]) -> list[FrequencyAtom]:
    """Frequencies, where a cited resource is about a drug; elsewhere "daily" is an ordinary word."""
    if not any(f.resource_type.startswith("Medication") for f in cited):
        return []
    found = []
    for start, end, rate in _rates(reading.folded):
        if reading.free(start, end):
            found.append(FrequencyAtom(start, end, reading.text[start:end], rate))
            reading.take(start, end)
    return found


def _held(facts: Facts) -> list[tuple[str, Rate]]:
    texts = [*facts.detail("dose"), *facts.detail("instruction")]
    return [(text, rate) for text in texts for _, _, rate in _rates(text.casefold())]


def check(atom: FrequencyAtom, cited: Sequence[Facts]) -> Outcome:
    held = [pair for facts in cited for pair in _held(facts)]
    for text, rate in held:
        if rate == atom.rate:
            return agreed("frequency", atom.said, text)
    if held:
        return contradicted("frequency", atom.said, several([text for text, _ in held]))
    return missing("frequency", atom.said, "no dosing schedule in what is cited")
