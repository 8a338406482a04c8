"""Whose record it is: a name, a sex or a relative that is not the patient's makes the claim one about someone else."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.grounding.checks.outcome import Outcome, agreed, contradicted, missing
from core.grounding.reading import Atom, Reading
from core.grounding.record import Record
from core.words import fold


@dataclass(frozen=True, slots=True)
class PersonAtom(Atom):
    """`sex` is the sex a word implies ("female" for "she"), `own_name` marks the patient's own name."""

    sex: str = ""
    own_name: bool = False


# "Dr. Smith" is not the patient Smith.
_OF_ANOTHER = re.compile(r"\b(?:dr|doctor|prof|professor|nurse)\b\.?\s*(?:\w+\s+)?$")
_SEX = re.compile(
    r"\b(?:(he|him|his|himself|man|boy|gentleman|mr|male)|(she|her|hers|herself|woman|girl|lady|mrs|ms|miss|female))\b\.?"
)


def read(reading: Reading, record: Record) -> list[PersonAtom]:
    found: list[PersonAtom] = []
    if record.patient:
        for name in sorted({record.patient.label, *record.patient.names}, key=len, reverse=True):
            for part in (name, *name.split()):
                if len(part) < 3:
                    continue
                for match in list(reading.find(re.compile(rf"\b{re.escape(fold(part))}\b"))):
                    if reading.text[match.start()].isupper() and not _OF_ANOTHER.search(
                        reading.before(match.start())
                    ):
                        found.append(PersonAtom(*match.span(), match.group(), own_name=True))
                        reading.take(*match.span())
    for match in list(reading.find(_SEX)):
        found.append(PersonAtom(*match.span(), match.group(), "male" if match[1] else "female"))
        reading.take(*match.span())
    return found


def check(atom: PersonAtom, record: Record) -> Outcome | None:
    if atom.own_name:
        return agreed("person", atom.said, record.patient.label if record.patient else "")
    held = record.patient.detail("gender") if record.patient else []
    if not held or held[0] not in ("male", "female"):
        return missing("person", atom.said, "no sex recorded") if atom.said in ("male", "female") else None
    if held[0] == atom.sex:
        return agreed("person", atom.said, held[0])
    return contradicted("person", atom.said, held[0])
