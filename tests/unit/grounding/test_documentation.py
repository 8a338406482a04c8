"""docs/verifier.md says of every example what the verifier says, and names every status and verdict."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from core.models import ClaimStatus, Verdict, VerdictStatus

ROOT = Path(__file__).resolve().parents[3]
DOCUMENT = (ROOT / "docs" / "verifier.md").read_text(encoding="utf-8")
RULES = re.findall(r"^\| `(.+?)` \| (\w+) \|$", DOCUMENT, re.MULTILINE)
STATUSES = re.findall(r"^\| (\w+) \| .* \| `(.+?)` \|$", DOCUMENT, re.MULTILINE)
EXAMPLES = [*RULES, *((text, status) for status, text in STATUSES)]


VERDICTS = {v.value for v in VerdictStatus}
# What the checks call themselves, as the code writes it.
_KIND = re.compile(r"(?:agreed|contradicted|missing)\(\s*\"([a-z ]+)\"|Check\(kind=\"([a-z ]+)\"")


@pytest.mark.parametrize(("text", "status"), [e for e in EXAMPLES if e[1] not in VERDICTS])
def test_an_example_of_the_documentation_holds(status_of: Callable[..., str], text: str, status: str) -> None:
    assert status_of(text) == status


@pytest.mark.parametrize(("text", "verdict"), [e for e in EXAMPLES if e[1] in VERDICTS])
def test_an_answer_of_the_documentation_gets_its_verdict(
    judge: Callable[..., Verdict], text: str, verdict: str
) -> None:
    assert judge(text.replace("\\|", "|").replace("\\n", "\n")).verdict == verdict


def test_every_kind_of_check_is_documented() -> None:
    sources = (ROOT / "core" / "grounding").rglob("*.py")
    made = {
        kind for path in sources for found in _KIND.findall(path.read_text("utf-8")) for kind in found if kind
    }
    listed = DOCUMENT.partition("## Kinds of check")[2].partition("## What it does not do")[0]
    assert len(made) > 20
    assert made == set(re.findall(r"`([a-z ]+)`", listed))


def test_every_status_and_verdict_is_documented() -> None:
    assert {status for status, _ in STATUSES} == {s.value for s in ClaimStatus}
    assert all(re.search(rf"^\| {v.value} \|", DOCUMENT, re.MULTILINE) for v in VerdictStatus)
