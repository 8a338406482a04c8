"""An average is that of the results cited, or of the series in the window named; it is computed, never looked up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from core.fhir.quantities import convert, shown_number, unit_of
from core.grounding.checks.order import number
from core.grounding.checks.outcome import Outcome, agreed, contradicted, missing
from core.grounding.checks.quantity import QuantityAtom
from core.grounding.reading import Atom, Reading
from core.models import Facts


@dataclass(frozen=True, slots=True)
class AverageAtom(Atom):
    """ "Average", "mean": the next number is one."""


_AVERAGE = re.compile(
    r"\b(?:on average|averag(?:e|ed|es|ing)|mean(?! (?:corpuscular|platelet|arterial|cell)))\b"
)


def read(reading: Reading) -> list[AverageAtom]:
    found = []
    for match in list(reading.find(_AVERAGE)):
        found.append(AverageAtom(*match.span(), match.group()))
        reading.take(*match.span())
    return found


def check(
    atom: AverageAtom, stated: Sequence[QuantityAtom], cited: Sequence[Facts], members: Sequence[Facts]
) -> Outcome:
    """The number after the word against the mean of what is cited; of one cited result, of its series in the window."""
    said = next((q for q in stated if q.start >= atom.end), None) or (stated[0] if len(stated) == 1 else None)
    if said is None:
        return missing("average", atom.said, "no number is stated")
    ways = [values for group in (cited, members) if len(values := _values(group, said.stated.unit)) > 1]
    if not ways:
        return missing("average", atom.said, "fewer than two numbers of one unit in what is cited")
    means = [sum(values, Decimal(0)) / len(values) for values in ways]
    if any(said.stated.equals(mean) for mean in means):
        return agreed("average", said.said, shown_number(means[0]))
    return contradicted("average", said.said, shown_number(means[0]))


def _values(group: Sequence[Facts], unit: str) -> list[Decimal]:
    held = [q for f in group if (q := number(f)) and q.value is not None and not q.comparator]
    target = unit or (unit_of(held[0]) if held else "")
    found = [convert(q.value, unit_of(q), target) for q in held if q.value is not None]
    return [v for v in found if v is not None] if None not in found else []
