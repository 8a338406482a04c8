"""A refusal makes no claim; a refusal that goes on to claim something is an answer."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.models import REFUSAL, Verdict

Judge = Callable[..., Verdict]


@pytest.mark.parametrize(
    "text",
    [
        REFUSAL,
        f"**{REFUSAL}**",
        f'{REFUSAL} Searched: 344 observation records from 2016 to 2025 for "high blood pressure".',
        f"{REFUSAL} Searched: 12 results.\n\nRelated in this record: Glucose, Amoxicillin 500 MG Oral Tablet.",
        f"{REFUSAL}\n\nNearby data:\n- Glucose: 3 results, latest 2020-03-05",
    ],
)
def test_a_refusal_is_ungrounded_and_claims_nothing(judge: Judge, text: str) -> None:
    verdict = judge(text)
    assert (verdict.verdict, verdict.refused, verdict.claims) == ("ungrounded", True, [])


@pytest.mark.parametrize(
    "hedge",
    [
        "However, the HbA1c is probably around 7 %.",
        "The patient likely has diabetes.",
        "HbA1c was 7.1 % [Observation/a1c-2020].",
        "Nearby data: HbA1c 7.1 % on 2020-03-05.",
        "She should be tested.",
    ],
)
def test_a_hedged_refusal_is_verified_like_any_answer(judge: Judge, hedge: str) -> None:
    assert not judge(f"{REFUSAL} {hedge}").refused


def test_a_refusal_beside_a_supported_claim_is_judged_by_the_claim(judge: Judge) -> None:
    verdict = judge(f"{REFUSAL} The HbA1c was 7.1 % on 2020-03-05 [Observation/a1c-2020].")
    assert not verdict.refused
    assert [c.status for c in verdict.claims if c.citations] == ["supported"]
