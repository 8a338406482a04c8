"""FHIR dates keep their own precision: partial dates, offsets, impossible days."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from core.fhir.dates import parse_date
from core.models import Precision


@pytest.mark.parametrize(
    ("text", "start", "end", "precision", "shown"),
    [
        ("2021", date(2021, 1, 1), date(2021, 12, 31), Precision.YEAR, "2021"),
        ("2021-02", date(2021, 2, 1), date(2021, 2, 28), Precision.MONTH, "2021-02"),
        ("2020-02", date(2020, 2, 1), date(2020, 2, 29), Precision.MONTH, "2020-02"),
        ("2021-03-14", date(2021, 3, 14), date(2021, 3, 14), Precision.DAY, "2021-03-14"),
        ("2021-03-14T09:30:00Z", date(2021, 3, 14), date(2021, 3, 14), Precision.TIME, "2021-03-14"),
        (
            "2021-03-14T09:30:00.123456+02:00",
            date(2021, 3, 14),
            date(2021, 3, 14),
            Precision.TIME,
            "2021-03-14",
        ),
    ],
)
def test_a_date_covers_the_interval_it_states(
    text: str, start: date, end: date, precision: Precision, shown: str
) -> None:
    found = parse_date(text)
    assert found is not None
    assert (found.start, found.end, found.precision, found.shown) == (start, end, precision, shown)
    assert found.text == text


def test_the_day_shown_is_the_wall_clock_day_of_its_own_offset() -> None:
    late = parse_date("2021-03-14T23:30:00-05:00")
    assert late is not None
    assert late.shown == "2021-03-14"
    assert late.instant == datetime(2021, 3, 15, 4, 30, tzinfo=UTC)


def test_instants_order_across_offsets() -> None:
    first, second = parse_date("2021-03-14T23:30:00+02:00"), parse_date("2021-03-14T22:00:00Z")
    assert first is not None
    assert second is not None
    assert first.instant < second.instant


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2021-02-30",
        "2021-13",
        "0000",
        "2021-1-1",
        "yesterday",
        "20210314",
        "2021-03-14T25:00:00Z",
        None,
        2021.5,
        {},
        [],
    ],
)
def test_what_is_no_real_day_is_absent(text: object) -> None:
    assert parse_date(text) is None


def test_the_ends_of_the_calendar_keep_their_day() -> None:
    for text in ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "2024-03-01T24:00:00Z"):
        found = parse_date(text)
        assert found is not None
        assert (found.shown, found.precision) == (text[:10], Precision.DAY)


def test_a_leap_second_is_a_moment() -> None:
    found = parse_date("2016-12-31T23:59:60Z")
    assert found is not None
    assert (found.shown, found.precision) == ("2016-12-31", Precision.TIME)
