"""All, every, always, both, none and only are claims about everything there is of a kind: one exception refutes them.

Such a word stands only where a check has judged it; said of what no check can judge, it is not supported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.grounding.checks import quantity
from core.grounding.checks.interpretation import InterpretationAtom, senses
from core.grounding.checks.order import number
from core.grounding.checks.outcome import Outcome, agreed, contradicted, missing, several
from core.grounding.checks.quantity import QuantityAtom
from core.grounding.checks.status import StatusAtom
from core.grounding.reading import Atom, Reading
from core.models import Facts


@dataclass(frozen=True, slots=True)
class QuantifierAtom(Atom):
    """`kind`: "all", "both", "none", "part" (most, half), "only"."""

    kind: str


_PATTERNS = (
    ("only", r"only|sole|solely|exclusively"),
    ("both", r"both"),
    ("part", r"most|majority|half|mostly|largely|mainly"),
    ("none", r"none|neither"),
    ("all", r"all|every|each|always|consistently|throughout|everything|whole|entire|complete"),
)
_COMPILED = tuple((kind, re.compile(rf"\b(?:{words})\b")) for kind, words in _PATTERNS)
_ANY = re.compile(rf"\b(?:{'|'.join(words for _, words in _PATTERNS)})\b")
_IDIOM = re.compile(
    r"\b(?:in all|at all|all told|all in all|all of the above|all (?:on|at|in) (?=the same|\d|[A-Z\d]))"
)


def read(reading: Reading) -> list[QuantifierAtom]:
    if not reading.has(_ANY):
        return []
    for match in list(reading.find(_IDIOM)):
        reading.take(*match.span())
    found = []
    for kind, pattern in _COMPILED:
        for match in list(reading.find(pattern)):
            found.append(QuantifierAtom(*match.span(), match.group(), kind))
            reading.take(*match.span())
    return sorted(found, key=lambda a: a.start)


@dataclass(frozen=True)
class Said:
    """What a statement says of the things its quantifier ranges over, and what is cited for it.

    `values` are the numbers, no bounds, that stand right before it: "6.6 % at each of the three measurements".
    """

    bounds: Sequence[QuantityAtom]
    values: Sequence[QuantityAtom]
    interpretations: Sequence[InterpretationAtom]
    statuses: Sequence[StatusAtom]
    counted: bool
    pair: bool
    cited: Sequence[Facts]


def check(atom: QuantifierAtom, said: Said, members: Callable[[], Sequence[Facts]]) -> list[Outcome]:
    """`members` are everything the word ranges over: a whole series, or every entry of the type that is named."""
    match atom.kind:
        case "only":
            return [_only(atom, said, members())]
        case "both":
            return [_both(atom, said)]
        case "all":
            return _all(atom, said, members)
        case "none" if said.statuses:
            return _none(atom, said, members)
        case _:
            return [missing("every", atom.said, "not judged for what is cited")]


def _all(atom: QuantifierAtom, said: Said, members: Callable[[], Sequence[Facts]]) -> list[Outcome]:
    found: list[Outcome] = []
    observed = [m for m in members() if number(m) is not None] if said.bounds or said.interpretations else []
    for bound in said.bounds:
        wrong = [m for m in observed if not quantity.supports(bound, m)]
        found.append(_of(atom, f"{atom.said} {quantity.expected(bound)}", wrong))
    for sense in said.interpretations:
        wrong = [m for m in observed if not any(sense.sense in senses(v) for v in m.values)]
        found.append(_of(atom, f"{atom.said} {sense.said}", wrong))
    for state in said.statuses:
        wrong = [m for m in members() if m.statuses and not state.agrees(m)]
        found.append(_of(atom, f"{atom.said} {state.said}", wrong))
    if found or said.counted:
        return found
    if said.values and atom.said == "each":
        wrong = [m for m in said.cited for v in said.values if not quantity.supports(v, m)]
        return [_of(atom, f"{atom.said} {said.values[0].said}", wrong)]
    return [_complete(atom, said.cited, members())]


def _none(atom: QuantifierAtom, said: Said, members: Callable[[], Sequence[Facts]]) -> list[Outcome]:
    """ "Neither is active": not one of the two cited; "none are active": not one of all there are of the kind."""
    if atom.said == "neither" and len(said.cited) != 2:
        return [missing("every", atom.said, f"{len(said.cited)} cited")]
    meant = said.cited if atom.said == "neither" else [m for m in members() if m.statuses]
    if not meant:
        return [missing("every", atom.said, "not judged for what is cited")]
    wrong = [m for m in meant for state in said.statuses if state.agrees(m)]
    return [_of(atom, f"{atom.said} {said.statuses[0].said}", wrong)]


def _complete(atom: QuantifierAtom, cited: Sequence[Facts], members: Sequence[Facts]) -> Outcome:
    """ "All her medications: …": everything there is has to be among what is cited."""
    ids = {f.resource_id for f in cited}
    names = {f.label.casefold() for f in cited}
    left_out = [m for m in members if m.resource_id not in ids and m.label.casefold() not in names]
    if not members:
        return missing("every", atom.said, "not judged for what is cited")
    if left_out:
        return contradicted("every", atom.said, f"also {several([m.label for m in left_out])}")
    return agreed("every", atom.said, f"{len(members)} in the record, all cited")


def _of(atom: QuantifierAtom, text: str, wrong: Sequence[Facts]) -> Outcome:
    if wrong:
        return contradicted("every", text, several([_shown(m) for m in wrong]))
    return agreed("every", text, "all")


def _both(atom: QuantifierAtom, said: Said) -> Outcome:
    cited = said.cited
    if said.pair:
        return agreed(
            "every", atom.said, "both named"
        )  # "both a stent and a bypass": each is checked by its name
    parts = max((len(f.values) for f in cited), default=0)
    if len(cited) == 2 or len({f.concept_key for f in cited}) == 2 or (len(cited) == 1 and parts == 2):
        return agreed("every", atom.said, several([f.label for f in cited]))
    return missing("every", atom.said, f"{len(cited)} cited")


def _only(atom: QuantifierAtom, said: Said, members: Sequence[Facts]) -> Outcome:
    """Nothing else of the kind may be in the record; of results, none besides the cited one."""
    if said.counted:
        return agreed("only", atom.said, "as counted")
    if not members:
        return missing("only", atom.said, "not judged for what is cited")
    ids = {f.resource_id for f in said.cited}
    names = {f.label.casefold() for f in said.cited}
    lasting = members[0].resource_type != "Observation"
    others = [
        m for m in members if m.resource_id not in ids and not (lasting and m.label.casefold() in names)
    ]
    if others:
        return contradicted("only", atom.said, f"also {several([_shown(m) for m in others])}")
    return agreed("only", atom.said, several([m.label for m in members]))


def _shown(facts: Facts) -> str:
    text = quantity.shown(facts) or facts.label
    return f"{text} on {facts.date.shown}" if facts.date else text
