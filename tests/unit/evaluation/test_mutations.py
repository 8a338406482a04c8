"""Wrong answers out of right ones: each kind changes what it names, and the result is wrong by the record."""

from __future__ import annotations

from typing import Any

import pytest

from core.evaluation.mutations import KINDS, mutants
from core.fhir.facts import facts
from core.grounding.record import Record

LOINC = "http://loinc.org"


def observation(name: str, code: str, label: str, value: float, unit: str, day: str) -> dict[str, Any]:
    return {
        "resourceType": "Observation",
        "id": name,
        "status": "final",
        "code": {"text": label, "coding": [{"system": LOINC, "code": code, "display": label}]},
        "effectiveDateTime": day,
        "valueQuantity": {"value": value, "unit": unit, "code": unit, "system": "http://unitsofmeasure.org"},
    }


def order(name: str, drug: str, status: str, day: str) -> dict[str, Any]:
    return {
        "resourceType": "MedicationRequest",
        "id": name,
        "status": status,
        "intent": "order",
        "medicationCodeableConcept": {"text": drug, "coding": [{"code": drug, "display": drug}]},
        "authoredOn": day,
    }


RECORD = Record(
    "Patient/ada",
    {
        f.resource_id: f
        for f in (
            facts(resource, "Patient/ada")
            for resource in (
                observation("a1c-new", "4548-4", "Hemoglobin A1c", 7.1, "%", "2024-03-01"),
                observation("a1c-old", "4548-4", "Hemoglobin A1c", 8.7, "%", "2021-02-03"),
                observation("ldl", "18262-6", "LDL Cholesterol", 157.7, "mg/dL", "2022-05-06"),
                order("metformin", "Metformin 500 MG", "active", "2019-04-23"),
                order("lisinopril", "Lisinopril 10 MG", "active", "2020-07-08"),
            )
        )
    },
)
LATEST = "The most recent HbA1c was 7.1 % on 2024-03-01 [Observation/a1c-new]."
COMPARED = (
    "The latest HbA1c of 7.1 % (2024-03-01) [Observation/a1c-new] is lower than "
    "the previous 8.7 % (2021-02-03) [Observation/a1c-old]."
)
COUNTED = "HbA1c was recorded 2 times [Observation/a1c-new; Observation/a1c-old]."
DRUG = "Yes.\n\n- Metformin 500 MG: active, prescribed 2019-04-23 [MedicationRequest/metformin]"


def made(answer: str, seed: str = "1") -> dict[str, str]:
    return {m.kind: m.text for m in mutants(answer, RECORD, seed)}


@pytest.mark.parametrize(
    ("kind", "answer", "wrong"),
    [
        ("unit", LATEST, "The most recent HbA1c was 7.1 mmol/mol on 2024-03-01 [Observation/a1c-new]."),
        ("date_day", LATEST, "The most recent HbA1c was 7.1 % on 2024-03-02 [Observation/a1c-new]."),
        ("date_year", LATEST, "The most recent HbA1c was 7.1 % on 2023-03-01 [Observation/a1c-new]."),
        ("stale", LATEST, "The most recent HbA1c was 8.7 % on 2021-02-03 [Observation/a1c-old]."),
        ("name", LATEST, "The most recent LDL cholesterol was 7.1 % on 2024-03-01 [Observation/a1c-new]."),
        ("negation", LATEST, "The most recent HbA1c was not 7.1 % on 2024-03-01 [Observation/a1c-new]."),
        ("citation_swapped", LATEST, "The most recent HbA1c was 7.1 % on 2024-03-01 [Observation/ldl]."),
        ("citation_removed", LATEST, "The most recent HbA1c was 7.1 % on 2024-03-01."),
        ("direction", COMPARED, COMPARED.replace("lower than", "higher than")),
        ("status", DRUG, DRUG.replace("active", "stopped")),
        ("name", DRUG, DRUG.replace("Metformin 500 MG", "Lisinopril 10 MG")),
        ("negation", DRUG, DRUG.replace("Yes", "No")),
    ],
)
def test_a_mutation_makes_exactly_its_own_fact_wrong(kind: str, answer: str, wrong: str) -> None:
    assert made(answer)[kind].casefold() == wrong.casefold()


def test_a_mutated_value_is_one_that_no_cited_result_rounds_to() -> None:
    for seed in map(str, range(20)):
        text = made(LATEST, seed)["value"]
        assert "7.1 %" not in text
        assert "2024-03-01 [Observation/a1c-new]" in text


def test_a_mutated_count_is_another_count() -> None:
    assert "recorded 2 times" not in made(COUNTED)["count"]


def test_an_invented_citation_names_nothing_in_the_record() -> None:
    text = made(LATEST)["citation_invented"]
    assert not any(resource in text for resource in RECORD.resources)


def test_an_added_sentence_is_about_nothing_in_the_record() -> None:
    found = made(LATEST)
    assert found["sentence_added"].startswith(LATEST)
    assert found["sentence_added"].count("[") == 1
    assert found["sentence_added_cited"].endswith("[Observation/a1c-new].")


def test_what_an_answer_does_not_offer_is_not_mutated() -> None:
    assert {"status", "direction", "count"}.isdisjoint(made(LATEST))
    assert "stale" not in made(COMPARED)
    assert made("Insufficient data.") == {}


def test_the_same_seed_gives_the_same_mutants_in_the_order_of_the_kinds() -> None:
    assert mutants(COMPARED, RECORD, "1") == mutants(COMPARED, RECORD, "1")
    kinds = [m.kind for m in mutants(COMPARED, RECORD, "1")]
    assert kinds == [k for k in KINDS if k in kinds]


WIDER = Record(
    "Patient/ada",
    {
        f.resource_id: f
        for f in (
            *RECORD.resources.values(),
            facts(order("aspirin", "Aspirin 81 MG", "active", "2018-02-03"), "Patient/ada"),
        )
    },
)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("ordered_as_given", "Metformin 500 MG was "),
        ("events_reversed", "Aspirin 81 MG"),
        ("only", "The only medication in the record is Metformin 500 MG"),
        ("latest_of_kind", "The most recent medication is Metformin 500 MG"),
        ("relative", "Metformin 500 MG is recorded for the patient's "),
        ("sign", "Metformin 500 MG: "),
    ],
)
def test_a_false_statement_about_what_is_cited_follows_the_answer(kind: str, said: str) -> None:
    text = {m.kind: m.text for m in mutants(DRUG, WIDER, "1")}[kind]
    assert text.startswith(DRUG)
    assert said in text.removeprefix(DRUG)


def test_a_heading_is_one_that_the_answer_does_not_belong_under() -> None:
    assert made(DRUG)["heading"].endswith(DRUG)
    assert made(DRUG)["heading"].splitlines()[0] in {"### Allergies", "### Resolved entries"}


def test_one_id_of_a_list_becomes_that_of_something_else() -> None:
    text = made(COUNTED)["citation_swapped_in_list"]
    assert text.count("Observation/a1c-") == 1
    assert "Observation/ldl" in text


def test_a_series_without_a_turn_is_not_told_as_turning() -> None:
    assert "steady" not in made(COMPARED)
