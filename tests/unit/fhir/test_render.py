"""What a reader sees, resource by resource: given this JSON, that text."""

from __future__ import annotations

from typing import Any

import pytest

from core.fhir.facts import Surroundings, facts
from core.fhir.render import embedded_text, headline, shown_text

Json = dict[str, Any]
LOINC, SNOMED = "http://loinc.org", "http://snomed.info/sct"


def concept(system: str, code: str, display: str) -> Json:
    return {"coding": [{"system": system, "code": code, "display": display}]}


def shown(resource: Json, around: Surroundings | None = None) -> str:
    body = {"id": "1", **resource}
    return shown_text(facts(body, "Patient/p", around), body)


def line(resource: Json) -> str:
    return headline(facts({"id": "1", **resource}, "Patient/p"))


def embedded(resource: Json) -> str:
    return embedded_text(facts({"id": "1", **resource}, "Patient/p"))


HBA1C: Json = {
    "resourceType": "Observation",
    "status": "final",
    "category": [concept("", "laboratory", "")],
    "code": concept(LOINC, "4548-4", "Hemoglobin A1c/Hemoglobin.total in Blood"),
    "effectiveDateTime": "2024-03-01T08:00:00+01:00",
    "issued": "2024-03-02T08:00:00+01:00",
    "valueQuantity": {"value": 7.1, "unit": "%"},
    "interpretation": [{"coding": [{"code": "H"}]}],
    "referenceRange": [{"low": {"value": 4, "unit": "%"}, "high": {"value": 5.6, "unit": "%"}}],
}


def test_an_observation_in_full() -> None:
    assert shown(HBA1C) == (
        "Hemoglobin A1c/Hemoglobin.total in Blood: 7.1 % on 2024-03-01 (final)\n"
        "High – reference range 4 to 5.6 %\n"
        "Dates: issued 2024-03-02\n"
        "Codes: LOINC 4548-4"
    )
    assert embedded(HBA1C) == "Laboratory observation: Hemoglobin A1c/Hemoglobin.total in Blood"


def test_repeats_of_one_concept_embed_the_same_text() -> None:
    later = {
        **HBA1C,
        "id": "2",
        "status": "amended",
        "effectiveDateTime": "2025",
        "valueQuantity": {"value": 5, "comparator": "<", "unit": "%"},
        "interpretation": [],
    }
    assert embedded(later) == embedded(HBA1C)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"status": "entered-in-error"}, "Entered in error: HbA1c: 7.1 % on 2024-03-01"),
        ({"status": "preliminary"}, "Preliminary: HbA1c: 7.1 % on 2024-03-01"),
        ({"status": "amended"}, "Amended: HbA1c: 7.1 % on 2024-03-01"),
        ({"status": "corrected"}, "Corrected: HbA1c: 7.1 % on 2024-03-01"),
        (
            {"status": "cancelled", "valueQuantity": None},
            "Cancelled: HbA1c: no result recorded on 2024-03-01",
        ),
        (
            {"valueQuantity": {"value": 5, "comparator": "<", "unit": "%"}},
            "HbA1c: <5 % on 2024-03-01 (final)",
        ),
        (
            {"valueQuantity": None, "dataAbsentReason": concept("", "not-performed", "")},
            "HbA1c: no result recorded: not performed on 2024-03-01 (final)",
        ),
        ({"effectiveDateTime": "2024-03"}, "HbA1c: 7.1 % in 2024-03 (final)"),
        ({"effectiveDateTime": "2024"}, "HbA1c: 7.1 % in 2024 (final)"),
        ({"effectiveDateTime": None, "issued": None}, "HbA1c: 7.1 % (final)"),
        (
            {"modifierExtension": [{"url": "https://example.org/x"}]},
            "Carries a modifier this system does not understand, which may change its meaning: "
            "HbA1c: 7.1 % on 2024-03-01",
        ),
    ],
)
def test_what_changes_the_meaning_of_a_result_is_in_its_headline(change: Json, text: str) -> None:
    merged = {**HBA1C, "code": {"text": "HbA1c"}, **change}
    assert line({k: v for k, v in merged.items() if v is not None}) == text


def test_blood_pressure_reads_as_one_and_each_component_is_listed() -> None:
    def part(code: str, name: str, value: int) -> Json:
        return {"code": concept(LOINC, code, name), "valueQuantity": {"value": value, "unit": "mm[Hg]"}}

    panel = {
        "resourceType": "Observation",
        "status": "final",
        "category": [concept("", "vital-signs", "Vital Signs")],
        "code": concept(LOINC, "85354-9", "Blood pressure panel"),
        "effectiveDateTime": "2024-03-01",
        "component": [
            part("8462-4", "Diastolic blood pressure", 82),
            part("8480-6", "Systolic blood pressure", 138),
        ],
    }
    assert shown(panel) == (
        "Blood pressure panel: 138/82 mmHg on 2024-03-01 (final)\n"
        "Diastolic blood pressure: 82 mmHg\n"
        "Systolic blood pressure: 138 mmHg\n"
        "Codes: LOINC 85354-9"
    )
    assert (
        embedded(panel)
        == "Vital sign: Blood pressure panel (Diastolic blood pressure; Systolic blood pressure)"
    )


def test_a_long_panel_stays_short_and_loses_nothing() -> None:
    parts = [{"code": {"text": f"Question {i}"}, "valueString": f"answer {i}"} for i in range(20)]
    text = shown({"resourceType": "Observation", "code": {"text": "Survey"}, "component": parts})
    assert len(text.splitlines()) <= 12
    assert all(f"Question {i}: answer {i}" in text for i in range(20))


CONDITION: Json = {
    "resourceType": "Condition",
    "clinicalStatus": concept("", "active", ""),
    "verificationStatus": concept("", "confirmed", ""),
    "code": concept(SNOMED, "59621000", "Essential hypertension (disorder)"),
    "onsetDateTime": "2012-03",
    "severity": {"text": "moderate"},
    "note": [{"text": "Home readings\nstill high"}],
}


def test_a_condition_in_full() -> None:
    assert shown(CONDITION) == (
        "Essential hypertension: active, onset in 2012-03\n"
        "Verification: confirmed\n"
        "Severity: moderate\n"
        "Note: Home readings still high\n"
        "Codes: SNOMED CT 59621000"
    )
    assert embedded(CONDITION) == "Condition: Essential hypertension (disorder)"


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (
            {"verificationStatus": concept("", "refuted", "")},
            "Refuted: Essential hypertension: onset in 2012-03",
        ),
        (
            {"verificationStatus": concept("", "provisional", "")},
            "Provisional: Essential hypertension: active, onset in 2012-03",
        ),
        (
            {"clinicalStatus": concept("", "resolved", ""), "abatementDateTime": "2020-01-02"},
            "Essential hypertension: resolved, onset in 2012-03, ended on 2020-01-02",
        ),
        (
            {"onsetDateTime": None, "onsetAge": {"value": 45, "unit": "years"}},
            "Essential hypertension: active, onset at age 45 years",
        ),
        (
            {"onsetDateTime": None, "recordedDate": "2013-01-01"},
            "Essential hypertension: active, recorded on 2013-01-01",
        ),
    ],
)
def test_how_certain_and_how_current_a_condition_is_comes_with_its_name(change: Json, text: str) -> None:
    assert line({k: v for k, v in {**CONDITION, **change}.items() if v is not None}) == text


@pytest.mark.parametrize(
    ("resource", "text"),
    [
        (
            {
                "resourceType": "MedicationRequest",
                "status": "active",
                "intent": "order",
                "authoredOn": "2024-03-01",
            },
            "Medication prescribed: Simvastatin on 2024-03-01 (active)",
        ),
        (
            {
                "resourceType": "MedicationRequest",
                "status": "active",
                "intent": "proposal",
                "authoredOn": "2024-03-01",
            },
            "Medication proposed: Simvastatin on 2024-03-01 (active)",
        ),
        (
            {
                "resourceType": "MedicationRequest",
                "status": "active",
                "intent": "order",
                "doNotPerform": True,
            },
            "Do not give: Simvastatin (active)",
        ),
        (
            {"resourceType": "MedicationRequest", "status": "entered-in-error", "doNotPerform": True},
            "Entered in error: Medication prescribed: Simvastatin",
        ),
        (
            {
                "resourceType": "MedicationStatement",
                "status": "active",
                "effectivePeriod": {"start": "2024", "end": "2025"},
            },
            "Medication reported: Simvastatin from 2024 to 2025 (active)",
        ),
        (
            {"resourceType": "MedicationStatement", "status": "not-taken"},
            "Not taken: Simvastatin",
        ),
        (
            {
                "resourceType": "MedicationAdministration",
                "status": "completed",
                "effectiveDateTime": "2024-03-01",
            },
            "Medication given: Simvastatin on 2024-03-01 (completed)",
        ),
        (
            {"resourceType": "MedicationAdministration", "status": "not-done"},
            "Not given: Simvastatin",
        ),
        (
            {"resourceType": "MedicationDispense", "status": "completed", "whenHandedOver": "2024-03-01"},
            "Medication dispensed: Simvastatin on 2024-03-01 (completed)",
        ),
        (
            {"resourceType": "MedicationDispense", "status": "declined"},
            "Not dispensed: Simvastatin",
        ),
    ],
)
def test_ordered_reported_given_and_dispensed_are_different_words(resource: Json, text: str) -> None:
    assert line({**resource, "medicationCodeableConcept": {"text": "Simvastatin"}}) == text


def test_a_prescription_in_full() -> None:
    request = {
        "resourceType": "MedicationRequest",
        "status": "stopped",
        "statusReason": {"text": "Muscle pain"},
        "intent": "order",
        "medicationCodeableConcept": {"text": "Simvastatin 10 MG Oral Tablet"},
        "authoredOn": "2024-03-01",
        "reasonReference": [{"reference": "Condition/c"}],
        "dosageInstruction": [{"text": "One tablet at night"}],
        "dispenseRequest": {"numberOfRepeatsAllowed": 3, "quantity": {"value": 30, "unit": "tablets"}},
    }
    assert shown(request, Surroundings(labels={"Condition/c": "Hyperlipidemia"})) == (
        "Medication prescribed: Simvastatin 10 MG Oral Tablet on 2024-03-01 (stopped)\n"
        "Status reason: Muscle pain\n"
        "Reason: Hyperlipidemia\n"
        "Dose: One tablet at night\n"
        "Quantity: 30 tablets\nRepeats allowed: 3"
    )
    assert embedded(request) == "Medication prescribed: Simvastatin 10 MG Oral Tablet"


def test_an_allergy_with_its_reactions() -> None:
    allergy = {
        "resourceType": "AllergyIntolerance",
        "clinicalStatus": concept("", "active", ""),
        "verificationStatus": concept("", "confirmed", ""),
        "type": "allergy",
        "category": ["food"],
        "criticality": "high",
        "code": concept(SNOMED, "91935009", "Allergy to peanut"),
        "recordedDate": "2020-05-01",
        "reaction": [{"manifestation": [{"text": "Anaphylaxis"}], "severity": "severe"}],
    }
    assert shown(allergy) == (
        "Allergy: Allergy to peanut (active, high criticality, recorded on 2020-05-01)\n"
        "Reaction: Anaphylaxis (severe)\n"
        "Allergy type: allergy\n"
        "Category: food\n"
        "Codes: SNOMED CT 91935009"
    )


def test_no_known_allergy_is_a_statement_not_an_allergy() -> None:
    none = {
        "resourceType": "AllergyIntolerance",
        "clinicalStatus": concept("", "active", ""),
        "code": concept(SNOMED, "716186003", "No known allergy (situation)"),
        "recordedDate": "2020-05-01",
    }
    assert line(none) == "No known allergy (active, recorded on 2020-05-01)"


@pytest.mark.parametrize(
    ("resource", "text"),
    [
        (
            {
                "resourceType": "Immunization",
                "status": "completed",
                "vaccineCode": {"text": "MMR"},
                "occurrenceDateTime": "2020-10-01",
            },
            "Immunization: MMR on 2020-10-01 (completed)",
        ),
        (
            {
                "resourceType": "Immunization",
                "status": "not-done",
                "statusReason": {"text": "Patient objection"},
                "vaccineCode": {"text": "MMR"},
                "occurrenceDateTime": "2020-10-01",
            },
            "Not done: Immunization: MMR on 2020-10-01\nStatus reason: Patient objection",
        ),
        (
            {
                "resourceType": "Immunization",
                "status": "completed",
                "vaccineCode": {"text": "MMR"},
                "occurrenceString": "as a child",
            },
            "Immunization: MMR (completed)\nGiven: as a child",
        ),
        (
            {
                "resourceType": "Procedure",
                "status": "not-done",
                "statusReason": {"text": "Refused"},
                "code": {"text": "Colonoscopy"},
                "performedDateTime": "2020",
            },
            "Not done: Procedure: Colonoscopy in 2020\nStatus reason: Refused",
        ),
        (
            {
                "resourceType": "Procedure",
                "status": "completed",
                "code": {"text": "Appendectomy"},
                "performedPeriod": {"start": "2020-01-02T10:00:00Z", "end": "2020-01-02T11:00:00Z"},
                "bodySite": [{"text": "Abdomen"}],
            },
            "Procedure: Appendectomy on 2020-01-02 (completed)\nBody site: Abdomen",
        ),
        (
            {
                "resourceType": "Encounter",
                "status": "finished",
                "class": {"code": "IMP"},
                "type": [{"text": "Hospital admission"}],
                "period": {"start": "2020-01-02", "end": "2020-01-09"},
                "reasonCode": [{"text": "Pneumonia"}],
                "serviceProvider": {"display": "City Hospital"},
                "hospitalization": {"dischargeDisposition": {"text": "Home"}},
            },
            "Encounter (inpatient): Hospital admission from 2020-01-02 to 2020-01-09 (finished)\n"
            "Reason: Pneumonia\nProvider: City Hospital\nDischarge: Home",
        ),
        (
            {
                "resourceType": "Encounter",
                "status": "planned",
                "class": {"code": "AMB"},
                "type": [{"text": "Visit"}],
            },
            "Planned: Encounter (ambulatory): Visit",
        ),
        (
            {
                "resourceType": "CarePlan",
                "status": "active",
                "intent": "plan",
                "category": [{"text": "Diabetes plan"}],
                "period": {"start": "2020-01-02"},
                "activity": [
                    {"detail": {"code": {"text": "Diabetic diet"}, "status": "in-progress"}},
                    {"detail": {"code": {"text": "Smoking"}, "status": "stopped", "doNotPerform": True}},
                ],
            },
            "Care plan: Diabetes plan since 2020-01-02 (active)\n"
            "Activity: Diabetic diet (in-progress); do not perform: Smoking (stopped)",
        ),
        (
            {
                "resourceType": "Goal",
                "lifecycleStatus": "active",
                "description": {"text": "Lower HbA1c"},
                "startDate": "2024-01-01",
                "achievementStatus": {"text": "improving"},
                "target": [
                    {
                        "measure": {"text": "HbA1c"},
                        "detailRange": {"high": {"value": 7, "unit": "%"}},
                        "dueDate": "2024-12-31",
                    }
                ],
            },
            "Goal: Lower HbA1c (active, started on 2024-01-01)\n"
            "Achievement status: improving\nTarget: HbA1c at most 7 % (by 2024-12-31)",
        ),
        (
            {
                "resourceType": "DiagnosticReport",
                "status": "final",
                "code": {"text": "Lipid panel"},
                "effectiveDateTime": "2024-03-01",
                "result": [{"display": "LDL"}, {"display": "HDL"}],
                "conclusion": "Raised LDL.",
            },
            "Report: Lipid panel on 2024-03-01 (final)\nConclusion: Raised LDL.\nResult: LDL; HDL",
        ),
        (
            {
                "resourceType": "ImagingStudy",
                "status": "available",
                "started": "2024-03-01",
                "series": [{"modality": {"code": "CT"}, "bodySite": {"display": "Chest"}}],
            },
            "Imaging study: CT, Chest on 2024-03-01 (available)\nModality: CT\nBody site: Chest",
        ),
        (
            {
                "resourceType": "FamilyMemberHistory",
                "status": "completed",
                "relationship": {"text": "mother"},
                "condition": [
                    {"code": {"text": "Breast cancer"}, "onsetAge": {"value": 50, "unit": "years"}}
                ],
            },
            "Family history: mother: Breast cancer (onset at age 50 years) (completed)",
        ),
        (
            {
                "resourceType": "QuestionnaireResponse",
                "status": "completed",
                "questionnaire": "http://example.org/Questionnaire/PHQ-2",
                "authored": "2024-03-01",
                "item": [{"text": "Feeling down", "answer": [{"valueInteger": 1}]}],
            },
            "Questionnaire response: PHQ-2 on 2024-03-01 (completed)\nFeeling down: 1",
        ),
        (
            {
                "resourceType": "ServiceRequest",
                "status": "active",
                "doNotPerform": True,
                "code": {"text": "CT chest"},
            },
            "Do not perform: Order: CT chest (active)",
        ),
        (
            {
                "resourceType": "Appointment",
                "status": "noshow",
                "start": "2024-03-01T09:00:00Z",
                "description": "Check-up",
            },
            "Did not attend: Appointment: Check-up on 2024-03-01 at 09:00",
        ),
        (
            {
                "resourceType": "Device",
                "status": "active",
                "type": {"text": "Pacemaker"},
                "udiCarrier": [{"carrierHRF": "(01)123"}],
                "manufacturer": "Acme",
            },
            "Device: Pacemaker (active)\nUDI: (01)123\nManufacturer: Acme",
        ),
        (
            {
                "resourceType": "Patient",
                "name": [{"given": ["Ada"], "family": "Diaz"}],
                "gender": "female",
                "birthDate": "1950-01",
                "deceasedDateTime": "2020-05-01T10:00:00Z",
                "link": [{"type": "replaced-by", "other": {"reference": "Patient/2"}}],
                "address": [{"city": "Bonn", "line": ["Hauptstr. 1"]}],
            },
            "Patient: Ada Diaz, female, born 1950-01, died 2020-05-01, merged into Patient/2\n"
            "Address: Hauptstr. 1, Bonn",
        ),
        (
            {
                "resourceType": "NutritionOrder",
                "status": "active",
                "dateTime": "2024-03-01",
                "oralDiet": {"type": [{"text": "Low sodium"}]},
            },
            "Nutrition order: Low sodium on 2024-03-01 (active)\nOral diet: type: Low sodium",
        ),
    ],
)
def test_each_type_in_its_own_words(resource: Json, text: str) -> None:
    assert shown(resource) == text


@pytest.mark.parametrize(
    ("resource", "text"),
    [
        (
            {
                "resourceType": "Encounter",
                "class": {"code": "AMB"},
                "type": [{"text": "Check up"}],
                "period": {"start": "2020"},
            },
            "Encounter (ambulatory): Check up",
        ),
        (
            {
                "resourceType": "CarePlan",
                "category": [{"text": "Diabetes plan"}],
                "activity": [{"detail": {"code": {"text": "Diet"}, "status": "completed"}}],
            },
            "Care plan: Diabetes plan (Diet)",
        ),
        (
            {
                "resourceType": "FamilyMemberHistory",
                "relationship": {"text": "mother"},
                "condition": [{"code": {"text": "Stroke"}, "onsetString": "late"}],
            },
            "Family history: mother: Stroke",
        ),
        (
            {
                "resourceType": "QuestionnaireResponse",
                "questionnaire": "http://example.org/Questionnaire/PHQ-2",
                "item": [{"text": "Feeling down", "answer": [{"valueInteger": 1}]}],
            },
            "Questionnaire response: PHQ-2: Feeling down",
        ),
        (
            {
                "resourceType": "Observation",
                "code": {"text": "HbA1c", **concept(LOINC, "4548-4", "Hemoglobin A1c")},
            },
            "Observation: HbA1c; Hemoglobin A1c",
        ),
        ({"resourceType": "Device", "udiCarrier": [{"carrierHRF": "(01)123"}]}, "Device"),
        ({"resourceType": "Basic"}, "Basic"),
    ],
)
def test_the_embedded_text_is_the_concept_alone(resource: Json, text: str) -> None:
    assert embedded(resource) == text


def test_a_note_is_its_own_concept() -> None:
    note = {
        "resourceType": "DocumentReference",
        "status": "current",
        "type": {"text": "Progress note"},
        "date": "2024-03-01T10:00:00Z",
        "content": [
            {"attachment": {"contentType": "text/plain", "data": "QlAgMTM4LzgyLgoKRmVlbHMgd2VsbC4="}}
        ],
    }
    assert shown(note) == "Document: Progress note on 2024-03-01 (current)\nBP 138/82.\nFeels well."
    assert embedded(note) == "Document: Progress note\nBP 138/82.\nFeels well."


def test_the_sections_of_a_composition_are_read_in_order() -> None:
    composition = {
        "resourceType": "Composition",
        "status": "final",
        "title": "Discharge summary",
        "date": "2024-03-01",
        "section": [
            {
                "title": "Course",
                "text": {"div": "<div>Recovered <b>well</b>.</div>"},
                "section": [{"title": "Surgery", "text": {"div": "<p>None.</p>"}}],
            },
            {"title": "Medication", "entry": [{"display": "Aspirin"}]},
        ],
    }
    assert shown(composition).splitlines() == [
        "Composition: Discharge summary on 2024-03-01 (final)",
        "Course",
        "Recovered well .",
        "Surgery",
        "None.",
        "Medication",
        "Aspirin",
    ]


def test_a_narrative_stands_in_only_for_silence_and_is_marked_and_sanitised() -> None:
    narrative = {"status": "generated", "div": "<div>Has <script>alert(1)</script>asthma</div>"}
    assert shown({"resourceType": "Condition", "text": narrative}).endswith(
        "Narrative (not verified): Has asthma"
    )
    assert "not verified" not in shown({**CONDITION, "text": narrative})


def test_every_line_of_a_card_is_one_line_and_none_repeats() -> None:
    text = shown({**CONDITION, "note": [{"text": "a\n\n  b"}, {"text": "a b"}]})
    assert text.splitlines().count("Note: a b") == 1
