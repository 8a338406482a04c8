"""Every kind of atom with a statement of each status: the specification of the checks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

StatusOf = Callable[..., str]
S, C, U = "supported", "contradicted", "unsupported"

NAMES = [
    ("The glucose was 104 mg/dL [Observation/glucose-2020].", S),
    ("Blood sugar was 104 mg/dL [Observation/glucose-2020].", S),
    ("The glycated haemoglobin was 7.1 % [Observation/a1c-2020].", S),
    ("Hemoglobin was 7.1 % [Observation/a1c-2020].", C),  # another analyte, whatever the number
    ("HbA1c was 104 mg/dL [Observation/glucose-2020].", C),
    ("The LDL was 65 mg/dL [Observation/ldl-2020].", S),
    ("The HDL was 65 mg/dL [Observation/ldl-2020].", C),
    ("She has type 2 diabetes [Condition/diabetes].", S),
    ("She has type 1 diabetes [Condition/diabetes].", C),
    ("She has viral sinusitis in the record [Condition/sinusitis].", S),
    ("She is prescribed a statin [MedicationRequest/simvastatin].", S),
    ("She is prescribed a beta blocker [MedicationRequest/simvastatin].", C),
    ("Metformin 500 MG Oral Tablet is active [MedicationRequest/simvastatin].", C),
    ("She has type 2 diabetes with metastatic cancer [Condition/diabetes].", U),
    ("HbA1c was 7.1 % after starting insulin [Observation/a1c-2020].", U),
    ("Well controlled HbA1c of 7.1 % [Observation/a1c-2020].", U),
    ("Simvastatin should be increased [MedicationRequest/simvastatin].", U),
    ("She has severe Diabetes mellitus type 2 [Condition/diabetes].", U),
    ("She is allergic to penicillin, with mild hives [AllergyIntolerance/penicillin].", S),
    ("She is allergic to penicillin, with severe hives [AllergyIntolerance/penicillin].", U),
    ("She is allergic to penicillin, with anaphylaxis [AllergyIntolerance/penicillin].", U),
    ("She has chronic kidney disease stage 3 [Condition/kidney].", S),
    ("She has stage III chronic kidney disease [Condition/kidney].", S),
    ("She has stage 4 chronic kidney disease [Condition/kidney].", C),
]
QUANTITIES = [
    ("HbA1c was 7.1 % [Observation/a1c-2020].", S),
    ("HbA1c was seven point one percent [Observation/a1c-2020].", S),
    ("HbA1c was 7.10 % [Observation/a1c-2020].", S),
    ("HbA1c was 7 % [Observation/a1c-2020].", S),
    ("HbA1c was 9.0 % in 2018 [Observation/a1c-2018].", S),
    ("HbA1c was 9.1 % in 2018 [Observation/a1c-2018].", C),
    ("HbA1c was 7.2 % [Observation/a1c-2020].", C),
    ("HbA1c was 7,1 % [Observation/a1c-2020].", S),
    ("HbA1c was 7.1 mmol/mol [Observation/a1c-2020].", C),
    ("HbA1c was 7.1 [Observation/a1c-2020].", S),
    ("She weighed 80 kg [Observation/weight-2020].", S),
    ("Her weight was 176 lb [Observation/weight-2020].", S),
    ("Her weight was 80 lb [Observation/weight-2020].", C),
    ("The C reactive protein was <5 mg/L [Observation/crp-2020].", S),
    ("The C reactive protein was below 5 mg/L [Observation/crp-2020].", S),
    ("The C reactive protein was 5 mg/L [Observation/crp-2020].", C),
    ("The C reactive protein was above 5 mg/L [Observation/crp-2020].", C),
    ("HbA1c was below 8 % [Observation/a1c-2020].", S),
    ("HbA1c was below 7 % [Observation/a1c-2020].", C),
    ("HbA1c was about 7 % [Observation/a1c-2020].", S),
    ("Simvastatin 20 mg is active [MedicationRequest/simvastatin].", S),
    ("Simvastatin 40 mg is active [MedicationRequest/simvastatin].", C),
]
COMPONENTS = [
    ("Blood pressure was 138/82 mmHg [Observation/bp-2020].", S),
    ("BP was 138 over 82 [Observation/bp-2020].", S),
    ("Blood pressure was 82/138 mmHg [Observation/bp-2020].", C),
    ("Blood pressure was 138/85 mmHg [Observation/bp-2020].", C),
    ("Systolic blood pressure 138 mmHg, diastolic 82 mmHg [Observation/bp-2020].", S),
    ("Systolic blood pressure 82 mmHg, diastolic 138 mmHg [Observation/bp-2020].", C),
    ("HbA1c was 138/82 [Observation/a1c-2020].", U),
]
DATES = [
    ("HbA1c was 7.1 % on 2020-03-05 [Observation/a1c-2020].", S),
    ("HbA1c was 7.1 % on 5 March 2020 [Observation/a1c-2020].", S),
    ("HbA1c was 7.1 % on March 5th, 2020 [Observation/a1c-2020].", S),
    ("HbA1c was 7.1 % on 03/05/2020 [Observation/a1c-2020].", S),
    ("HbA1c was 7.1 % on 05.03.2020 [Observation/a1c-2020].", S),
    ("HbA1c was 7.1 % in March 2020 [Observation/a1c-2020].", S),
    ("HbA1c was 7.1 % in 2020 [Observation/a1c-2020].", S),
    ("HbA1c was 7.1 % in early 2020 [Observation/a1c-2020].", S),
    ("HbA1c was 7.1 % in late 2020 [Observation/a1c-2020].", C),
    ("HbA1c was 7.1 % on 2020-03-06 [Observation/a1c-2020].", C),
    ("HbA1c was 7.1 % in 2019 [Observation/a1c-2020].", C),
    ("HbA1c was 7.1 % on 2020-02-30 [Observation/a1c-2020].", C),
    ("Chronic kidney disease stage 3 has its onset in 2017 [Condition/kidney].", S),
    (
        "Chronic kidney disease stage 3 has its onset in May 2017 [Condition/kidney].",
        C,
    ),  # the record says only the year
    ("Viral sinusitis resolved on 2015-02-01 [Condition/sinusitis].", S),
    ("Viral sinusitis resolved on 2015-01-10 [Condition/sinusitis].", C),
    ("Viral sinusitis has its onset on 2015-02-01 [Condition/sinusitis].", C),
    ("Type 2 diabetes resolved on 2012-03-04 [Condition/diabetes].", C),
    ("Simvastatin was prescribed on 2018-01-02 [MedicationRequest/simvastatin].", S),
    ("Simvastatin is active since 2018 [MedicationRequest/simvastatin].", S),
    ("Simvastatin is active since 2016 [MedicationRequest/simvastatin].", C),
    ("She was in hospital from 2018-05-01 to 2018-05-08 [Encounter/stay].", S),
    ("She was in hospital from 2018-05-01 to 2018-05-10 [Encounter/stay].", C),
]
DURATIONS = [
    ("She was in hospital for 7 days [Encounter/stay].", S),
    ("She was in hospital for one week [Encounter/stay].", S),
    ("She was in hospital for 3 weeks [Encounter/stay].", C),
    ("HbA1c was 9.0 % [Observation/a1c-2018] and two years later 7.1 % [Observation/a1c-2020].", S),
    ("HbA1c was 9.0 % [Observation/a1c-2018] and four years later 7.1 % [Observation/a1c-2020].", C),
    ("At age 59 her HbA1c was 7.1 % [Observation/a1c-2020].", S),
    ("At age 49 her HbA1c was 7.1 % [Observation/a1c-2020].", C),
]
STATUSES = [
    ("Simvastatin is active [MedicationRequest/simvastatin].", S),
    ("Simvastatin is stopped [MedicationRequest/simvastatin].", C),
    ("Simvastatin is no longer active [MedicationRequest/simvastatin].", C),
    ("Amoxicillin was discontinued [MedicationRequest/amoxicillin].", S),
    ("Amoxicillin is not active [MedicationRequest/amoxicillin].", S),
    ("She is still taking amoxicillin [MedicationRequest/amoxicillin].", C),
    ("Viral sinusitis is resolved [Condition/sinusitis].", S),
    ("Viral sinusitis is active [Condition/sinusitis].", C),
    (
        "Simvastatin [MedicationRequest/simvastatin] is active and amoxicillin [MedicationRequest/amoxicillin] is stopped.",
        S,
    ),
    (
        "Simvastatin [MedicationRequest/simvastatin] is stopped and amoxicillin [MedicationRequest/amoxicillin] is active.",
        C,
    ),
]
FREQUENCIES = [
    ("Metformin is taken twice daily [MedicationRequest/metformin].", S),
    ("Metformin is taken every 12 hours [MedicationRequest/metformin].", S),
    ("Metformin is taken two times a day [MedicationRequest/metformin].", S),
    ("Metformin is taken once daily [MedicationRequest/metformin].", C),
    ("Simvastatin is taken every day [MedicationRequest/simvastatin].", S),
    ("Simvastatin is taken weekly [MedicationRequest/simvastatin].", C),
]
ORDERS = [
    ("The most recent HbA1c was 7.1 % [Observation/a1c-2020].", S),  # the void one of 2021 does not count
    ("The most recent HbA1c was 7.6 % [Observation/a1c-2019].", C),
    ("The latest LDL is 65 mg/dL [Observation/ldl-2020].", S),
    ("HbA1c was first measured in 2016 at 8.2 % [Observation/a1c-2016].", S),
    ("HbA1c was first measured in 2018 at 9.0 % [Observation/a1c-2018].", C),
    ("The highest HbA1c was 9.0 % [Observation/a1c-2018].", S),
    ("The highest HbA1c was 8.2 % [Observation/a1c-2016].", C),
    ("The highest HbA1c since 2019 was 7.6 % [Observation/a1c-2019].", S),
    ("The lowest HbA1c was 7.1 % [Observation/a1c-2020].", S),
    ("The previous HbA1c was 7.6 % [Observation/a1c-2019].", S),
    ("The previous HbA1c was 9.0 % [Observation/a1c-2018].", C),
    ("The last two HbA1c results were 7.6 % and 7.1 % [Observation/a1c-2019, Observation/a1c-2020].", S),
    ("The last two HbA1c results were 9.0 % and 7.1 % [Observation/a1c-2018, Observation/a1c-2020].", C),
    (
        "The last influenza vaccination was on 2019-10-01 [Immunization/flu-2019].",
        S,
    ),  # that of 2020 was not done
    ("The last influenza vaccination was on 2018-10-01 [Immunization/flu-2018].", C),
    ("The most recent emergency visit was on 2019-07-01 [Encounter/er-july].", S),
    ("The most recent encounter was on 2019-07-01 [Encounter/er-july].", C),
]
RELATIONS = [
    ("HbA1c fell from 7.6 % [Observation/a1c-2019] to 7.1 % [Observation/a1c-2020].", S),
    ("HbA1c rose from 7.6 % [Observation/a1c-2019] to 7.1 % [Observation/a1c-2020].", C),
    (
        "HbA1c fell from 7.6 % (2019-03-05) to 7.1 % (2020-03-05) [Observation/a1c-2019, Observation/a1c-2020].",
        S,
    ),
    (
        "HbA1c fell from 7.1 % (2019-03-05) to 7.6 % (2020-03-05) [Observation/a1c-2019, Observation/a1c-2020].",
        C,
    ),
    (
        "HbA1c went from 7.1 % [Observation/a1c-2020] to 7.6 % [Observation/a1c-2019].",
        C,
    ),  # the later one first
    ("The HbA1c of 7.1 % [Observation/a1c-2020] is lower than the previous 7.6 % [Observation/a1c-2019].", S),
    (
        "The HbA1c of 7.1 % [Observation/a1c-2020] is higher than the previous 7.6 % [Observation/a1c-2019].",
        C,
    ),
    ("HbA1c was unchanged between 7.6 % [Observation/a1c-2019] and 7.1 % [Observation/a1c-2020].", C),
    ("LDL halved from 130 mg/dL [Observation/ldl-2019] to 65 mg/dL [Observation/ldl-2020].", S),
    ("LDL doubled from 130 mg/dL [Observation/ldl-2019] to 65 mg/dL [Observation/ldl-2020].", C),
    ("HbA1c fell by 0.5 % [Observation/a1c-2019, Observation/a1c-2020].", S),
    ("HbA1c fell by 1.5 % [Observation/a1c-2019, Observation/a1c-2020].", C),
    ("LDL fell by 50 % [Observation/ldl-2019, Observation/ldl-2020].", S),
    (
        "HbA1c fell steadily from 8.2 % [Observation/a1c-2016] to 7.1 % [Observation/a1c-2020].",
        C,
    ),  # 9.0 % between
    ("HbA1c fell steadily from 9.0 % [Observation/a1c-2018] to 7.1 % [Observation/a1c-2020].", S),
    ("Blood pressure fell from 150/95 mmHg [Observation/bp-2018] to 138/82 mmHg [Observation/bp-2020].", S),
    ("HbA1c ranged from 7.1 % to 9.0 % [Observation/a1c-2020, Observation/a1c-2018].", S),
    ("HbA1c ranged from 7.1 % to 8.2 % [Observation/a1c-2020, Observation/a1c-2016].", C),
]
COUNTS = [
    ("HbA1c was measured 4 times [Observation/a1c-2016].", S),
    ("HbA1c was measured 5 times [Observation/a1c-2016].", C),
    ("HbA1c was measured twice since 2019 [Observation/a1c-2019, Observation/a1c-2020].", S),
    ("HbA1c was measured three times since 2019 [Observation/a1c-2019, Observation/a1c-2020].", C),
    ("There were 2 emergency encounters in 2019 [Encounter/er-february, Encounter/er-july].", S),
    ("There were 3 emergency encounters in 2019 [Encounter/er-february, Encounter/er-july].", C),
    ("There was 1 emergency encounter in 2018 [Encounter/er-february].", C),
    ("She received two influenza vaccinations [Immunization/flu-2018, Immunization/flu-2019].", S),
    ("Two colonoscopies were performed [Procedure/colonoscopy].", C),
]
EVERY = [
    ("All HbA1c results were above 7 % [Observation/a1c-2016].", S),
    ("All HbA1c results were below 9 % [Observation/a1c-2016].", C),
    ("The only glucose result is 104 mg/dL [Observation/glucose-2020].", S),
    ("The only HbA1c result is 7.1 % [Observation/a1c-2020].", C),
]
WINDOWS = [
    ("Between 2019 and 2020, HbA1c was 7.6 % [Observation/a1c-2019] and 7.1 % [Observation/a1c-2020].", S),
    ("Between 2017 and 2019, HbA1c was 7.6 % [Observation/a1c-2019] and 7.1 % [Observation/a1c-2020].", C),
    ("Since 2019, HbA1c was 7.6 % [Observation/a1c-2019].", S),
    ("Since 2020, HbA1c was 7.6 % [Observation/a1c-2019].", C),
    ("Before 2020, HbA1c was 7.6 % [Observation/a1c-2019].", S),
    ("In the last 2 years HbA1c was 7.1 % [Observation/a1c-2020].", S),  # back from the record's last entry
    ("In the last 2 years HbA1c was 8.2 % [Observation/a1c-2016].", C),
]
INTERPRETATIONS = [
    ("HbA1c was high at 7.1 % [Observation/a1c-2020].", S),  # flagged H
    ("HbA1c was normal at 7.1 % [Observation/a1c-2020].", C),
    (
        "Glucose of 104 mg/dL is above the normal range [Observation/glucose-2020].",
        S,
    ),  # its own range ends at 99
    ("Glucose of 104 mg/dL is within the normal range [Observation/glucose-2020].", C),
    ("LDL was high at 130 mg/dL [Observation/ldl-2019].", U),  # neither flag nor range
]
NEGATIONS = [
    ("She does not have type 2 diabetes [Condition/diabetes].", C),
    ("She denies type 2 diabetes [Condition/diabetes].", C),
    ("She has no known food allergy [AllergyIntolerance/no-food-allergy].", S),
    ("She has no allergy to penicillin [AllergyIntolerance/penicillin].", C),
    ("The magnetic resonance imaging of the brain was not done [Procedure/mri].", S),
    ("The magnetic resonance imaging of the brain was done on 2019-06-01 [Procedure/mri].", C),
    ("The colonoscopy was not performed [Procedure/colonoscopy].", C),
    ("No reaction is recorded for penicillin [AllergyIntolerance/penicillin].", C),
    ("There is no history of stroke [Observation/a1c-2020].", C),
]
CODED = [
    ('The smoking status is "Never smoker" [Observation/smoking-2020].', S),
    ("She has never smoked [Observation/smoking-2020].", S),
    ("She is a non-smoker [Observation/smoking-2020].", S),
    ('The smoking status is "Current every day smoker" [Observation/smoking-2020].', C),
    ("She is a former smoker [Observation/smoking-2020].", C),
    ('The smoking status is "Former smoker" [Observation/smoking-2020].', C),
]
DOCUMENTS = [
    ("The progress note of 2020-03-05 mentions knee pain [DocumentReference/note].", S),
    ("The progress note of 2020-03-05 mentions a stroke [DocumentReference/note].", C),
    ("The progress note of 2020-03-05 mentions a seizure [DocumentReference/note].", C),
    ("The progress note of 2020-03-05 mentions chest pain [DocumentReference/note].", U),
]
PERSONS = [
    ("Her HbA1c was 7.1 % [Observation/a1c-2020].", S),
    ("His HbA1c was 7.1 % [Observation/a1c-2020].", C),
    ("Ada Novak has type 2 diabetes [Condition/diabetes].", S),
    ("John Smith has type 2 diabetes [Condition/diabetes].", U),
    ("Her mother has type 2 diabetes [Condition/diabetes].", U),
    ("Dr. Novak prescribed simvastatin [MedicationRequest/simvastatin].", U),
]
PAIRS = [
    (
        "HbA1c was 7.6 % and 7.1 % on 2019-03-05 and 2020-03-05 [Observation/a1c-2019, Observation/a1c-2020].",
        S,
    ),
    (
        "HbA1c was 7.1 % and 7.6 % on 2019-03-05 and 2020-03-05 [Observation/a1c-2019, Observation/a1c-2020].",
        C,
    ),
]


def cases(**kinds: list[tuple[str, str]]) -> list[object]:
    return [
        pytest.param(text, status, id=f"{kind}: {text}")
        for kind, found in kinds.items()
        for text, status in found
    ]


@pytest.mark.parametrize(
    ("text", "status"),
    cases(
        names=NAMES, quantity=QUANTITIES, components=COMPONENTS, dates=DATES, duration=DURATIONS, status=STATUSES,
        frequency=FREQUENCIES, order=ORDERS, relation=RELATIONS, count=COUNTS, every=EVERY, windows=WINDOWS,
        interpretation=INTERPRETATIONS, negation=NEGATIONS, coded=CODED, document=DOCUMENTS, person=PERSONS, pairing=PAIRS,
    ),
)  # fmt: skip
def test_a_statement_and_its_status(status_of: StatusOf, text: str, status: str) -> None:
    assert status_of(text) == status


@pytest.mark.parametrize(
    ("question", "answer", "status"),
    [
        ("Is she on simvastatin?", "Yes. Simvastatin is prescribed [MedicationRequest/simvastatin].", S),
        ("Is she on simvastatin?", "No. Simvastatin is prescribed [MedicationRequest/simvastatin].", C),
        ("Is she taking amoxicillin?", "No. Amoxicillin was stopped [MedicationRequest/amoxicillin].", S),
        ("Is she taking amoxicillin?", "Yes. Amoxicillin is stopped [MedicationRequest/amoxicillin].", C),
        (
            "Is the latest HbA1c higher than before?",
            "No, 7.1 % [Observation/a1c-2020] is lower than the HbA1c of 7.6 % [Observation/a1c-2019].",
            S,
        ),
        (
            "Is the latest HbA1c higher than before?",
            "Yes, 7.1 % [Observation/a1c-2020] is lower than the HbA1c of 7.6 % [Observation/a1c-2019].",
            C,
        ),
        ("What is the latest HbA1c?", "7.1 % on 2020-03-05 [Observation/a1c-2020].", S),
        ("What is the latest glucose?", "7.1 % on 2020-03-05 [Observation/a1c-2020].", C),
    ],
)
def test_a_short_answer_is_read_with_its_question(
    status_of: StatusOf, question: str, answer: str, status: str
) -> None:
    assert status_of(answer, question) == status
