"""Dates, numbers, ages and order in free words: each true statement has its false twin."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from core.fhir.facts import facts
from core.grounding.checks import written_dates
from core.grounding.reading import Reading
from core.grounding.record import Record
from core.grounding.rewriting import Rewriter
from core.grounding.verdict import verify
from core.models import Facts, Verdict

Judge = Callable[..., Verdict]

TWINS = [
    # answer, what of it is turned, what into
    ("LDL fell from one hundred and thirty in 2019 [Observation/ldl-2019] to sixty-five in 2020 [Observation/ldl-2020].",
        "sixty-five", "seventy-five"),
    ("LDL was 65 in 2020 [Observation/ldl-2020], half of the 130 in 2019 [Observation/ldl-2019].", "half", "twice"),
    ("Viral sinusitis began on 10 January 2015 and had cleared up by the first of February of that year "
        "[Condition/sinusitis].",
        "February", "January"),
    ("In January 2015 she had viral sinusitis, with onset on the 10th [Condition/sinusitis].", "10th", "11th"),
    ("Viral sinusitis set in in early January 2015 [Condition/sinusitis].", "early", "late"),
    ("HbA1c was 9.0 % in the spring of 2018 [Observation/a1c-2018].", "spring", "autumn"),
    ("HbA1c was 9.0 % in Q1 2018 [Observation/a1c-2018].", "Q1", "Q2"),
    ("Flu shots were given in October 2018 [Immunization/flu-2018] and in October 2019 [Immunization/flu-2019].",
        "October 2018", "September 2018"),
    ("Influenza vaccine: 1 October 2018 and 1 October 2019 [Immunization/flu-2018, Immunization/flu-2019]. So two doses "
        "altogether [Immunization/flu-2018, Immunization/flu-2019].", "two doses", "three doses"),
    ("She got the flu vaccine twice, in October 2018 and October 2019 [Immunization/flu-2018, Immunization/flu-2019].",
        "twice", "once"),
    ("HbA1c ranged between 7.1 % and 9.0 % [Observation/a1c-2020].", "9.0", "8.2"),
    ("HbA1c has stayed within 7 to 10 % [Observation/a1c-2020].", "within 7 to 10", "within 7 to 8"),
    ("The second highest HbA1c was 8.2 % [Observation/a1c-2016].", "8.2 % [Observation/a1c-2016]",
        "7.6 % [Observation/a1c-2019]"),
    ("The high point was an HbA1c of 9.0 % [Observation/a1c-2018].", "9.0 % [Observation/a1c-2018]",
        "8.2 % [Observation/a1c-2016]"),
    ("Type 2 diabetes was diagnosed when she was 51 [Condition/diabetes].", "51", "53"),
    ("Type 2 diabetes was diagnosed in her fifties [Condition/diabetes].", "fifties", "forties"),
    ("At nearly 52 years of age she was found to have type 2 diabetes [Condition/diabetes].", "52", "54"),
    ("Type 2 diabetes was recorded in adulthood [Condition/diabetes].", "adulthood", "childhood"),
    ("Metformin was ordered in 2012 [MedicationRequest/metformin] and simvastatin in 2018 [MedicationRequest/simvastatin]. "
        "Both are active [MedicationRequest/metformin, MedicationRequest/simvastatin].", "active", "stopped"),
    ("She had viral sinusitis in January 2015 [Condition/sinusitis]. It was over by 1 February 2015 [Condition/sinusitis].",
        "sinusitis in January",
        "sinusitis in March"),
    ("Metformin [MedicationRequest/metformin] and simvastatin [MedicationRequest/simvastatin]: neither is "
        "stopped.", "stopped", "active"),
    ("She is allergic to penicillin [AllergyIntolerance/penicillin] and has never smoked [Observation/smoking-2020].",
        "never", "always"),
    ("She spent a week in hospital [Encounter/stay].", "a week", "a fortnight"),
    ("Three results are on file since 2018: 9.0 % [Observation/a1c-2018], 7.6 % [Observation/a1c-2019] and 7.1 % "
        "[Observation/a1c-2020], all three HbA1c.", "all three", "all four"),
    ("Newly diagnosed type 2 diabetes in March 2012 [Condition/diabetes].", "March", "May"),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "right", "wrong"), TWINS)
def test_free_words_for_a_fact_and_the_same_words_around_a_wrong_one(
    judge: Judge, answer: str, right: str, wrong: str
) -> None:
    assert right in answer
    found = judge(answer)
    assert found.verdict.value == "grounded", [
        (c.text, [k for k in c.checks if not k.ok]) for c in found.claims
    ]
    assert judge(answer.replace(right, wrong, 1)).verdict.value != "grounded"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("half an hour", "30 minutes"), ("a year and a half", "18 months"), ("two and a half years", "30 months"),
        ("a fortnight later", "2 weeks later"), ("two decades", "20 years"), ("half a dozen results", "6 results"),
        ("eighty-seven", "87"), ("one hundred and six", "106"), ("the twenty-first of May", "the twenty-first of May"),
        ("Boxing Day 1994", "26 December 1994"), ("when required", "as needed"),
        ("September and November 2012", "September 2012 and November 2012"),
        ("from December 27 to January 3, 2018", "from December 27 2017 to January 3, 2018"),
        ("from 17 to 27 April", "from 17 April to 27 April"),
        ("seen on 4 April 2019 and again on the 16th.", "seen on 4 April 2019 and again on 16 April 2019."),
        ("in May 2015, or June of the same year", "in May 2015, or June 2015"),
        ("when Ada was four.", "when Ada was four years old."),
        ("E. coli infection", "Escherichia coli infection"),
    ],
)  # fmt: skip
def test_what_is_said_in_words_is_read_in_the_form_of_the_checks(written: str, meant: str) -> None:
    assert Rewriter.of(()).rewrite(written) == meant


def test_names_are_not_rewritten_and_a_year_carries_over() -> None:
    rewriter = Rewriter.of(["Twenty Questions Survey"])
    assert rewriter.rewrite("Twenty Questions Survey: twenty") == "Twenty Questions Survey: 20"
    rewriter.rewrite("It began in March 2014.")
    assert rewriter.rewrite("In that year it ended.") == "in 2014 it ended."


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("mid May 2015", date(2015, 5, 8), date(2015, 5, 22)),
        ("the summer of 2019", date(2019, 6, 1), date(2019, 8, 31)),
        ("winter 2018/19", date(2018, 12, 1), date(2019, 2, 28)),
        ("Q3 2019", date(2019, 7, 1), date(2019, 9, 30)),
        ("the second half of 2018", date(2018, 7, 1), date(2018, 12, 31)),
    ],
)
def test_a_stretch_of_a_year_is_the_days_it_means(text: str, first: date, last: date) -> None:
    (found,) = written_dates.forms(Reading(text))
    assert found.intervals == ((first, last),)


def finding(id: str, when: str, value: str) -> Facts:
    return facts(
        {
            "resourceType": "Observation", "id": id, "status": "final", "effectiveDateTime": when,
            "code": {"text": "Physical findings of Prostate"}, "valueCodeableConcept": {"text": value},
        },
        "Patient/x",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        (
            "The prostate was normal in 2017 [Observation/a], enlarged in 2018 [Observation/b] and 2019 [Observation/c].",
            "grounded",
        ),
        (
            "The prostate was enlarged in 2017 [Observation/a], 2018 [Observation/b] and 2019 [Observation/c].",
            "ungrounded",
        ),
        (
            "The prostate was enlarged in 2018 [Observation/b] and normal in 2019 [Observation/c].",
            "ungrounded",
        ),
    ],
)
def test_a_value_in_words_belongs_to_what_is_cited_for_it(answer: str, verdict: str) -> None:
    held = [
        ("a", "2017-05-01", "Prostate normal"),
        ("b", "2018-05-01", "Prostate enlarged"),
        ("c", "2019-05-01", "Prostate enlarged"),
    ]
    record = Record("Patient/x", {f.resource_id: f for f in (finding(*told) for told in held)})
    assert verify(answer, record).verdict.value == verdict


def test_what_was_done_at_an_encounter_may_be_said_of_it() -> None:
    at = {"encounter": {"reference": "Encounter/e"}}
    resources = (
        {"resourceType": "Encounter", "id": "e", "status": "finished", "class": {"code": "AMB"},
            "type": [{"text": "Consultation"}], "period": {"start": "2019-05-01", "end": "2019-05-01"}},
        {"resourceType": "Condition", "id": "c", "code": {"text": "Migraine"}, "onsetDateTime": "2019-05-01",
            "clinicalStatus": {"coding": [{"code": "active"}]}, **at},
        {"resourceType": "Condition", "id": "d", "code": {"text": "Gout"}, "onsetDateTime": "2019-05-01",
            "clinicalStatus": {"coding": [{"code": "active"}]}},
    )  # fmt: skip
    record = Record("Patient/x", {f.resource_id: f for f in (facts(r, "Patient/x") for r in resources)})
    assert (
        verify("Consultation for migraine on 1 May 2019 [Encounter/e].", record).verdict.value == "grounded"
    )
    assert verify("Consultation for gout on 1 May 2019 [Encounter/e].", record).verdict.value != "grounded"
