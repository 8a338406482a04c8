"""An answer as statements: where sentences end, what lists and tables inherit, what is mere layout."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.grounding.claims import sentences, statements
from core.models import Verdict

Judge = Callable[..., Verdict]


@pytest.mark.parametrize(
    "one_sentence",
    [
        "The eGFR was 71 mL/min/1.73 m² in March.",
        "Dr. Jones saw her.",
        "Several drugs, e.g. Simvastatin, are active.",
        "It was 7.1 % vs. 8.2 % before.",
        "The dose No. 2 was given.",
        "Seen on 5 Mar. 2020 at the clinic.",
        "John A. Smith was seen.",
    ],
)
def test_a_full_stop_inside_a_sentence_does_not_end_it(one_sentence: str) -> None:
    assert sentences(one_sentence) == [one_sentence]


def test_sentences_end_at_full_stops_question_and_exclamation_marks() -> None:
    assert sentences("It was 7.1 %. It fell! Really? Yes.") == [
        "It was 7.1 %.",
        "It fell!",
        "Really?",
        "Yes.",
    ]


def test_a_sentence_may_end_in_a_single_letter() -> None:
    assert len(sentences("She has hepatitis B. The next sentence.")) == 2


def test_a_citation_after_the_full_stop_belongs_to_the_sentence_before() -> None:
    first, second = statements("HbA1c was 7.1 %. [Observation/a] It fell. [Observation/b]")
    assert first.cited == ("Observation/a",)
    assert second.cited == ("Observation/b",)


def test_list_items_inherit_the_citation_of_the_line_above() -> None:
    lead, status, date = statements(
        "Simvastatin [MedicationRequest/s]:\n- status: active\n- authored: 2018-01-02"
    )
    assert lead.cited == status.inherited == date.inherited == ("MedicationRequest/s",)


def test_nested_items_inherit_from_their_parent() -> None:
    found = statements("- Simvastatin [MedicationRequest/s]\n  - active\n- Metformin [MedicationRequest/m]")
    assert [s.inherited for s in found] == [(), ("MedicationRequest/s",), ()]


def test_a_lead_in_rests_on_what_its_list_cites() -> None:
    lead = statements("There are 2 results:\n\n- 8.2 % [Observation/a]\n- 7.1 % [Observation/b]")[0]
    assert lead.below == ("Observation/a", "Observation/b")


def test_table_rows_are_statements_under_their_header() -> None:
    found = statements("| Date | HbA1c (%) |\n|---|---|\n| 2020-03-05 | 7.1 [Observation/a] |")
    assert [s.layout for s in found] == ["row"]
    assert found[0].context == ("Date | HbA1c (%)",)


def test_emphasis_and_numbering_are_layout() -> None:
    assert [s.text.strip() for s in statements("1. **HbA1c**: 7.1 %")] == ["HbA1c: 7.1 %"]


def test_yes_goes_with_the_sentence_it_answers_for() -> None:
    found = statements("Yes. Simvastatin is active [MedicationRequest/s].")
    assert [(s.polarity, s.shown) for s in found] == [("yes", "Yes. Simvastatin is active.")]


def test_a_name_that_is_a_question_stays_in_its_sentence() -> None:
    text = "Do you feel safe? Yes was answered on 2020-03-05 [Observation/q]."
    assert len(statements(text, ["Do you feel safe?"])) == 1


@pytest.mark.parametrize(
    "layout",
    [
        "Here is the summary:",
        "## Results",
        "The results are listed below.",
        "**Diabetes**",
        "See the table below for the details.",
    ],
)
def test_prose_without_a_fact_needs_no_citation(judge: Judge, layout: str) -> None:
    verdict = judge(f"{layout}\n\n- HbA1c was 7.1 % on 2020-03-05 [Observation/a1c-2020]")
    assert [c.text for c in verdict.claims] == ["HbA1c was 7.1 % on 2020-03-05"]
    assert verdict.verdict == "grounded"


def test_every_item_under_a_cited_heading_is_judged_on_it(judge: Judge) -> None:
    good = "Simvastatin 20 MG Oral Tablet [MedicationRequest/simvastatin]:\n- status: active\n- prescribed: 2018-01-02"
    assert judge(good).verdict == "grounded"
    assert judge(good.replace("status: active", "status: stopped")).verdict == "ungrounded"
