"""Dead or alive, married or single: said of the patient, these come from the Patient resource and from nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.grounding.checks.dates import DateAtom
from core.grounding.checks.duration import DurationAtom
from core.grounding.checks.outcome import Outcome, agreed, contradicted, missing
from core.grounding.reading import Atom, Reading
from core.grounding.record import Record
from core.models import Facts


@dataclass(frozen=True, slots=True)
class VitalAtom(Atom):
    """`fact`: "dead", "alive", or a code of HL7 v3 MaritalStatus."""

    fact: str


_PATTERNS = (
    ("alive", r"alive|not (?:dead|deceased)|still living"),
    ("dead", r"died|dies|dead|deceased|passed away|death"),
    ("S", r"never married|unmarried|not married|single"),
    ("M", r"married"),
    ("D", r"divorced"),
    ("W", r"widow(?:ed|er)?"),
    ("L", r"legally separated"),
)
_COMPILED = tuple((fact, re.compile(rf"\b(?:{words})\b")) for fact, words in _PATTERNS)
# The display names of the code system, beside its codes.
_MARITAL = {
    "m": "M", "married": "M", "s": "S", "never married": "S", "single": "S", "unmarried": "S", "d": "D", "divorced": "D",
    "w": "W", "widowed": "W", "l": "L", "legally separated": "L",
}  # fmt: skip


def read(reading: Reading, cited: Sequence[Facts]) -> list[VitalAtom]:
    """These words, where the Patient resource itself is cited; elsewhere nothing bears them out."""
    if not any(f.resource_type == "Patient" for f in cited):
        return []
    found = []
    for fact, pattern in _COMPILED:
        for match in list(reading.find(pattern)):
            found.append(VitalAtom(*match.span(), match.group(), fact))
            reading.take(*match.span())
    return found


def check(atom: VitalAtom, record: Record) -> Outcome:
    patient = record.patient
    if patient is None:
        return missing("person", atom.said, "no Patient resource in the record")
    if atom.fact in ("dead", "alive"):
        dead = any(d.field.startswith("deceased") for d in patient.dates) or bool(patient.detail("deceased"))
        if dead is (atom.fact == "dead"):
            # Not recorded as dead is not a record of being alive.
            return (
                agreed("person", atom.said, "deceased")
                if dead
                else missing("person", atom.said, "no such statement")
            )
        return contradicted("person", atom.said, "deceased" if dead else "not recorded as deceased")
    held = [_MARITAL.get(t.casefold(), t) for t in patient.detail("marital status")]
    if not held:
        return missing("person", atom.said, "no marital status recorded")
    if atom.fact in held:
        return agreed("person", atom.said, ", ".join(patient.detail("marital status")))
    return contradicted("person", atom.said, ", ".join(patient.detail("marital status")))


def is_day_of_age(day: DateAtom, durations: Sequence[DurationAtom], cited: Sequence[Facts]) -> bool:
    """Whether a date says when the patient had the age stated: "67 years old as of 2020"."""
    ages = any(d.kind == "age" for d in durations)
    return ages and not day.role and bool(cited) and all(f.resource_type == "Patient" for f in cited)
