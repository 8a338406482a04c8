"""docs/verifier.md says of every example what the verifier says, and names every status and verdict."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from core.models import ClaimStatus, VerdictStatus

DOCUMENT = (Path(__file__).resolve().parents[3] / "docs" / "verifier.md").read_text(encoding="utf-8")
RULES = re.findall(r"^\| `(.+?)` \| (\w+) \|$", DOCUMENT, re.MULTILINE)
STATUSES = re.findall(r"^\| (\w+) \| .* \| `(.+?)` \|$", DOCUMENT, re.MULTILINE)
EXAMPLES = [*RULES, *((text, status) for status, text in STATUSES)]


@pytest.mark.parametrize(("text", "status"), EXAMPLES)
def test_an_example_of_the_documentation_holds(status_of: Callable[..., str], text: str, status: str) -> None:
    assert status_of(text) == status


def test_every_status_and_verdict_is_documented() -> None:
    assert {status for status, _ in STATUSES} == {s.value for s in ClaimStatus}
    assert all(re.search(rf"^\| {v.value} \|", DOCUMENT, re.MULTILINE) for v in VerdictStatus)
