"""What a FHIR record may hold that breaks a system like this, rule by rule: given this JSON, these facts and this text."""

from __future__ import annotations

import base64
from decimal import Decimal
from typing import Any

import pytest

from core.fhir.facts import Surroundings, facts
from core.fhir.identity import replaced_by
from core.fhir.interpretation import Sense, senses
from core.fhir.measured import measured
from core.fhir.problems import is_social, is_tagged_otherwise
from core.fhir.references import resolve
from core.fhir.render import shown_text
from core.fhir.version import foreign_version
from core.models import Facts, Precision, ValueKind

Json = dict[str, Any]
LOINC, SNOMED, UCUM = "http://loinc.org", "http://snomed.info/sct", "http://unitsofmeasure.org"


def read(kind: str, around: Surroundings | None = None, **fields: Any) -> Facts:
    return facts({"resourceType": kind, "id": "1", **fields}, "Patient/p", around)


def text(kind: str, around: Surroundings | None = None, **fields: Any) -> str:
    resource = {"resourceType": kind, "id": "1", **fields}
    return shown_text(facts(resource, "Patient/p", around), resource)


def line(kind: str, around: Surroundings | None = None, **fields: Any) -> str:
    return text(kind, around, **fields).split("\n")[0]


def coded(code: str, display: str = "", system: str = LOINC) -> Json:
    return {"coding": [{"system": system, "code": code, **({"display": display} if display else {})}]}


def quantity(value: object, unit: str, **fields: Any) -> Json:
    return {"value": value, "unit": unit, "system": UCUM, "code": unit, **fields}


GLUCOSE = {"code": coded("2339-0", "Glucose"), "status": "final"}


# --- 1. void records ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("Observation", {"status": "entered-in-error"}),
        ("Observation", {"status": "EnteredInError"}),
        ("Observation", {"status": "Entered in Error "}),
        ("Condition", {"clinicalStatus": coded("active"), "verificationStatus": coded("entered-in-error")}),
        ("Condition", {"clinicalStatus": coded("active"), "verificationStatus": coded("refuted")}),
        ("AllergyIntolerance", {"clinicalStatus": coded("active"), "verificationStatus": coded("refuted")}),
        ("DocumentReference", {"status": "current", "docStatus": "entered-in-error"}),
        ("Encounter", {"status": "entered-in-error"}),
        ("Flag", {"status": "entered-in-error", "code": {"text": "Fall risk"}}),
    ],
)
def test_rule_1_a_void_record_is_void_whatever_else_it_says_and_opens_with_why(
    kind: str, fields: Json
) -> None:
    assert read(kind, **fields).void
    assert line(kind, **fields).startswith(("Entered in error: ", "Refuted: "))


# --- 2. not done ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "fields", "opening"),
    [
        ("Immunization", {"status": "not-done", "statusReason": {"text": "Immune"}}, "Not done: "),
        ("Procedure", {"status": "not-done", "statusReason": {"text": "Refused"}}, "Not done: "),
        (
            "MedicationAdministration",
            {"status": "not-done", "statusReason": [{"text": "Asleep"}]},
            "Not given: ",
        ),
        ("Observation", {"status": "cancelled"}, "Cancelled: "),
        ("Observation", {"status": "registered"}, "Registered, no result yet: "),
        ("Appointment", {"status": "noshow"}, "Did not attend: "),
        ("ImagingStudy", {"status": "cancelled"}, "Cancelled: "),
    ],
)
def test_rule_2_not_done_comes_first_with_its_reason(kind: str, fields: Json, opening: str) -> None:
    assert read(kind, **fields).not_done
    assert line(kind, **fields).startswith(opening)
    reason = fields.get("statusReason")
    if reason:
        assert f"Status reason: {(reason[0] if isinstance(reason, list) else reason)['text']}" in text(
            kind, **fields
        )


@pytest.mark.parametrize("status", ["preliminary", "amended", "corrected"])
def test_rule_2_an_unsettled_status_comes_first_and_counts_as_done(status: str) -> None:
    fields = {**GLUCOSE, "status": status, "valueQuantity": quantity(98, "mg/dL")}
    assert not read("Observation", **fields).not_done
    assert line("Observation", **fields) == f"{status.title()}: Glucose: 98 mg/dL"


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("Immunization", {"notGiven": True, "status": "completed"}),
        ("Procedure", {"notDone": True, "status": "completed"}),
        ("MedicationStatement", {"taken": "n", "status": "active"}),
        ("MedicationStatement", {"adherence": {"code": coded("not-taking")}, "status": "recorded"}),
    ],
)
def test_rule_2_other_versions_say_not_done_in_their_own_fields(kind: str, fields: Json) -> None:
    assert read(kind, **fields).not_done


# --- 3. components --------------------------------------------------------------------------------


def test_rule_3_a_blood_pressure_reads_as_one_and_each_component_is_a_fact() -> None:
    parts = [
        {"code": coded("8480-6", "Systolic blood pressure"), "valueQuantity": quantity(138, "mm[Hg]")},
        {"code": coded("8462-4", "Diastolic blood pressure"), "valueQuantity": quantity(82, "mm[Hg]")},
    ]
    fields = {"status": "final", "code": {"text": "Blood pressure"}, "component": parts}
    assert line("Observation", **fields) == "Blood pressure: 138/82 mmHg (final)"
    assert [(v.path, v.label) for v in read("Observation", **fields).values] == [
        ("component[0].valueQuantity", "Systolic blood pressure"),
        ("component[1].valueQuantity", "Diastolic blood pressure"),
    ]


def test_rule_3_a_loose_component_is_not_a_pressure_and_a_missing_one_says_why() -> None:
    parts = [
        {"code": coded("8480-6", "Systolic"), "valueQuantity": quantity(138, "mm[Hg]")},
        {"code": coded("8462-4", "Diastolic"), "dataAbsentReason": {"text": "cuff slipped"}},
    ]
    told = text("Observation", status="final", code={"text": "Blood pressure"}, component=parts)
    assert "138/" not in told
    assert "Diastolic: no result recorded: cuff slipped" in told


# --- 4. eleven value types ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "value", "kind", "told"),
    [
        ("valueQuantity", quantity(98, "mg/dL"), ValueKind.QUANTITY, "98 mg/dL"),
        ("valueQuantity", {"value": "GT 45", "unit": "IU/L"}, ValueKind.TEXT, "GT 45 IU/L"),
        ("valueCodeableConcept", {"text": "Positive"}, ValueKind.CODE, "Positive"),
        ("valueString", "GT 45", ValueKind.TEXT, "GT 45"),
        ("valueBoolean", False, ValueKind.BOOLEAN, "no"),
        ("valueInteger", 0, ValueKind.QUANTITY, "0"),
        ("valueRange", {"low": quantity(4, "mg"), "high": quantity(6, "mg")}, ValueKind.RANGE, "4 to 6 mg"),
        (
            "valueRatio",
            {"numerator": {"value": 1}, "denominator": {"value": 128}},
            ValueKind.RATIO,
            "1 : 128",
        ),
        (
            "valueSampledData",
            {"origin": quantity(0, "mV"), "data": "1 2 3"},
            ValueKind.SAMPLED,
            "3 samples in mV",
        ),
        ("valueTime", "08:30:00", ValueKind.TEXT, "08:30:00"),
        ("valueDateTime", "2021-03", ValueKind.DATE, "2021-03"),
        (
            "valuePeriod",
            {"start": "2020-01-01", "end": "2020-02"},
            ValueKind.PERIOD,
            "from 2020-01-01 to 2020-02",
        ),
    ],
)
def test_rule_4_every_type_of_value_is_a_fact_and_is_shown(
    field: str, value: object, kind: ValueKind, told: str
) -> None:
    (found,) = read("Observation", **GLUCOSE, **{field: value}).values
    assert found.kind is kind
    assert line("Observation", **GLUCOSE, **{field: value}) == f"Glucose: {told} (final)"


# --- 5. comparators -------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", ["<", "<=", ">=", ">"])
def test_rule_5_a_comparator_is_kept_in_fact_and_text(sign: str) -> None:
    fields = {**GLUCOSE, "valueQuantity": quantity(5, "mg/dL", comparator=sign)}
    found = measured(read("Observation", **fields))
    assert found is not None
    assert (found.value, found.comparator) == (Decimal(5), sign)
    assert f"{sign}5 mg/dL" in line("Observation", **fields)


def test_rule_5_the_comparator_of_a_target_is_kept() -> None:
    aim = {"measure": {"text": "HbA1c"}, "detailQuantity": quantity(7, "%", comparator="<")}
    fields = {"lifecycleStatus": "active", "description": {"text": "Control"}, "target": [aim]}
    (value,) = read("Goal", **fields).values
    assert value.quantity is not None
    assert (value.label, value.quantity.value, value.quantity.comparator) == ("HbA1c", Decimal(7), "<")
    assert "Target: HbA1c <7 %" in text("Goal", **fields)


# --- 6. missing values ----------------------------------------------------------------------------


REASON = "http://hl7.org/fhir/StructureDefinition/data-absent-reason"
MASKED = {"extension": [{"url": REASON, "valueCode": "masked"}]}


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, "no result recorded"),
        ({"dataAbsentReason": coded("not-performed", "Not performed")}, "no result recorded: not performed"),
        ({"dataAbsentReason": coded("unknown", "Unknown")}, "no result recorded"),
        ({"valueQuantity": {"unit": "mg/dL"}}, "no result recorded"),
        (
            {
                "_valueString": {
                    "extension": [
                        {
                            "url": "http://hl7.org/fhir/StructureDefinition/data-absent-reason",
                            "valueCode": "masked",
                        }
                    ]
                }
            },
            "no result recorded: masked",
        ),
    ],
)
def test_rule_6_a_missing_value_says_why_and_is_never_a_value(fields: Json, told: str) -> None:
    assert read("Observation", **GLUCOSE, **fields).values[0].kind is ValueKind.ABSENT
    assert line("Observation", **GLUCOSE, **fields) == f"Glucose: {told} (final)"
    assert measured(read("Observation", **GLUCOSE, **fields)) is None


# --- 7. ranges and flags --------------------------------------------------------------------------


def test_rule_7_ranges_belong_to_their_result_and_say_for_whom() -> None:
    limits = {
        "low": quantity(70, "mg/dL"),
        "high": quantity(99, "mg/dL"),
        "appliesTo": [{"text": "adults"}],
        "age": {"low": quantity(18, "a")},
    }
    told = text("Observation", **GLUCOSE, valueQuantity=quantity(98, "mg/dL"), referenceRange=[limits])
    assert "eference range 70 to 99 mg/dL (adults, age at least 18 a)" in told


@pytest.mark.parametrize(
    ("code", "sense", "told"),
    [
        ("H", Sense.HIGH, "High"),
        ("LL", Sense.LOW, "Critically low"),
        ("N", Sense.NORMAL, "Normal"),
        ("A", Sense.ABNORMAL, "Abnormal"),
        ("<", None, "Below the measurable range"),
    ],
)
def test_rule_7_high_and_low_are_said_only_from_flags(code: str, sense: Sense | None, told: str) -> None:
    fields = {**GLUCOSE, "valueQuantity": quantity(980, "mg/dL")}
    assert "high" not in text("Observation", **fields).casefold()
    flagged = read("Observation", **fields, interpretation=[coded(code)]).values[0]
    assert senses(flagged.flags) == ([sense] if sense else [])
    assert text("Observation", **fields, interpretation=[coded(code)]).split("\n")[1] == told


# --- 8. units -------------------------------------------------------------------------------------


def test_rule_8_a_series_is_code_and_unit_and_other_units_are_not_the_same() -> None:
    one, other = (
        measured(read("Observation", code=coded("33914-3", "eGFR"), valueQuantity=quantity(60, unit)))
        for unit in ("mL/min", "mL/min/{1.73_m2}")
    )
    assert one is not None
    assert other is not None
    assert one.unit != other.unit


# --- 9. dates -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "field", "precision", "shown", "days"),
    [
        ({"onsetDateTime": "2021"}, "onsetDateTime", Precision.YEAR, "2021", 365),
        ({"onsetDateTime": "2021-03"}, "onsetDateTime", Precision.MONTH, "2021-03", 31),
        ({"onsetDateTime": "2021-03-14T23:30:00-08:00"}, "onsetDateTime", Precision.TIME, "2021-03-14", 1),
        ({"onsetPeriod": {"start": "2021-03-14"}}, "onsetPeriod.start", Precision.DAY, "2021-03-14", 1),
        (
            {"onsetAge": quantity(50, "a"), "recordedDate": "2021-03-14"},
            "recordedDate",
            Precision.DAY,
            "2021-03-14",
            1,
        ),
    ],
)
def test_rule_9_a_date_keeps_its_precision_its_interval_and_its_field(
    fields: Json, field: str, precision: Precision, shown: str, days: int
) -> None:
    found = read("Condition", code={"text": "Asthma"}, **fields)
    assert found.date is not None
    assert (found.date_field, found.date.precision, found.date.shown) == (field, precision, shown)
    assert (found.date.end - found.date.start).days + 1 == days


def test_rule_9_an_age_or_words_are_no_date_but_are_said() -> None:
    assert "onset at age 50 a" in line("Condition", code={"text": "Asthma"}, onsetAge=quantity(50, "a"))
    assert "onset in childhood" in line("Condition", code={"text": "Asthma"}, onsetString="in childhood")


# --- 10 to 14. references -------------------------------------------------------------------------


def test_rule_10_a_urn_uuid_is_resolved_in_its_bundle() -> None:
    around = Surroundings({"urn:uuid:1": "Practitioner/d"}, {"Practitioner/d": "Dr. Diaz"})
    told = text("ServiceRequest", around, code={"text": "X-ray"}, requester={"reference": "urn:uuid:1"})
    assert "Requester: Dr. Diaz" in told


def test_rule_11_a_conditional_reference_is_no_id_and_keeps_its_display() -> None:
    raw = "Practitioner?identifier=http://hl7.org/fhir/sid/us-npi|9999"
    assert resolve(raw, {}) == ""
    assert resolve(raw, {raw: "Practitioner/d"}) == "Practitioner/d"
    told = text("ServiceRequest", code={"text": "X-ray"}, requester={"reference": raw, "display": "Dr. Diaz"})
    assert "Requester: Dr. Diaz" in told
    assert "9999" not in text("ServiceRequest", code={"text": "X-ray"}, requester={"reference": raw})


@pytest.mark.parametrize("status", ["not-done", "Not done", "NotDone", "NOT_DONE"])
def test_rule_2_what_was_not_done_is_so_however_it_is_spelled(status: str) -> None:
    assert read("Procedure", status=status, code=coded("1", "Biopsy")).not_done


@pytest.mark.parametrize(
    ("fields", "values"),
    [
        ({}, 1),
        ({"subject": {"reference": "urn:uuid:p"}}, 1),
        ({"subject": {"reference": "Patient/q"}}, 0),
        ({"status": "entered-in-error"}, 0),
        ({"modifierExtension": [{"url": "http://x", "valueBoolean": True}]}, 0),
    ],
)
def test_rule_12_a_contained_result_that_is_void_or_of_another_is_not_the_reports(
    fields: Json, values: int
) -> None:
    inside = {
        "resourceType": "Observation",
        "id": "o",
        **GLUCOSE,
        "valueQuantity": quantity(5, "mmol/L"),
        **fields,
    }
    found = read(
        "DiagnosticReport",
        contained=[inside],
        subject={"reference": "Patient/p"},
        result=[{"reference": "#o"}],
    )
    assert len([v for v in found.values if v.path.startswith("contained")]) == values


def test_rule_12_what_is_contained_is_read_inline_and_the_parent_is_cited() -> None:
    inside = {"resourceType": "Medication", "id": "m", "code": {"text": "Aspirin 81 mg"}}
    found = read("MedicationRequest", contained=[inside], medicationReference={"reference": "#m"})
    assert (found.label, found.resource_id) == ("Aspirin 81 mg", "MedicationRequest/1")
    assert not any(r.target == "#m" for r in found.references)


@pytest.mark.parametrize(
    "raw", ["https://server/fhir/Patient/1/_history/2", "https://server/Patient/1", "Patient/1/_history/2"]
)
def test_rule_13_absolute_and_versioned_references_join(raw: str) -> None:
    assert resolve(raw, {}) == "Patient/1"


@pytest.mark.parametrize(
    "fields",
    [
        {"medicationCodeableConcept": {"text": "Aspirin 81 mg"}},
        {"medicationReference": {"reference": "Medication/m"}},
        {"medicationReference": {"reference": "Medication/away", "display": "Aspirin 81 mg"}},
        {"medication": {"concept": {"text": "Aspirin 81 mg"}}},
        {"medication": {"reference": {"reference": "Medication/m"}}},
    ],
)
def test_rule_14_a_drug_is_named_wherever_its_medication_lies(fields: Json) -> None:
    around = Surroundings(
        medications={
            "Medication/m": {"resourceType": "Medication", "id": "m", "code": {"text": "Aspirin 81 mg"}}
        }
    )
    assert read("MedicationRequest", around, **fields).label == "Aspirin 81 mg"


# --- 15. ordered is not taken ---------------------------------------------------------------------

DRUG = {"medicationCodeableConcept": {"text": "Aspirin"}}


@pytest.mark.parametrize(
    ("kind", "fields", "told"),
    [
        ("MedicationRequest", {"intent": "order"}, "Medication prescribed: Aspirin"),
        ("MedicationRequest", {"intent": "plan"}, "Medication planned: Aspirin"),
        ("MedicationRequest", {"intent": "order", "doNotPerform": True}, "Do not give: Aspirin"),
        ("MedicationStatement", {}, "Medication reported: Aspirin"),
        ("MedicationStatement", {"status": "not-taken"}, "Not taken: Aspirin"),
        ("MedicationAdministration", {}, "Medication given: Aspirin"),
        ("MedicationDispense", {}, "Medication dispensed: Aspirin"),
        ("MedicationDispense", {"status": "declined"}, "Not dispensed: Aspirin"),
    ],
)
def test_rule_15_ordered_reported_given_and_dispensed_are_different_words(
    kind: str, fields: Json, told: str
) -> None:
    assert line(kind, **DRUG, **fields).removesuffix(" (declined)").removesuffix(" (not taken)") == told


def test_rule_15_a_proposed_order_is_not_an_order() -> None:
    assert line("ServiceRequest", code={"text": "X-ray"}, intent="proposal") == "Order proposed: X-ray"
    assert line("ServiceRequest", code={"text": "X-ray"}, doNotPerform=True) == "Do not perform: Order: X-ray"


# --- 16. labels -----------------------------------------------------------------------------------


LOCAL = {"system": "http://local", "code": "GLU", "display": "Glukose"}


@pytest.mark.parametrize(
    ("code", "label"),
    [
        ({"text": "Sugar", **coded("2339-0", "Glucose")}, "Sugar"),
        (
            {
                "coding": [
                    {"system": "http://local", "code": "GLU", "display": "Glu lokal"},
                    {"system": LOINC, "code": "2339-0", "display": "Glucose"},
                ]
            },
            "Glucose",
        ),
        ({"coding": [{"system": "http://local", "code": "GLU", "display": "Glukose"}]}, "Glukose"),
        (coded("2339-0"), "2339-0"),
    ],
)
def test_rule_16_a_name_is_found_while_any_exists(code: Json, label: str) -> None:
    assert read("Observation", code=code).label == label


# --- 17. documents --------------------------------------------------------------------------------


def attached(content: bytes, media: str, **fields: Any) -> Json:
    return {"attachment": {"contentType": media, "data": base64.b64encode(content).decode(), **fields}}


def test_rule_17_text_and_html_are_decoded_safely_and_other_types_named() -> None:
    contents = [
        attached("Größe 180 cm".encode("latin-1"), "text/plain; charset=iso-8859-1"),
        attached(b"<p>BP 138/82</p><script>steal()</script>", "text/html"),
        attached(b"%PDF", "application/pdf", title="Letter"),
    ]
    found = read("DocumentReference", status="current", content=contents)
    assert [(d.path, d.text) for d in found.details if d.kind == "document"] == [
        ("content[0].attachment", "Größe 180 cm"),
        ("content[1].attachment", "BP 138/82"),
        ("content[2].attachment", "attachment Letter (application/pdf)"),
    ]


def test_rule_17_a_binary_is_read_like_an_attachment() -> None:
    told = text("Binary", contentType="text/plain", data=base64.b64encode(b"Seen today.").decode())
    assert "Seen today." in told


# --- 18. identity ---------------------------------------------------------------------------------


def test_rule_18_merged_inactive_dead_and_renamed_are_said_of_a_patient() -> None:
    fields = {
        "active": False,
        "deceasedBoolean": True,
        "name": [{"use": "maiden", "family": "Ortega"}, {"use": "official", "family": "Diaz"}],
        "link": [{"type": "replaced-by", "other": {"reference": "Patient/2"}}],
    }
    assert line("Patient", **fields) == "Patient: Diaz, deceased, merged into Patient/2, record not active"
    assert "Also known as: Ortega" in text("Patient", **fields)


@pytest.mark.parametrize(
    ("links", "survivor"),
    [
        ([("replaced-by", "https://server/Patient/2/_history/3")], "Patient/2"),
        ([("replaced-by", "urn:uuid:2")], "Patient/2"),
        ([("replaced-by", "Patient/2"), ("replaced-by", "Patient/3")], ""),
        ([("replaced-by", "Patient/1")], ""),
        ([("replaces", "Patient/2"), ("seealso", "Patient/3")], ""),
        ([("replaced-by", "RelatedPerson/2")], ""),
    ],
)
def test_rule_18_only_one_other_survivor_counts(links: list[tuple[str, str]], survivor: str) -> None:
    link = [{"type": kind, "other": {"reference": raw}} for kind, raw in links]
    assert replaced_by({"id": "1", "link": link}, {"urn:uuid:2": "Patient/2"}) == survivor


# --- 19. many patients in one bundle: tests/integration/test_ingestion.py --------------------------


def test_rule_19_facts_name_the_patient_they_are_read_for_and_no_other() -> None:
    found = read("Observation", **GLUCOSE, subject={"reference": "Patient/other"})
    assert found.patient_ref == "Patient/p"


# --- 20. what may negate the meaning --------------------------------------------------------------


@pytest.mark.parametrize(
    "fields",
    [
        {"modifierExtension": [{"url": "http://x", "valueBoolean": True}]},
        {"implicitRules": "http://x/rules"},
        {"component": [{"modifierExtension": [{"url": "http://x"}], "valueString": "a"}]},
    ],
)
def test_rule_20_an_unknown_modifier_is_shown_never_evidence_and_said(fields: Json) -> None:
    assert read("Observation", **GLUCOSE, **fields).void
    assert line("Observation", **GLUCOSE, **fields).startswith(
        "Carries a modifier this system does not understand"
    )


# --- 21. narratives -------------------------------------------------------------------------------


def test_rule_21_a_narrative_is_no_fact_and_is_sanitised() -> None:
    story = {"div": "<div onclick='x()'>Glucose 980 <script>steal()</script></div>"}
    fields = {**GLUCOSE, "valueQuantity": quantity(98, "mg/dL"), "text": story}
    assert "980" not in text("Observation", **fields)
    assert read("Observation", **fields) == read("Observation", **{**fields, "text": {}})
    assert text("Basic", text=story) == "Basic\nNarrative (not verified): Glucose 980"


# --- 22. cardinality and versions -----------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", [{"code": "EMER"}, coded("EMER"), [coded("EMER")], [{"coding": [{"code": "EMER"}]}, coded("IMP")]]
)
def test_rule_22_an_encounter_class_is_read_in_either_shape(kind: object) -> None:
    assert read("Encounter", **{"class": kind}, type=[{"text": "Visit"}]).detail("class") == ["emergency"]


@pytest.mark.parametrize(
    ("kind", "fields", "version"),
    [
        ("Encounter", {"class": [coded("AMB")]}, "R5"),
        ("Encounter", {"actualPeriod": {"start": "2020-01-01"}}, "R5"),
        ("MedicationRequest", {"medication": {"concept": {"text": "Aspirin"}}}, "R5"),
        ("Procedure", {"occurrenceDateTime": "2020-01-01"}, "R5"),
        ("Condition", {"clinicalStatus": "active"}, "STU3"),
        ("Immunization", {"notGiven": False}, "STU3"),
        ("MedicationStatement", {"taken": "y"}, "STU3"),
        ("MedicationStatement", {"wasNotTaken": False}, "DSTU2"),
        ("ProcedureRequest", {}, "STU3"),
        ("MedicationOrder", {}, "DSTU2"),
        ("NutritionProduct", {}, "R4B"),
    ],
)
def test_rule_22_another_version_is_detected_and_named(kind: str, fields: Json, version: str) -> None:
    assert foreign_version({"resourceType": kind, **fields}) == version
    assert f"FHIR version: {version}" in text(kind, **fields)


def test_rule_22_r4_is_not_taken_for_another_version() -> None:
    assert foreign_version({"resourceType": "Encounter", "class": {"code": "AMB"}, "period": {}}) == ""
    assert "FHIR version" not in text("Observation", **GLUCOSE)


# --- 23. the problem list -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "social", "otherwise"),
    [
        ({"code": coded("195967001", "Asthma (disorder)", SNOMED)}, False, False),
        ({"code": coded("160903007", "Full-time employment (finding)", SNOMED)}, False, True),
        ({"code": coded("314529007", "Medication review due (situation)", SNOMED)}, False, True),
        ({"code": {"text": "Hazard"}, "category": [coded("sdoh")]}, True, False),
        ({"code": coded("Z59.0", "Homelessness", "http://hl7.org/fhir/sid/icd-10-cm")}, True, False),
        (
            {"code": coded("Z94.0", "Kidney transplant status", "http://hl7.org/fhir/sid/icd-10-cm")},
            False,
            False,
        ),
        ({"code": {"text": "Asthma"}}, False, False),
    ],
)
def test_rule_23_circumstances_are_told_from_problems_by_category_code_and_tag(
    fields: Json, social: bool, otherwise: bool
) -> None:
    found = read("Condition", **fields)
    assert (is_social(found), is_tagged_otherwise(found)) == (social, otherwise)


# --- 24. missing is not negative ------------------------------------------------------------------


def test_rule_24_a_coded_negative_reads_as_a_positive_statement() -> None:
    none = coded("716186003", "No known allergy (situation)", SNOMED)
    assert (
        line("AllergyIntolerance", code=none, clinicalStatus=coded("active")) == "No known allergy (active)"
    )
