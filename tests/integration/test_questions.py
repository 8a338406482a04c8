"""Several questions in one: what is missing among them is said, and no yes stands for all."""

from __future__ import annotations

import pytest

from core.models import VerdictStatus
from tests.integration.fhir_files import observation, patient
from tests.integration.test_fhir_rules import Record, cited, condition, record

pytestmark = pytest.mark.integration
__all__ = ["record"]


@pytest.mark.parametrize("question", ["Does she have asthma and gout?", "does she have gout or asthma"])
def test_what_is_missing_of_two_things_asked_is_said(record: Record, question: str) -> None:
    record.take(patient(), condition("a", "Asthma"))
    answer = record.ask(question)
    assert cited(answer) == {"Condition/a"}
    assert "gout" in answer.answer
    assert not answer.answer.startswith("Yes")
    assert answer.verdict is VerdictStatus.GROUNDED


def test_a_result_that_is_missing_beside_another_is_said(record: Record) -> None:
    record.take(patient(), observation("o"))
    answer = record.ask("latest HbA1c and ferritin")
    assert cited(answer) == {"Observation/o"}
    assert '"ferritin"' in answer.answer


def test_two_things_that_are_there_are_one_answer(record: Record) -> None:
    record.take(patient(), condition("a", "Asthma"), condition("g", "Gout", "90560007"))
    answer = record.ask("Does she have asthma and gout?")
    assert cited(answer) == {"Condition/a", "Condition/g"}
    assert "Insufficient" not in answer.answer
