"""Each arm of retrieval earns its place over the shipped questions: taken away, something would be missing."""

from __future__ import annotations

from collections import Counter

import pytest

from core.evaluation.questions import read_questions
from core.models import Evidence
from core.pipeline import retrieve
from core.service import Service

pytestmark = [pytest.mark.integration, pytest.mark.timeout(600)]  # the demo records are ingested first


@pytest.fixture(scope="module")
def brought(demo: Service) -> list[tuple[Evidence, bool]]:
    """Every resource retrieved for the shipped questions, and whether its question is about it."""
    return [
        (evidence, evidence.facts.resource_id in question.relevant.union(question.also))
        for question in read_questions()
        for evidence in retrieve(demo.stages, question.patient, question.ask).evidence
    ]


@pytest.mark.parametrize("arm", ["question", "vector", "text", "reference"])
def test_an_arm_brings_what_no_other_does_and_what_is_asked_for(
    brought: list[tuple[Evidence, bool]], arm: str
) -> None:
    assert any(evidence.arms == (arm,) for evidence, _ in brought)
    assert any(arm in evidence.arms and relevant for evidence, relevant in brought)


def test_every_resource_says_what_brought_it(brought: list[tuple[Evidence, bool]]) -> None:
    counts = Counter(arm for evidence, _ in brought for arm in evidence.arms)
    assert set(counts) == {"question", "vector", "text", "reference"}
    assert all(evidence.arms for evidence, _ in brought)
