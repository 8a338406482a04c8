"""A pair such as 138/82 is two components of one resource, in the order the clinic writes them: systolic, then diastolic."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from core.fhir.quantities import convert, unit_of
from core.grounding.checks import numbers
from core.grounding.checks.numbers import Stated
from core.grounding.checks.outcome import Outcome, agreed, contradicted, missing, several
from core.grounding.reading import Atom, Reading
from core.models import Facts, Quantity, Value
from core.naming import MEDICATION_TYPES


@dataclass(frozen=True, slots=True)
class PairAtom(Atom):
    """Two numbers written as one result."""

    first: Stated
    second: Stated
    comparator: str = ""


_PAIR = re.compile(
    rf"{numbers.START}(\d{{2,3}}(?:\.\d+)?)\s?(?:/|\bover\b)\s?(\d{{2,3}}(?:\.\d+)?)(?![\d/.]*\d|[a-z])"
    rf"(?:\s{{0,2}}({numbers.UNIT})(?![a-z0-9/]))?"
)
_BOUND = re.compile(
    r"(?:(<|\bbelow|\bunder|\b(?:less|lower) than)|(?:>|\babove|\bover|\b(?:more|greater|higher) than|"
    r"\bexceed(?:s|ed|ing)?))\s*$"
)
SYSTOLIC, DIASTOLIC = "8480-6", "8462-4"


def read(reading: Reading) -> list[PairAtom]:
    found = []
    for match in list(reading.find(_PAIR)):
        unit = numbers.unit_of(match[3] or "")
        first, second = (Stated(Decimal(t), len(t.partition(".")[2]), unit) for t in (match[1], match[2]))
        before = reading.before(match.start())
        bound = _BOUND.search(before)
        if bound:
            reading.take(match.start() - len(before) + bound.start(), match.start())
        said = reading.text[match.start() : match.end()]
        found.append(
            PairAtom(*match.span(), said, first, second, ("<" if bound[1] else ">") if bound else "")
        )
        reading.take(match.start(), match.end())
    return found


def pair(facts: Facts) -> tuple[Quantity, Quantity] | None:
    """(systolic, diastolic) of a blood pressure; of another resource with exactly two components, in record order."""
    top, bottom = component(facts, SYSTOLIC, "systolic"), component(facts, DIASTOLIC, "diastolic")
    if top and bottom:
        return top, bottom
    parts = [v.quantity for v in facts.values if v.quantity and v.path.startswith("component")]
    return (parts[0], parts[1]) if len(parts) == 2 and parts[0] and parts[1] else None


def component(facts: Facts, code: str, word: str) -> Quantity | None:
    return next((v.quantity for v in facts.values if v.quantity and _is(v, code, word)), None)


def _is(value: Value, code: str, word: str) -> bool:
    return any(c.code == code for c in value.codings) or word in value.label.casefold()


def supports(atom: PairAtom, facts: Facts) -> bool:
    held = pair(facts)
    if held is None:
        return facts.resource_type in MEDICATION_TYPES and _are_strengths(atom, facts.label)
    return _beyond(atom, held) if atom.comparator else _both_agree(atom, held)


def _are_strengths(atom: PairAtom, label: str) -> bool:
    """ "250/125 mg", "70/30": the strengths of a drug of two ingredients, in the order of its name."""
    said = [atom.first.value, atom.second.value]
    return [numbers.stated(m).value for m in numbers.NUMBER.finditer(label.casefold()) if m["unit"]][
        :2
    ] == said


def _both_agree(atom: PairAtom, held: tuple[Quantity, Quantity]) -> bool:
    return all(_agrees(s, q) for s, q in zip((atom.first, atom.second), held, strict=True))


def _beside(cited: Sequence[Facts]) -> list[tuple[Quantity, Quantity]]:
    """Systolic and diastolic pressures that are results of their own, of one moment."""
    found = []
    for top in cited:
        for bottom in cited:
            if top.date and bottom.date and top.date.instant == bottom.date.instant:
                pair_ = _alone(top, SYSTOLIC), _alone(bottom, DIASTOLIC)
                if pair_[0] and pair_[1]:
                    found.append((pair_[0], pair_[1]))
    return found


def _alone(facts: Facts, code: str) -> Quantity | None:
    """The value of a result that is itself this component."""
    if not any(c.code == code for c in facts.codings):
        return None
    return next((v.quantity for v in facts.values if v.quantity), None)


def _beyond(atom: PairAtom, held: tuple[Quantity, Quantity]) -> bool:
    """Above 140/90 is either number above its limit, below it both below."""
    numbers_ = [q.value for q in held if q.value is not None and not q.comparator]
    if len(numbers_) != 2:
        return False
    limits = (atom.first.value, atom.second.value)
    if atom.comparator == ">":
        return any(n > limit for n, limit in zip(numbers_, limits, strict=True))
    return all(n < limit for n, limit in zip(numbers_, limits, strict=True))


def _agrees(said: Stated, held: Quantity) -> bool:
    if held.value is None or held.comparator:
        return False
    value = convert(held.value, unit_of(held), said.unit) if said.unit else held.value
    return value is not None and said.equals(value)


def check(atom: PairAtom, cited: Sequence[Facts]) -> Outcome:
    """One cited resource holds the pair, or two of one moment hold a side each."""
    for facts in cited:
        if supports(atom, facts):
            return agreed("components", atom.said, shown(facts))
    beside = _beside(cited)
    for held in beside:
        if _beyond(atom, held) if atom.comparator else _both_agree(atom, held):
            return agreed("components", atom.said, _pair_shown(held))
    told = [shown(facts) for facts in cited if pair(facts)] + [_pair_shown(p) for p in beside]
    if told:
        return contradicted("components", atom.said, several(told))
    return missing("components", atom.said, "no pair of components in what is cited")


def shown(facts: Facts) -> str:
    found = pair(facts)
    return _pair_shown(found) if found else ""


def _pair_shown(found: tuple[Quantity, Quantity]) -> str:
    top, bottom = (f"{q.comparator}{q.value.normalize():f}" if q.value is not None else "?" for q in found)
    return f"{top}/{bottom} {found[0].unit}".strip()
