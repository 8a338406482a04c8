"""Whether an answer says a fact: the traps a harness falls into, one by one."""

from __future__ import annotations

from decimal import Decimal

import pytest

from core.evaluation.found import dates, numbers, printed_as, says
from core.evaluation.questions import Atom, AtomKind, Fact, Question


def fact(**parts: object) -> Fact:
    """A fact as the question file writes it: {value: 7.1, date: 2026-02-14}."""
    fields = {"id": "q", "patient": "Patient/p", "category": "c", "ask": "What?"}
    return Question.model_validate({**fields, "resources": ["Observation/a"], "facts": [parts]}).facts[0]


@pytest.mark.parametrize(
    ("printed", "value", "same"),
    [
        ("7.1", "7.1", True),
        ("75.7", "75.74518972441417", True),
        ("75.8", "75.74518972441417", False),
        ("183", "183.14949693668842", True),
        ("2.99", "2.9868670070708707", True),
        ("3.0", "2.9868670070708707", True),
        ("3", "2.87", False),  # rounded until it says something else
        ("3", "3", True),
        ("0.03", "0.0276", False),
        ("0.028", "0.0276", True),
        ("6", "6.0", True),
        ("71", "7.1", False),
    ],
)
def test_a_number_counts_as_it_is_rounded_in_print_unless_that_loses_its_meaning(
    printed: str, value: str, same: bool
) -> None:
    assert printed_as(printed, Decimal(value)) is same


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("on 2014-09-23T10:37:54.025665+00:00", {"2014-09-23"}),
        ("on 2014-09-23 10:37:54+02:00", {"2014-09-23"}),
        ("on 23 September 2014", {"2014-09-23"}),
        ("on the 3rd of Sept. 2014", {"2014-09-03"}),
        ("on September 23, 2014", {"2014-09-23"}),
        ("on 9/23/2014", {"2014-09-23"}),
        ("in 2014-09", {"2014-09"}),
        ("140/90 mmHg, 1.73 m2", set()),
    ],
)
def test_a_date_counts_in_any_usual_form_with_or_without_a_time(text: str, found: set[str]) -> None:
    assert dates(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("7.1 % on 2014-09-23T10:37:54.025665+00:00", ["7.1"]),
        ("7.1 % on 3 May 2014", ["7.1"]),
        ("138/82 mmHg", ["138", "82"]),
        ("5.8-6.6 %", ["5.8", "6.6"]),
        ("-1.5 T-score", ["-1.5"]),
        ("1,234 cells", ["1234"]),
        ("HbA1c, vitamin B12, COVID-19, T4", []),
        ("the 2nd dose of 3", ["3"]),
    ],
)
def test_digits_of_dates_times_names_and_ordinals_are_no_numbers(text: str, found: list[str]) -> None:
    assert list(numbers(text)) == found


def test_a_number_that_only_occurs_inside_an_id_is_not_said() -> None:
    answer = (
        "The latest result is on file [Observation/7a663493-0000-42c2-93bf-000000000066; Observation/66]."
    )
    assert not says(answer, fact(value=66))
    assert not says(answer, fact(count=66))
    assert says("It was 66 kg [Observation/7a].", fact(value=66))


def test_one_date_does_not_stand_for_a_chronology() -> None:
    answer = "HbA1c was 8.2 %, then 6.9 %, then 7.0 % on 2013-09-11 [Observation/a]."
    series = [("8.2", "1995-07-05"), ("6.9", "1997-09-17"), ("7.0", "2013-09-11")]
    assert [says(answer, fact(value=v, date=d)) for v, d in series] == [False, False, True]


def test_a_value_and_its_date_have_to_stand_in_one_statement() -> None:
    listed = "- 2021-03-14: 7.6 % [Observation/a]\n- 2014-09-28: 8.7 % [Observation/b]"
    assert says(listed, fact(value=8.7, date="2014-09-28"))
    assert not says(listed, fact(value=8.7, date="2021-03-14"))


def test_a_date_is_not_said_by_its_year() -> None:
    assert not says("Diagnosed in 2003 [Condition/a].", fact(date="2003-02-15"))


@pytest.mark.parametrize(
    ("answer", "status", "said"),
    [
        ("It is active.", "active", True),
        ("It is inactive.", "active", False),
        ("It is not active.", "active", False),
        ("It is no longer active.", "active", False),
        ("It is not active.", "stopped", True),
        ("It was discontinued.", "stopped", True),
        ("It is active.", "stopped", False),
    ],
)
def test_a_status_is_a_word_of_its_own_and_its_negation_is_the_other_one(
    answer: str, status: str, said: bool
) -> None:
    assert says(answer, fact(status=status)) is said


@pytest.mark.parametrize(
    ("answer", "count", "said"),
    [
        ("recorded 9 times", 9, True),
        ("recorded nine times", 9, True),
        ("recorded once", 1, True),
        ("recorded 19 times", 9, False),
        ("HbA1c was 9.1 %", 9, False),
        ("on 2021-09-09", 9, False),
    ],
)
def test_a_count_is_a_whole_number_of_its_own(answer: str, count: int, said: bool) -> None:
    assert says(answer, fact(count=count)) is said


def test_words_are_whole_words_in_any_case_and_number() -> None:
    assert says("Takes Statins daily.", fact(words="statin"))
    assert not says("Takes atorvastatin.", fact(words="statin"))
    assert says("A stroke.", fact(words=["cerebrovascular accident", "stroke"]))


def test_a_direction_counts_by_its_usual_words() -> None:
    assert says("It fell to 7.1 %.", fact(direction="lower"))
    assert not says("It rose to 7.1 %.", fact(direction="lower"))
    assert says("It is the same as before.", fact(direction="same"))


def test_a_fact_reads_as_what_it_asks_for() -> None:
    assert str(fact(value=7.1, date="2026-02-14")) == "value 7.1 with date 2026-02-14"
    both = (Atom(kind=AtomKind.WORDS, text="a"),), (Atom(kind=AtomKind.WORDS, text="b"),)
    assert str(Fact(any_of=both)) == "words a or words b"
