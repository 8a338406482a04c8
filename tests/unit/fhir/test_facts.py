"""Facts of one resource: the rules about status, names, dates, drugs, identity and contained resources."""

from __future__ import annotations

from typing import Any

import pytest

from core.fhir.facts import Surroundings, facts
from core.fhir.naming import label_of
from core.models import Facts, Precision

Json = dict[str, Any]


def read(resource: Json, around: Surroundings | None = None) -> Facts:
    return facts({"id": "1", **resource}, "Patient/p", around)


# --- void records ---------------------------------------------------------------------------


def code(value: str) -> Json:
    return {"coding": [{"code": value}]}


@pytest.mark.parametrize(
    ("resource", "reason"),
    [
        ({"resourceType": "Observation", "status": "entered-in-error"}, "entered in error"),
        (
            {
                "resourceType": "Condition",
                "clinicalStatus": code("active"),
                "verificationStatus": code("entered-in-error"),
            },
            "entered in error",
        ),
        ({"resourceType": "Condition", "verificationStatus": code("refuted")}, "refuted"),
        ({"resourceType": "AllergyIntolerance", "verificationStatus": code("refuted")}, "refuted"),
        (
            {"resourceType": "DocumentReference", "status": "current", "docStatus": "entered-in-error"},
            "entered in error",
        ),
        (
            {
                "resourceType": "Condition",
                "verificationStatus": {"coding": [{"code": "local"}, {"code": "refuted"}]},
            },
            "refuted",
        ),
        ({"resourceType": "Condition", "verificationStatus": code("confirmed")}, ""),
    ],
)
def test_a_void_record_is_marked_whatever_its_clinical_status_says(resource: Json, reason: str) -> None:
    assert read(resource).void_reason == reason


# --- modifiers -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "modifier",
    [
        {"modifierExtension": [{"url": "https://example.org/negated", "valueBoolean": True}]},
        {"implicitRules": "https://example.org/rules"},
        {"component": [{"modifierExtension": [{"url": "https://example.org/negated"}]}]},
    ],
)
def test_an_unknown_modifier_makes_the_resource_no_evidence(modifier: Json) -> None:
    found = read({"resourceType": "Observation", "status": "final", **modifier})
    assert "modifier" in found.void_reason


# --- not done -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("Immunization", "not-done"),
        ("Procedure", "not-done"),
        ("MedicationAdministration", "not-done"),
        ("MedicationStatement", "not-taken"),
        ("Observation", "cancelled"),
        ("Observation", "registered"),
        ("Communication", "not-done"),
        ("Encounter", "cancelled"),
        ("Encounter", "planned"),
    ],
)
def test_what_was_not_done_is_not_done(kind: str, status: str) -> None:
    assert read({"resourceType": kind, "status": status}).not_done


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("Observation", "preliminary"),
        ("Observation", "amended"),
        ("Immunization", "completed"),
        ("MedicationRequest", "stopped"),
    ],
)
def test_an_unsettled_or_ended_status_is_still_done(kind: str, status: str) -> None:
    found = read({"resourceType": kind, "status": status})
    assert not found.not_done
    assert found.status == status


def test_do_not_perform_is_a_prohibition() -> None:
    assert read({"resourceType": "MedicationRequest", "status": "active", "doNotPerform": True}).not_done
    assert read({"resourceType": "ServiceRequest", "status": "active", "doNotPerform": True}).not_done


# --- dates ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("resource", "field", "shown"),
    [
        (
            {"resourceType": "Observation", "effectiveDateTime": "2021-03", "issued": "2021-04-01"},
            "effectiveDateTime",
            "2021-03",
        ),
        (
            {"resourceType": "Observation", "effectivePeriod": {"start": "2021-03-01"}},
            "effectivePeriod.start",
            "2021-03-01",
        ),
        (
            {"resourceType": "Observation", "effectiveTiming": {"event": ["2021-03-01"]}},
            "effectiveTiming.event[0]",
            "2021-03-01",
        ),
        ({"resourceType": "Observation", "issued": "2021-04-01T00:00:00Z"}, "issued", "2021-04-01"),
        (
            {"resourceType": "Condition", "onsetDateTime": "2019", "recordedDate": "2020-01-01"},
            "onsetDateTime",
            "2019",
        ),
        ({"resourceType": "Condition", "recordedDate": "2020-01-01"}, "recordedDate", "2020-01-01"),
        (
            {"resourceType": "Specimen", "collection": {"collectedDateTime": "2020-01-02"}},
            "collection.collectedDateTime",
            "2020-01-02",
        ),
        (
            {"resourceType": "MedicationDispense", "whenHandedOver": "2020-01-02"},
            "whenHandedOver",
            "2020-01-02",
        ),
        (
            {"resourceType": "ClinicalImpression", "effectiveDateTime": "2020-01-02"},
            "effectiveDateTime",
            "2020-01-02",
        ),
    ],
)
def test_the_relevant_date_says_which_field_it_came_from(resource: Json, field: str, shown: str) -> None:
    found = read(resource)
    assert found.date is not None
    assert (found.date_field, found.date.shown) == (field, shown)


def test_a_year_only_onset_supports_no_month() -> None:
    onset = read({"resourceType": "Condition", "onsetDateTime": "2019"}).dated("onsetDateTime")
    assert onset is not None
    assert onset.precision is Precision.YEAR


def test_every_dated_field_is_kept() -> None:
    found = read(
        {
            "resourceType": "Condition",
            "onsetDateTime": "2019-01-01",
            "abatementDateTime": "2020-02",
            "recordedDate": "2019-01-05",
        }
    )
    assert {d.field: d.date.shown for d in found.dates} == {
        "onsetDateTime": "2019-01-01",
        "abatementDateTime": "2020-02",
        "recordedDate": "2019-01-05",
    }


@pytest.mark.parametrize(
    ("field", "raw", "told"),
    [
        ("onsetAge", {"value": 45, "unit": "years"}, "at age 45 years"),
        (
            "onsetRange",
            {"low": {"value": 40, "unit": "years"}, "high": {"value": 50, "unit": "years"}},
            "between 40 to 50 years",
        ),
        ("onsetString", "in childhood", "in childhood"),
    ],
)
def test_an_onset_need_not_be_a_date(field: str, raw: object, told: str) -> None:
    found = read({"resourceType": "Condition", "code": {"text": "Asthma"}, field: raw})
    assert found.date is None
    assert found.detail("onset") == [told]


# --- drug names, contained resources -------------------------------------------------

SIMVASTATIN = {"resourceType": "Medication", "id": "m", "code": {"text": "Simvastatin 10 MG Oral Tablet"}}


@pytest.mark.parametrize(
    "resource",
    [
        {"medicationCodeableConcept": {"text": "Simvastatin 10 MG Oral Tablet"}},
        {"medicationReference": {"reference": "#m"}, "contained": [SIMVASTATIN]},
        {"medicationReference": {"reference": "Medication/m"}},
        {"medicationReference": {"reference": "urn:uuid:m"}},
        {"medicationReference": {"reference": "Medication/x", "display": "Simvastatin 10 MG Oral Tablet"}},
        {"medicationCodeableConcept": {}, "medicationReference": {"reference": "Medication/m"}},
    ],
)
def test_a_drug_is_named_wherever_its_medication_lies(resource: Json) -> None:
    around = Surroundings(full_urls={"urn:uuid:m": "Medication/m"}, medications={"Medication/m": SIMVASTATIN})
    assert (
        read({"resourceType": "MedicationRequest", **resource}, around).label
        == "Simvastatin 10 MG Oral Tablet"
    )


def test_a_compound_without_a_code_is_named_by_its_ingredients() -> None:
    parts = [
        {"itemCodeableConcept": {"text": "Amoxicillin"}},
        {"itemCodeableConcept": {"text": "Clavulanate"}},
    ]
    medication = {"resourceType": "Medication", "id": "m", "ingredient": parts}
    assert read(medication).label == "Amoxicillin / Clavulanate"
    request = {"resourceType": "MedicationRequest", "medicationReference": {"reference": "Medication/m"}}
    assert (
        read(request, Surroundings(medications={"Medication/m": medication})).label
        == "Amoxicillin / Clavulanate"
    )


def test_a_contained_result_is_a_fact_of_its_parent() -> None:
    potassium = {
        "resourceType": "Observation",
        "id": "k",
        "code": {"text": "Potassium"},
        "valueQuantity": {"value": 4.1, "unit": "mmol/L"},
    }
    report = {"resourceType": "DiagnosticReport", "contained": [potassium], "result": [{"reference": "#k"}]}
    found = read(report)
    assert [(v.path, v.label) for v in found.values] == [("contained[0].valueQuantity", "Potassium")]
    assert found.detail("result") == ["Potassium"]
    void = {**potassium, "status": "entered-in-error"}
    assert read({**report, "contained": [void]}).values == ()


# --- concepts ------------------------------------------------------------------------


def test_equal_codes_are_one_series_whatever_their_text() -> None:
    def glucose(text: str) -> Json:
        concept = {"text": text, "coding": [{"system": "http://loinc.org", "code": "2339-0"}]}
        return {"resourceType": "Observation", "code": concept}

    assert (
        read(glucose("Glucose")).concept_key
        == read(glucose("Zucker")).concept_key
        == "Observation|http://loinc.org|2339-0"
    )


def test_without_a_code_the_name_is_the_series() -> None:
    assert read({"resourceType": "Condition", "code": {"text": "Asthma"}}).concept_key == "Condition||asthma"


@pytest.mark.parametrize(
    ("resource", "label"),
    [
        (
            {"resourceType": "CarePlan", "category": [code("assess-plan"), {"text": "Diabetes plan"}]},
            "Diabetes plan",
        ),
        (
            {"resourceType": "Goal", "description": {"text": "{'addresses': ['x'], 'text': 'Walk daily.'}"}},
            "Walk daily.",
        ),
        ({"resourceType": "Goal", "description": {"text": "{'text': broken"}}, "{'text': broken"),
        (
            {"resourceType": "Organization", "name": "City Hospital", "type": [{"text": "Hospital"}]},
            "City Hospital",
        ),
        (
            {
                "resourceType": "Practitioner",
                "name": [{"prefix": ["Dr."], "given": ["Ada"], "family": "Diaz"}],
            },
            "Dr. Ada Diaz",
        ),
        ({"resourceType": "PractitionerRole", "specialty": [{"text": "Cardiology"}]}, "Cardiology"),
        ({"resourceType": "Device", "deviceName": [{"name": "Pacemaker X"}]}, "Pacemaker X"),
        (
            {
                "resourceType": "QuestionnaireResponse",
                "questionnaire": "http://example.org/Questionnaire/PHQ-9|1.0",
            },
            "PHQ-9",
        ),
        (
            {
                "resourceType": "ImagingStudy",
                "series": [{"modality": {"code": "CT"}, "bodySite": {"display": "Chest"}}],
            },
            "CT, Chest",
        ),
        ({"resourceType": "Flag", "code": {"text": "Fall risk"}}, "Fall risk"),
        ({"resourceType": "Basic"}, "Basic"),
    ],
)
def test_what_a_resource_is_about(resource: Json, label: str) -> None:
    assert read(resource).label == label


def test_other_resources_call_it_by_the_same_name() -> None:
    assert label_of({"resourceType": "Condition", "code": {"text": "Asthma (disorder)"}}) == "Asthma"
    assert label_of({"resourceType": "Practitioner", "name": [{"text": "Dr. Ada Diaz"}]}) == "Dr. Ada Diaz"
    assert label_of({"resourceType": "Basic"}) == ""


# --- cardinality ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind",
    [
        {"code": "EMER"},
        [{"coding": [{"code": "EMER"}]}],
        {"coding": [{"code": "EMER"}]},
    ],
)
def test_an_encounter_class_is_read_in_r4_and_r5_form(kind: object) -> None:
    found = read({"resourceType": "Encounter", "class": kind, "type": [{"text": "Visit"}]})
    assert found.detail("class") == ["emergency"]
    assert found.concept_key.startswith("Encounter|EMER|")


def test_the_same_type_in_another_class_is_another_concept() -> None:
    keys = {
        read({"resourceType": "Encounter", "class": {"code": c}, "type": [{"text": "Visit"}]}).concept_key
        for c in ("AMB", "IMP")
    }
    assert len(keys) == 2


# --- identity ------------------------------------------------------------------------------


def test_a_patient_is_called_by_the_official_name_and_the_others_are_kept() -> None:
    found = read(
        {
            "resourceType": "Patient",
            "name": [
                {"use": "maiden", "given": ["Ada"], "family": "Stone"},
                {"use": "official", "given": ["Ada", "M."], "family": "Diaz"},
            ],
        }
    )
    assert found.label == "Ada M. Diaz"
    assert found.detail("also known as") == ["Ada Stone"]


def test_death_merging_and_inactivity_are_facts() -> None:
    found = read(
        {
            "resourceType": "Patient",
            "active": False,
            "deceasedBoolean": True,
            "link": [{"type": "replaced-by", "other": {"reference": "Patient/2"}}],
        }
    )
    assert found.detail("deceased") == ["deceased"]
    assert found.detail("record") == ["merged into Patient/2", "record not active"]
    died = read({"resourceType": "Patient", "deceasedDateTime": "2020-05"}).dated("deceasedDateTime")
    assert died is not None
    assert died.shown == "2020-05"


# --- details ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dosage", "told"),
    [
        ({"text": "Take one tablet daily"}, ["Take one tablet daily"]),
        (
            {"text": "Take one", "doseAndRate": [{"doseQuantity": {"value": 10, "unit": "mg"}}]},
            ["Take one", "10 mg"],
        ),
        (
            {
                "doseAndRate": [{"doseQuantity": {"value": 2, "unit": "tablets"}}],
                "route": {"text": "oral"},
                "timing": {"repeat": {"frequency": 1, "period": 8, "periodUnit": "h"}},
                "asNeededBoolean": True,
            },
            ["2 tablets, oral, once every 8 hours, as needed"],
        ),
        ({"timing": {"repeat": {"frequency": 2, "period": 1, "periodUnit": "d"}}}, ["twice every day"]),
        (
            {"timing": {"repeat": {"frequency": 1, "period": 6, "periodMax": 8, "periodUnit": "h"}}},
            ["once every 6 to 8 hours"],
        ),
        (
            {
                "doseAndRate": [
                    {"doseRange": {"low": {"value": 5, "unit": "mg"}, "high": {"value": 10, "unit": "mg"}}}
                ]
            },
            ["5 to 10 mg"],
        ),
        ({"asNeededCodeableConcept": {"text": "pain"}}, ["as needed for pain"]),
        ({"timing": {"code": {"text": "BID"}}}, ["BID"]),
    ],
)
def test_a_dosage_reads_as_it_is_said(dosage: Json, told: list[str]) -> None:
    assert read({"resourceType": "MedicationRequest", "dosageInstruction": [dosage]}).detail("dose") == told


def test_an_administered_dose_stands_directly_in_the_dosage() -> None:
    body = {
        "resourceType": "MedicationAdministration",
        "dosage": {"dose": {"value": 5, "unit": "mg"}, "route": {"text": "IV"}},
    }
    assert read(body).detail("dose") == ["5 mg, IV"]


def test_reactions_keep_their_severity() -> None:
    body = {
        "resourceType": "AllergyIntolerance",
        "reaction": [{"manifestation": [{"text": "Hives"}, {"text": "Wheezing"}], "severity": "severe"}],
    }
    assert read(body).detail("reaction") == ["Hives (severe)", "Wheezing (severe)"]


def test_a_reason_is_named_through_its_reference() -> None:
    body = {"resourceType": "Procedure", "reasonReference": [{"reference": "Condition/c"}]}
    assert read(body, Surroundings(labels={"Condition/c": "Asthma"})).detail("reason") == ["Asthma"]


def test_members_of_a_care_team_are_named_or_known_by_their_role() -> None:
    body = {
        "resourceType": "CareTeam",
        "participant": [
            {"role": [{"text": "Surgeon"}], "member": {"reference": "Practitioner/1"}},
            {"role": [{"text": "Nurse"}]},
        ],
    }
    assert read(body, Surroundings(labels={"Practitioner/1": "Dr. Diaz"})).detail("member") == [
        "Dr. Diaz (Surgeon)",
        "Nurse",
    ]


def test_answers_of_a_questionnaire_are_values_labelled_by_their_question() -> None:
    body = {
        "resourceType": "QuestionnaireResponse",
        "item": [
            {
                "linkId": "1",
                "text": "Mood",
                "item": [{"linkId": "1.1", "text": "Feeling down", "answer": [{"valueInteger": 2}]}],
            },
            {"linkId": "2", "text": "Smoker", "answer": [{"valueBoolean": False}]},
            {"linkId": "3", "text": "Not answered"},
        ],
    }
    found = read(body)
    assert [(v.path, v.label, v.quantity.value if v.quantity else v.text) for v in found.values] == [
        ("item[0].item[0].answer[0].valueInteger", "Feeling down", 2),
        ("item[1].answer[0].valueBoolean", "Smoker", "no"),
    ]


def test_a_field_nobody_wrote_a_reader_for_is_still_a_fact() -> None:
    body = {
        "resourceType": "NutritionOrder",
        "oralDiet": {"type": [{"text": "Low sodium"}], "instruction": "No added salt"},
        "allergyIntolerance": [{"display": "Peanut"}],
        "orderer": {"reference": "Practitioner/1"},
        "meta": {"versionId": "1"},
    }
    found = read(body, Surroundings(labels={"Practitioner/1": "Dr. Diaz"}))
    assert {d.kind: d.text for d in found.details} == {
        "oral diet": "type: Low sodium, instruction: No added salt",
        "allergy intolerance": "Peanut",
        "orderer": "Dr. Diaz",
    }


def test_a_long_field_is_counted_not_dropped_silently() -> None:
    body = {
        "resourceType": "Appointment",
        "supportingInformation": [{"display": f"Item {i}"} for i in range(40)],
    }
    assert read(body).detail("supporting information")[-1] == "and 28 more"
