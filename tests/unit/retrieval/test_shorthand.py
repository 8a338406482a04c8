"""Shorthand is written out, unless the record itself goes by it."""

import pytest

from core.retrieval.question import parse
from core.retrieval.shorthand import written_out
from core.words import stems


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("pt on HCTZ?", "patient on hydrochlorothiazide?"),
        ("Hx of UTI", "history of UTI"),
        ("h/o stroke, w/o AF", "history of stroke, without AF"),
        ("tylenol?", "acetaminophen?"),
        ("PT/INR", "PT/INR"),
        ("the captain's ptosis", "the captain's ptosis"),
    ],
)
def test_written_out(said: str, meant: str) -> None:
    assert written_out(said, []) == meant


def test_a_brand_name_that_the_record_uses_is_left_alone() -> None:
    names = [stems("Acetaminophen 325 MG Oral Tablet [Tylenol]")]
    assert written_out("tylenol dose", names) == "tylenol dose"


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("SOB?", "dyspnea"),
        ("ESRD?", "esrd"),
        ("any ear infections", "otitis-media"),
        ("broken bones", "fracture"),
        ("pain meds", "analgesic"),
        ("sugar pills", "diabetes-drug"),
        ("cholesterol pills", "lipid-lowering"),
        ("TKA", "knee-replacement"),
    ],
)
def test_lay_words_and_abbreviations_name_clinical_terms(question: str, key: str) -> None:
    assert key in {m.term.key for m in parse(question).terms}
