"""How many administrative entries a problem list leaves out is recounted over the whole record."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.fhir.problems import is_errand
from core.grounding.checks import numbers
from core.grounding.checks.outcome import Outcome, agreed, contradicted
from core.grounding.reading import Atom, Reading
from core.grounding.record import Record

_HOLDS_NOW = frozenset({"active", "recurrence", "relapse"})
_UNLISTED = re.compile(
    rf"(?<![\w./-])(\d{{1,4}}|{numbers.WORD}) active administrative entr(?:y|ies)"
    r"(?: (?:is|are|was|were) not (?:listed|shown))?\b"
)


@dataclass(frozen=True, slots=True)
class UnlistedAtom(Atom):
    count: int


def read(reading: Reading) -> list[UnlistedAtom]:
    found = []
    for match in list(reading.find(_UNLISTED)):
        number = numbers.count_value(match[1])
        if number is not None:
            found.append(UnlistedAtom(match.start(), match.end(), match.group(), number))
            reading.take(*match.span())
    return found


def check(atom: UnlistedAtom, record: Record) -> Outcome:
    held = sum(f.status in _HOLDS_NOW and is_errand(f) for f in record.of_type("Condition"))
    if held == atom.count:
        return agreed("count", atom.said, str(held))
    return contradicted("count", atom.said, str(held))
