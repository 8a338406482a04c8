"""The whole verdict: how claims add up, what a citation must be, and what holds for any text at all."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.grounding import citations
from core.grounding.record import Record
from core.grounding.verdict import verify
from core.models import Verdict

Judge = Callable[..., Verdict]
TRUE = "HbA1c was 7.1 % on 2020-03-05 [Observation/a1c-2020]."
FALSE = "HbA1c was 8.1 % on 2020-03-05 [Observation/a1c-2020]."


@pytest.mark.parametrize(
    ("answer", "verdict", "statuses"),
    [
        (TRUE, "grounded", ["supported"]),
        (FALSE, "ungrounded", ["contradicted"]),
        (f"{TRUE} {FALSE}", "ungrounded", ["supported", "contradicted"]),
        (f"{TRUE} She also has lupus.", "partially_grounded", ["supported", "uncited"]),
        (
            f"{TRUE} HbA1c was measured for lupus [Observation/a1c-2020].",
            "partially_grounded",
            ["supported", "unsupported"],
        ),
        ("She has diabetes.", "ungrounded", ["uncited"]),
        ("", "ungrounded", []),
        ("Here is the summary:", "ungrounded", []),
    ],
)
def test_claims_add_up_to_a_verdict(judge: Judge, answer: str, verdict: str, statuses: list[str]) -> None:
    found = judge(answer)
    assert (found.verdict, [c.status for c in found.claims]) == (verdict, statuses)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("HbA1c was 7.1 % [Observation/nowhere].", "no such resource in this record"),
        ("HbA1c was 5.0 % [Observation/a1c-void].", "not evidence: entered in error"),
        ("She has asthma [Condition/refuted].", "not evidence: refuted"),
        ("HbA1c was 7.1 %.", "none"),
        ("HbA1c was 7.1 % [Observation/a1c-2020, Observation/nowhere].", "no such resource in this record"),
    ],
)
def test_a_claim_without_valid_evidence_is_uncited(judge: Judge, answer: str, reason: str) -> None:
    claim = judge(answer).claims[0]
    assert claim.status == "uncited"
    assert [c.found for c in claim.checks] == [reason]


def test_a_contradiction_says_what_was_expected_and_found(judge: Judge) -> None:
    check = next(c for c in judge(FALSE).claims[0].checks if not c.ok)
    assert (check.kind, check.expected, check.found) == ("quantity", "8.1 %", "7.1 %")


def test_the_same_text_gives_the_same_verdict(judge: Judge) -> None:
    assert judge(TRUE) == judge(TRUE)


PIECES = st.sampled_from(
    [
        "HbA1c", "was", "7.1 %", "on 2020-03-05", "[Observation/a1c-2020]", "[Observation/nowhere]", ".", "\n- ", "| ", "# ",
        "latest", "3 times", "since", "between", "2016", "and", "not", "138/82 mmHg", "[", "]", "No.", "Yes.", "twice daily",
        "higher than", "Simvastatin 20 MG", "stopped", "13/13/2020", "the last three", "two weeks later", "\ue000", "\ue001",
    ]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, max_size=25).map(" ".join) | st.text(max_size=300))
def test_any_text_gets_a_verdict_and_none_is_grounded_without_a_valid_citation(
    record: Record, text: str
) -> None:
    verdict = verify(text, record)
    cited = {i for bracket in citations.mask(text)[1] for i in bracket}
    if not cited & {i for i, f in record.resources.items() if not f.void}:
        assert verdict.verdict != "grounded"
    if verdict.verdict == "grounded":
        assert verdict.claims
        assert all(c.status == "supported" and c.citations for c in verdict.claims)


def test_a_long_answer_is_verified_in_a_blink(record: Record) -> None:
    answer = "\n".join(f"- The most recent {TRUE[0:]}" for _ in range(12))
    verify(answer, record)
    started = time.perf_counter()
    for _ in range(5):
        verify(answer, record)
    assert (time.perf_counter() - started) / 5 < 0.1  # 20 ms on an idle machine


@pytest.mark.parametrize("size", [2_000, 20_000])
def test_hostile_text_does_not_stall(record: Record, size: int) -> None:
    started = time.perf_counter()
    for text in (
        "9" * size,
        "1 " * (size // 2),
        "[" * size,
        "no " * (size // 3),
        "a." * (size // 2),
        "| " * (size // 2),
    ):
        verify(text[:size], record)
    assert time.perf_counter() - started < 20
