"""Higher, lower, rose, fell, unchanged: two recorded values, put in the order the words give them, have to bear it out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from core.fhir.quantities import convert, shown_number, shown_quantity, unit_of
from core.grounding.checks import components
from core.grounding.checks.direction import RelationAtom
from core.grounding.checks.order import number
from core.grounding.checks.outcome import Outcome, agreed, contradicted, missing
from core.grounding.checks.quantity import QuantityAtom
from core.grounding.checks.sequence import Place
from core.grounding.reading import Reading
from core.grounding.record import Record, instant
from core.models import Facts

# A number of the text with the resource it was found in.
BoundNumber = tuple[QuantityAtom | components.PairAtom, Facts]


@dataclass(frozen=True)
class Told:
    """What a statement tells of numbers: each with the resource it was found in, where resources are "
    "named, what is cited."""

    bound: Sequence[BoundNumber]
    places: Sequence[Place]
    cited: Sequence[Facts]


_TO = re.compile(
    r"\s+(?:again |back |further )?to (?:(?:an? |the |its )?(?:[a-z]+ )?(?:peak|high|low|maximum|minimum|value|level) of )?"
    r"(?:about |around |approximately |~)?"
)
_FROM = re.compile(
    r"\s+(?:again |back |further |steadily |slightly )?from (?:an? |the |its )?(?:about |around |low of |high of |~)?"
)
_THEN_TO = re.compile(r"[^;\d]{0,40}\bto (?:an? |the |its )?(?:about |around |low of |high of |~)?")
_NOT_BEFORE = re.compile(r"\b(?:not|no|never)\s+(?:\w+\s+)?$|n't\s+$")


def is_threshold(atom: RelationAtom, reading: Reading, cited: Sequence[Facts]) -> bool:
    """ "Lower than 7 %" beside one result is a bound on it, not a comparison of two."""
    return atom.than and len(cited) < 2 and bool(re.match(r"\s*~?\d", reading.after(atom.end)))


def same_day(
    atom: RelationAtom, cited: Sequence[Facts], before: Sequence[Facts], *, ended: bool = False
) -> Outcome:
    """ "On the same day", "at that visit": all that is cited, or what is cited and what was said just before.

    `ended` says that the last one cited is spoken of by its end: "… and was discharged the same day".
    """
    days = [f.date.start for f in cited if f.date]
    if ended and days and (end := cited[-1].dated("period.end", "abatementDateTime", "effectivePeriod.end")):
        days[-1] = end.start
    earlier = [f.date.start for f in before if f.date]
    if len(set(days)) == 1 and (len(days) > 1 or days[0] in earlier):
        return agreed("relation", atom.said, days[0].isoformat())
    if len(days) < 2 and not earlier:
        return missing("relation", atom.said, "only one dated resource is cited")
    return contradicted("relation", atom.said, ", ".join(sorted({d.isoformat() for d in (*days, *earlier)})))


def check(
    atom: RelationAtom, told: Told, record: Record, labels: frozenset[str], reading: Reading
) -> Outcome | None:
    """The values on either side of the word, or over time, against the direction it gives."""
    parsed_order, cited = told.bound, told.cited
    numeric = _unique([f for f in cited if number(f, labels) is not None])
    if not numeric:
        return missing("relation", atom.said, "no numbers to compare in what is cited")
    if len(numeric) == 1:
        earlier = [m for m in record.series(numeric[0]) if instant(m) < instant(numeric[0])]
        if not earlier:
            return missing("relation", atom.said, "nothing to compare it with is cited")
        numeric = [earlier[-1], numeric[0]]
    in_text = _compared(atom, told) or _unique([f for _, f in parsed_order])
    ordered = sorted(numeric, key=instant)
    if atom.over_time:
        first, second = _from_and_to(atom, parsed_order, reading, record) or (ordered[0], ordered[-1])
        if wrong := _told_backwards(reading, parsed_order, first, second):
            return wrong
    elif len(in_text) >= 2:
        second, first = in_text[0], in_text[1]
    elif not record.same_series(ordered[-2], ordered[-1]):
        return missing("relation", atom.said, "which is compared with which is not told apart")
    else:
        first, second = ordered[-2], ordered[-1]
    if atom.kind == "from to":
        return agreed("relation", atom.said, f"{_shown(first, labels)}, then {_shown(second, labels)}")
    if atom.kind == "varied":
        return _varied(atom, ordered, labels)
    if atom.steady:
        steps = pairwise(_between(record, ordered))
        wrong_steps = [(a, b) for a, b in steps if not _bears(atom.kind, a, b, labels, steady=True)]
        if wrong_steps:
            a, b = wrong_steps[0]
            return contradicted("relation", atom.said, f"{_shown(a, labels)}, then {_shown(b, labels)}")
    negated = bool(_NOT_BEFORE.search(reading.before(atom.start)))
    places = [a.stated.places for a, _ in parsed_order if isinstance(a, QuantityAtom)]
    holds = _bears(atom.kind, first, second, labels, places=min(places, default=None))
    if holds is None:
        return missing("relation", atom.said, "values in units that do not convert")
    if holds is negated:
        pair = (second, first) if not atom.over_time else (first, second)
        return contradicted("relation", atom.said, f"{_shown(pair[0], labels)} and {_shown(pair[1], labels)}")
    if atom.factor is not None and not _by_factor(atom, first, second, labels):
        return contradicted("relation", atom.said, f"{_shown(first, labels)}, then {_shown(second, labels)}")
    return agreed("relation", atom.said, f"{_shown(first, labels)}, {_shown(second, labels)}")


def check_ratio(atom: RelationAtom, stated: Sequence[QuantityAtom]) -> Outcome:
    """ "3.3, half of the 6.7 of …": the numbers on either side, each checked for itself, to a fifteenth of their ratio."""
    before = [q.stated for q in stated if q.end <= atom.start]
    after = [q.stated for q in stated if q.start >= atom.end]
    if not before or not after or atom.factor is None or not after[0].value:
        return missing("relation", atom.said, "what is compared with what is not told apart")
    ratio = before[-1].value / after[0].value
    if abs(ratio - atom.factor) <= atom.factor / 15:
        return agreed("relation", atom.said, f"{before[-1].value} and {after[0].value}")
    return contradicted("relation", atom.said, f"{before[-1].value} and {after[0].value}")


def _compared(atom: RelationAtom, told: Told) -> list[Facts]:
    """The two results that a comparison stands between by their names, its subject first: "LDL was higher than HDL"."""
    left = next((p for p in reversed(told.places) if p[1] <= atom.start), None)
    right = next((p for p in told.places if p[0] >= atom.end), None)
    if left is None or right is None:
        return []
    subject = [f for f in left[2] if f not in right[2] and number(f) is not None]
    other = [f for f in right[2] if f not in left[2] and number(f) is not None]
    return [subject[0], other[0]] if len(subject) == 1 and len(other) == 1 else []


def _from_and_to(
    atom: RelationAtom, parsed_order: Sequence[BoundNumber], reading: Reading, record: Record
) -> tuple[Facts, Facts] | None:
    """Of "fell to 58.9 and rose to 114", the two results this verb goes between: what it ends at, and what came before."""
    after = [(a, f) for a, f in parsed_order if a.start >= atom.end]
    if len(after) > 1 and record.same_series(after[0][1], after[1][1]):
        (one, first), (other, second) = after[:2]
        told = reading.folded[atom.end : one.start], reading.folded[one.end : other.start]
        if _FROM.fullmatch(told[0]) and _THEN_TO.fullmatch(told[1]) and instant(first) < instant(second):
            return first, second
    end = after[0] if after else None
    if end is None or not _TO.fullmatch(reading.folded[atom.end : end[0].start]):
        return None
    named = [f for a, f in parsed_order if a.start < atom.start and instant(f) < instant(end[1])]
    earlier = named or [m for m in record.series(end[1]) if instant(m) < instant(end[1])]
    return (earlier[-1], end[1]) if earlier else None


def _unique(found: Sequence[Facts]) -> list[Facts]:
    return list({f.resource_id: f for f in found}.values())


def _between(record: Record, ordered: Sequence[Facts]) -> list[Facts]:
    """The whole series between the first and the last cited result: a step left out is still a step."""
    inside = [
        m for m in record.series(ordered[0]) if instant(ordered[0]) <= instant(m) <= instant(ordered[-1])
    ]
    return inside or list(ordered)


def _told_backwards(
    reading: Reading,
    parsed_order: Sequence[BoundNumber],
    first: Facts,
    second: Facts,
) -> Outcome | None:
    """ "From 8.2 % to 7.1 %" where the 7.1 % came first."""
    origin = [
        f
        for a, f in parsed_order
        if re.search(r"\bfrom\s+(?:an? |the |about )?(?:\w+ (?:of |value of )?)?$", reading.before(a.start))
    ]
    if not origin or instant(origin[0]) <= instant(first) or first.resource_id == second.resource_id:
        return None
    if instant(origin[0]) >= instant(second) and instant(second) > instant(first):
        when = origin[0].date.shown if origin[0].date else ""
        return contradicted("relation", "from the earlier to the later", f"{when} is the later one")
    return None


def _numbers(facts: Facts, labels: frozenset[str]) -> list[tuple[Decimal, str]]:
    if not labels and (found := components.pair(facts)):
        return [(q.value, unit_of(q)) for q in found if q.value is not None]
    held = number(facts, labels)
    return (
        [(held.value, unit_of(held))]
        if held is not None and held.value is not None and not held.comparator
        else []
    )


def _bears(
    kind: str,
    first: Facts,
    second: Facts,
    labels: frozenset[str],
    *,
    steady: bool = False,
    places: int | None = None,
) -> bool | None:
    """Whether going from the first to the second is what the word says; None where the two cannot be compared."""
    before, after = _numbers(first, labels), _numbers(second, labels)
    if not before or len(before) != len(after):
        return None
    signs = []
    for (a, unit_a), (b, unit_b) in zip(before, after, strict=True):
        turned = convert(a, unit_a, unit_b)
        if turned is None:
            return None
        same = shown_number(turned) == shown_number(b) or (
            places is not None and round(turned, places) == round(b, places)
        )
        if kind == "same":
            signs.append(0 if same else 1)
        else:
            signs.append((b > turned) - (b < turned))
    if kind == "same":
        return not any(signs)
    if kind == "changed":
        return any(signs)
    wanted = 1 if kind == "up" else -1
    return all(s in (wanted, 0) for s in signs) and (steady or any(signs))


def _by_factor(atom: RelationAtom, first: Facts, second: Facts, labels: frozenset[str]) -> bool:
    """Whether the values are that many times apart; "more than" bounds it below, "nearly" may fall short by a fifth."""
    before, after = _numbers(first, labels), _numbers(second, labels)
    if not (before and after and before[0][0]) or atom.factor is None:
        return False
    ratio = after[0][0] / before[0][0] / atom.factor
    if atom.said.startswith(("more than", "over")):
        return ratio >= 1
    if atom.said.startswith(("almost", "nearly")):
        return Decimal("0.8") <= ratio <= 1
    return abs(ratio - 1) <= Decimal("0.1")


def _varied(atom: RelationAtom, ordered: Sequence[Facts], labels: frozenset[str]) -> Outcome:
    steps = {_bears("up", a, b, labels) for a, b in pairwise(ordered)}
    if len(steps) > 1:
        return agreed("relation", atom.said, "went both ways")
    return contradicted("relation", atom.said, "went one way")


def check_delta(atom: QuantityAtom, cited: Sequence[Facts], labels: frozenset[str]) -> Outcome:
    """ "By 1.2 %": the difference of two cited values, or that difference as a percentage of the earlier one."""
    numeric = sorted(_unique([f for f in cited if number(f, labels) is not None]), key=instant)
    if len(numeric) < 2:
        return missing("change", atom.said, "fewer than two numbers in what is cited")
    before, after = _numbers(numeric[0], labels), _numbers(numeric[-1], labels)
    if not before or not after:
        return missing("change", atom.said, "no exact numbers in what is cited")
    turned = convert(before[0][0], before[0][1], after[0][1])
    if turned is None:
        return missing("change", atom.said, "values in units that do not convert")
    change = abs(after[0][0] - turned)
    shown_change = abs(Decimal(shown_number(after[0][0])) - Decimal(shown_number(turned)))
    unit_fits = not atom.stated.unit or atom.stated.unit in (after[0][1], "points", "point")
    if unit_fits and atom.comparator:
        if _beyond(atom, change):
            return agreed("change", atom.said, shown_number(change))
    elif unit_fits and (atom.stated.equals(change) or atom.stated.equals(shown_change)):
        return agreed("change", atom.said, shown_number(change))
    part = change / abs(turned) * 100 if turned else Decimal(0)
    if (
        atom.stated.unit == "%"
        and turned
        and (_beyond(atom, part) if atom.comparator else atom.stated.equals(part))
    ):
        return agreed("change", atom.said, f"{shown_number(change / abs(turned) * 100)} %")
    return contradicted("change", atom.said, f"{shown_number(change)} {after[0][1]}".strip())


def _beyond(atom: QuantityAtom, change: Decimal) -> bool:
    """ "By more than 50": a change on the stated side of its limit."""
    over = atom.comparator.startswith(">")
    limit = atom.stated.value
    return change > limit if over else change < limit


def _shown(facts: Facts, labels: frozenset[str]) -> str:
    if not labels and components.pair(facts):
        return components.shown(facts)
    held = number(facts, labels)
    return shown_quantity(held) if held else facts.label
