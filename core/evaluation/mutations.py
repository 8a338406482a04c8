"""Wrong answers made out of right ones, one fact at a time: what a verifier has to catch.

Pure and deterministic: the same answer, record and seed give the same mutants. A mutation is made only where the record
shows that the result is wrong; an answer that offers nothing to a kind yields no mutant of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from random import Random

from core.evaluation import assertions
from core.evaluation.assertions import short as _short
from core.evaluation.found import numbers, printed_as
from core.fhir.codes import plain
from core.grounding import citations
from core.grounding.record import Record
from core.models import Facts, ValueKind

_CITATION = re.compile(r"\s*\[[A-Z][A-Za-z]+/[^\[\]]+\]")
_ISO = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_UNITS = {
    "%": "mmol/mol",
    "mg/dL": "mmol/L",
    "mmol/L": "mg/dL",
    "g/dL": "mg/dL",
    "mg/g": "g/g",
    "kg": "lb",
    "cm": "in",
    "kg/m2": "kg",
    "kg/m²": "kg",
    "mmHg": "kPa",
    "mL/min": "L/min",
    "kU/L": "U/L",
    "U/L": "kU/L",
    "/min": "/h",
    "10*3/uL": "10*6/uL",
    "°C": "°F",
}
_STATUS = {
    "active": "stopped",
    "stopped": "active",
    "resolved": "active",
    "completed": "planned",
    "final": "preliminary",
}
_DIRECTION = {
    "higher than": "lower than",
    "lower than": "higher than",
    "the same as": "higher than",
    "highest": "lowest",
    "lowest": "highest",
}
_NEGATION = (
    (re.compile(r"^Yes\b"), "No"),
    (re.compile(r"\b(was|is|were|are) (?!not\b)"), r"\1 not "),
    (re.compile(r"(?m)^- (?!\d)(?=\w)"), "- No "),
)
_ADDED = (
    ("There is also a history of stroke.", "stroke"),
    ("Amiodarone was started as well.", "amiodarone"),
    ("A pulmonary embolism was ruled out.", "embolism"),
    ("The patient smokes a pack a day.", "pack"),
)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One wrong answer and what was done to it."""

    kind: str
    text: str


@dataclass(frozen=True)
class _Answer:
    """A right answer with the resources it cites and the record they come from."""

    text: str
    record: Record
    random: Random

    @property
    def cited(self) -> list[Facts]:
        ids = [i for bracket in citations.mask(self.text)[1] for i in bracket]
        return [self.record.resources[i] for i in dict.fromkeys(ids) if i in self.record.resources]

    def pick(self, found: Sequence[re.Match[str]]) -> re.Match[str] | None:
        return self.random.choice(found) if found else None

    def spans(self, pattern: re.Pattern[str]) -> list[re.Match[str]]:
        """Matches outside citation brackets."""
        taken = [m.span() for m in _CITATION.finditer(self.text)]
        return [m for m in pattern.finditer(self.text) if not any(a <= m.start() < b for a, b in taken)]


def mutants(answer: str, record: Record, seed: str) -> list[Mutant]:
    """At most one mutant of each kind, in the order of KINDS."""
    found = []
    for kind, mutate in _MUTATIONS.items():
        right = _Answer(answer, record, Random(f"{seed}:{kind}"))
        if right.cited and (text := mutate(right)) and text != answer:
            found.append(Mutant(kind, text))
    return found


# --- facts made wrong -----------------------------------------------------------------------------


def _value(right: _Answer) -> str | None:
    """A measured number becomes one that no cited result rounds to."""
    measured = [q for f in right.cited for q in _quantities(f)]
    # A number in an answer, not part of a date, a name or a citation.
    pattern = re.compile(r"(?<![\w.\-/])\d+(?:\.\d+)?(?![\w-]|\.\d)")
    here = [m for m in right.spans(pattern) if any(printed_as(m[0], q) for q in measured)]
    match = right.pick([m for m in here if m[0] in numbers(right.text)])
    if match is None:
        return None
    step = Decimal(1).scaleb(-len(match[0].partition(".")[2]))
    factor = Decimal(right.random.choice(("1.13", "0.87", "1.4")))
    wrong = (Decimal(match[0]) * factor).quantize(step)
    while wrong == Decimal(match[0]) or any(printed_as(str(wrong), q) for q in measured):
        wrong += step
    return _spliced(right.text, match, str(wrong))


def _unit(right: _Answer) -> str | None:
    alternatives = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
    match = right.pick(right.spans(re.compile(rf"(?<=\d)(\s?)({alternatives})(?![\w/])")))
    return _spliced(right.text, match, f" {_UNITS[match[2]]}") if match else None


def _date(days: int = 0, years: int = 0) -> Callable[[_Answer], str | None]:
    """A date of a cited resource moves to a day that none of the cited resources has."""

    def mutate(right: _Answer) -> str | None:
        known = {d.date.shown for f in right.cited for d in f.dates}
        match = right.pick([m for m in right.spans(_ISO) if m[0] in known])
        if match is None:
            return None
        wrong = date.fromisoformat(match[0])
        while wrong.isoformat() in known:
            wrong = (
                wrong.replace(year=wrong.year - years, day=min(wrong.day, 28))
                if years
                else wrong + timedelta(days)
            )
        return _spliced(right.text, match, wrong.isoformat())

    return mutate


def _status(right: _Answer) -> str | None:
    stated = {s for f in right.cited for s in f.statuses}
    words = [w for w in _STATUS if w in stated and _STATUS[w] not in stated]
    if not words:
        return None
    match = right.pick(right.spans(re.compile(rf"(?<![\w-])(?:{'|'.join(words)})(?![\w-])")))
    return _spliced(right.text, match, _STATUS[match[0]]) if match else None


def _direction(right: _Answer) -> str | None:
    """Turned round, where the cited values differ (all but "the same as", which then holds of none)."""
    values = {q for f in right.cited for q in _quantities(f)[:1]}
    series = {q for f in right.cited[:1] for s in right.record.series(f) for q in _quantities(s)[:1]}
    match = right.pick(right.spans(re.compile("|".join(_DIRECTION))))
    if match is None or (match[0] != "the same as" and len(values | series) < 2):
        return None
    return _spliced(right.text, match, _DIRECTION[match[0]])


def _count(right: _Answer) -> str | None:
    match = right.pick(
        right.spans(re.compile(r"(?<=was recorded )\d+(?= time)|(?<=There was )\d+|(?<=There were )\d+"))
    )
    return _spliced(right.text, match, str(int(match[0]) + right.random.choice((1, 2, 3)))) if match else None


def _stale(right: _Answer) -> str | None:
    """ "The most recent" with value, date and citation of an older result of the same series."""
    if len(right.cited) != 1 or not re.search(r"\b(?:most recent|latest|last|newest)\b", right.text):
        return None
    now = right.cited[0]
    older = [
        f
        for f in right.record.series(now)
        if f.date
        and now.date
        and f.date.start < now.date.start
        and _quantities(f)[:1] != _quantities(now)[:1]
    ]
    if not older or len(_quantities(now)) != 1:
        return None
    then = right.random.choice([f for f in older if len(_quantities(f)) == 1] or [now])
    if then is now or now.date is None or then.date is None:
        return None
    pattern = re.compile(r"(?<![\w.\-/])\d+(?:\.\d+)?(?![\w-]|\.\d)")
    match = right.pick([m for m in right.spans(pattern) if printed_as(m[0], _quantities(now)[0])])
    if match is None:
        return None
    text = _spliced(right.text, match, _printed(_quantities(then)[0], match[0]))
    return text.replace(now.resource_id, then.resource_id).replace(now.date.shown, then.date.shown)


def _name(right: _Answer) -> str | None:
    """A drug, an analyte or a problem becomes another one of the same record."""
    for facts in right.cited:
        names = sorted(
            {n for n in _names(facts) if n.casefold() in right.text.casefold()}, key=len, reverse=True
        )
        matches = right.spans(re.compile(re.escape(names[0]), re.IGNORECASE)) if names else []
        others = [
            f for f in right.record.of_type(facts.resource_type) if not right.record.same_series(f, facts)
        ]
        labels = sorted({_short(f) for f in others} - {_short(f) for f in right.cited})
        if matches and labels:
            return _spliced(right.text, matches[0], right.random.choice(labels))
    return None


def _negation(right: _Answer) -> str | None:
    for pattern, replacement in _NEGATION:
        if pattern.search(right.text):
            return pattern.sub(replacement, right.text, count=1)
    return None


# --- citations and claims made wrong ----------------------------------------------------------------


def _swapped_citation(right: _Answer) -> str | None:
    """One cited id becomes that of a resource about something else, of another day."""
    facts = right.random.choice(right.cited)
    shown = facts.date.shown if facts.date else ""
    others = [
        f.resource_id
        for f in right.record.of_type(facts.resource_type)
        if not right.record.same_series(f, facts)
        and f.date
        and f.date.shown != shown
        and f.label != facts.label
    ]
    others = [i for i in others if i not in right.text]
    return right.text.replace(facts.resource_id, right.random.choice(others)) if others else None


def _swapped_in_list(right: _Answer) -> str | None:
    """One id of a bracket with several becomes that of a resource about something else."""
    brackets = [ids for ids in citations.mask(right.text)[1] if len(ids) > 1]
    if not brackets:
        return None
    old = right.random.choice(right.random.choice(brackets))
    facts = right.record.resources.get(old)
    if facts is None:
        return None
    others = [
        f.resource_id
        for f in right.record.of_type(facts.resource_type)
        if not right.record.same_series(f, facts)
        and f.label != facts.label
        and f.resource_id not in right.text
        and not any(right.record.same_series(f, c) for c in right.cited)
    ]
    return right.text.replace(old, right.random.choice(others)) if others else None


def _headed(right: _Answer) -> str | None:
    """A heading that the answer does not belong under."""
    heading = assertions.wrong_heading(right.cited, right.random)
    return f"### {heading}\n\n{right.text}" if heading else None


def _interpretation(right: _Answer) -> str | None:
    """ "High", "low" and "normal" change places; a result without flag or range is called high."""
    match = right.pick(right.spans(re.compile(r"(?<=\()(?:high|low|normal)\b")))
    if match:
        return _spliced(right.text, match, "normal" if match[0] != "normal" else "high")
    numeric = [f for f in right.cited if len(_quantities(f)) == 1]
    if len(right.cited) != 1 or not numeric or any(v.flags or v.ranges for v in numeric[0].values):
        return None
    dates = right.spans(_ISO)
    return _spliced(right.text, dates[-1], f"{dates[-1][0]} (high)") if dates else None


def _asserted(make: Callable[[_Answer], str]) -> Callable[[_Answer], str | None]:
    """A false statement about what the answer cites, after the answer."""

    def mutate(right: _Answer) -> str | None:
        statement = make(right)
        return f"{right.text}\n\n{statement}" if statement else None

    return mutate


def _invented_citation(right: _Answer) -> str | None:
    facts = right.random.choice(right.cited)
    invented = f"{facts.resource_type}/{right.random.getrandbits(128):032x}"
    return right.text.replace(facts.resource_id, invented)


def _citation_removed(right: _Answer) -> str | None:
    """A line loses its citations. One whose resources are cited on another line too may still rest on that: then all do."""
    lines = right.text.splitlines()
    ids = [{i for bracket in citations.mask(line)[1] for i in bracket} for line in lines]
    alone = [
        n for n, own in enumerate(ids) if own and all(own.isdisjoint(o) for m, o in enumerate(ids) if m != n)
    ]
    if not alone:
        return _CITATION.sub("", right.text)
    at = right.random.choice(alone)
    lines[at] = _CITATION.sub("", lines[at])
    return "\n".join(lines)


def _sentence_added(right: _Answer) -> str | None:
    sentence = _unfounded(right)
    return f"{right.text}\n\n{sentence}" if sentence else None


def _sentence_added_cited(right: _Answer) -> str | None:
    sentence = _unfounded(right)
    return f"{right.text}\n\n{sentence[:-1]} [{right.cited[0].resource_id}]." if sentence else None


def _unfounded(right: _Answer) -> str:
    """A statement whose subject no resource of the record is named after."""
    named = " ".join(n for f in right.record.resources.values() for n in (f.label, *f.names)).casefold()
    free = [sentence for sentence, subject in _ADDED if subject not in named]
    return right.random.choice(free) if free else ""


# --- parts ------------------------------------------------------------------------------------------


def _quantities(facts: Facts) -> list[Decimal]:
    found = (v.quantity for v in facts.values if v.kind is ValueKind.QUANTITY)
    return [q.value for q in found if q and q.value is not None]


def _printed(value: Decimal, like: str) -> str:
    """A value with as many decimals as another number was printed with."""
    return str(value.quantize(Decimal(1).scaleb(-len(like.partition(".")[2]))))


def _names(facts: Facts) -> set[str]:
    return {_short(facts), facts.label, *facts.names, *(plain(n) for n in facts.names)}


def _spliced(text: str, match: re.Match[str], replacement: str) -> str:
    return f"{text[: match.start()]}{replacement}{text[match.end() :]}"


_MUTATIONS: dict[str, Callable[[_Answer], str | None]] = {
    "value": _value,
    "unit": _unit,
    "date_day": _date(days=1),
    "date_year": _date(years=1),
    "status": _status,
    "direction": _direction,
    "count": _count,
    "stale": _stale,
    "name": _name,
    "negation": _negation,
    "citation_swapped": _swapped_citation,
    "citation_swapped_in_list": _swapped_in_list,
    "heading": _headed,
    "interpretation": _interpretation,
    "events_reversed": _asserted(lambda r: assertions.reversed_events(r.cited, r.record, r.random)),
    "ordered_as_given": _asserted(lambda r: assertions.ordered_as_given(r.cited, r.random)),
    "comparison": _asserted(lambda r: assertions.wrong_comparison(r.cited, r.record, r.random)),
    "only": _asserted(lambda r: assertions.only_one(r.cited, r.record, r.random)),
    "latest_of_kind": _asserted(lambda r: assertions.latest_of_kind(r.cited, r.record, r.random)),
    "steady": _asserted(lambda r: assertions.steady(r.cited, r.record, r.random)),
    "relative": _asserted(lambda r: assertions.of_a_relative(r.cited, r.random)),
    "sign": _asserted(lambda r: assertions.unread_sign(r.cited, r.random)),
    "citation_invented": _invented_citation,
    "citation_removed": _citation_removed,
    "sentence_added": _sentence_added,
    "sentence_added_cited": _sentence_added_cited,
}
KINDS = tuple(_MUTATIONS)
