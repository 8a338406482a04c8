"""core.timeline: what is drawn is what the record holds, at the date and in the unit it holds it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from core.fhir.facts import facts
from core.models import Answer, Citation, Coding, Evidence, Result, Timings, VerdictStatus
from core.timeline import Panel, Standing, panels_of, short_name, timeline

LOINC = "http://loinc.org"


def observation(identifier: str, value: Any, when: str | None = "2024-03-01", **more: Any) -> dict[str, Any]:
    coding = {"system": LOINC, "code": "4548-4", "display": "Hemoglobin A1c/Hemoglobin.total in Blood"}
    quantity = value if isinstance(value, dict) else {"value": value, "unit": "%", "code": "%"}
    body = {
        "resourceType": "Observation",
        "id": identifier,
        "status": "final",
        "code": {"coding": [coding]},
        "valueQuantity": quantity,
    }
    return {**body, **({"effectiveDateTime": when} if when else {}), **more}


def panels(*resources: dict[str, Any], cited: tuple[str, ...] = ()) -> tuple[Panel, ...]:
    return panels_of([facts(r, "Patient/p") for r in resources], cited)


def only(*resources: dict[str, Any]) -> Panel:
    (panel,) = panels(*resources)
    return panel


def test_title_names_the_quantity_and_its_unit() -> None:
    assert only(observation("a", 7.1)).title == "HbA1c (%)"


def test_points_are_in_time_order_with_the_value_as_printed() -> None:
    panel = only(observation("late", 7.1, "2024-03-01"), observation("early", 6.4, "2021-01-05"))
    assert [(p.resource_id, p.shown, p.shown_date) for p in panel.points] == [
        ("Observation/early", "6.4 %", "2021-01-05"),
        ("Observation/late", "7.1 %", "2024-03-01"),
    ]


def test_two_units_never_share_a_panel() -> None:
    ifcc = {"value": 54, "unit": "mmol/mol", "code": "mmol/mol"}
    assert [p.title for p in panels(observation("a", 7.1), observation("b", ifcc))] == [
        "HbA1c (%)",
        "HbA1c (mmol/mol)",
    ]


@pytest.mark.parametrize("status", ["entered-in-error", "cancelled", "registered"])
def test_a_void_or_undone_result_is_not_drawn(status: str) -> None:
    assert panels(observation("a", 7.1, status=status)) == ()


def test_a_result_without_a_date_or_a_number_is_not_drawn() -> None:
    absent = observation("b", {"unit": "%"}, dataAbsentReason={"text": "not performed"})
    assert panels(observation("a", 7.1, when=None), absent) == ()


def test_a_partial_date_covers_its_whole_interval() -> None:
    (point,) = only(observation("a", 7.1, "2021-03")).points
    assert point.partial
    assert (point.start, point.end) == (datetime(2021, 3, 1), datetime(2021, 4, 1))
    assert point.shown_date == "2021-03"


def test_a_time_is_drawn_on_the_recorded_wall_clock() -> None:
    (point,) = only(observation("a", 7.1, "2021-03-14T23:30:00-08:00")).points
    assert point.at == datetime(2021, 3, 14, 23, 30)


def test_the_last_day_of_the_calendar_does_not_overflow() -> None:
    assert only(observation("a", 7.1, "9999")).points[0].partial


def test_a_comparator_stays_part_of_the_value() -> None:
    (point,) = only(
        observation("a", {"value": 5, "comparator": "<", "unit": "mg/dL", "code": "mg/dL"})
    ).points
    assert (point.comparator, point.shown, point.value) == ("<", "<5 mg/dL", 5.0)


def limits(low: float | None, high: float | None, unit: str = "%") -> list[dict[str, Any]]:
    sides = {"low": low, "high": high}
    return [{k: {"value": v, "unit": unit, "code": unit} for k, v in sides.items() if v is not None}]


@pytest.mark.parametrize(
    ("value", "standing"),
    [(3.9, Standing.LOW), (4.0, Standing.WITHIN), (5.6, Standing.WITHIN), (5.7, Standing.HIGH)],
)
def test_standing_is_read_from_the_results_own_range(value: float, standing: Standing) -> None:
    assert only(observation("a", value, referenceRange=limits(4, 5.6))).points[0].standing is standing


def test_a_flag_wins_over_the_range() -> None:
    flag = [{"coding": [{"code": "H"}]}]
    panel = only(observation("a", 5.0, referenceRange=limits(4, 5.6), interpretation=flag))
    assert panel.points[0].standing is Standing.HIGH


def test_without_range_or_flag_nothing_is_claimed() -> None:
    panel = only(observation("a", 9.0))
    assert (panel.points[0].standing, panel.bands) == (Standing.UNKNOWN, ())


def test_a_range_in_a_unit_that_cannot_be_converted_is_not_drawn() -> None:
    panel = only(observation("a", 7.1, referenceRange=limits(20, 42, "mmol/mol")))
    assert (panel.points[0].low, panel.bands) == (None, ())


def test_equal_ranges_share_a_band_and_a_change_falls_halfway() -> None:
    panel = only(
        observation("a", 5, "2020-01-01", referenceRange=limits(4, 5.6)),
        observation("b", 5, "2020-01-11", referenceRange=limits(4, 5.6)),
        observation("c", 5, "2020-01-21", referenceRange=limits(4, 6.0)),
    )
    assert [(b.start.day, b.end.day, b.high) for b in panel.bands] == [(1, 16, 5.6), (16, 21, 6.0)]


def test_components_are_lines_of_one_panel_in_recorded_order() -> None:
    def part(code: str, display: str, value: float) -> dict[str, Any]:
        return {
            "code": {"coding": [{"system": LOINC, "code": code, "display": display}]},
            "valueQuantity": {"value": value, "unit": "mm[Hg]", "code": "mm[Hg]"},
        }

    pressure = {
        "resourceType": "Observation",
        "id": "bp",
        "status": "final",
        "code": {"coding": [{"system": LOINC, "code": "85354-9", "display": "Blood pressure panel"}]},
        "effectiveDateTime": "2024-03-01",
        "component": [
            part("8480-6", "Systolic blood pressure", 131),
            part("8462-4", "Diastolic blood pressure", 84),
        ],
    }
    panel = only(pressure)
    assert (panel.title, panel.lines) == ("Blood pressure (mmHg)", ("Systolic", "Diastolic"))


def test_the_takeaway_states_count_span_extremes_and_last() -> None:
    panel = only(
        observation("a", 6.4, "2021-01-05", referenceRange=limits(4, 5.6)),
        observation("b", 8.2, "2022-01-05", referenceRange=limits(4, 5.6)),
        observation("c", 5.1, "2023-01-05", referenceRange=limits(4, 5.6)),
    )
    assert panel.takeaway == (
        "HbA1c: 3 results from 2021-01-05 to 2023-01-05, lowest 5.1 %, highest 8.2 %, last 5.1 %; "
        "2 outside the reference range."
    )


def test_an_answer_puts_the_cited_panel_first_and_marks_its_points() -> None:
    weight = observation("w", {"value": 81, "unit": "kg", "code": "kg"})
    weight["code"] = {"coding": [{"system": LOINC, "code": "29463-7", "display": "Body Weight"}]}
    cited = "Observation/a"
    answer = Answer(
        patient="Patient/p",
        question="",
        answer="",
        verdict=VerdictStatus.GROUNDED,
        refused=False,
        answerer="record",
        claims=[],
        citations=[Citation(resource_id=cited, resource_type="Observation", date=None, text="")],
        retrieved=[],
        timings_ms=Timings(),
    )
    evidence = tuple(Evidence(facts(r, "Patient/p"), "", ()) for r in (weight, observation("a", 7.1)))
    first, second = timeline(Result(answer, evidence))
    assert (first.title, [p.cited for p in first.points]) == ("HbA1c (%)", [True])
    assert (second.title, [p.cited for p in second.points]) == ("Body weight (kg)", [False])


def test_a_loinc_display_keeps_the_side_that_another_display_leaves_out() -> None:
    codings = [
        Coding(LOINC, "79893-4", "Left eye Intraocular pressure"),
        Coding("http://snomed.info/sct", "41633001", "Intraocular pressure (observable entity)"),
    ]
    assert short_name("Intraocular pressure", codings) == "Left eye Intraocular pressure"


def test_a_site_own_name_is_kept() -> None:
    assert short_name(
        "Sodium, point of care", [Coding(LOINC, "2951-2", "Sodium [Moles/volume] in Serum")]
    ) == ("Sodium, point of care")


def test_a_long_name_loses_property_system_and_method() -> None:
    assert short_name("Sodium [Moles/volume] in Serum or Plasma") == "Sodium"
