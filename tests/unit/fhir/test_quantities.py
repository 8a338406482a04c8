"""Quantities: comparators stay, units meet only through UCUM or the explicit table."""

from __future__ import annotations

from decimal import Decimal

import pytest

from core.fhir.quantities import (
    canonical_unit,
    convert,
    decimal,
    quantity,
    shown_number,
    shown_quantity,
    unit_of,
)


def shown(body: object) -> str:
    found = quantity(body)
    assert found is not None
    return shown_quantity(found)


@pytest.mark.parametrize("comparator", ["<", "<=", ">=", ">"])
def test_a_comparator_is_part_of_the_value(comparator: str) -> None:
    found = quantity({"value": 5, "comparator": comparator, "unit": "mg/dL"})
    assert found is not None
    assert found.comparator == comparator
    assert shown_quantity(found) == f"{comparator}5 mg/dL"


def test_with_an_unknown_comparator_there_is_no_number() -> None:
    found = quantity({"value": 5, "comparator": "~", "unit": "mg"})
    assert found is not None
    assert found.value is None
    less = quantity({"value": 5, "comparator": "≤", "unit": "mg"})
    assert less is not None
    assert less.comparator == "<="


@pytest.mark.parametrize(
    ("unit", "code", "printed"),
    [
        ("mm[Hg]", "mm[Hg]", "120 mmHg"),
        ("mL/min/{1.73_m2}", "mL/min/{1.73_m2}", "120 mL/min/1.73 m²"),
        ("kg/m2", "kg/m2", "120 kg/m²"),
        ("Cel", "Cel", "120 °C"),
        ("{score}", "{score}", "120"),
        ("", "[lb_av]", "120 lb"),
        ("beats/minute", "/min", "120 beats/minute"),
        ("", "", "120"),
    ],
)
def test_a_unit_reads_as_a_clinician_writes_it(unit: str, code: str, printed: str) -> None:
    assert shown({"value": 120, "unit": unit, "code": code}) == printed


def test_the_two_units_of_egfr_stay_two_units() -> None:
    per_area = quantity({"value": 60, "unit": "mL/min/{1.73_m2}", "code": "mL/min/{1.73_m2}"})
    plain = quantity({"value": 60, "unit": "mL/min", "code": "mL/min"})
    assert per_area is not None
    assert plain is not None
    assert unit_of(per_area) != unit_of(plain)
    assert convert(Decimal(60), unit_of(plain), unit_of(per_area)) is None


def test_conversion_only_through_the_table() -> None:
    assert convert(Decimal(100), "[lb_av]", "kg") == Decimal("45.359237")
    assert convert(Decimal("98.6"), "[degF]", "Cel") == pytest.approx(Decimal(37))
    assert convert(Decimal(37), "Cel", "[degF]") == pytest.approx(Decimal("98.6"))
    assert convert(Decimal(100), "mg/dL", "mmol/L") is None  # needs the analyte


@pytest.mark.parametrize(
    ("spoken", "code"),
    [("percent", "%"), ("mmHg", "mm[Hg]"), ("mg per dL", "mg/dL"), ("bpm", "/min"), ("IU/L", "U/L")],
)
def test_spoken_units_are_recognised(spoken: str, code: str) -> None:
    assert canonical_unit(spoken) == code


def test_an_unknown_unit_equals_only_itself() -> None:
    assert canonical_unit(" furlongs ") == "furlongs"


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        (7.1, "7.1"),
        ("7.1", "7.1"),
        (" 7 ", "7"),
        (True, None),
        ("GT 45", None),
        ("1_000", None),
        ("NaN", None),
        (1e400, None),
        ([], None),
    ],
)
def test_numbers_are_finite_decimals_also_when_written_as_text(raw: object, read: str | None) -> None:
    assert decimal(raw) == (Decimal(read) if read else None)


@pytest.mark.parametrize(
    ("value", "limits", "text"),
    [
        ("7.1", (), "7.1"),
        ("7.0", (), "7"),
        ("6.4567", (), "6.46"),
        ("138.4567", (), "138.5"),
        ("5.601", ("5.6",), "5.601"),  # rounding to 5.6 would move it onto the limit
        ("-0.0001", (), "-0.0001"),
        ("0.0049", (), "0.005"),
        ("0.001", (), "0.001"),
        ("0.0151", (), "0.015"),
        ("0.00012", ("0.0001",), "0.00012"),
    ],
)
def test_rounding_never_crosses_a_reference_limit(value: str, limits: tuple[str, ...], text: str) -> None:
    assert shown_number(Decimal(value), *map(Decimal, limits)) == text


def test_a_quantity_without_number_and_unit_is_none() -> None:
    assert quantity({}) is None
    assert quantity("5 mg") is None
    assert quantity({"unit": "mg"}) is not None
