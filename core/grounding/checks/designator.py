"""A stage, grade, class or type number belongs to a name: "stage 3" beside a stage 4 disease is contradicted."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.grounding.checks.outcome import Outcome, agreed, contradicted, missing
from core.grounding.reading import Atom, Reading
from core.models import Facts
from core.words import fold


@dataclass(frozen=True, slots=True)
class DesignatorAtom(Atom):
    word: str
    number: str


_ROMAN = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6"}
_PATTERN = re.compile(
    r"\b(stage|grade|type|class|phase|degree|trimester)[\s-]+(\d{1,2}[a-d]?|iv|v?i{1,3}|v)\b(?!\.\d)"
)


def read(reading: Reading) -> list[DesignatorAtom]:
    found = []
    for match in list(reading.find(_PATTERN)):
        found.append(
            DesignatorAtom(
                match.start(), match.end(), match.group(), match[1], _ROMAN.get(match[2], match[2])
            )
        )
        reading.take(match.start(), match.end())
    return found


def other_than(text: str, cited: Sequence[Facts]) -> str:
    """The stage, grade or type of what is cited where a text names another one; "" where it does not."""
    held = [pair for facts in cited for pair in _of(facts)]
    for match in _PATTERN.finditer(fold(text)):
        word, number = match[1], _ROMAN.get(match[2], match[2])
        others = [f"{w} {n}" for w, n in held if w == word]
        if others and (word, number) not in held:
            return others[0]
    return ""


def _of(facts: Facts) -> list[tuple[str, str]]:
    texts = [facts.label, *facts.names, *(c.display for c in facts.codings), *(d.text for d in facts.details)]
    texts += [t for v in facts.values for t in (v.label, v.text, *v.words)]
    return [(m[1], _ROMAN.get(m[2], m[2])) for text in texts for m in _PATTERN.finditer(fold(text))]


_SIDE = re.compile(r"\b(left|right)\b")


def check_sides(text: str, at: Callable[[int], Sequence[Facts]]) -> list[Outcome]:
    """ "Left" and "right" go with the resource whose own name has that side."""
    found = []
    for match in _SIDE.finditer(fold(text)):
        cited = at(match.start())
        sides = {s for f in cited for t in (f.label, *f.names) for s in _SIDE.findall(fold(t))}
        if sides and match[1] not in sides:
            found.append(contradicted("name", match[1], " and ".join(sorted(sides))))
    return found


def check(atom: DesignatorAtom, cited: Sequence[Facts]) -> Outcome:
    held = [pair for facts in cited for pair in _of(facts)]
    if (atom.word, atom.number) in held:
        return agreed("name", atom.said, atom.said)
    others = [f"{word} {number}" for word, number in held if word == atom.word]
    if others:
        return contradicted("name", atom.said, others[0])
    return missing("name", atom.said, f"no {atom.word} in what is cited")
