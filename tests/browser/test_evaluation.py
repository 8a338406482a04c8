"""The Evaluation page: the last report as figures and charts, and a question that went wrong opened side by side."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ANITA, LAPTOP, ROOT
from tests.browser.steps import open_page, serious_findings, settled

pytestmark = pytest.mark.browser

RIGHT, WRONG, REFUSED = "What is the highest HbA1c?", "When was the last HbA1c?", "Serum albumin, please."


@pytest.fixture(scope="module")
def measured(environment: dict[str, str], dashboard: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The dashboard after an evaluation of three questions, of which one expects a date that was not the last."""
    highest, first = "Observation/7e0c7f85-", "Observation/daccb577-"
    record = ROOT / "data" / "demo" / f"{ANITA}.json.gz"
    ids = _ids(record)
    lines = [
        _line("right", RIGHT, [i for i in ids if i.startswith(highest)], [["num:8.7"]]),
        _line("wrong", WRONG, [i for i in ids if i.startswith(first)], [["date:2000-11-26"]]),
        _line("refused", REFUSED, [], [], expect="refuse"),
    ]
    questions = tmp_path_factory.mktemp("questions") / "three.jsonl"
    questions.write_text("\n".join(map(json.dumps, lines)))
    done = subprocess.run(
        [sys.executable, "-m", "core", "evaluate", "--questions", str(questions), "--json"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0, done.stderr
    assert [o["correct"] for o in json.loads(done.stdout)["outcomes"]] == [True, False, True]
    return dashboard


def _ids(record: Path) -> list[str]:
    entries = json.loads(gzip.decompress(record.read_bytes()))["entry"]
    return [f"{e['resource']['resourceType']}/{e['resource']['id']}" for e in entries]


def _line(name: str, ask: str, relevant: list[str], must: list[list[str]], expect: str = "answer") -> object:
    assert relevant or expect == "refuse"
    return {
        "id": name,
        "patient": f"Patient/{ANITA}",
        "category": "latest",
        "question": ask,
        "expect": expect,
        "relevant": relevant,
        "must": must,
    }


def test_the_last_report_is_shown_and_what_went_wrong_is_open(page: Page, scheme: str, measured: str) -> None:
    open_page(page, measured, page="evaluation")
    tiles = page.locator(".cc-tile")
    expect(tiles.filter(has_text="Correct")).to_contain_text("66.7 %")
    expect(tiles.filter(has_text="Refused when due")).to_contain_text("100 %")
    expect(page.locator("[data-testid=stVegaLiteChart] svg").first).to_be_visible()
    expect(page.get_by_role("heading", name="What went wrong")).to_contain_text("1 questions")
    sides = page.locator(".cc-side")
    expect(sides.nth(0)).to_contain_text("date 2000-11-26")
    expect(sides.nth(1)).to_contain_text("HbA1c")
    expect(sides.nth(2)).to_contain_text("needed · not cited")
    assert page.evaluate("document.documentElement.scrollWidth") <= LAPTOP["width"]
    assert serious_findings(page) == []
    if scheme == "light":
        page.get_by_role("button", name="Run the shipped questions").click()
        expect(page.get_by_role("alert")).to_contain_text("is not in the database. Ingest the records")
        settled(page)
        expect(tiles.filter(has_text="Correct")).to_contain_text("66.7 %")
