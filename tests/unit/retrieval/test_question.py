"""What is asked, as a value: wording varies, the question does not."""

import pytest

from core.errors import InvalidQuestion
from core.retrieval.question import Aggregate, parse
from core.words import stems


@pytest.mark.parametrize(
    ("text", "aggregate"),
    [
        ("What is the most recent HbA1c?", Aggregate.LATEST),
        ("HbA1c now", Aggregate.LATEST),
        ("Give the first HbA1c on file", Aggregate.FIRST),
        ("peak HbA1c", Aggregate.HIGHEST),
        ("lowest potassium ever recorded", Aggregate.LOWEST),
        ("What was the HbA1c before the last one?", Aggregate.PREVIOUS),
        ("Is the latest HbA1c higher or lower than the one before it?", Aggregate.COMPARE),
        ("Compare the two most recent HbA1c values", Aggregate.COMPARE),
        ("How has HbA1c changed over time?", Aggregate.TREND),
        ("How many times was HbA1c measured?", Aggregate.COUNT),
        ("List every HbA1c with its date", Aggregate.EVERY),
        ("When was hypertension diagnosed?", Aggregate.WHEN),
        ("Does she have asthma?", Aggregate.HAS),
        ("Why is she on lisinopril?", Aggregate.WHY),
        ("Is aspirin on the list? Active or stopped?", Aggregate.STATUS),
    ],
)
def test_the_words_say_what_to_do(text: str, aggregate: Aggregate) -> None:
    assert parse(text).aggregate is aggregate


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("What medications is she taking?", "medications"),
        ("Any drug allergies?", "drug allergies"),
        ("ED visits in 2020", "emergency department visits"),
        ("How often was he hospitalized?", "hospital admissions"),
        ("problem list", "conditions"),
        ("vaccines", "immunizations"),
        ("date of birth", "personal details"),
    ],
)
def test_a_kind_of_record_is_recognised(text: str, label: str) -> None:
    kind = parse(text).kind
    assert kind is not None
    assert kind.label == label


def test_a_word_nobody_accounts_for_stays_in_the_subject() -> None:
    asked = parse("What insulin pump model is in use?")
    assert asked.words(asked.subject) == "insulin pump model"


def test_frame_words_and_dates_are_no_subject() -> None:
    asked = parse("Please list all the recorded HbA1c results since January 2016 with their dates")
    assert asked.words(asked.subject) == "HbA1c"
    assert asked.window is not None
    assert asked.window.phrase == "since January 2016"


@pytest.mark.parametrize(
    ("text", "number"),
    [("last 4 HbA1c", 4), ("the three most recent HbA1c results", 3), ("latest HbA1c", None)],
)
def test_a_number_of_results_is_read(text: str, number: int | None) -> None:
    asked = parse(text)
    assert (asked.number, asked.words(asked.subject)) == (number, "HbA1c")


@pytest.mark.parametrize("text", ["stage 4 CKD", "HbA1c 8", "HbA1c on 2014-02-31"])
def test_any_other_number_has_to_be_accounted_for(text: str) -> None:
    asked = parse(text)
    assert any(c.isdigit() for c in asked.words(asked.subject).replace("HbA1c", ""))


def test_a_quoted_name_of_the_record_says_nothing_about_what_to_do() -> None:
    name = stems("Miscarriage in first trimester")
    assert (
        parse("When was Miscarriage in first trimester diagnosed?", names=[name]).aggregate is Aggregate.WHEN
    )
    assert parse("When was Miscarriage in first trimester diagnosed?").aggregate is Aggregate.FIRST


@pytest.mark.parametrize(("typed", "key"), [("cholestrol", "total-cholesterol"), ("creatinin", "creatinine")])
def test_one_slip_is_put_right(typed: str, key: str) -> None:
    assert [m.term.key for m in parse(f"latest {typed}").terms] == [key]


def test_two_slips_are_not_since_they_make_another_disease() -> None:
    assert parse("hypotension").terms == ()


@pytest.mark.parametrize(
    "text", ["Should we start insulin?", "What dose would you recommend?", "Is surgery advisable?"]
)
def test_a_request_for_advice_is_marked(text: str) -> None:
    assert parse(text).advice


@pytest.mark.parametrize("text", ["", "   ", "\n\t"])
def test_an_empty_question_is_one_clear_error(text: str) -> None:
    with pytest.raises(InvalidQuestion, match="empty"):
        parse(text)


def test_a_long_question_is_refused_not_cut() -> None:
    with pytest.raises(InvalidQuestion, match="10001 characters"):
        parse("a" * 10001)
