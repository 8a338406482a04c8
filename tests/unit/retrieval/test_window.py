"""The time a question is limited to; a partial date is inside only when all of it is."""

from datetime import date

import pytest

from core.fhir.dates import parse_date
from core.retrieval.window import aged_window, find_window


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("HbA1c since 2016", "2016-01-01", None),
        ("since the start of 2019", "2019-01-01", None),
        ("between 2012 and 2016", "2012-01-01", "2016-12-31"),
        ("between 2016 and 2012", "2012-01-01", "2016-12-31"),
        ("from 2013 to 2019", "2013-01-01", "2019-12-31"),
        ("from March 2013 through April 2014", "2013-03-01", "2014-04-30"),
        ("in 2019", "2019-01-01", "2019-12-31"),
        ("in February 2020", "2020-02-01", "2020-02-29"),
        ("on 2014-09-23", "2014-09-23", "2014-09-23"),
        ("on 3rd May 2014", "2014-05-03", "2014-05-03"),
        ("before 2018", None, "2017-12-31"),
        ("after 2018", "2019-01-01", None),
        ("until June 2018", None, "2018-06-30"),
    ],
)
def test_a_window_is_read(text: str, start: str | None, end: str | None) -> None:
    window = find_window(text)
    assert window is not None
    assert (window.start and window.start.isoformat(), window.end and window.end.isoformat()) == (start, end)


def test_the_last_months_count_back_from_the_records_clock() -> None:
    window = find_window("weight in the last 6 months")
    assert window is not None
    resolved = window.at(date(2020, 6, 30))
    assert (resolved.start, resolved.end) == (date(2019, 12, 31), date(2020, 6, 30))


@pytest.mark.parametrize("text", ["latest HbA1c", "on 2014-02-31", "the last result"])
def test_no_window_is_made_up(text: str) -> None:
    assert find_window(text) is None


def test_a_year_alone_is_not_inside_a_month() -> None:
    window = find_window("in March 2021")
    assert window is not None
    assert window.holds(parse_date("2021-03-14"))
    assert not window.holds(parse_date("2021"))
    assert not window.holds(None)


def test_an_age_is_the_year_of_life_that_it_names() -> None:
    born = date(2015, 5, 18)
    assert aged_window("weight at age 5", born) == "weight between 2020-05-18 and 2021-05-17"
    assert aged_window("how tall at 2 years old?", born) == "how tall between 2017-05-18 and 2018-05-17?"
    assert aged_window("weight at age 5", None) == "weight at age 5"
    assert aged_window("HbA1c at 8 %", born) == "HbA1c at 8 %"


def test_results_from_a_year_are_those_of_that_year() -> None:
    window = find_window("labs from 2024")
    assert window is not None
    assert (window.start, window.end) == (date(2024, 1, 1), date(2024, 12, 31))
    onwards = find_window("labs from 2024 onwards")
    assert onwards is not None
    assert (onwards.start, onwards.end) == (date(2024, 1, 1), None)
