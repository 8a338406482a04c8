"""By how much: a difference, a share of the earlier value, a multiple of it, computed from two recorded values.

The earlier value is the one dated earlier; a change is of values of one kind and in units that convert.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from core.fhir.quantities import convert, shown_number
from core.grounding.checks import numbers
from core.grounding.checks.direction import RelationAtom
from core.grounding.checks.order import number
from core.grounding.checks.outcome import Outcome, agreed, contradicted, missing
from core.grounding.checks.quantity import QuantityAtom
from core.grounding.checks.relation import numbers_of, unique
from core.grounding.reading import Atom, Reading
from core.grounding.record import instant
from core.models import Facts


@dataclass(frozen=True, slots=True)
class ShareAtom(Atom):
    """`share` of the earlier value that the change is ("by half"), or the `multiple` of it that was reached ("fourfold")."""

    share: Decimal | None
    multiple: Decimal | None
    bound: str = ""  # ">" for "more than", "<" for "less than", "~" for "about"


_BOUND = (
    r"(?:(?P<over>more than|over|at least)|(?P<under>less than|under|nearly|almost)|"
    r"(?P<about>about|around|roughly|some))?"
)
_SHARES = {"half": Decimal("0.5"), "a third": Decimal(1) / 3, "one third": Decimal(1) / 3, "two thirds": Decimal(2) / 3,
    "a quarter": Decimal("0.25"), "one quarter": Decimal("0.25"), "three quarters": Decimal("0.75"),
    "a fifth": Decimal("0.2"), "a tenth": Decimal("0.1")}  # fmt: skip
_SHARE = re.compile(rf"\bby {_BOUND}\s*(?P<share>{'|'.join(_SHARES)})\b(?! (?:a|an|of)\b)")
_FOLD = re.compile(rf"\b{_BOUND}\s*(?P<times>\d{{1,2}}|{numbers.WORD}|tw|thr)-?fold\b")


def read(reading: Reading) -> list[ShareAtom]:
    """Shares and multiples, before "half" is read as a part of many."""
    found = []
    for match in list(reading.find(_SHARE)):
        found.append(ShareAtom(*match.span(), match.group(), _SHARES[match["share"]], None, _bound(match)))
        reading.take(*match.span())
    for match in list(reading.find(_FOLD)):
        if times := numbers.count_value(match["times"]):
            found.append(ShareAtom(*match.span(), match.group().strip(), None, Decimal(times), _bound(match)))
            reading.take(*match.span())
    return found


def _bound(match: re.Match[str]) -> str:
    return ">" if match["over"] else "<" if match["under"] else "~" if match["about"] else ""


def check_share(atom: ShareAtom, cited: Sequence[Facts], labels: frozenset[str]) -> Outcome:
    """The first and the last cited value against the share or the multiple."""
    numeric = sorted(unique([f for f in cited if number(f, labels) is not None]), key=instant)
    if len(numeric) < 2:
        return missing("change", atom.said, "fewer than two numbers in what is cited")
    before, after = numbers_of(numeric[0], labels), numbers_of(numeric[-1], labels)
    turned = convert(before[0][0], before[0][1], after[0][1]) if before and after else None
    if not turned:
        return missing("change", atom.said, "no two numbers that can be compared")
    wanted = atom.share if atom.share is not None else atom.multiple or Decimal(1)
    real = abs(after[0][0] - turned) / abs(turned) if atom.share is not None else after[0][0] / turned
    shown = f"{shown_number(turned)}, then {shown_number(after[0][0])}"
    fits = {">": real >= wanted, "<": wanted * Decimal("0.85") <= real <= wanted}.get(
        atom.bound, abs(real - wanted) <= wanted / 10
    )
    return agreed("change", atom.said, shown) if fits else contradicted("change", atom.said, shown)


def _in_its_unit(atom: QuantityAtom, facts: Facts, labels: frozenset[str]) -> bool:
    """Whether a result is one that a difference in this unit may be of."""
    if number(facts, labels) is None:
        return False
    own = [unit for _, unit in numbers_of(facts, labels)]
    unit = atom.stated.unit
    return unit in ("", "%", "points", "point") or any(convert(Decimal(1), u, unit) is not None for u in own)


def check_delta(atom: QuantityAtom, cited: Sequence[Facts], labels: frozenset[str]) -> Outcome:
    """ "By 1.2 %": the difference of two cited values, or that difference as a percentage of the earlier one."""
    numeric = sorted(unique([f for f in cited if _in_its_unit(atom, f, labels)]), key=instant)
    if len(numeric) < 2:
        return missing("change", atom.said, "fewer than two numbers in what is cited")
    before, after = numbers_of(numeric[0], labels), numbers_of(numeric[-1], labels)
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
    elif unit_fits and (
        atom.stated.equals(change)
        or atom.stated.equals(shown_change)
        or abs(change - atom.stated.value) <= Decimal(5).scaleb(-atom.stated.places - 1)
    ):
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
