"""The relevance decision: what is not in the record is not found, however near something else lies."""

import pytest

from core.fhir.codes import LOINC, RXNORM, SNOMED
from core.retrieval.by_name import quotable_names
from core.retrieval.match import match
from core.retrieval.question import parse
from core.retrieval.search import Concept
from core.retrieval.topic import Outcome, Topic


def concept(
    resource_type: str, label: str, code: str = "", system: str = "", *names: str, distance: float = 0.4
) -> Concept:
    codes = frozenset({f"{system}|{code}"} if code else ())
    key = f"{resource_type}|{system}|{code or label}"
    return Concept(key, resource_type, label, (label, *names), codes, 3, None, None, distance, 1, 1)


RECORD = [
    concept("Observation", "Hemoglobin A1c/Hemoglobin.total in Blood", "4548-4", LOINC),
    concept("Observation", "Hemoglobin [Mass/volume] in Blood", "718-7", LOINC),
    concept("Observation", "Glucose [Mass/volume] in Urine by Test strip", "5792-7", LOINC),
    concept("Observation", "Blood pressure panel", "85354-9", LOINC),
    concept("Condition", "Chronic kidney disease stage 1", "431855005", SNOMED),
    concept("Condition", "Chronic kidney disease stage 2", "431856006", SNOMED),
    concept("Condition", "Awaiting transplantation of kidney", "698306007", SNOMED),
    concept("Condition", "Miscarriage in first trimester", "19169002", SNOMED),
    concept("MedicationRequest", "Simvastatin 20 MG Oral Tablet", "312961", RXNORM),
    concept("AllergyIntolerance", "Aspirin", "1191", RXNORM),
    concept("Procedure", "Spirometry", "127783003", SNOMED),
    concept("Procedure", "Diabetic retinal eye exam", "1", SNOMED),
    concept("CarePlan", "Care plan", "734163000", SNOMED),
]


def about(text: str) -> Topic:
    return match(parse(text, names=quotable_names(RECORD)), RECORD)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("latest HbA1c", {"Hemoglobin A1c/Hemoglobin.total in Blood"}),
        ("latest haemoglobin", {"Hemoglobin [Mass/volume] in Blood"}),
        ("urine glucose", {"Glucose [Mass/volume] in Urine by Test strip"}),
        ("Does he have CKD?", {"Chronic kidney disease stage 1", "Chronic kidney disease stage 2"}),
        ("Does he have stage 2 CKD?", {"Chronic kidney disease stage 2"}),
        ("When was Miscarriage in first trimester diagnosed?", {"Miscarriage in first trimester"}),
        ("Is she on a statin?", {"Simvastatin 20 MG Oral Tablet"}),
        ("simvastatine", {"Simvastatin 20 MG Oral Tablet"}),
        ("Is she allergic to aspirin?", {"Aspirin"}),
        ("last eye exam", {"Diabetic retinal eye exam"}),
        ("systolic trend", {"Blood pressure panel"}),
    ],
)
def test_what_is_asked_for_is_found(text: str, labels: set[str]) -> None:
    topic = about(text)
    assert topic.outcome is Outcome.FOUND
    assert {c.label for c in topic.concepts} == labels


@pytest.mark.parametrize(
    "text",
    [
        "latest blood glucose",  # urine glucose is there
        "Does she take aspirin?",  # as an allergy only
        "When was the kidney transplant?",  # awaited, not done
        "Does he have stage 4 CKD?",
        "Is she on insulin?",
        "latest ferritin",
        "spirometry result",  # a procedure is not a result
        "list devices",
    ],
)
def test_what_is_not_there_is_not_found(text: str) -> None:
    assert about(text).outcome is not Outcome.FOUND


@pytest.mark.parametrize(
    "text", ["Is there a spaceship in Boston?", "insulin pump model?", "Why did he refuse dialysis?"]
)
def test_a_word_nothing_accounts_for_is_named(text: str) -> None:
    topic = about(text)
    assert topic.outcome is Outcome.NOT_UNDERSTOOD
    assert topic.unknown


def test_advice_is_declined_even_about_what_is_there() -> None:
    assert about("Should she stop simvastatin?").outcome is Outcome.ADVICE


def test_a_kind_alone_means_all_of_that_kind() -> None:
    topic = about("What care plans are active?")
    assert [c.resource_type for c in topic.concepts] == ["CarePlan"]
