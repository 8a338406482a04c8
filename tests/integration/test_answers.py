"""Answers written freely by hand over the demo records, half of them wrong in one place: both have to be told apart.

Letters of an id say when it was written: "a" before the checks it measures, "b" and "c" after them and before any tuning.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.grounding import citations
from core.grounding.verdict import verify
from core.models import VerdictStatus
from core.service import Service

pytestmark = [pytest.mark.integration, pytest.mark.timeout(600)]  # the demo records are ingested first

PATH = Path(__file__).resolve().parents[2] / "data" / "evaluation" / "answers.jsonl"
ANSWERS = [json.loads(line) for line in PATH.read_text(encoding="utf-8").splitlines()]


def test_the_set_is_large_and_even() -> None:
    true = sum(a["true"] for a in ANSWERS)
    assert len(ANSWERS) >= 150
    assert 0.4 < true / len(ANSWERS) < 0.6
    assert len({a["id"] for a in ANSWERS}) == len(ANSWERS)


@pytest.mark.parametrize("true", [True, False], ids=["true", "false"])
def test_hand_written_answers_are_judged_rightly(demo: Service, true: bool) -> None:
    wrong = []
    chosen = [a for a in ANSWERS if a["true"] is true]
    for case in chosen:
        cited = [i for bracket in citations.mask(case["answer"])[1] for i in bracket]
        record = demo.record(case["patient"], cited)
        verdict = verify(case["answer"], record, question=case["question"])
        if (verdict.verdict is VerdictStatus.GROUNDED) is not true:
            wrong.append(f"{case['id']}: {case['answer']}")
    assert len(wrong) <= 0.03 * len(chosen), "\n".join(wrong)
