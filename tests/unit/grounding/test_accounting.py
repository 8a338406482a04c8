"""Nothing a reader sees is waved through: order of events, kinds, signs, headings and yes or no, each with both outcomes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.grounding.record import Record
from core.grounding.verdict import verify
from core.models import Verdict

StatusOf = Callable[..., str]
Judge = Callable[..., Verdict]
S, C, U = "supported", "contradicted", "unsupported"

SEQUENCE = [
    ("Viral sinusitis was preceded by type 2 diabetes [Condition/sinusitis; Condition/diabetes].", S),
    ("Viral sinusitis preceded type 2 diabetes [Condition/sinusitis; Condition/diabetes].", C),
    ("Type 2 diabetes came first, then viral sinusitis [Condition/sinusitis; Condition/diabetes].", S),
    ("After the colonoscopy HbA1c was 7.1 % [Observation/a1c-2020].", U),
    ("HbA1c was 9.0 % [Observation/a1c-2018], then 7.1 % [Observation/a1c-2020].", S),
    ("HbA1c was 7.1 % [Observation/a1c-2020], then 9.0 % [Observation/a1c-2018].", C),
    ("HbA1c, newest first: 7.1 % [Observation/a1c-2020], 7.6 % [Observation/a1c-2019]", S),
    ("HbA1c, newest first: 7.6 % [Observation/a1c-2019], 7.1 % [Observation/a1c-2020]", C),
    ("The second HbA1c was 9.0 % [Observation/a1c-2018].", S),
    ("The second HbA1c was 7.6 % [Observation/a1c-2019].", C),
]
KINDS = [
    ("Simvastatin is her most recent prescription [MedicationRequest/simvastatin].", S),
    ("Metformin is her most recent prescription [MedicationRequest/metformin].", C),
    ("Her only allergy is penicillin [AllergyIntolerance/penicillin].", C),
    ("She takes only simvastatin [MedicationRequest/simvastatin].", C),
    ("All her medications are active, simvastatin included [MedicationRequest/simvastatin].", C),
    ("There were two hospital admissions [Encounter/stay].", C),
    ("There was one hospital admission [Encounter/stay].", S),
]
READ = [
    ("Simvastatin was given on 2018-01-02 [MedicationRequest/simvastatin].", U),
    ("Simvastatin was prescribed on 2018-01-02 [MedicationRequest/simvastatin].", S),
    ("She is off simvastatin [MedicationRequest/simvastatin].", C),
    ("She will have type 2 diabetes [Condition/diabetes].", U),
    ("Another patient has type 2 diabetes [Condition/diabetes].", U),
    ("Type 2 diabetes ✗ [Condition/diabetes].", U),
    ("Type 2 diabetes, опасно [Condition/diabetes].", U),
    ("She does n\u200bot have type 2 diabetes [Condition/diabetes].", C),
    ("HbA1c was 7.1 % (H) [Observation/a1c-2020].", S),
    ("LDL was 65 mg/dL (H) [Observation/ldl-2020].", U),
    ("The progress note of 2020-03-05 mentions lower back pain [DocumentReference/note].", U),
    ("Type 2 diabetes? [Condition/diabetes]", U),
]


@pytest.mark.parametrize(("text", "status"), [*SEQUENCE, *KINDS, *READ])
def test_a_statement_and_its_status(status_of: StatusOf, text: str, status: str) -> None:
    assert status_of(text) == status


@pytest.mark.parametrize(
    ("heading", "verdict"),
    [
        ("Active problems", "grounded"),
        ("Active problems (2)", "grounded"),
        ("Active problems (3)", "ungrounded"),
        ("Resolved problems", "ungrounded"),
        ("Allergies", "ungrounded"),
        ("Family history", "partially_grounded"),
        ("Problems since 2015", "ungrounded"),
        ("No longer active", "ungrounded"),
    ],
)
def test_a_heading_holds_for_all_that_stands_under_it(judge: Judge, heading: str, verdict: str) -> None:
    items = "- Type 2 diabetes [Condition/diabetes]\n- Chronic kidney disease stage 3, onset 2017 [Condition/kidney]"
    assert judge(f"### {heading}\n\n{items}").verdict == verdict
    assert judge(f"{heading}:\n\n{items}").verdict == verdict


@pytest.mark.parametrize(
    ("question", "answer", "verdict"),
    [
        ("Was LDL above 100?", "No, 65 mg/dL [Observation/ldl-2020].", "grounded"),
        ("Was LDL above 100?", "Yes, 65 mg/dL [Observation/ldl-2020].", "ungrounded"),
        ("Does she have CKD stage 4?", "Yes [Condition/kidney].", "ungrounded"),
        ("Does she have CKD stage 3?", "Yes [Condition/kidney].", "grounded"),
        ("Is she not diabetic?", "Yes [Condition/diabetes].", "ungrounded"),
        ("Does she smoke?", "Yes [Observation/smoking-2020].", "ungrounded"),
        ("Does she smoke?", "No, never [Observation/smoking-2020].", "grounded"),
        ("Does she have lupus?", "Yes [Condition/diabetes].", "ungrounded"),
    ],
)
def test_yes_and_no_answer_the_question(judge: Judge, question: str, answer: str, verdict: str) -> None:
    assert judge(answer, question).verdict == verdict


WORDS = st.sampled_from(
    [
        "HbA1c", "type 2 diabetes", "before", "after", "first", "then", "only", "all", "both", "average", "above", "never",
        "(12)", "✗",
        "→", "Yes.", "No", ":", "\n\n- ", "\n| ", " | ", "\n|---|---|\n", "### ", "second", "one hundred and two kg",
        "🙂", "mother",
        "[Observation/a1c-2020]", "[Condition/diabetes]", "[Patient/ada]", "newest first", "aged 60", "died", "in 2019",
        "up to", "?",
    ]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(WORDS, max_size=20).map(" ".join), st.lists(WORDS, max_size=6).map(" ".join))
def test_no_text_and_no_question_make_the_verifier_raise(record: Record, answer: str, question: str) -> None:
    verdict = verify(answer, record, question=question)
    if verdict.verdict == "grounded":
        assert all(c.status == "supported" and c.citations for c in verdict.claims)
