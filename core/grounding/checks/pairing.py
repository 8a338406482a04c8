"""A value and its date belong to one resource: two true numbers in each other's place are wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from core.grounding.checks import components, dates, quantity
from core.grounding.checks.components import PairAtom
from core.grounding.checks.dates import DateAtom
from core.grounding.checks.outcome import Outcome, contradicted, several
from core.grounding.checks.quantity import QuantityAtom
from core.grounding.statement import Parsed
from core.models import Facts

Number = QuantityAtom | PairAtom
_CLOSE = re.compile(
    r"^[\s(,:;]*(?:(?:on|in|at|from|dated|taken|measured|recorded|as of|was|of|is|it)\b[\s(]*){0,3}$"
)


def holds(atom: Number, facts: Facts) -> bool:
    return components.supports(atom, facts) if isinstance(atom, PairAtom) else quantity.supports(atom, facts)


def check(parsed: Parsed, candidates: Callable[[int], Sequence[Facts]]) -> list[Outcome]:
    """Every number that goes with a date, among several cited resources, against one resource that holds both."""
    numbers: list[Number] = sorted(
        [
            *(q for q in parsed.quantities if not q.delta and not q.comparator and not q.of_range),
            *parsed.pairs,
        ],
        key=lambda a: a.start,
    )
    days = [d for d in parsed.frame.dates if d.intervals]
    found = []
    for number, day in _pairs(parsed, numbers, days):
        options = list(candidates(number.start))
        if len(options) < 2 or {f.resource_id for f in options} != {
            f.resource_id for f in candidates(day.start)
        }:
            continue
        if any(holds(number, f) and dates.supports(day, f) for f in options):
            continue
        if any(holds(number, f) for f in options) and any(dates.supports(day, f) for f in options):
            held = [_shown(f) for f in options if dates.supports(day, f)]
            found.append(contradicted("value on date", f"{number.said} on {day.said}", several(held)))
    return found


def _shown(facts: Facts) -> str:
    text = components.shown(facts) or quantity.shown(facts) or facts.label
    return f"{text} on {facts.date.shown}" if facts.date else text


def _pairs(
    parsed: Parsed, numbers: Sequence[Number], days: Sequence[DateAtom]
) -> list[tuple[Number, DateAtom]]:
    """Numbers with their dates: one each in turn, or a list of one and then a list of the other; else close neighbours."""
    if len(numbers) == len(days) and numbers:
        return list(zip(numbers, days, strict=True))
    found = []
    folded = parsed.reading.folded
    for number in numbers:
        following = next((d for d in days if d.start >= number.end), None)
        preceding = next((d for d in reversed(days) if d.end <= number.start), None)
        if following and _CLOSE.match(folded[number.end : following.start]):
            found.append((number, following))
        elif preceding and _CLOSE.match(folded[preceding.end : number.start].strip(" )")):
            found.append((number, preceding))
    return found
