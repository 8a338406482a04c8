"""The Ask page as a clinician meets it: pick a patient, ask, read, check where it comes from, move on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ANITA, KELVIN, LAPTOP, MALLORY, MARKUP, serve
from tests.browser.steps import HBA1C_TREND, LAST_HBA1C, ask, chart_points, open_page, save

pytestmark = pytest.mark.browser


def test_from_patient_to_checked_answer(page: Page, dashboard: str) -> None:
    open_page(page, dashboard)
    page.get_by_label("Find a patient").press_sequentially("juár")
    found = page.locator("[class*=search-results] button").filter(has_text="Anita")
    expect(found).to_have_count(1)
    found.click()
    bar = page.get_by_role("group", name="Patient")
    expect(bar).to_contain_text("Anita Juárez")
    expect(bar).to_contain_text("female")
    expect(bar).to_contain_text("born 1971-03-14")
    expect(bar).to_contain_text(ANITA)
    expect(page).to_have_url(re.compile(f"patient={ANITA}"))

    suggestion = page.locator("[class*=st-key-suggested] button").filter(has_text="HbA1c").first
    question = suggestion.inner_text()
    suggestion.click()
    expect(page.get_by_label("Question about this record")).to_have_value(question)
    expect(page.locator(".cc-badge")).to_have_text(re.compile("✓Grounded: .* the record"))
    expect(page.get_by_label("Answer", exact=True)).to_contain_text("7.6 %")
    expect(page.locator("#evidence-1")).to_contain_text("%")
    expect(chart_points(page).first).to_be_visible()
    expect(page.locator("[data-testid=stVegaLiteChart] svg")).to_contain_text("HbA1c (%)")


@pytest.mark.parametrize("question", [LAST_HBA1C, HBA1C_TREND])
def test_everything_needed_is_in_sight_on_a_laptop(
    page: Page, scheme: str, dashboard: str, question: str
) -> None:
    open_page(page, dashboard, patient=ANITA, question=question)
    expect(chart_points(page).first).to_be_visible()
    bar = page.get_by_role("group", name="Patient")
    name = bar.locator("b").bounding_box()
    held = bar.bounding_box()
    assert name is not None
    assert held is not None
    assert held["width"] >= name["width"] > 100  # in full sight, not only in the page
    parts = [
        bar,
        page.get_by_role("button", name="Change patient"),
        page.get_by_label("Question about this record"),
        page.locator(".cc-badge"),
        page.get_by_label("Answer", exact=True),
        page.locator("#evidence-1"),
    ]
    for part in parts:
        box = part.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= LAPTOP["height"]
        assert box["x"] + box["width"] <= LAPTOP["width"]
    chart = page.locator("[data-testid=stVegaLiteChart]").first.bounding_box()
    assert chart is not None
    assert chart["y"] <= LAPTOP["height"] - 120
    assert page.evaluate("document.documentElement.scrollWidth") <= LAPTOP["width"]
    if question == HBA1C_TREND:
        save(page, f"ask-{scheme}")


def test_enter_asks_and_the_input_keeps_its_text(page: Page, dashboard: str) -> None:
    open_page(page, dashboard, patient=ANITA)
    ask(page, LAST_HBA1C)
    expect(page.get_by_label("Question about this record")).to_have_value(LAST_HBA1C)


def test_a_citation_marks_its_card_and_the_sentences_that_cite_it(page: Page, dashboard: str) -> None:
    open_page(page, dashboard, patient=ANITA, question=LAST_HBA1C)
    sentence = page.locator(".cites-1").first
    before = sentence.evaluate("e => getComputedStyle(e).backgroundColor")
    page.get_by_label("Answer", exact=True).locator("a.cc-cite").first.click()
    expect(page.locator(".cc-card:target")).to_have_id("evidence-1")
    expect(sentence).not_to_have_css("background-color", before)


def test_a_chart_point_opens_its_card_even_among_the_uncited(page: Page, dashboard: str) -> None:
    open_page(page, dashboard, patient=ANITA, question=LAST_HBA1C)
    expect(page.locator("[id^=other-]").first).to_be_hidden()
    chart_points(page).first.click()
    card = page.locator(".cc-card:target")
    expect(card).to_have_id(re.compile("^(other|evidence)-"))
    expect(card).to_be_in_viewport()
    chart_points(page).last.click()
    expect(page.locator("#evidence-1:target")).to_be_in_viewport()


def test_every_chart_value_is_in_the_table(page: Page, dashboard: str) -> None:
    open_page(page, dashboard, patient=ANITA, question=LAST_HBA1C)
    expect(chart_points(page).first).to_be_visible()
    page.get_by_text("values as a table").click()
    expect(page.locator("[class*=st-key-panel-] table tbody tr")).to_have_count(chart_points(page).count())


def test_the_badge_opens_into_what_was_checked(page: Page, dashboard: str) -> None:
    open_page(page, dashboard, patient=ANITA, question=LAST_HBA1C)
    page.locator(".cc-badge").click()
    claims = page.locator(".cc-claims")
    expect(claims).to_contain_text("matches the record")
    expect(claims.locator("td").first).to_be_visible()
    expect(claims).to_contain_text("✓ agrees")


def test_a_card_shows_its_json_on_demand(page: Page, dashboard: str) -> None:
    open_page(page, dashboard, patient=ANITA, question=LAST_HBA1C)
    page.get_by_role("button", name="JSON of Observation/").first.click()
    expect(page.get_by_role("dialog")).to_contain_text('"resourceType": "Observation"')


def test_a_child_without_hba1c_gets_a_refusal_with_questions_instead(page: Page, dashboard: str) -> None:
    open_page(page, dashboard, patient=KELVIN)
    ask(page, LAST_HBA1C)
    expect(page.locator(".cc-badge")).to_have_text(re.compile("∅Not in this record"))
    answer = page.get_by_label("Answer", exact=True)
    expect(answer).to_contain_text(
        "Insufficient data in the available FHIR resources to answer this question."
    )
    expect(answer.locator("p")).not_to_have_count(1)  # and what was searched
    expect(page.locator("a.cc-cite")).to_have_count(0)
    expect(page.locator("[data-testid=stVegaLiteChart]")).to_have_count(0)
    expect(page.locator("[class*=st-key-suggested-near] button").first).to_be_visible()
    save(page, "refusal-light")


def test_changing_the_patient_clears_question_answer_and_chart(page: Page, dashboard: str) -> None:
    open_page(page, dashboard, patient=ANITA, question=LAST_HBA1C)
    expect(chart_points(page).first).to_be_visible()
    page.get_by_role("button", name="Change patient").click()
    page.get_by_label("Find a patient").press_sequentially("kelvin")
    found = page.locator("[class*=search-results] button").filter(has_text="Kelvin")
    expect(found).to_have_count(1)
    found.click()
    expect(page.get_by_role("group", name="Patient")).to_contain_text("Kelvin")
    expect(page.get_by_label("Question about this record")).to_have_value("")
    expect(page.locator(".cc-badge")).to_have_count(0)
    expect(page.locator("[data-testid=stVegaLiteChart]")).to_have_count(0)
    expect(page).to_have_url(re.compile(rf"\?patient={KELVIN}$"))


def test_a_patient_is_found_by_part_of_an_id(page: Page, dashboard: str) -> None:
    open_page(page, dashboard)
    page.get_by_label("Find a patient").press_sequentially(KELVIN[:8])
    found = page.locator("[class*=search-results] button").filter(has_text="Kelvin")
    expect(found).to_have_count(1)
    expect(found).to_contain_text("Kelvin")


def test_the_back_button_returns_to_the_last_question(page: Page, dashboard: str) -> None:
    open_page(page, dashboard, patient=ANITA)
    ask(page, LAST_HBA1C)
    ask(page, HBA1C_TREND)
    page.go_back()
    expect(page.get_by_label("Question about this record")).to_have_value(LAST_HBA1C)


def test_record_text_is_shown_not_obeyed(page: Page, dashboard: str) -> None:
    open_page(page, dashboard)
    page.get_by_label("Find a patient").press_sequentially("mallory")
    found = page.locator("[class*=search-results] button").filter(has_text=MARKUP)
    expect(found).to_have_count(1)
    found.click()
    expect(page.get_by_role("group", name="Patient")).to_contain_text(MARKUP)
    ask(page, "What was the last body weight?")
    expect(page.locator("#evidence-1")).to_contain_text(MARKUP)
    expect(page.locator("img[src=x]")).to_have_count(0)
    expect(page.locator("a[href*='example.org']")).to_have_count(0)


def test_an_unknown_patient_and_a_question_too_long_are_explained(page: Page, dashboard: str) -> None:
    open_page(page, dashboard, patient="nobody")
    expect(page.get_by_role("alert")).to_contain_text("nobody")
    expect(page.get_by_label("Find a patient")).to_be_visible()
    open_page(page, dashboard, patient=MALLORY, question="x" * 3000)
    expect(page.get_by_role("alert")).to_contain_text("question")
    expect(page.locator("body")).not_to_contain_text("Traceback")


def test_an_empty_database_explains_how_to_load_records(
    page: Page, environment: dict[str, str], tmp_path: Path
) -> None:
    with serve(environment | {"CHARTCITE_HOME": str(tmp_path / "home")}, tmp_path / "log.txt") as url:
        open_page(page, url)
        expect(page.get_by_role("heading", name="No records are loaded yet")).to_be_visible()
        expect(page.get_by_text("python -m core ingest PATH")).to_be_visible()
        page.close()


def test_an_unreachable_database_is_one_clear_line(
    page: Page, environment: dict[str, str], tmp_path: Path
) -> None:
    nobody = {"DATABASE_URL": "postgresql://nobody@127.0.0.1:9/none"}
    with serve(environment | nobody, tmp_path / "log.txt") as url:
        open_page(page, url)
        expect(page.get_by_role("alert")).to_contain_text("127.0.0.1")
        expect(page.locator("body")).not_to_contain_text("Traceback")
        page.close()
