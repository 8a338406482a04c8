"""A negative stands only on a coded negative or a "not done" resource: an affirmative resource contradicts it.

What a record does not hold, it does not deny (FHIR R4 has no closed world): absence is never evidence of absence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.grounding.checks.outcome import Outcome, agreed, contradicted, missing, named, several
from core.grounding.reading import Atom, Reading
from core.models import Facts, ValueKind
from core.words import stems


@dataclass(frozen=True, slots=True)
class NegationAtom(Atom):
    """`of` is the part of a resource that "no … recorded" speaks of ("reaction", "dose", "value", "end"), or ""."""

    of: str = ""


_NO_PART = re.compile(
    r"\b(?:no|without(?: an?y?)?)\s+(?:\w+\s+)?(reactions?|manifestations?|severity|dose|dosage|dosing|instructions?|"
    r"result|value|end date|resolution date|abatement date|reason)\s+(?:(?:is|are|was|were)\s+)?"
    r"(?:recorded|documented|stated|given|noted|listed)"
)
_NOT = re.compile(
    r"\b(?:no|not|never|without|denie[sd]|deny|absent|absence|none|neither|nor|cannot|negative for|free of)\b|n't\b"
)
_HARMLESS = re.compile(r"\b(?:not only|no doubt|if not|whether or not|no\.\s?\d)")
_PARTS = {
    "reaction": ("reaction",), "reactions": ("reaction",), "manifestation": ("reaction",), "manifestations": ("reaction",),
    "severity": ("severity",), "dose": ("dose",), "dosage": ("dose",), "dosing": ("dose",), "instruction": ("instruction",),
    "instructions": ("instruction",), "reason": ("reason", "status reason"),
}  # fmt: skip


def read(reading: Reading) -> list[NegationAtom]:
    for match in list(reading.find(_HARMLESS)):
        reading.take(*match.span())
    found = []
    for match in list(reading.find(_NO_PART)):
        found.append(NegationAtom(match.start(), match.end(), match.group(), match[1]))
        reading.take(*match.span())
    for match in list(reading.find(_NOT)):
        found.append(
            NegationAtom(match.start(), match.end(), reading.text[match.start() : match.end() + 30].strip())
        )
        reading.take(*match.span())
    return sorted(found, key=lambda a: a.start)


def check(atom: NegationAtom, cited: Sequence[Facts], negatives: Sequence[Facts]) -> Outcome:
    """`negatives` are those of the cited resources that say no themselves."""
    if atom.of:
        return _part(atom, cited)
    if negatives:
        return agreed("negation", atom.said, several([f.label for f in negatives]))
    if not cited:
        return missing("negation", atom.said, "nothing is cited")
    return contradicted("negation", atom.said, several([named(f) for f in cited]))


def _part(atom: NegationAtom, cited: Sequence[Facts]) -> Outcome:
    """ "No reaction recorded": true when none of the cited resources has one."""
    held: list[str] = []
    for facts in cited:
        for kind in _PARTS.get(atom.of, ()):
            held += facts.detail(kind)
        if atom.of in ("result", "value"):
            held += [
                v.text or str(v.quantity and v.quantity.value)
                for v in facts.values
                if v.kind is not ValueKind.ABSENT
            ]
        if atom.of.endswith("date"):
            held += [
                d.date.shown
                for d in facts.dates
                if d.field.startswith("abatement") or d.field.endswith(".end")
            ]
    return (
        contradicted("negation", atom.said, several(held))
        if held
        else agreed("negation", atom.said, "none recorded")
    )


def not_done(cited: Sequence[Facts], negated: bool, text: str) -> Outcome | None:
    """A resource that says something was not done never supports that it was."""
    withheld = [f for f in cited if f.not_done]
    said = frozenset(stems(text))
    if (
        not withheld
        or negated
        or any(frozenset(stems(f.status.replace("-", " "))) <= said for f in withheld if f.status)
    ):
        return None
    return contradicted(
        "not done", "done", several([f"{f.label}: {f.status or 'do not give'}" for f in withheld])
    )
