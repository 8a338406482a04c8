"""A number stands only beside the resource that holds it: same unit (or the conversion table), same comparator, same place.

Equal means equal at the precision stated. "<5" does not support "5"; a number with a unit is not supported by a bare
number, except where the record's unit says that there is none ({score}).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from core.fhir.quantities import convert, shown_quantity, unit_of
from core.grounding.checks import numbers
from core.grounding.checks.numbers import NUMBER, Stated
from core.grounding.checks.outcome import Outcome, agreed, contradicted, missing, several
from core.grounding.citations import MARK
from core.grounding.reading import Atom, Reading
from core.models import Facts, Quantity, Value, ValueKind
from core.substance import turned
from core.words import stems


@dataclass(frozen=True, slots=True)
class QuantityAtom(Atom):
    """A number of the text with its unit. `comparator` is a stated bound ("below 7 %" is "<"), `near` widens it ("about").

    `labels` are component words beside it ("systolic"); `of_range` marks a limit of a reference range; `delta` a change,
    `always` a bound on every result of the series.
    """

    stated: Stated
    comparator: str = ""
    near: bool = False
    labels: frozenset[str] = frozenset()
    of_range: bool = False
    delta: bool = False
    always: bool = False


_NEVER = r"\b(?:never|not once|at no (?:time|point))\s+(?:\w+\s+){0,2}?"
# "Never above 5": a bound on the whole series.
_ALWAYS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(rf"{_NEVER}(?:above|over|exceed(?:s|ed|ing)?|(?:more|greater|higher) than)\s*$"), "<="),
    (re.compile(rf"{_NEVER}(?:below|under|(?:less|lower) than)\s*$"), ">="),
)
_COMPARATORS: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(
            r"(?:≤|<=|\bat most|\bno (?:more|higher|greater) than|"
            r"(?<!ed )(?<!went )(?<!crept )(?<!come )(?<!came )(?<!gone )(?<!shot )(?<!risen )\bup to|"
            r"\bnot (?:above|over|exceeding)|\bmaximum of)\s*$"
        ),
        "<=",
    ),
    (re.compile(r"(?:≥|>=|\bat least|\bno (?:less|lower|fewer) than|\bnot (?:below|under)|\bminimum of)\s*$"), ">="),
    (re.compile(r"(?:<|\bbelow|\bunder|\b(?:less|lower|fewer|smaller) than)\s*$"), "<"),
    (re.compile(r"(?:>|\babove|\bover|\b(?:more|greater|higher|larger) than|\bexceed(?:s|ed|ing)?)\s*$"), ">"),
)  # fmt: skip
_NEAR = re.compile(
    r"(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|circa|ca\.?|some)|~|≈)\s*$"
)
_DELTA = re.compile(
    r"\b(?:by|gained|lost|shed|put on|dropped|rose|fell|increased|decreased|declined|(?:drop|rise|increase|"
    r"decrease|fall|gain|loss|difference|change|reduction|decline)\s+of)\s+"
    r"(?:about |around |approximately |roughly |nearly |almost |~|more than |less than |over |at least |up to )?$"
)
_DELTA_AFTER = re.compile(
    r"^(?:[\s-]*points?)?[\s-]*(?:drop|rise|increase|decrease|fall|gain|loss|reduction|decline|change|higher|lower)\b"
)
_RANGE = re.compile(r"\b(?:reference|ref\.?|normal|range|limit|limits|interval)\b[^;]{0,36}$")
_COMPONENT = re.compile(r"\b(systolic|diastolic|sbp|dbp)\b")
_COMPONENT_AFTER = re.compile(r"^(?:\s*mm\s?\[?hg\]?)?[\s(]*(systolic|diastolic)\b")
_ABBREVIATED = {"sbp": "systolic", "dbp": "diastolic"}
# Amounts that only count: a record without a unit can support them.
_UNITLESS = {"", "{score}", "{count}", "{INR}", "[pH]", "{T-score}", "points", "point", "units", "unit"}


def read(reading: Reading) -> list[QuantityAtom]:
    """Every number that no earlier atom (a date, a count, a frequency) has claimed."""
    found = []
    for match in list(reading.find(NUMBER)):
        before, after = reading.before(match.start()), reading.after(match.end())
        comparator, word = next(
            ((sign, m) for pattern, sign in _COMPARATORS if (m := pattern.search(before))), ("", None)
        )
        for pattern, sign in _ALWAYS:
            if found_bound := pattern.search(before):
                comparator, word = sign, found_bound
        if word := word or _NEAR.search(before):
            reading.take(match.start() - len(before) + word.start(), match.start())
        atom = QuantityAtom(
            match.start(),
            match.end(),
            reading.text[match.start() : match.end()],
            numbers.stated(match),
            comparator,
            near=bool(_NEAR.search(before)),
            labels=_labels(before, after),
            of_range=bool(_RANGE.search(before)),
            always=any(p.search(before) for p, _ in _ALWAYS),
            delta=bool(_DELTA.search(before) or _DELTA_AFTER.match(after)),
        )
        reading.take(match.start(), match.end())
        found.append(atom)
    return found


_OUT_OF = re.compile(r"(?<=\d)\s*(?:out of|/|of)\s*(?:a (?:possible|maximum) )?(\d{1,3})(?![\d./])")


def take_scales(reading: Reading, cited: Sequence[Facts]) -> None:
    """ "2 out of 10" is 2 where the result's own name says that its scale goes to 10."""
    for match in list(reading.find(_OUT_OF)):
        if any(
            re.search(rf"\b0\s?(?:-|to)\s?{match[1]}\b", name) for f in cited for name in (f.label, *f.names)
        ):
            reading.take(*match.span())


@dataclass(frozen=True, slots=True)
class UnitAtom(Atom):
    """A unit that stands by itself: "HbA1c (%)" over a column."""

    unit: str


_UNIT_ALONE = re.compile(
    rf"\((?!\s*[a-z]\s*\))\s*({numbers.UNIT})\s*\)|"
    rf"(?:\b(?:all|each|both)?\s*\bin|,|\b(?:all|each|both))\s+({numbers.UNIT})(?=\s*(?:[.;:|{MARK}]|$))"
)


def read_units(reading: Reading) -> list[UnitAtom]:
    found = []
    for match in list(reading.find(_UNIT_ALONE)):
        found.append(UnitAtom(*match.span(), match.group(), numbers.unit_of(match[1] or match[2])))
        reading.take(*match.span())
    return found


def check_unit(atom: UnitAtom, cited: Sequence[Facts]) -> Outcome:
    """A unit by itself has to be that of a number of what is cited."""
    held = [q for f in cited for _, q in held_by(f)]
    if any(atom.unit == unit_of(q) for q in held):
        return agreed("quantity", atom.said, atom.unit)
    return contradicted("quantity", atom.said, several([unit_of(q) for q in held]) or "no unit")


def _labels(before: str, after: str) -> frozenset[str]:
    """The blood pressure component a number is said to be: the word right after it, else the nearest before it."""
    if match := _COMPONENT_AFTER.match(after):
        return frozenset({match[1]})
    tail = re.split(r"\d", before)[-1]
    words = _COMPONENT.findall(tail)
    return frozenset({_ABBREVIATED.get(words[-1], words[-1])}) if words else frozenset()


def held_by(facts: Facts, of_range: bool = False) -> list[tuple[Value | None, Quantity]]:
    """Every typed number of a resource, with the value it belongs to."""
    found: list[tuple[Value | None, Quantity]] = []
    for value in facts.values:
        if value.kind in (ValueKind.QUANTITY, ValueKind.RATIO) and value.quantity:
            found.append((value, value.quantity))
        if value.denominator:
            found.append((value, value.denominator))
        found += [(value, q) for q in (value.low, value.high) if q]
        if of_range:
            found += [(value, q) for r in value.ranges for q in (r.low, r.high) if q]
    return found


_SIGN = re.compile(r"[<>≤≥]=?\s*$")


def written_in(facts: Facts) -> list[Stated]:
    """The numbers written in a resource's names, doses, details and texts; behind a sign (<5) stands a bound."""
    texts = [facts.label, *facts.names, *(d.text for d in facts.details)]
    texts += [
        w for v in facts.values if v.kind is not ValueKind.QUANTITY for w in (v.label, v.text, *v.words)
    ]
    return list(_numbers_of(tuple(texts)))


def _numbers_of(texts: Iterable[str]) -> Iterable[Stated]:
    for text in texts:
        for match in NUMBER.finditer(text.casefold()):
            if not _SIGN.search(text[: match.start()]):
                yield numbers.stated(match)


def supports(atom: QuantityAtom, facts: Facts) -> bool:
    """Whether the resource holds the number as stated."""
    return any(
        _fits_label(atom, value) and agrees(atom, quantity, facts)
        for value, quantity in held_by(facts, atom.of_range)
    ) or (not atom.comparator and any(_same(atom.stated, other) for other in written_in(facts)))


def _same(said: Stated, written: Stated) -> bool:
    if not said.unit or said.unit == written.unit:
        return said.value == written.value
    turned = convert(written.value, written.unit, said.unit)
    return turned is not None and said.value == turned  # a strength is exact: 0.044 mg is 44 ug


def _fits_label(atom: QuantityAtom, value: Value | None) -> bool:
    return not atom.labels or value is None or bool(atom.labels & frozenset(stems_of(value)))


def stems_of(value: Value) -> tuple[str, ...]:
    return (*stems(value.label), *(w for w in value.label.casefold().split()))


def agrees(atom: QuantityAtom, held: Quantity, facts: Facts) -> bool:
    """Number, unit and comparator against one recorded quantity."""
    value = in_unit(held, atom.stated.unit, facts)
    if value is None:
        return False
    said = atom.stated
    if atom.comparator:
        return _bound(atom.comparator, said.value, held.comparator, value)
    if held.comparator:
        return False
    if atom.near and value:
        return abs(value - said.value) <= abs(value) * Decimal("0.05") or said.equals(value)
    return said.equals(value)


def _bound(comparator: str, limit: Decimal, held: str, value: Decimal) -> bool:
    """Whether a recorded value (possibly itself a bound) lies on the stated side of a limit."""
    below = comparator.startswith("<")
    if held and held.startswith("<") != below:
        return False
    inside = value < limit if below else value > limit
    on_it = value == limit and (comparator.endswith("=") or held == comparator)
    return inside or on_it


def in_unit(held: Quantity, unit: str, facts: Facts) -> Decimal | None:
    """A recorded quantity in the unit a claim states; None where that is no unit of it."""
    if held.value is None:
        return None
    own = unit_of(held)
    if not unit:
        return held.value
    if (
        own == unit
        or own.casefold() == unit.casefold()
        or (held.unit and held.unit.casefold() == unit.casefold())
    ):
        return held.value
    if own in _UNITLESS and unit in _UNITLESS:
        return held.value
    found = convert(held.value, own, unit)
    return found if found is not None else turned(facts, held.value, own, unit)


def check(atom: QuantityAtom, cited: Sequence[Facts]) -> Outcome:
    """The number against every resource it may belong to."""
    for facts in cited:
        if supports(atom, facts):
            return agreed("quantity", expected(atom), shown(facts, atom) or facts.label)
    held = [shown(facts, atom) for facts in cited]
    if any(held):
        return contradicted("quantity", expected(atom), several(held))
    written = [f"{s.value} {s.unit}".strip() for facts in cited for s in written_in(facts)]
    if written and atom.stated.unit:
        return contradicted("quantity", expected(atom), several(written))
    return missing("quantity", expected(atom), "no such number in what is cited")


def expected(atom: QuantityAtom) -> str:
    said = f"{atom.comparator}{atom.said.strip()}"
    return f"{' '.join(sorted(atom.labels))} {said}".strip()


def shown(facts: Facts, atom: QuantityAtom | None = None) -> str:
    """The recorded numbers of a resource, as printed."""
    held = held_by(facts, bool(atom and atom.of_range))
    fitting = [(v, q) for v, q in held if atom is None or _fits_label(atom, v)] or held
    texts = []
    for value, quantity in fitting:
        name = f"{value.label} " if value is not None and len(facts.values) > 1 else ""
        texts.append(f"{name}{shown_quantity(quantity)}")
    return several(texts)
