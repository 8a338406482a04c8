"""The one number an Observation stands for in a series; a range, a ratio or a missing value stands for none."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from decimal import Decimal

from core.fhir.codes import LOINC
from core.fhir.quantities import unit_of
from core.models import Facts, Value, ValueKind

_SYSTOLIC = frozenset({f"{LOINC}|8480-6"})


@dataclass(frozen=True, slots=True)
class Measured:
    """A number with its canonical unit and comparator, and the Value it was read from."""

    value: Decimal
    unit: str
    comparator: str
    source: Value


def measured(facts: Facts, codes: Set[str] = frozenset()) -> Measured | None:
    """The number of an Observation: of the component with one of these "system|code" codes, else its own.

    A blood pressure without a component asked for stands as its systolic pressure.
    """
    found = [
        v
        for v in facts.values
        if v.kind is ValueKind.QUANTITY and v.quantity and v.quantity.value is not None
    ]
    if codes and (parts := [v for v in found if _has(v, codes)]):
        found = parts
    elif len(found) > 1:
        found = [v for v in found if _has(v, _SYSTOLIC)] or [
            v for v in found if not v.path.startswith("component")
        ]
    if len(found) != 1:
        return None
    quantity = found[0].quantity
    if quantity is None or quantity.value is None:
        return None
    return Measured(quantity.value, unit_of(quantity), quantity.comparator, found[0])


def _has(value: Value, codes: Set[str]) -> bool:
    return any(f"{c.system}|{c.code}" in codes for c in value.codings)
