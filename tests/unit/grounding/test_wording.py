"""True statements in other words are supported, and the same words around a wrong fact save nothing: each has its twin."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.models import Verdict
from core.terminology import ROOT
from core.wording import wording, words_of

Judge = Callable[..., Verdict]

TWINS = [
    # answer, what of it is turned, what into
    ("HbA1c had gone from 9.0 % in 2018 [Observation/a1c-2018] to 7.1 % in 2020 [Observation/a1c-2020].", "7.1", "7.2"),
    ("HbA1c was 9.0 % [Observation/a1c-2018] and has since come down to 7.1 % [Observation/a1c-2020].", "down", "up"),
    ("HbA1c peaked at 9.0 % [Observation/a1c-2018].", "9.0 % [Observation/a1c-2018]", "7.6 % [Observation/a1c-2019]"),
    ("From a low of 7.1 % in 2020 [Observation/a1c-2020] to a high of 9.0 % in 2018 [Observation/a1c-2018].",
        "a low", "a high"),
    ("Four HbA1c results, the earliest from 2016 [Observation/a1c-2016] and the latest from 2020 [Observation/a1c-2020].",
        "Four", "Three"),
    ("HbA1c was highest in March 2018, at 9.0 % [Observation/a1c-2018].", "March 2018, at 9.0 % [Observation/a1c-2018]",
        "March 2019, at 7.6 % [Observation/a1c-2019]"),
    ("HbA1c was 7.6 % in March 2019 [Observation/a1c-2019]. A year later it was 7.1 % [Observation/a1c-2020].",
        "A year later", "Three years later"),
    ("HbA1c was 7.1 % on 2020-03-05 [Observation/a1c-2020]. LDL at that visit was 65 mg/dL [Observation/ldl-2020].",
        "65 mg/dL [Observation/ldl-2020]", "130 mg/dL [Observation/ldl-2019]"),
    ("HbA1c and LDL were measured on the same day [Observation/a1c-2020; Observation/ldl-2020].",
        "ldl-2020", "ldl-2019"),
    ("At her last check-up her BP was 138 over 82 millimetres of mercury [Observation/bp-2020].",
        "138 over 82", "128 over 82"),
    ("Her diastolic pressure was lowest at 82 mmHg [Observation/bp-2020].", "82 mmHg [Observation/bp-2020]",
        "95 mmHg [Observation/bp-2018]"),
    ("LDL fell from 130 to 65 mg/dL, comparing March 2019 [Observation/ldl-2019] with March 2020 [Observation/ldl-2020].",
        "65", "75"),
    ("Simvastatin was added on 2 January 2018 [MedicationRequest/simvastatin].", "2 January", "2 February"),
    ("Type 2 diabetes was added to her problem list in March 2012 [Condition/diabetes].", "2012", "2013"),
    ("She is diabetic, with type 2 diabetes dating from March 2012 [Condition/diabetes].", "2012", "2011"),
    ("She was in hospital from 1 to 8 May 2018 [Encounter/stay].", "1 to 8", "1 to 9"),
    ("The hospital stay ran from 1 May 2018 to 8 May 2018 [Encounter/stay].", "8 May", "7 May"),
    ("She was brought to the emergency room on 1 July 2019 [Encounter/er-july].", "1 July", "1 August"),
    ("Glucose came back at 104 mg/dL against a range of 70 to 99 mg/dL [Observation/glucose-2020].", "104", "94"),
    ("Hi there! HbA1c was 7.1 % in March 2020 [Observation/a1c-2020]. Let me know if you need anything else!", "7.1", "7.7"),
    ("I can see a colonoscopy on 1 June 2017 [Procedure/colonoscopy].", "June", "July"),
    ("Simvistatin 20 mg is active [MedicationRequest/simvastatin].", "20 mg", "40 mg"),  # a slip of one letter
    ("Viral sinusitis turned up in January 2015 and was gone by 1 February 2015 [Condition/sinusitis].",
        "gone by 1 February", "gone by 1 January"),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "right", "wrong"), TWINS)
def test_other_words_for_it_and_the_same_words_around_a_wrong_fact(
    judge: Judge, answer: str, right: str, wrong: str
) -> None:
    assert right in answer
    found = judge(answer)
    assert found.verdict.value == "grounded", [
        (c.text, [k for k in c.checks if not k.ok]) for c in found.claims
    ]
    assert judge(answer.replace(right, wrong, 1)).verdict.value != "grounded"


@pytest.mark.parametrize(
    ("question", "answer", "verdict"),
    [
        ("How often was HbA1c measured?", "Four times. The results are 8.2 % [Observation/a1c-2016], 9.0 % "
            "[Observation/a1c-2018], 7.6 % [Observation/a1c-2019] and 7.1 % [Observation/a1c-2020].", "grounded"),
        ("How often was HbA1c measured?", "Three times. The last was 7.1 % [Observation/a1c-2020].", "ungrounded"),
        ("Does she have type 2 diabetes?", "She does. Type 2 diabetes is active [Condition/diabetes].", "grounded"),
        ("Does she have type 2 diabetes?", "She does not. Type 2 diabetes is active [Condition/diabetes].", "ungrounded"),
        ("How many HbA1c results since 2019?", "Two HbA1c results: 7.6 % [Observation/a1c-2019] and 7.1 % "
            "[Observation/a1c-2020].", "grounded"),
        ("How many HbA1c results since 2018?", "Two HbA1c results: 7.6 % [Observation/a1c-2019] and 7.1 % "
            "[Observation/a1c-2020].", "ungrounded"),
        ("ER visits?", "Two on record: 1 February 2019 [Encounter/er-february] and 1 July 2019 [Encounter/er-july].",
            "grounded"),
        ("ER visits?", "Three on record: 1 February 2019 [Encounter/er-february] and 1 July 2019 [Encounter/er-july].",
            "ungrounded"),
    ],
)  # fmt: skip
def test_a_short_answer_is_read_with_its_question(
    judge: Judge, question: str, answer: str, verdict: str
) -> None:
    assert judge(answer, question).verdict.value == verdict


@pytest.mark.parametrize(
    "talk",
    [
        "Good morning!", "Hi, thanks for your question.", "Here's what I found in the record:", "Hope that helps!",
        "Please let me know if you have any further questions.", "Would you like the HbA1c trend as well?",
        "Happy to pull up the LDL results too.",
    ],
)  # fmt: skip
def test_talk_states_nothing_and_needs_no_citation(judge: Judge, talk: str) -> None:
    found = judge(f"HbA1c was 7.1 % [Observation/a1c-2020]. {talk}")
    assert (found.verdict.value, len(found.claims)) == ("grounded", 1)


@pytest.mark.parametrize(
    "stated",
    [
        "She is well.", "The results are good.", "All is fine now.", "I can also tell you that she had a stroke.",
        "Let me know if her diabetes is worse.", "There is nothing else.", "No problem.", "It was 5.", "She smokes.",
        "Happy to say she has no cancer.", "Would you believe it, the patient died.",
    ],
)  # fmt: skip
def test_what_states_a_fact_is_no_talk(judge: Judge, stated: str) -> None:
    found = judge(f"HbA1c was 7.1 % [Observation/a1c-2020]. {stated}")
    assert found.verdict.value != "grounded"


def test_no_word_that_states_something_frames_a_sentence() -> None:
    frame, talk = words_of(wording(ROOT / "wording.yaml").frame), words_of(wording().talk)
    telling = (
        "not no never none without high low normal abnormal severe mild left right before after since until first last "
        "latest only all every more less may might should could possible suspected stopped active resolved mother father "
        "because due better worse stable taken given well good fine"
    )
    assert frame.isdisjoint(telling.split())
    assert talk.isdisjoint(
        ["not", "no", "never", "none", "nothing", "well", "good", "fine", "she", "he", "they", "was"]
    )
