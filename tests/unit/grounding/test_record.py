"""The record as the verifier sees it: series, types, order, and its own clock."""

from __future__ import annotations

from datetime import date

from core.grounding.record import Record


def ids(found: object) -> list[str]:
    return [f.resource_id.split("/")[1] for f in found]  # type: ignore[attr-defined]


def test_a_series_is_every_result_of_one_analyte_oldest_first_without_void_ones(record: Record) -> None:
    latest = record.resources["Observation/a1c-2020"]
    assert ids(record.series(latest)) == ["a1c-2016", "a1c-2018", "a1c-2019", "a1c-2020"]


def test_what_was_not_done_is_never_counted(record: Record) -> None:
    assert ids(record.of_type("Immunization")) == ["flu-2018", "flu-2019"]


def test_the_clock_stands_at_the_latest_entry(record: Record) -> None:
    assert record.clock == date(2020, 10, 1)


def test_the_patient_is_part_of_the_record(record: Record) -> None:
    assert record.patient is not None
    assert record.patient.label == "Ada Novak"
