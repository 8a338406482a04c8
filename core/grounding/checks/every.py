"""All, every, always and only are claims about the whole series: one result that differs refutes them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.grounding.checks import quantity
from core.grounding.checks.interpretation import InterpretationAtom, senses
from core.grounding.checks.order import number
from core.grounding.checks.outcome import Outcome, agreed, contradicted, named, several
from core.grounding.checks.quantity import QuantityAtom
from core.grounding.reading import Reading
from core.models import Facts

_EVERY = re.compile(r"\b(?:all|every|each|always|consistently|throughout|never)\b")
_ONLY = re.compile(
    r"\b(?:the|his|her|their) (?:only|sole)\b(?! (?:one|two|three|\d))|\bonly (?:recorded|documented|available|known) (?!\d)"
)


def check(
    reading: Reading,
    bounds: Sequence[QuantityAtom],
    said: Sequence[InterpretationAtom],
    members: Sequence[Facts],
) -> list[Outcome]:
    """`bounds` are the stated limits ("below 7 %"), `members` the series in the window of the statement."""
    found: list[Outcome] = []
    word = _EVERY.search(reading.folded)
    observed = [m for m in members if number(m) is not None]
    if word and observed:
        for atom in bounds:
            wrong = [m for m in observed if not quantity.supports(atom, m)]
            text = f"{word.group()} {quantity.expected(atom)}"
            found.append(
                contradicted("every", text, several([_shown(m) for m in wrong]))
                if wrong
                else agreed("every", text, "all")
            )
        for sense in said:
            wrong = [m for m in observed if not any(sense.sense in senses(v) for v in m.values)]
            text = f"{word.group()} {sense.said}"
            found.append(
                contradicted("every", text, several([_shown(m) for m in wrong]))
                if wrong
                else agreed("every", text, "all")
            )
    if only := _ONLY.search(reading.folded):
        if len(members) > 1:
            found.append(contradicted("only", only.group(), f"{len(members)} in the record"))
        elif members:
            found.append(agreed("only", only.group(), named(members[0])))
    return found


def _shown(facts: Facts) -> str:
    return f"{quantity.shown(facts)} on {facts.date.shown}" if facts.date else quantity.shown(facts)
