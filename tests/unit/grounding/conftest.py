"""One small made-up record that every test of the verifier reads: what it says is all there is to be right about."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from typing import Any

import pytest

from core.fhir.facts import facts
from core.grounding.record import Record
from core.grounding.verdict import verify
from core.models import Claim, Verdict

Json = dict[str, Any]
PATIENT = "Patient/ada"
LOINC, SNOMED, RXNORM = (
    "http://loinc.org",
    "http://snomed.info/sct",
    "http://www.nlm.nih.gov/research/umls/rxnorm",
)


def concept(display: str, code: str = "", system: str = LOINC) -> Json:
    return {"coding": [{"system": system, "code": code or display, "display": display}], "text": display}


def status(code: str) -> Json:
    return {"coding": [{"code": code}]}


def quantity(value: float, unit: str) -> Json:
    return {"value": value, "unit": unit, "code": unit}


def result(id: str, name: str, code: str, when: str, value: float, unit: str, **more: Any) -> Json:
    return {
        "resourceType": "Observation",
        "id": id,
        "status": "final",
        "code": concept(name, code),
        "effectiveDateTime": when,
        "valueQuantity": quantity(value, unit),
        **more,
    }


def a1c(id: str, when: str, value: float, **more: Any) -> Json:
    return result(id, "Hemoglobin A1c/Hemoglobin.total in Blood", "4548-4", when, value, "%", **more)


def pressure(id: str, when: str, systolic: float, diastolic: float) -> Json:
    parts = [
        ("Systolic blood pressure", "8480-6", systolic),
        ("Diastolic blood pressure", "8462-4", diastolic),
    ]
    return {
        "resourceType": "Observation",
        "id": id,
        "status": "final",
        "code": concept("Blood pressure panel", "85354-9"),
        "effectiveDateTime": when,
        "component": [{"code": concept(n, c), "valueQuantity": quantity(v, "mm[Hg]")} for n, c, v in parts],
    }


def condition(id: str, name: str, onset: str, clinical: str = "active", **more: Any) -> Json:
    return {
        "resourceType": "Condition",
        "id": id,
        "code": concept(name, more.pop("code", ""), SNOMED),
        "clinicalStatus": status(clinical),
        "verificationStatus": status("confirmed"),
        "onsetDateTime": onset,
        **more,
    }


def order(id: str, drug: str, code: str, authored: str, state: str, times_a_day: int, **more: Any) -> Json:
    repeat = {"frequency": times_a_day, "period": 1, "periodUnit": "d"}
    return {
        "resourceType": "MedicationRequest",
        "id": id,
        "status": state,
        "intent": "order",
        "medicationCodeableConcept": concept(drug, code, RXNORM),
        "authoredOn": authored,
        "dosageInstruction": [{"timing": {"repeat": repeat}}],
        **more,
    }


def encounter(id: str, name: str, kind: str, start: str, end: str) -> Json:
    return {
        "resourceType": "Encounter",
        "id": id,
        "status": "finished",
        "class": {"code": kind},
        "type": [concept(name, "", SNOMED)],
        "period": {"start": start, "end": end},
    }


def event(kind: str, id: str, name: str, when: str, state: str = "completed") -> Json:
    code, date = {
        "Immunization": ("vaccineCode", "occurrenceDateTime"),
        "Procedure": ("code", "performedDateTime"),
    }[kind]
    return {"resourceType": kind, "id": id, "status": state, code: concept(name, "", SNOMED), date: when}


NOTE = b64encode(b"Seen for knee pain.\nNo history of stroke. Never had a seizure.").decode()
NORMAL = {"referenceRange": [{"low": quantity(70, "mg/dL"), "high": quantity(99, "mg/dL")}]}
FLAGGED = {"interpretation": [status("H")]}
RESOURCES: tuple[Json, ...] = (
    {
        "resourceType": "Patient",
        "id": "ada",
        "name": [{"given": ["Ada"], "family": "Novak"}],
        "gender": "female",
        "birthDate": "1960-05-01",
    },
    a1c("a1c-2016", "2016-03-05", 8.2),
    a1c("a1c-2018", "2018-03-05", 9.04),
    a1c("a1c-2019", "2019-03-05", 7.6),
    a1c("a1c-2020", "2020-03-05", 7.1, **FLAGGED),
    a1c("a1c-void", "2021-03-05", 5.0, status="entered-in-error"),
    result("glucose-2020", "Glucose", "2339-0", "2020-03-05", 104, "mg/dL", **NORMAL),
    result("hemoglobin-2020", "Hemoglobin [Mass/volume] in Blood", "718-7", "2020-03-05", 7.1, "g/dL"),
    result("ldl-2019", "Low Density Lipoprotein Cholesterol", "18262-6", "2019-03-05", 130, "mg/dL"),
    result("ldl-2020", "Low Density Lipoprotein Cholesterol", "18262-6", "2020-03-05", 65, "mg/dL"),
    result("weight-2020", "Body Weight", "29463-7", "2020-03-05", 80, "kg"),
    {
        **result("crp-2020", "C reactive protein", "1988-5", "2020-03-05", 5, "mg/L"),
        "valueQuantity": {"value": 5, "comparator": "<", "unit": "mg/L", "code": "mg/L"},
    },
    pressure("bp-2018", "2018-03-05", 150, 95),
    pressure("bp-2020", "2020-03-05", 138, 82),
    {
        "resourceType": "Observation",
        "id": "smoking-2020",
        "status": "final",
        "code": concept("Tobacco smoking status NHIS", "72166-2"),
        "effectiveDateTime": "2020-03-05",
        "valueCodeableConcept": concept("Never smoker", "266919005", SNOMED),
    },
    condition("diabetes", "Diabetes mellitus type 2", "2012-03-04", code="44054006"),
    condition("kidney", "Chronic kidney disease stage 3", "2017", code="433144002"),
    condition("sinusitis", "Viral sinusitis", "2015-01-10", "resolved", abatementDateTime="2015-02-01"),
    condition("refuted", "Asthma", "2014-01-01", verificationStatus=status("refuted")),
    order("simvastatin", "Simvastatin 20 MG Oral Tablet", "312961", "2018-01-02", "active", 1),
    order("metformin", "Metformin 500 MG Oral Tablet", "861007", "2012-03-04", "active", 2),
    order("amoxicillin", "Amoxicillin 250 MG Oral Capsule", "308182", "2015-01-10", "stopped", 3),
    {
        "resourceType": "AllergyIntolerance",
        "id": "penicillin",
        "code": concept("Penicillin V", "7984", RXNORM),
        "clinicalStatus": status("active"),
        "recordedDate": "1970-06-01",
        "reaction": [{"manifestation": [concept("Hives", "247472004", SNOMED)], "severity": "mild"}],
    },
    {
        "resourceType": "AllergyIntolerance",
        "id": "no-food-allergy",
        "code": concept("No known food allergy", "429625007", SNOMED),
        "clinicalStatus": status("active"),
        "recordedDate": "2020-03-05",
    },
    event("Immunization", "flu-2018", "Influenza, seasonal, injectable", "2018-10-01"),
    event("Immunization", "flu-2019", "Influenza, seasonal, injectable", "2019-10-01"),
    event("Immunization", "flu-2020", "Influenza, seasonal, injectable", "2020-10-01", "not-done"),
    event("Procedure", "colonoscopy", "Colonoscopy", "2017-06-01"),
    event("Procedure", "mri", "Magnetic resonance imaging of brain", "2019-06-01", "not-done"),
    {
        "resourceType": "DocumentReference",
        "id": "note",
        "status": "current",
        "type": concept("Progress note", "11506-3"),
        "date": "2020-03-05T10:00:00Z",
        "content": [{"attachment": {"contentType": "text/plain", "data": NOTE}}],
    },
    encounter("er-february", "Emergency room admission", "EMER", "2019-02-01", "2019-02-01"),
    encounter("er-july", "Emergency room admission", "EMER", "2019-07-01", "2019-07-01"),
    encounter("stay", "Hospital admission", "IMP", "2018-05-01", "2018-05-08"),
    encounter("check-up", "General examination of patient", "AMB", "2020-03-05", "2020-03-05"),
)


@pytest.fixture(scope="session")
def record() -> Record:
    """Ada Novak's record."""
    return Record(PATIENT, {f.resource_id: f for f in (facts(r, PATIENT) for r in RESOURCES)})


@pytest.fixture(scope="session")
def judge(record: Record) -> Callable[..., Verdict]:
    """The verdict on an answer about Ada Novak."""
    return lambda answer, question="": verify(answer, record, question=question)


@pytest.fixture(scope="session")
def status_of(judge: Callable[..., Verdict]) -> Callable[..., str]:
    """The status of the one claim of an answer."""

    def read(answer: str, question: str = "") -> str:
        claims: list[Claim] = judge(answer, question).claims
        assert len(claims) == 1, [c.text for c in claims]
        return claims[0].status.value

    return read
