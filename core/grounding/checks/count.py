"""A count is recounted from the whole record, in the window, class and status named; void and not-done never count."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.fhir.codes import semantic_tag
from core.grounding.checks import numbers
from core.grounding.checks.outcome import Outcome, agreed, contradicted, missing
from core.grounding.reading import Atom, Reading
from core.models import Facts


@dataclass(frozen=True, slots=True)
class CountAtom(Atom):
    """`at_least` for "several"; `noun` is what is counted."""

    count: int
    noun: str
    at_least: bool = False


NOUNS = (
    r"times?|occasions?|results?|measurements?|readings?|values?|tests?|entries|entry|records?|observations?|episodes?|instances?|"
    r"visits?|encounters?|admissions?|hospitali[sz]ations?|appointments?|medications?|medicines?|drugs?|prescriptions?|orders?|"
    r"conditions?|problems?|diagnos[ei]s|disorders?|findings?|allerg(?:y|ies)|intolerances?|immuni[sz]ations?|vaccinations?|"
    r"vaccines?|shots?|procedures?|surger(?:y|ies)|operations?|reports?|documents?|notes?|(?:care )?plans?|goals?|"
    r"devices?|scans?|administrations?|items?|resources?|concepts?"
)
_NUMBER = rf"(?<![\w./-])(\d{{1,4}}|{numbers.WORD}|a single|several|multiple|many|numerous|a few)"
_NOT_UNITS = rf"(?!\s*{numbers.UNIT}(?![a-z0-9/]))"
# Up to five words may stand between the number and what is counted: "3 documented active HbA1c results".
_COUNTED = re.compile(rf"{_NUMBER}\b{_NOT_UNITS}(?=((?:\s+[a-z][\w()'/-]*){{0,5}}?)\s+({NOUNS})\b)")
# Any plural counts, unless it is a form of dose: "two echocardiographies".
_PLURAL = re.compile(
    rf"{_NUMBER}\b{_NOT_UNITS}(?=((?:\s+[a-z][\w()'/-]*){{0,4}}?)"
    r"\s+((?!tablets|capsules|puffs|drops|pills|points|units|years|months|weeks|days|hours|minutes)[a-z]{3,}[^su\W]s)\b)"
)
_ONLY = re.compile(rf"\bonly\s+(\d{{1,3}}|{numbers.WORD})\b(?!\s+(?:of|more)\b){_NOT_UNITS}")
_TIMES = re.compile(r"\b(once|twice|thrice)\b")
_THERE = re.compile(
    rf"\bthere (?:is|are|was|were|have been|has been)\s+(?:a total of |only |exactly )?(\d{{1,4}}|{numbers.WORD})\b"
)
_LABELLED = re.compile(
    rf"\b(?:count|number of [a-z0-9 -]{{1,40}}|total|n)\s*(?:is|was|were|of|:|=)\s*(\d{{1,4}}|{numbers.WORD})\b"
    r"(?!\s*[%.]?\d)"
)
# "Colonoscopies: three"
_TITLED = re.compile(rf"[a-z]s:\s*({numbers.WORD})\b(?=\s*(?:[,.;(]|$))")
# "Two on record: …", "Twice: …"
_BARE = re.compile(
    rf"^\W*(\d{{1,3}}|{numbers.WORD})(?=\s*:|\s+(?:on (?:record|file)|in (?:all|total)|so far|found)\b)"
)
_EVENTS = re.compile(r"\b(?:once|twice|thrice|times?|occasions?)$")
_WORDS = {"once": 1, "twice": 2, "thrice": 3, "a single": 1}
_MANY = {"several": 2, "multiple": 2, "many": 3, "numerous": 3, "a few": 2}
# "The last 3 results" is an order, "every 3 visits" a frequency.
_ORDERED = re.compile(r"\b(?:last|latest|recent|first|previous|next|every|of the|top|type|stage|grade)\s+$")


def read(reading: Reading) -> list[CountAtom]:
    found = []
    for pattern in (_COUNTED, _PLURAL, _ONLY, _THERE, _LABELLED, _TITLED, _BARE, _TIMES):
        for match in list(reading.find(pattern)):
            word = match[1]
            counted = pattern in (_COUNTED, _PLURAL)
            noun = match[3] if counted else ""
            if counted and (_ORDERED.search(reading.before(match.start())) or _has_number(match[2])):
                continue
            count = _WORDS.get(word, _MANY.get(word)) or numbers.count_value(word)
            if count is None:
                continue
            said = f"{match.group().strip()}{match[2]} {noun}" if counted else match.group().strip()
            found.append(CountAtom(match.start(), match.end(), said, count, noun, word in _MANY))
            reading.take(match.start(1), match.end(1))
    return sorted(found, key=lambda a: a.start)


_TOLD = re.compile(rf"(?<![\w./-])({numbers.WORD})\b(?!\s+(?:hundred|point)\b)")


def read_told(reading: Reading) -> list[CountAtom]:
    """Number words that nothing else has read: "all three", "and two by eclampsia" count what is cited there."""
    found = []
    for match in list(reading.find(_TOLD)):
        number = numbers.count_value(match[1])
        if number is not None and number > 1:
            found.append(CountAtom(match.start(1), match.end(1), match[1], number, ""))
            reading.take(*match.span(1))
    return found


def check_told(atom: CountAtom, here: Sequence[Facts], cited: Sequence[Facts]) -> Outcome:
    """The number against what is cited at its place, or all cited of one kind."""
    kinds: dict[str, int] = {}
    for facts in cited:
        kinds[facts.resource_type] = kinds.get(facts.resource_type, 0) + 1
    if atom.count == len(here) or atom.count in kinds.values():
        return agreed("count", atom.said, str(atom.count))
    return missing("count", atom.said, f"{len(here)} cited")


def _has_number(between: str) -> bool:
    return bool(re.search(rf"\d{{2,}}|\b(?:on|in|was|were|is|and|of|{numbers.WORD})\b", between))


def check(atom: CountAtom, members: Sequence[Facts], cited: Sequence[Facts]) -> Outcome:
    """The number stated against the members counted as entries, as days, or as distinct things."""
    # "Twice" counts events; "two drugs" may be two orders, or the distinct drugs of more.
    ways = _ways(members)[:1] if _EVENTS.search(atom.said) else _ways(members)
    if atom.at_least:
        return (
            agreed("count", atom.said, str(ways[0]))
            if ways[0] >= atom.count
            else contradicted("count", atom.said, str(ways[0]))
        )
    if atom.count in ways or (atom.count == len(cited) and _rest_is_social(members, cited)):
        return agreed("count", atom.said, str(atom.count))
    return contradicted("count", atom.said, str(ways[0]))


def _ways(members: Sequence[Facts]) -> tuple[int, ...]:
    """Entries first; then distinct concepts and days, because two orders of one drug are one medication."""
    if members and members[0].resource_type == "Observation":
        return (len(members),)
    return (len(members), len({m.concept_key for m in members}), len({m.label.casefold() for m in members}))


def _rest_is_social(members: Sequence[Facts], cited: Sequence[Facts]) -> bool:
    """A problem list may leave out what SNOMED CT files as a finding, a situation or a person."""
    ids = {f.resource_id for f in cited}
    if not members or members[0].resource_type != "Condition" or not ids <= {m.resource_id for m in members}:
        return False
    labels = {f.label.casefold() for f in cited}
    rest = [m for m in members if m.resource_id not in ids and m.label.casefold() not in labels]
    return all(any(semantic_tag(n) not in ("", "disorder") for n in m.names) for m in rest)
