"""Values: eleven types, components, missing values, ranges and flags."""

from __future__ import annotations

from decimal import Decimal

import pytest

from core.fhir.values import blood_pressure, observed, shown_flags, shown_ranges, shown_value
from core.models import Value, ValueKind

LOINC = "http://loinc.org"


def only(resource: dict[str, object]) -> Value:
    (value,) = observed({"resourceType": "Observation", "code": {"text": "Test"}, **resource})
    return value


@pytest.mark.parametrize(
    ("field", "raw", "kind", "text"),
    [
        ("valueQuantity", {"value": 7.1, "unit": "%"}, ValueKind.QUANTITY, "7.1 %"),
        ("valueQuantity", {"value": 5, "comparator": "<", "unit": "mg/dL"}, ValueKind.QUANTITY, "<5 mg/dL"),
        (
            "valueCodeableConcept",
            {"coding": [{"code": "260373001", "display": "Detected"}]},
            ValueKind.CODE,
            "Detected",
        ),
        ("valueCodeableConcept", {"text": "GT 45"}, ValueKind.CODE, "GT 45"),
        ("valueString", "GT 45", ValueKind.TEXT, "GT 45"),
        ("valueBoolean", False, ValueKind.BOOLEAN, "no"),
        ("valueBoolean", True, ValueKind.BOOLEAN, "yes"),
        ("valueInteger", 0, ValueKind.QUANTITY, "0"),
        (
            "valueRange",
            {"low": {"value": 4, "unit": "mg"}, "high": {"value": 6, "unit": "mg"}},
            ValueKind.RANGE,
            "4 to 6 mg",
        ),
        ("valueRange", {"low": {"value": 4, "unit": "mg"}}, ValueKind.RANGE, "at least 4 mg"),
        (
            "valueRatio",
            {"numerator": {"value": 1}, "denominator": {"value": 128}},
            ValueKind.RATIO,
            "1 : 128",
        ),
        (
            "valueSampledData",
            {"origin": {"value": 0, "unit": "mV"}, "data": "1 2 3"},
            ValueKind.SAMPLED,
            "3 samples in mV",
        ),
        ("valueTime", "14:30:00", ValueKind.TEXT, "14:30:00"),
        ("valueDateTime", "2021-03", ValueKind.DATE, "2021-03"),
        (
            "valuePeriod",
            {"start": "2021-03-01", "end": "2021-04"},
            ValueKind.PERIOD,
            "from 2021-03-01 to 2021-04",
        ),
        ("valuePeriod", {"start": "2021-03-01"}, ValueKind.PERIOD, "since 2021-03-01"),
    ],
)
def test_each_value_type_is_a_fact_and_readable(field: str, raw: object, kind: ValueKind, text: str) -> None:
    value = only({field: raw})
    assert (value.kind, shown_value(value), value.path) == (kind, text, field)


def test_a_word_in_place_of_a_number_is_not_lost() -> None:
    value = only({"valueQuantity": {"value": "GT 45", "unit": "mg/dL"}})
    assert (value.kind, shown_value(value)) == (ValueKind.TEXT, "GT 45 mg/dL")


@pytest.mark.parametrize(
    ("resource", "text"),
    [
        ({}, "no result recorded"),
        ({"dataAbsentReason": {"coding": [{"code": "not-performed"}]}}, "no result recorded: not performed"),
        ({"dataAbsentReason": {"text": "Sample haemolysed"}}, "no result recorded: sample haemolysed"),
        ({"dataAbsentReason": {"coding": [{"code": "unknown"}]}}, "no result recorded"),
        ({"valueQuantity": {"unit": "mg"}}, "no result recorded"),
        ({"valueString": ""}, "no result recorded"),
        ({"valueRange": {}}, "no result recorded"),
        ({"valuePeriod": "x"}, "no result recorded"),
        (
            {
                "_valueString": {
                    "extension": [
                        {
                            "url": "http://hl7.org/fhir/StructureDefinition/data-absent-reason",
                            "valueCode": "asked-declined",
                        }
                    ]
                }
            },
            "no result recorded: asked declined",
        ),
    ],
)
def test_a_missing_value_says_so_and_why(resource: dict[str, object], text: str) -> None:
    value = only(resource)
    assert value.kind is ValueKind.ABSENT
    assert shown_value(value) == text


def panel(systolic: dict[str, object], diastolic: dict[str, object]) -> tuple[Value, ...]:
    def part(code: str, name: str, body: dict[str, object]) -> dict[str, object]:
        return {"code": {"coding": [{"system": LOINC, "code": code, "display": name}]}, **body}

    return observed(
        {
            "component": [part("8480-6", "Systolic", systolic), part("8462-4", "Diastolic", diastolic)],
            "code": {},
        }
    )


def test_components_are_facts_of_their_own_and_a_panel_misses_nothing() -> None:
    found = panel(
        {"valueQuantity": {"value": 138, "unit": "mmHg"}}, {"valueQuantity": {"value": 82, "unit": "mmHg"}}
    )
    assert [(v.path, v.label, v.quantity and v.quantity.value) for v in found] == [
        ("component[0].valueQuantity", "Systolic", Decimal(138)),
        ("component[1].valueQuantity", "Diastolic", Decimal(82)),
    ]
    assert blood_pressure(found) == "138/82 mmHg"


def test_half_a_blood_pressure_is_not_one() -> None:
    absent = {"dataAbsentReason": {"coding": [{"code": "error"}]}}
    found = panel({"valueQuantity": {"value": 138, "unit": "mmHg"}}, absent)
    assert blood_pressure(found) == ""
    assert shown_value(found[1]) == "no result recorded: error"


def test_ranges_and_flags_belong_to_one_result() -> None:
    value = only(
        {
            "valueQuantity": {"value": 7.1, "unit": "%"},
            "referenceRange": [{"low": {"value": 4, "unit": "%"}, "high": {"value": 5.6, "unit": "%"}}],
            "interpretation": [{"coding": [{"code": "H"}]}],
        }
    )
    assert (shown_flags(value), shown_ranges(value)) == ("high", "reference range 4 to 5.6 %")


def test_a_value_above_its_range_without_a_flag_is_not_called_high() -> None:
    value = only({"valueQuantity": {"value": 9}, "referenceRange": [{"high": {"value": 5.6}}]})
    assert (shown_flags(value), shown_ranges(value)) == ("", "reference range at most 5.6")


def test_whom_a_range_applies_to_is_said() -> None:
    value = only(
        {
            "valueQuantity": {"value": 13, "unit": "g/dL"},
            "referenceRange": [
                {
                    "low": {"value": 12, "unit": "g/dL"},
                    "appliesTo": [{"text": "women"}],
                    "age": {"low": {"value": 18, "unit": "years"}},
                }
            ],
        }
    )
    assert shown_ranges(value) == "reference range at least 12 g/dL (women, age at least 18 years)"


def test_a_range_in_words_only() -> None:
    value = only({"valueString": "clear", "referenceRange": [{"text": "clear"}]})
    assert shown_ranges(value) == "reference range clear"
