"""Mass to substance, for the analytes that are printed both ways: only by the molar mass that the terminology gives.

HbA1c turns by the master equation of NGSP and IFCC: NGSP % = 0.09148 x IFCC mmol/mol + 2.152.
"""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache

from core import terminology
from core.models import Facts

_SLOPE, _OFFSET = Decimal("0.09148"), Decimal("2.152")
# Each unit as milligrams per litre or millimoles per litre.
_MASS = {"mg/dL": Decimal(10), "g/L": Decimal(1000), "mg/L": Decimal(1), "g/dL": Decimal(10000)}
_SUBSTANCE = {"mmol/L": Decimal(1), "umol/L": Decimal("0.001")}


def turned(facts: Facts, value: Decimal, source: str, target: str) -> Decimal | None:
    """A value of this resource's analyte in the other kind of unit; None where no table says how."""
    key = _analyte(tuple(f"{c.system}|{c.code}" for c in facts.codings))
    if key is None:
        return None
    name, molar = key
    if name == "hba1c":
        if (source, target) == ("%", "mmol/mol"):
            return (value - _OFFSET) / _SLOPE
        if (source, target) == ("mmol/mol", "%"):
            return value * _SLOPE + _OFFSET
    if molar is None:
        return None
    if source in _MASS and target in _SUBSTANCE:
        return value * _MASS[source] / molar / _SUBSTANCE[target]
    if source in _SUBSTANCE and target in _MASS:
        return value * _SUBSTANCE[source] * molar / _MASS[target]
    return None


@lru_cache(maxsize=2_000)
def _analyte(codes: tuple[str, ...]) -> tuple[str, Decimal | None] | None:
    found = terminology.analytes_of(codes)
    return (found[0].key, found[0].mg_per_mmol) if found else None
