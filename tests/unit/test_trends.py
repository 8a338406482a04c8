"""Trends: series by measurement and unit, changes between exact results only, ends only where they are recorded."""

from __future__ import annotations

from typing import Any

import pytest

from core.fhir.facts import facts
from core.models import Facts
from core.trends import born_of_child, marks_of, series_of, since, within

LOINC, SNOMED = "http://loinc.org", "http://snomed.info/sct"


def result(day: str, value: float | None, unit: str = "%", code: str = "4548-4", **more: Any) -> Facts:
    quantity = {"value": value, "unit": unit, "code": unit, "system": "http://unitsofmeasure.org"}
    resource = {
        "resourceType": "Observation",
        "id": f"{code}-{day}",
        "status": "final",
        "category": [{"coding": [{"code": "laboratory"}]}],
        "code": {"coding": [{"system": LOINC, "code": code, "display": more.pop("display", f"Test {code}")}]},
        "effectiveDateTime": day,
        "valueQuantity": quantity | more.pop("quantity", {}),
    }
    return facts(resource | more, "Patient/p")


def condition(day: str, **more: Any) -> Facts:
    resource = {
        "resourceType": "Condition",
        "id": f"c-{day}",
        "clinicalStatus": {"coding": [{"code": more.pop("status", "active")}]},
        "code": {
            "coding": [
                {"system": SNOMED, "code": "44054006", "display": more.pop("display", "Diabetes (disorder)")}
            ]
        },
        "onsetDateTime": day,
    }
    return facts(resource | more, "Patient/p")


def test_hba1c_comes_first_even_when_others_are_longer() -> None:
    found = series_of(
        [
            result("2020-01-01", 1, "g/dL", "718-7"),
            result("2021-01-01", 2, "g/dL", "718-7"),
            result("2020-01-01", 7.1),
        ]
    )
    assert [s.panel.title for s in found] == ["HbA1c (%)", "Hemoglobin (g/dL)"]


def test_a_series_says_how_many_the_last_value_and_the_change() -> None:
    found = series_of([result("2020-01-01", 7.1), result("2021-01-01", 7.6), result("2022-01-01", 7.4)])[0]
    assert (found.count, found.last_shown, found.change) == (3, "7.4 %", "−0.2 since 2021-01-01")


def test_no_change_is_computed_from_a_value_known_only_as_a_limit() -> None:
    found = series_of([result("2020-01-01", 7.1), result("2021-01-01", 4, quantity={"comparator": "<"})])[0]
    assert (found.last_shown, found.change) == ("<4 %", "")


def test_equal_results_are_unchanged() -> None:
    assert (
        series_of([result("2020-01-01", 7.1), result("2021-01-01", 7.1)])[0].change
        == "unchanged since 2020-01-01"
    )


def test_another_unit_is_a_series_of_its_own() -> None:
    found = series_of([result("2020-01-01", 7.1), result("2021-01-01", 54, "mmol/mol")])
    assert [(s.panel.unit, s.other_units) for s in found] == [("%", ("mmol/mol",)), ("mmol/mol", ("%",))]
    assert len({s.name for s in found}) == 2


def test_two_measurements_of_one_short_name_get_their_full_names() -> None:
    blood = result("2020-01-01", 90, "mg/dL", "2339-0", display="Glucose [Mass/volume] in Blood")
    serum = result("2020-01-01", 95, "mg/dL", "2345-7", display="Glucose [Mass/volume] in Serum or Plasma")
    assert {s.panel.name for s in series_of([blood, serum])} == {
        "Glucose [Mass/volume] in Blood",
        "Glucose [Mass/volume] in Serum or Plasma",
    }


def test_void_and_missing_results_are_no_part_of_a_series() -> None:
    assert series_of([result("2020-01-01", 7.1, status="entered-in-error"), result("2021-01-01", None)]) == ()


def test_a_blood_pressure_counts_once_and_is_read_together() -> None:
    parts = [
        {
            "code": {"coding": [{"system": LOINC, "code": code}]},
            "valueQuantity": {"value": v, "unit": "mmHg", "code": "mm[Hg]"},
        }
        for code, v in (("8480-6", 138), ("8462-4", 82))
    ]
    pressure = result("2020-01-01", None, code="85354-9", component=parts)
    found = series_of([pressure])[0]
    assert (found.count, found.last_shown) == (1, "138 / 82 mmHg")


@pytest.mark.parametrize(
    ("more", "end", "ongoing"),
    [
        ({}, "", True),
        ({"abatementDateTime": "2021-05-01", "status": "resolved"}, "2021-05-01", False),
        ({"status": "resolved"}, "", False),
    ],
)
def test_a_diagnosis_ends_only_where_an_end_is_recorded(
    more: dict[str, Any], end: str, ongoing: bool
) -> None:
    mark = marks_of([condition("2020-01-01", **more)])[0]
    assert (mark.kind, mark.shown_end, mark.ongoing) == ("Diagnosis", end, ongoing)
    assert (mark.end is not None) == bool(end)


def test_circumstances_and_void_diagnoses_are_not_marked() -> None:
    refuted = {"verificationStatus": {"coding": [{"code": "refuted"}]}}
    assert (
        marks_of(
            [
                condition(
                    "2020-01-01",
                    display="Full-time employment (finding)",
                    code={"text": "Full-time employment (finding)"},
                ),
                condition("2021-01-01", **refuted),
            ]
        )
        == ()
    )


def test_a_medication_order_is_a_start_without_an_invented_end() -> None:
    order = {
        "resourceType": "MedicationRequest",
        "id": "m",
        "status": "stopped",
        "intent": "order",
        "authoredOn": "2020-01-01",
        "medicationCodeableConcept": {"text": "Metformin"},
    }
    mark = marks_of([facts(order, "Patient/p")])[0]
    assert (mark.kind, mark.lane, mark.end, mark.ongoing) == ("Medication", "Metformin", None, False)


def test_a_period_keeps_what_lies_in_it_and_its_own_bands() -> None:
    panel = series_of([result("2010-01-01", 7.1), result("2021-01-01", 7.6)])[0].panel
    cut = within(panel, since([panel], 5))
    assert cut is not None
    assert [p.shown for p in cut.points] == ["7.6 %"]
    assert within(panel, since([panel], -5)) is None


def test_the_axis_tells_the_age_of_a_child_only() -> None:
    panels = [series_of([result("2020-01-01", 7.1)])[0].panel]
    assert born_of_child("2010-06-01", panels) is not None
    assert born_of_child("1980-06-01", panels) is None
    assert born_of_child("", panels) is None
