"""Quantities and units: a number is compared only in the same UCUM unit or through the explicit table below.

Never guessed: an unknown unit equals only itself, and mass is never turned into substance (mg/dL to mmol/L
needs the analyte). Sources: FHIR R4 Quantity; UCUM 2.1; printed forms from LOINC's example units.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

from core.fhir.read import Json, obj, string
from core.models import Quantity

# UCUM code -> how people print or say it (lower case; compared after `_squash`).
_SPOKEN: dict[str, tuple[str, ...]] = {
    "%": ("%", "percent", "per cent", "pct"),
    "mg/dL": (
        "mg/dl",
        "mg per dl",
        "milligrams per deciliter",
        "milligrams per decilitre",
        "milligram per deciliter",
    ),
    "g/dL": ("g/dl", "gm/dl", "grams per deciliter", "grams per decilitre"),
    "g/L": ("g/l", "grams per liter", "grams per litre"),
    "mmol/L": ("mmol/l", "millimoles per liter", "millimoles per litre", "mm"),
    "mmol/mol": ("mmol/mol", "millimoles per mole"),
    "umol/L": ("umol/l", "µmol/l", "μmol/l", "micromoles per liter", "micromoles per litre"),
    "mEq/L": ("meq/l", "milliequivalents per liter", "milliequivalents per litre"),
    "ng/mL": ("ng/ml", "nanograms per milliliter", "nanograms per millilitre"),
    "pg/mL": ("pg/ml", "picograms per milliliter", "picograms per millilitre"),
    "ng/L": ("ng/l", "nanograms per liter", "nanograms per litre"),
    "ug/L": ("ug/l", "µg/l", "μg/l", "mcg/l"),
    "U/L": ("u/l", "iu/l", "[iu]/l", "units per liter", "units per litre"),
    "kU/L": ("ku/l",),
    "mg/g": ("mg/g", "mg/g{creat}", "milligrams per gram", "mg per g"),
    "mL/min/{1.73_m2}": (
        "ml/min/{1.73_m2}",
        "ml/min/1.73m2",
        "ml/min/1.73m²",
        "ml/min/1.73_m2",
        "ml/min/{1.73m2}",
        "ml/min/1.73sqm",
        "milliliters per minute per 1.73 square meters",
        "millilitres per minute per 1.73 square metres",
    ),
    "mL/min": ("ml/min", "milliliters per minute", "millilitres per minute", "ml per minute"),
    "mm[Hg]": ("mm[hg]", "mmhg", "millimeters of mercury", "millimetres of mercury"),
    "kg/m2": (
        "kg/m2",
        "kg/m²",
        "kg/m^2",
        "kg/sqm",
        "kilograms per square meter",
        "kilograms per square metre",
    ),
    "kg": ("kg", "kgs", "kilo", "kilos", "kilogram", "kilograms"),
    "g": ("g", "gram", "grams", "gm"),
    "mg": ("mg", "milligram", "milligrams"),
    "ug": ("ug", "mcg", "µg", "μg", "microgram", "micrograms"),
    "[lb_av]": ("[lb_av]", "lb", "lbs", "pound", "pounds"),
    "cm": ("cm", "centimeter", "centimeters", "centimetre", "centimetres"),
    "m": ("m", "meter", "meters", "metre", "metres"),
    "mm": ("millimeter", "millimeters", "millimetre", "millimetres"),
    "[in_i]": ("[in_i]", "inch", "inches"),
    "[ft_i]": ("[ft_i]", "ft", "foot", "feet"),
    "Cel": ("cel", "°c", "degc", "celsius", "degrees celsius", "c"),
    "[degF]": ("[degf]", "°f", "degf", "fahrenheit", "degrees fahrenheit", "f"),
    "/min": (
        "/min",
        "{beats}/min",
        "beats/min",
        "bpm",
        "beats per minute",
        "breaths/min",
        "breaths per minute",
        "per minute",
    ),
    "fL": ("fl", "femtoliters", "femtolitres"),
    "pg": ("pg", "picograms"),
    "10*3/uL": (
        "10*3/ul",
        "10^3/ul",
        "x10^3/ul",
        "k/ul",
        "10*3/µl",
        "thousand per microliter",
        "thousands per microliter",
        "thousand per microlitre",
        "thousands per microlitre",
        "10*9/l",
        "10^9/l",
    ),
    "10*6/uL": (
        "10*6/ul",
        "10^6/ul",
        "x10^6/ul",
        "m/ul",
        "million per microliter",
        "millions per microliter",
        "million per microlitre",
        "millions per microlitre",
        "10*12/l",
        "10^12/l",
    ),
    "mg/{actuat}": ("mg/actuat", "mg/puff", "mg per puff", "mg per actuation"),
    "ug/{actuat}": (
        "mcg/actuat",
        "ug/actuat",
        "mcg/puff",
        "mcg per puff",
        "ug per puff",
        "µg per puff",
        "mcg per actuation",
        "micrograms per puff",
    ),
    "mL": ("ml", "milliliter", "milliliters", "millilitre", "millilitres"),
    "L": ("l", "liter", "liters", "litre", "litres"),
    "s": ("s", "sec", "secs", "second", "seconds"),
    "h": ("h", "hr", "hrs", "hour", "hours"),
    "{score}": ("{score}", "(score)", "score", "points", "point"),
    "[pH]": ("[ph]", "ph"),
    "{INR}": ("{inr}", "inr"),
    "{T-score}": ("{t-score}", "t-score"),
    "{count}": ("{count}", "count"),
    "mmol/kg": ("mmol/kg",),
}
# (from, to): multiply by factor, then add offset. Exact definitions (NIST SP 811).
_CONVERSIONS: dict[tuple[str, str], tuple[Decimal, Decimal]] = {
    ("[lb_av]", "kg"): (Decimal("0.45359237"), Decimal(0)),
    ("g", "kg"): (Decimal("0.001"), Decimal(0)),
    ("mg", "g"): (Decimal("0.001"), Decimal(0)),
    ("ug", "mg"): (Decimal("0.001"), Decimal(0)),
    ("ug/{actuat}", "mg/{actuat}"): (Decimal("0.001"), Decimal(0)),
    ("m", "cm"): (Decimal(100), Decimal(0)),
    ("mm", "cm"): (Decimal("0.1"), Decimal(0)),
    ("[in_i]", "cm"): (Decimal("2.54"), Decimal(0)),
    ("[ft_i]", "cm"): (Decimal("30.48"), Decimal(0)),
    ("[degF]", "Cel"): (Decimal(5) / Decimal(9), Decimal(-160) / Decimal(9)),
    ("g/L", "g/dL"): (Decimal("0.1"), Decimal(0)),
    ("mg/dL", "g/dL"): (Decimal("0.001"), Decimal(0)),
    ("ng/L", "pg/mL"): (Decimal(1), Decimal(0)),
    ("ng/mL", "ug/L"): (Decimal(1), Decimal(0)),
}
_SPACE = re.compile(r"\s+")


def _squash(unit: str) -> str:
    return _SPACE.sub("", unit.lower().rstrip(".,;"))


_CANONICAL = {_squash(form): code for code, forms in _SPOKEN.items() for form in forms}
# Every printed or spoken form, longest first: what a reader of prose has to recognise after a number.
SPOKEN_UNITS = tuple(sorted({form for forms in _SPOKEN.values() for form in forms}, key=len, reverse=True))


# Cells by volume, however the power of ten is set: "×10³/µL", "x 10^9/L", "10*3/mm3".
_RAISED = str.maketrans("⁰¹²³⁶⁹", "012369")
CELLS = r"(?:[x×]\s?)?10\s?(?:\^|\*{1,2}|e)?\s?(12|[369]|¹²|[³⁶⁹])\s?/\s?([uµμ]l|mm[3³]|l|cumm)"
_CELLS = re.compile(CELLS)
_PER_VOLUME = {("3", "ul"): "10*3/uL", ("9", "l"): "10*3/uL", ("6", "ul"): "10*6/uL", ("12", "l"): "10*6/uL"}


def canonical_unit(unit: str) -> str:
    """The UCUM code for a printed, spoken or coded unit; an unknown unit is returned trimmed, "" stays ""."""
    if cells := _CELLS.fullmatch(_squash(unit)):
        return _PER_VOLUME.get((cells[1].translate(_RAISED), "l" if cells[2] == "l" else "ul"), unit.strip())
    return _CANONICAL.get(_squash(unit), unit.strip())


def unit_of(quantity: Quantity) -> str:
    """The canonical unit of a Quantity: its UCUM code when it has one, else its printed unit."""
    return canonical_unit(quantity.code or quantity.unit)


def printed_unit(quantity: Quantity) -> str:
    """The unit as a clinician reads it; nothing for annotations that only say "no unit" ({score})."""
    unit = quantity.unit or quantity.code
    if re.fullmatch(r"[\[({][^\])}]*[\])}]", unit):
        return {"[lb_av]": "lb", "[in_i]": "in", "[ft_i]": "ft", "[degF]": "°F"}.get(unit, "")
    readable = {"Cel": "°C", "mm[Hg]": "mmHg", "mL/min/{1.73_m2}": "mL/min/1.73 m²", "kg/m2": "kg/m²"}
    return readable.get(unit, unit)


def convert(value: Decimal, source: str, target: str) -> Decimal | None:
    """Turn a value from one canonical unit into another; None unless the table says how."""
    if source == target:
        return value
    if (source, target) in _CONVERSIONS:
        factor, offset = _CONVERSIONS[source, target]
        return value * factor + offset
    if (target, source) in _CONVERSIONS:
        factor, offset = _CONVERSIONS[target, source]
        return (value - offset) / factor
    return None


def decimal(value: object) -> Decimal | None:
    """A JSON number, or a number written as text, as a finite Decimal; None otherwise, for booleans too."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str, Decimal)):
        return None
    try:
        number = Decimal(
            str(value).strip().replace("_", " ")
        )  # Python's own "1_000" is no number of a record
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number) < Decimal("1e15") else None


_COMPARATORS = {"": "", **{sign: sign for sign in ("<", "<=", ">=", ">")}, "≤": "<=", "≥": ">="}


def quantity(value: object) -> Quantity | None:
    """Read a FHIR Quantity (or Age, SimpleQuantity); None when it has neither number nor unit."""
    body: Json = obj(value)
    comparator = _COMPARATORS.get(string(body.get("comparator")))
    found = Quantity(
        # With a comparator that is none, the number alone would read as exact.
        decimal(body.get("value")) if comparator is not None else None,
        string(body.get("unit")),
        string(body.get("code")),
        comparator or "",
    )
    return found if found.value is not None or found.unit or found.code else None


# Decimals that mean something in a unit, where that is fewer than the size of the number allows.
_DECIMALS = {"%": 1, "mm[Hg]": 0, "/min": 0}


def shown_number(value: Decimal, *limits: Decimal, unit: str = "") -> str:
    """A number as a clinician reads it: one decimal from 10 up, two below, fewer where the canonical unit needs none.

    Digits are added until the rounded number is within a twentieth of the stored one and stands on the same side of
    every limit. A rounded number keeps its zeros (16.97 reads "17.0"), an exact one drops them (17.00 reads "17").
    """
    for places in range(_DECIMALS.get(unit, 1 if abs(value) >= 10 else 2), 12):
        rounded = value.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)
        kept = abs(rounded - value) * 20 <= abs(value)  # what is small keeps its size: 0.004 is not 0
        if kept and all(_side(rounded, limit) == _side(value, limit) for limit in limits):
            break
    else:
        rounded = value
    text = f"{rounded:f}"
    if rounded == value and "." in text:
        text = text.rstrip("0").rstrip(".")
    return text if rounded else "0"


def _side(value: Decimal, limit: Decimal) -> int:
    return (value > limit) - (value < limit)


def shown_quantity(found: Quantity, limits: Iterable[Decimal] = ()) -> str:
    """A Quantity as printed: comparator, number, unit: "<5 mg/dL", "7.1 %"."""
    unit = printed_unit(found)
    if found.value is None:
        return unit
    number = f"{found.comparator}{shown_number(found.value, *limits, unit=unit_of(found))}"
    return f"{number} {unit}" if unit else number
