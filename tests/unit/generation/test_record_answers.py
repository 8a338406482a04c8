"""The record answerer's words: every figure from typed facts, every claim cited, every gap admitted."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from core.fhir.codes import LOINC, SNOMED
from core.fhir.dates import parse_date
from core.fhir.facts import facts
from core.generation.listing import singular
from core.generation.record import RecordAnswerer
from core.generation.refusal import refusal
from core.grounding.record import Record
from core.grounding.verdict import verify
from core.models import REFUSAL, Draft, VerdictStatus
from core.retrieval.by_name import quotable_names
from core.retrieval.match import match
from core.retrieval.question import parse
from core.retrieval.reading import Asked
from core.retrieval.search import Concept, Stored
from core.retrieval.select import select

PATIENT = "Patient/p"


def observation(
    identity: str, when: str, value: float | None, code: str = "4548-4", unit: str = "%", **more: Any
) -> Any:
    body = {
        "resourceType": "Observation",
        "id": identity,
        "status": "final",
        "code": {"coding": [{"system": LOINC, "code": code, "display": _NAMES[code]}]},
        "effectiveDateTime": when,
        **more,
    }
    return body if value is None else {**body, "valueQuantity": {"value": value, "unit": unit, "code": unit}}


_NAMES = {
    "4548-4": "Hemoglobin A1c",
    "33914-3": "Glomerular filtration rate",
    "85354-9": "Blood pressure panel",
}


def condition(identity: str, name: str, code: str, status: str, onset: str, **more: Any) -> Any:
    return {
        "resourceType": "Condition",
        "id": identity,
        "clinicalStatus": {"coding": [{"code": status}]},
        "code": {"coding": [{"system": SNOMED, "code": code, "display": name}]},
        "onsetDateTime": onset,
        **more,
    }


def medication(identity: str, name: str, status: str, when: str, **more: Any) -> Any:
    return {
        "resourceType": "MedicationRequest",
        "id": identity,
        "status": status,
        "intent": "order",
        "medicationCodeableConcept": {"text": name},
        "authoredOn": when,
        **more,
    }


def procedure(identity: str, name: str, when: str) -> Any:
    return {
        "resourceType": "Procedure",
        "id": identity,
        "status": "completed",
        "code": {"text": name},
        "performedDateTime": when,
    }


HIGH = {"interpretation": [{"coding": [{"code": "H"}]}]}
A1C = [
    observation("a1", "2019-01-10", 8.2, **HIGH),
    observation("a2", "2020-02-11", 7.4),
    observation("a3", "2021-03-12", 6.96),
]


def answer(question: str, *resources: Any) -> tuple[Draft, Record]:
    """The answer from these resources, by the same steps as the pipeline but without its database."""
    found = [facts(r, PATIENT) for r in resources]
    groups: dict[str, list[Any]] = {}
    for f in found:
        if not f.void:
            groups.setdefault(f.concept_key, []).append(f)
    concepts = [
        Concept(
            key, g[0].resource_type, g[0].label, g[0].names, frozenset(f"{c.system}|{c.code}" for c in g[0].codings),
            len(g), min(f.date.start for f in g), max(f.date.start for f in g), 0.5, 1, 1,
        )
        for key, g in groups.items()
    ]  # fmt: skip
    asked = parse(question, names=quotable_names(concepts))
    topic = match(asked, concepts)
    stored = [Stored(f, f.label) for c in topic.concepts for f in groups[c.key]]
    selection = select(asked, topic, stored, date(2021, 12, 31))
    draft = RecordAnswerer().draft([Asked(asked, topic, selection)], concepts, parse_date("1950-06-01"))
    return draft, Record(PATIENT, {f.resource_id: f for f in found})


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("latest HbA1c", "The most recent HbA1c was 7.0 % on 2021-03-12 [Observation/a3]."),
        ("first HbA1c", "HbA1c was first recorded on 2019-01-10 at 8.2 % (high) [Observation/a1]."),
        ("highest HbA1c", "The highest HbA1c on record is 8.2 %, on 2019-01-10 (high) [Observation/a1]."),
        ("lowest HbA1c", "The lowest HbA1c on record is 7.0 %, on 2021-03-12 [Observation/a3]."),
        ("HbA1c before the last one", "The previous HbA1c was 7.4 % on 2020-02-11 [Observation/a2]."),
        (
            "Is the latest HbA1c higher or lower than the one before it?",
            "The latest HbA1c of 7.0 % (2021-03-12) [Observation/a3] is lower than the previous 7.4 % (2020-02-11) "
            "[Observation/a2].",
        ),
        (
            "How many times was HbA1c measured since 2020?",
            "HbA1c was recorded 2 times since 2020 [Observation/a3; Observation/a2].",
        ),
    ],
)
def test_each_aggregate_of_a_result_reads_as_a_colleague_would_say_it(question: str, text: str) -> None:
    draft, record = answer(question, *A1C)
    assert draft.text == text
    assert verify(draft.text, record).verdict is VerdictStatus.GROUNDED


def test_a_trend_gives_first_and_last_and_every_result() -> None:
    draft, record = answer("How has HbA1c changed over time?", *A1C)
    assert draft.text.startswith(
        "HbA1c went from 8.2 % on 2019-01-10 [Observation/a1] to 7.0 % on 2021-03-12 [Observation/a3]."
    )
    assert draft.text.count("\n- ") == 3
    assert verify(draft.text, record).verdict is VerdictStatus.GROUNDED


def test_two_results_that_round_alike_are_shown_apart() -> None:
    draft, _ = answer(
        "compare the last two HbA1c",
        observation("x", "2020-01-01", 6.31),
        observation("y", "2021-01-01", 6.34),
    )
    assert "6.34 %" in draft.text
    assert "the previous 6.3 %" in draft.text
    assert "higher than" in draft.text


def test_mixed_units_are_not_compared() -> None:
    old = observation("x", "2020-01-01", 60, "33914-3", "mL/min")
    new = observation("y", "2021-01-01", 55, "33914-3", "mL/min/{1.73_m2}")
    draft, _ = answer("Is the latest eGFR higher or lower than the one before?", old, new)
    assert "different units" in draft.text
    assert "lower than" not in draft.text


def test_a_comparator_is_kept_and_never_the_lowest() -> None:
    below = observation(
        "x", "2020-01-01", None, valueQuantity={"value": 4, "comparator": "<", "unit": "%", "code": "%"}
    )
    draft, _ = answer("lowest HbA1c", below, *A1C)
    assert "7.0 %" in draft.text
    draft, _ = answer("list every HbA1c", below, *A1C)
    assert "<4 %" in draft.text


def test_a_missing_value_and_a_void_result_are_never_the_latest() -> None:
    absent = observation("n", "2022-01-01", None, dataAbsentReason={"text": "not performed"})
    void = observation("v", "2022-02-02", 9.9, status="entered-in-error")
    draft, _ = answer("latest HbA1c", absent, void, *A1C)
    assert draft.text == "The most recent HbA1c was 7.0 % on 2021-03-12 [Observation/a3]."


def test_a_blood_pressure_reads_as_a_pair() -> None:
    parts = [
        {
            "code": {"coding": [{"system": LOINC, "code": c}]},
            "valueQuantity": {"value": v, "unit": "mmHg", "code": "mm[Hg]"},
        }
        for c, v in (("8480-6", 138.4), ("8462-4", 82.1))
    ]
    panel = observation("bp", "2021-01-01", None, "85354-9", component=parts)
    assert answer("latest blood pressure", panel)[0].text == (
        "The most recent blood pressure was 138/82 mmHg on 2021-01-01 [Observation/bp]."
    )


def test_active_problems_keep_social_findings_apart() -> None:
    resources = [
        condition("c1", "Essential hypertension (disorder)", "59621000", "active", "2014-09-28"),
        condition("c2", "Full-time employment (finding)", "160903007", "active", "2015-01-01"),
        condition("c3", "Acute bronchitis (disorder)", "10509002", "resolved", "2016-01-01"),
    ]
    draft, record = answer("What are the active problems?", *resources)
    clinical, other = draft.text.split("Other findings")
    assert "Essential hypertension" in clinical
    assert "Full-time employment" in other
    assert "bronchitis" not in draft.text
    assert verify(draft.text, record).verdict is VerdictStatus.GROUNDED


def test_yes_is_said_only_where_it_holds_now() -> None:
    stopped = medication("m1", "Metformin 500 MG", "stopped", "2015-01-01")
    draft, record = answer("Is she on metformin?", stopped)
    assert not draft.text.startswith("Yes")
    assert "stopped" in draft.text
    assert verify(draft.text, record).verdict is VerdictStatus.GROUNDED
    assert answer("Is she on metformin?", medication("m1", "Metformin 500 MG", "active", "2015-01-01"))[
        0
    ].text.startswith("Yes.")


def test_medications_for_a_condition_are_those_given_for_it() -> None:
    given = medication(
        "m1", "Metformin 500 MG", "active", "2015-01-01", reasonCode=[{"text": "Diabetes mellitus type 2"}]
    )
    other = medication(
        "m2", "Loratadine 5 MG", "active", "2016-01-01", reasonCode=[{"text": "Allergic rhinitis"}]
    )
    draft, _ = answer("What medications is she taking for diabetes?", given, other)
    assert "Metformin" in draft.text
    assert "Loratadine" not in draft.text


def test_do_not_give_is_never_a_prescription() -> None:
    banned = medication("m1", "Metformin 500 MG", "active", "2015-01-01", doNotPerform=True)
    assert answer("Is she on metformin?", banned)[0].refused


def test_why_without_a_recorded_reason_is_refused() -> None:
    assert answer("Why is she on metformin?", medication("m1", "Metformin 500 MG", "active", "2015-01-01"))[
        0
    ].refused


@pytest.mark.parametrize(
    "question", ["latest ferritin", "HbA1c in 1999", "What is the weather in Boston?", "Is she on insulin?"]
)
def test_a_refusal_states_nothing_and_says_what_was_searched(question: str) -> None:
    draft, record = answer(question, *A1C)
    assert draft.refused
    assert draft.text.startswith(REFUSAL)
    assert "Searched:" in draft.text
    assert "[" not in draft.text
    assert verify(draft.text, record).refused


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("latest ferritin", 'Searched: 3 observation records from 2019 to 2021 for "ferritin", 0 found.'),
        ("HbA1c in 1999", '3 on record (2019-01-10 to 2021-03-12), none as asked in 1999.'),
        ("Should I start insulin?", "recommendation or diagnosis. Available in this record: Hemoglobin A1c."),
        ("Write a poem about HbA1c", "this is no question about what the record holds."),
        ("What are the side effects of metformin?", "this is no question about what the record holds."),
        ("latest glucose", "Related in this record: Hemoglobin A1c."),
    ],
)  # fmt: skip
def test_the_three_kinds_of_refusal_each_say_what_they_are(question: str, said: str) -> None:
    draft, record = answer(question, *A1C)
    assert draft.refused
    assert said in draft.text
    assert verify(draft.text, record).refused


def test_advice_is_declined_as_such() -> None:
    draft, _ = answer(
        "Should we increase the metformin?", medication("m1", "Metformin 500 MG", "active", "2015-01-01")
    )
    assert draft.refused
    assert "no advice" in draft.text


def test_the_same_question_gives_the_same_text() -> None:
    assert answer("HbA1c trend", *A1C)[0] == answer("HbA1c trend", *reversed(A1C))[0]


def test_refusal_without_anything_searched_is_the_sentence_alone() -> None:
    asked = parse("latest ferritin")
    assert refusal(match(asked, []), None, []).text == REFUSAL


@pytest.mark.parametrize(
    ("many", "one"), [("allergies", "allergy"), ("imaging studies", "imaging study"), ("goals", "goal")]
)
def test_singular(many: str, one: str) -> None:
    assert singular(many) == one


ACTIVE = medication("m1", "Metformin 500 MG", "active", "2015-01-01")


@pytest.mark.parametrize(
    "question", ["Is she off metformin?", "Is metformin stopped?", "Is she no longer on metformin?"]
)
def test_yes_never_stands_before_the_opposite(question: str) -> None:
    draft, _ = answer(question, ACTIVE)
    assert not draft.text.startswith("Yes")
    assert "active" in draft.text


@pytest.mark.parametrize(
    "question",
    [
        "Is she NOT on metformin?",
        "Did she never take metformin?",
        "medications not active",
        "no metformin?",
    ],
)
def test_a_negated_question_is_refused_not_answered_as_if_it_were_not(question: str) -> None:
    assert answer(question, ACTIVE)[0].refused


STROKE = condition("s", "Stroke (disorder)", "230690007", "active", "2020-01-01")


@pytest.mark.parametrize(
    "question",
    ["HbA1c before the stroke", "HbA1c after stroke", "HbA1c since the stroke", "HbA1c at the stroke"],
)
def test_an_event_that_the_answer_would_pass_over_makes_it_another_question(question: str) -> None:
    assert answer(question, STROKE, *A1C)[0].refused


def test_two_analytes_are_not_one_against_its_own_past() -> None:
    egfr = observation("g", "2021-01-01", 60, "33914-3", "mL/min")
    for question in ("compare HbA1c and eGFR", "latest HbA1c and eGFR"):
        draft, _ = answer(question, egfr, *A1C)
        assert "Observation/a3" in draft.text
        assert "Observation/g" in draft.text
        assert "previous" not in draft.text


@pytest.mark.parametrize(
    "question", ["HbA1c over 8 or under 5", "HbA1c over 140/90", "abnormal HbA1c results", "HbA1c this year"]
)
def test_a_limit_that_nothing_reads_is_not_dropped(question: str) -> None:
    assert answer(question, *A1C)[0].refused


def test_the_latest_of_a_window_says_so() -> None:
    draft, record = answer("latest HbA1c before 2021", *A1C)
    assert draft.text == "The most recent HbA1c before 2021 was 7.4 % on 2020-02-11 [Observation/a2]."
    assert verify(draft.text, record).verdict is VerdictStatus.GROUNDED


def test_what_was_stopped_in_a_year_needs_a_recorded_end() -> None:
    stopped = medication("m1", "Metformin 500 MG", "stopped", "2008-03-01")
    assert answer("Which medications were stopped in 2008?", stopped)[0].refused


def test_an_active_problem_list_counts_the_errands_it_leaves_out() -> None:
    draft, record = answer(
        "What are the active problems?",
        condition("asthma", "Asthma (disorder)", "195967001", "active", "2019-02-01"),
        condition("review1", "Medication review due (situation)", "314529007", "active", "2020-02-01"),
        condition("review2", "Medication review due (situation)", "314529007", "active", "2021-02-01"),
        condition("job", "Full-time employment (finding)", "160903007", "resolved", "2018-02-01"),
    )
    assert draft.text.startswith(
        "Clinical problems; 2 active administrative entries are not listed:\n\n"
        "- Asthma: active, onset 2019-02-01 [Condition/asthma]"
    )
    assert "Medication review" not in draft.text
    assert verify(draft.text, record).verdict is VerdictStatus.GROUNDED
    assert verify(draft.text.replace("2 active", "3 active"), record).verdict is not VerdictStatus.GROUNDED


def test_two_results_of_one_moment_are_both_shown() -> None:
    moment = "2021-03-12T08:00:00Z"
    draft, record = answer("latest HbA1c", observation("x", moment, 7.0), observation("y", moment, 8.5))
    assert "7 % on 2021-03-12 [Observation/x]" in draft.text
    assert "8.5 % on 2021-03-12 [Observation/y]" in draft.text
    assert verify(draft.text, record).verdict is VerdictStatus.GROUNDED


def test_the_same_result_twice_is_said_once_from_the_one_that_stands_later() -> None:
    moment = "2021-03-12T08:00:00Z"
    draft, record = answer("latest HbA1c", observation("x", moment, 7.0), observation("y", moment, 7.0))
    assert draft.text == "The most recent HbA1c was 7 % on 2021-03-12 [Observation/x]."
    assert verify(draft.text, record).verdict is VerdictStatus.GROUNDED


def test_what_was_taken_in_a_year_is_what_had_begun_and_not_ended() -> None:
    given = [
        medication("old", "Lisinopril 10 MG", "active", "2001-05-01"),
        medication("then", "Amoxicillin 250 MG", "stopped", "2005-03-01"),
        medication("over", "Naproxen 220 MG", "stopped", "1999-03-01"),
        medication("late", "Metformin 500 MG", "active", "2008-03-01"),
    ]
    draft, record = answer("meds in 2005", *given)
    assert "Lisinopril" in draft.text
    assert "Amoxicillin" in draft.text
    assert "Naproxen" not in draft.text
    assert "Metformin" not in draft.text
    assert verify(draft.text, record).verdict is VerdictStatus.GROUNDED
    prescribed, _ = answer("medications prescribed in 2005", *given)
    assert "Lisinopril" not in prescribed.text


def test_repeats_on_one_line_give_their_first_and_last_date() -> None:
    many = [medication(f"m{n}", "Simvastatin 10 MG", "stopped", f"20{n:02}-05-01") for n in range(1, 15)]
    draft, record = answer("simvastatin prescriptions", *many)
    assert "prescribed from 2001-05-01 to 2014-05-01" in draft.text
    assert verify(draft.text, record).verdict is VerdictStatus.GROUNDED
    for right, wrong in (("2001", "2000"), ("2001", "2002"), ("2014", "2013"), ("2014", "2015")):
        text = draft.text.replace(f"{right}-05-01", f"{wrong}-05-01")
        assert verify(text, record).verdict is VerdictStatus.UNGROUNDED, wrong


def test_another_unit_stands_beside_the_recorded_one() -> None:
    draft, record = answer("latest HbA1c in mmol/mol", *A1C)
    assert draft.text == "The most recent HbA1c was 52.6 mmol/mol (7.0 %) on 2021-03-12 [Observation/a3]."
    assert verify(draft.text, record).verdict is VerdictStatus.GROUNDED


def test_a_unit_no_table_turns_into_is_refused() -> None:
    assert answer("latest HbA1c in pounds", *A1C)[0].refused


def test_an_average_and_a_range_are_of_every_result() -> None:
    draft, record = answer("average HbA1c", *A1C)
    assert draft.text.startswith(
        "The average HbA1c is 7.5 % [Observation/a3; Observation/a2; Observation/a1]."
    )
    assert verify(draft.text, record).verdict is VerdictStatus.GROUNDED
    draft, record = answer("range of HbA1c", *A1C)
    assert "highest HbA1c on record is 8.2 %" in draft.text
    assert "lowest HbA1c on record is 7.0 %" in draft.text
    assert verify(draft.text, record).verdict is VerdictStatus.GROUNDED


def test_who_and_where_are_told_only_where_recorded() -> None:
    by = {"requester": {"display": "Dr. Ada Diaz"}}
    draft, record = answer(
        "who prescribed metformin?", medication("m", "Metformin 500 MG", "active", "2015-01-01", **by)
    )
    assert "by Dr. Ada Diaz" in draft.text
    assert verify(draft.text, record).verdict is VerdictStatus.GROUNDED
    assert answer("who prescribed metformin?", medication("m", "Metformin 500 MG", "active", "2015-01-01"))[
        0
    ].refused


def test_what_was_given_was_not_prescribed() -> None:
    given = {
        "resourceType": "MedicationAdministration",
        "id": "g",
        "status": "completed",
        "medicationCodeableConcept": {"text": "Morphine 1 MG/ML Injection"},
        "effectiveDateTime": "2016-09-04",
    }
    draft, record = answer("any opioid?", given)
    assert "given 2016-09-04" in draft.text
    assert verify(draft.text, record).verdict is VerdictStatus.GROUNDED
    for question in ("was he ever prescribed an opioid?", "any opioid on the medication list?"):
        assert answer(question, given)[0].refused


def test_a_heading_gives_the_latest_of_each_result_under_it() -> None:
    egfr = observation("e", "2020-01-01", 55.0, "33914-3", "mL/min/{1.73_m2}")
    draft, record = answer("kidney function", egfr, *A1C)
    assert "eGFR" in draft.text
    assert "HbA1c" not in draft.text
    assert verify(draft.text, record).verdict is VerdictStatus.GROUNDED


def test_how_long_counts_to_the_latest_entry() -> None:
    hypertension = condition("h", "Essential hypertension (disorder)", "59621000", "active", "2014-09-28")
    for question in ("how long has she had hypertension?", "how many years has she had HTN"):
        draft, record = answer(question, hypertension, *A1C)
        assert "onset 2014-09-28, 6 years ago as the record stands" in draft.text
        assert verify(draft.text, record).verdict is VerdictStatus.GROUNDED


def test_what_came_first_is_told_in_order_of_onset() -> None:
    draft, record = answer(
        "which came first, diabetes or hypertension?",
        condition("h", "Essential hypertension (disorder)", "59621000", "active", "2014-09-28"),
        condition("d", "Diabetes mellitus type 2 (disorder)", "44054006", "active", "2010-01-01"),
    )
    assert draft.text.index("Diabetes") < draft.text.index("hypertension")
    assert verify(draft.text, record).verdict is VerdictStatus.GROUNDED


def test_antibiotics_for_an_infection_are_those_given_it_as_a_reason() -> None:
    strep = condition("s", "Streptococcal sore throat (disorder)", "43878008", "resolved", "2019-05-20")
    for_it = medication(
        "p", "Penicillin V 250 MG", "active", "2019-05-22", reasonCode=[{"text": "Streptococcal sore throat"}]
    )
    other = medication("a", "Amoxicillin 250 MG", "stopped", "2012-01-01")
    draft, record = answer("abx for strep", strep, for_it, other)
    assert "Penicillin V" in draft.text
    assert "Amoxicillin" not in draft.text
    assert verify(draft.text, record).verdict is VerdictStatus.GROUNDED


def test_a_fasting_glucose_is_no_glucose() -> None:
    _NAMES.setdefault("2339-0", "Glucose [Mass/volume] in Blood")
    glucose = observation("g", "2020-01-01", 99, "2339-0", "mg/dL")
    assert answer("latest glucose", glucose)[0].text.startswith("The most recent glucose was 99 mg/dL")
    assert answer("latest fasting glucose", glucose)[0].refused
    assert answer("fasting sugar", glucose)[0].refused


def test_different_things_done_at_one_moment_are_all_told() -> None:
    moment = "2021-03-12T08:00:00Z"
    done = [procedure("a", "Gonioscopy", moment), procedure("b", "Fundoscopy", moment)]
    draft, record = answer("last procedure", *done, procedure("c", "Colonoscopy", "2020-01-01"))
    assert "Gonioscopy: 2021-03-12, completed [Procedure/a]" in draft.text
    assert "Fundoscopy: 2021-03-12, completed [Procedure/b]" in draft.text
    assert "Colonoscopy" not in draft.text
    assert verify(draft.text, record).verdict is VerdictStatus.GROUNDED


def test_a_procedure_of_a_longer_name_is_one_of_that_name_too() -> None:
    done = [
        procedure("a", "Depression screening", "2020-05-25"),
        procedure("b", "Depression screening using a questionnaire", "2021-02-10"),
    ]
    draft, record = answer("Date of the latest depression screening?", *done)
    assert draft.text.index("2021-02-10, completed [Procedure/b]") < draft.text.index("2020-05-25")
    assert verify(draft.text, record).verdict is VerdictStatus.GROUNDED
    older = "The most recent depression screening was on 2020-05-25 [Procedure/a]."
    assert verify(older, record).verdict is VerdictStatus.UNGROUNDED


def test_how_long_what_has_ended_took() -> None:
    stay = {
        "resourceType": "Encounter", "id": "stay", "status": "finished", "class": {"code": "IMP"},
        "type": [{"text": "Hospital admission"}], "period": {"start": "2021-03-01", "end": "2021-03-11"},
    }  # fmt: skip
    draft, record = answer("How many days was she in hospital in March 2021?", stay)
    assert "for 10 days" in draft.text
    assert verify(draft.text, record).verdict is VerdictStatus.GROUNDED
    assert verify(draft.text.replace("10 days", "12 days"), record).verdict is VerdictStatus.UNGROUNDED
    ill = condition("c", "Pneumonia", "233604007", "resolved", "2018-12-04", abatementDateTime="2019-01-08")
    draft, record = answer("How long did the pneumonia last?", ill)
    assert "for 35 days" in draft.text
    assert verify(draft.text, record).verdict is VerdictStatus.GROUNDED


def test_the_order_things_appeared_in_is_of_their_first_entries() -> None:
    found = [
        condition("d2", "Diabetes mellitus type 2", "44054006", "active", "2019-01-01"),
        condition("d1", "Diabetes mellitus type 2", "44054006", "active", "2014-01-01"),
        condition("h", "Hypertension", "38341003", "active", "2012-01-01"),
    ]
    draft, record = answer("In what order did diabetes and hypertension appear?", *found)
    assert draft.text.index("Condition/h") < draft.text.index("Condition/d1")
    assert "Condition/d2" not in draft.text
    assert verify(draft.text, record).verdict is VerdictStatus.GROUNDED


@pytest.mark.parametrize(
    "question", ["Is she on anything for blood pressure?", "What is she taking for her blood pressure?"]
)
def test_what_is_taken_for_a_measurement_is_what_the_record_gives_its_condition_as_the_reason_for(
    question: str,
) -> None:
    reason = {"reasonCode": [{"text": "Hypertension"}]}
    given = [
        medication("a", "Lisinopril 10 MG", "active", "2020-01-01", **reason),
        medication("b", "Naproxen 220 MG", "active", "2020-01-01"),
    ]
    draft, record = answer(
        question, *given, condition("h", "Hypertension", "38341003", "active", "2012-01-01")
    )
    assert "Lisinopril" in draft.text
    assert "Naproxen" not in draft.text
    assert verify(draft.text, record, question=question).verdict is VerdictStatus.GROUNDED


def test_whose_it_is_does_not_part_a_term() -> None:
    kidney = condition(
        "k", "Disorder of kidney due to diabetes mellitus", "127013003", "active", "2012-01-01"
    )
    assert "Condition/k" in answer("any complications of his diabetes?", kidney)[0].text
