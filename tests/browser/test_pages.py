"""Every page as a clinician meets it: trends, record, audit, data; by mouse, by keyboard, in light and dark."""

from __future__ import annotations

import json
import re
from urllib.parse import quote_plus

import pytest
from fhir.resources.R4B.bundle import Bundle
from playwright.sync_api import Page, expect

from core.config import Settings
from core.database.pool import open_database
from tests.browser.conftest import ANITA, KELVIN, MALLORY, MARKUP, VICTOR
from tests.browser.steps import (
    HBA1C_TREND,
    LAST_HBA1C,
    ask,
    chart_points,
    go_to,
    open_page,
    save,
    serious_findings,
    settled,
    tab_to,
)

pytestmark = pytest.mark.browser
NOTICE = "Not a medical device. Synthetic or authorised data only."


def test_every_page_is_calm_and_accessible(page: Page, scheme: str, dashboard: str) -> None:
    """One walk through all pages: axe, the notice, nothing wider than the window, a picture for the README."""

    def look(name: str, picture: bool = True) -> None:
        settled(page)
        expect(page.get_by_text(NOTICE)).to_have_count(1)
        findings[name] = serious_findings(page)
        if picture and (scheme == "light" or name in ("trends", "record")):
            save(page, f"{name}-{scheme}")
        for width in (1024, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert overflow <= 0, f"{name} is {overflow} px too wide at {width}"

    findings: dict[str, list[str]] = {}
    open_page(page, dashboard)
    look("landing", picture=False)
    page.get_by_label("Find a patient").press_sequentially("juarez")
    page.locator("[class*=search-results] button").filter(has_text="Anita").click()
    expect(page.locator("[class*=st-key-suggested] button").first).to_be_visible()
    look("suggestions", picture=False)
    ask(page, LAST_HBA1C)
    page.locator(".cc-badge").first.click()
    expect(page.locator(".cc-claims")).to_be_visible()
    look("checks", picture=False)
    go_to(page, "Trends")
    page.locator("button[data-series]").filter(has_text="BMI").first.click()
    expect(page.locator("[data-testid=stVegaLiteChart] svg").nth(1)).to_be_visible()
    page.locator(".st-key-series").evaluate("e => e.scrollTop = 0")
    look("trends")
    go_to(page, "Record")
    expect(page.get_by_role("heading", name="Active problems")).to_be_visible()
    look("record")
    page.locator(".cc-types a").filter(has_text="Encounter").click()
    page.locator(".cc-entries a").first.click()
    expect(page.get_by_role("heading", name=re.compile("Referred to by"))).to_be_visible()
    look("entry")
    go_to(page, "Audit")
    expect(page.locator(".cc-table td").first).to_be_visible()
    look("audit")
    go_to(page, "Data")
    expect(page.get_by_role("heading", name=re.compile("Quarantine"))).to_be_visible()
    look("data")
    assert {name: found for name, found in findings.items() if found} == {}


def test_trends_begin_with_hba1c_and_the_address_holds_what_is_picked(page: Page, dashboard: str) -> None:
    open_page(page, dashboard, page="trends", patient=ANITA)
    pressed = page.locator("button[data-series][aria-pressed=true]")
    expect(page.locator("button[data-series]").first).to_have_text(re.compile("HbA1c.*7.6 %.*9 results"))
    expect(pressed).to_have_text(re.compile("HbA1c"))
    charts = page.locator("[class*=st-key-panel-]")
    expect(charts.first.locator("svg.marks")).to_contain_text("HbA1c (%)")
    expect(charts.filter(has=page.get_by_role("heading", name="Medications"))).to_be_visible()
    expect(charts.filter(has=page.get_by_role("heading", name="Diagnoses"))).to_be_visible()

    page.locator("button[data-series]").filter(has_text="BMI").first.click()
    expect(pressed).to_have_count(2)
    expect(page).to_have_url(re.compile("series=hba1c-.*bmi"))
    settled(page)
    plots = page.locator("[data-testid=stVegaLiteChart] svg.marks .background")
    lefts = [box["x"] for i in range(3) if (box := plots.nth(i).bounding_box())]
    assert len(lefts) == 3
    assert max(lefts) - min(lefts) < 2, f"the plots do not share one time axis: {lefts}"
    page.go_back()
    expect(pressed).to_have_count(1)

    settled(page)
    page.get_by_text("5 years", exact=True).click()
    expect(charts.first.get_by_text("values as a table")).to_have_text(re.compile("^[1-4] values"))
    page.get_by_label("Find a series").fill("cholest")
    expect(page.locator("button[data-series]").filter(has_text="BMI")).to_have_count(0)


def test_a_point_of_a_trend_opens_its_card_and_the_card_the_record(page: Page, dashboard: str) -> None:
    open_page(page, dashboard, page="trends", patient=ANITA)
    expect(chart_points(page).first).to_be_visible()
    page.get_by_text("values as a table").first.click()
    expect(page.locator("[class*=st-key-panel-]").first.locator("tbody tr")).to_have_count(9)
    chart_points(page).last.scroll_into_view_if_needed()
    chart_points(page).nth(8).click()
    card = page.locator(".cc-drawn:target")
    expect(card).to_be_in_viewport()
    expect(card).to_contain_text("7.6 %")
    card.get_by_role("link", name=re.compile("in the record")).click()
    expect(page).to_have_url(re.compile("page=record.*resource=Observation"))
    expect(page.locator(".st-key-detail")).to_contain_text("7.6 %")


def test_limits_units_and_void_results_are_not_smoothed_over(page: Page, dashboard: str) -> None:
    open_page(page, dashboard, page="trends", patient=VICTOR)
    series = page.locator("button[data-series]")
    expect(series.filter(has_text="HbA1c")).to_have_count(2)
    expect(series.first).to_contain_text("<4 %")
    expect(series.first).to_contain_text("3 results")  # the one entered in error is none
    expect(page.get_by_text("Also recorded in mmol/mol")).to_be_visible()
    expect(chart_points(page)).to_have_count(3)
    assert page.locator("[data-testid=stVegaLiteChart]").first.get_by_text("only a limit").count() == 0
    expect(page.locator(".cc-key").first).to_contain_text("only a limit is known")


def test_a_childs_age_stands_on_the_axis(page: Page, dashboard: str) -> None:
    open_page(page, dashboard, page="trends", patient=KELVIN)
    expect(page.locator("[data-testid=stVegaLiteChart] svg").first).to_contain_text(re.compile(r"\d years"))


def test_the_record_leads_from_entry_to_entry_and_back(page: Page, dashboard: str) -> None:
    open_page(page, dashboard, page="record", patient=VICTOR)
    expect(page.get_by_text("No allergy is recorded. That does not say that there is none.")).to_be_visible()
    expect(page.get_by_text("2 entries are void")).to_be_visible()
    page.locator(".cc-types a").filter(has_text="Condition").click()
    gout = page.locator(".cc-entries li").filter(has_text="Gout")
    expect(gout).to_contain_text("refuted")
    expect(gout.locator(".cc-entry-name")).to_have_css("text-decoration-line", "line-through")

    page.locator(".cc-types a").filter(has_text="Observation").click()
    page.locator(".cc-entries a").filter(has_text="<4 %").click()
    detail = page.locator(".st-key-detail")
    detail.get_by_role("link", name="Diabetes check").click()
    expect(page).to_have_url(re.compile("resource=Encounter%2Fodd-visit"))
    expect(detail).to_contain_text("Referred to by")
    expect(detail.locator("ul.cc-plain").last.locator("li")).to_have_count(5)
    page.go_back()
    expect(detail.locator(".cc-value")).to_contain_text("<4 %")

    search = page.get_by_label("Search this record")
    search.fill("gout")
    search.press("Enter")
    expect(page.get_by_role("heading", name="1 entry holds “gout”")).to_be_visible()
    settled(page)
    page.locator(".cc-entries a").click()
    settled(page)
    page.get_by_role("button", name="JSON of Condition/odd-gout").click()
    expect(page.get_by_role("dialog")).to_contain_text('"refuted"')


def test_record_text_is_only_text_on_every_page(page: Page, dashboard: str) -> None:
    for view in (
        {"page": "trends"},
        {"page": "record"},
        {"page": "record", "type": "all", "resource": "Observation/markup-weight"},
    ):
        open_page(page, dashboard, patient=MALLORY, **view)
        expect(page.get_by_text(MARKUP).first).to_be_attached()
        expect(page.locator("img[src=x]")).to_have_count(0)
        expect(page.locator("a[href*='example.org']")).to_have_count(0)


def test_an_answer_is_taken_along_and_rated(page: Page, dashboard: str, environment: dict[str, str]) -> None:
    open_page(page, dashboard, patient=ANITA, question=LAST_HBA1C)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy with citations").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "7.6 %" in copied
    assert "[1]" in copied
    assert "Observation/" in copied

    page.get_by_role("button", name="Download").click()
    taken = {}
    for name in ("Page to print", "Markdown", "FHIR R4 document"):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=name).click()
        taken[name] = waiting.value.path().read_text(encoding="utf-8")
    assert "7.6 %" in taken["Page to print"]
    assert "7\\.6 %" in taken["Markdown"]
    Bundle.model_validate(json.loads(taken["FHIR R4 document"]))
    page.keyboard.press("Escape")

    page.get_by_text("Wrong").click()
    expect(page.get_by_text("Kept with the answer.")).to_be_visible()
    with _stored(environment).connection() as connection:
        rows = connection.execute("select rating, answer ->> 'question' from feedback").fetchall()
    assert rows == [("wrong", LAST_HBA1C)]


def _stored(environment: dict[str, str]):  # type: ignore[no-untyped-def]
    return open_database(Settings(home=environment["CHARTCITE_HOME"], pool_size=1))


def test_earlier_answers_stay_at_hand_until_the_patient_changes(page: Page, dashboard: str) -> None:
    open_page(page, dashboard, patient=ANITA)
    ask(page, LAST_HBA1C)
    ask(page, HBA1C_TREND)
    before = page.locator(".cc-earlier")
    expect(before).to_have_count(1)
    before.locator("summary").click()
    expect(before).to_contain_text("7.6 %")
    before.get_by_role("link", name="Open with its evidence").click()
    expect(page.get_by_label("Question about this record")).to_have_value(LAST_HBA1C)
    expect(before.locator("summary")).to_contain_text(HBA1C_TREND)

    go_to(page, "Trends")
    go_to(page, "Ask")
    expect(page.get_by_label("Question about this record")).to_have_value(LAST_HBA1C)
    expect(page.locator(".cc-badge").first).to_be_visible()

    page.get_by_role("button", name="Change patient").click()
    page.get_by_label("Find a patient").press_sequentially("kelvin")
    page.locator("[class*=search-results] button").filter(has_text="Kelvin").click()
    expect(page.get_by_role("group", name="Patient")).to_contain_text("Kelvin")
    expect(before).to_have_count(0)
    go_to(page, "Trends")
    expect(page.get_by_role("group", name="Patient")).to_contain_text("Kelvin")
    page.get_by_role("button", name="Change patient").click()
    expect(page.get_by_text("Looked at before")).to_be_visible()


def test_a_question_may_lean_on_the_one_before_and_its_address_says_so(page: Page, dashboard: str) -> None:
    open_page(page, dashboard, patient=ANITA)
    ask(page, LAST_HBA1C)
    expect(page).not_to_have_url(re.compile("after="))
    ask(page, "and before that?")
    expect(page.get_by_text("Read as “")).to_be_visible()
    expect(page.locator(".cc-badge").first).to_contain_text("match")
    address = page.url
    assert f"after={quote_plus(LAST_HBA1C)}" in address
    said = page.locator(".cc-answer").inner_text()
    ask(page, HBA1C_TREND)
    expect(page).not_to_have_url(re.compile("after="))
    page.goto(address)
    settled(page)
    assert page.locator(".cc-answer").inner_text() == said


def test_the_keyboard_alone_goes_from_question_to_trend(page: Page, dashboard: str) -> None:
    open_page(page, dashboard, patient=ANITA)
    box = page.get_by_label("Question about this record")
    tab_to(page, box)
    page.keyboard.type(LAST_HBA1C)
    page.keyboard.press("Enter")
    expect(page.locator(".cc-badge").first).to_be_visible()
    settled(page)
    box.focus()
    tab_to(page, page.locator("a.cc-cite[href='#evidence-1']").first)
    page.keyboard.press("Enter")
    card = page.locator("#evidence-1")
    expect(page.locator(".cc-card:target")).to_have_id("evidence-1")
    tab_to(page, card.get_by_role("link", name=re.compile("Trend of")))
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("page=trends"))
    expect(page.locator("button[data-series][aria-pressed=true]")).to_contain_text("HbA1c")
    settled(page)
    tab_to(page, page.locator("button[data-series]").nth(1))
    page.keyboard.press("Enter")
    expect(page.locator("button[data-series][aria-pressed=true]")).to_have_count(2)


def test_the_audit_trail_shows_who_asked_what(page: Page, dashboard: str) -> None:
    open_page(page, dashboard, patient=KELVIN, question="Which allergies are documented?")
    expect(page.locator(".cc-badge").first).to_be_visible()
    go_to(page, "Audit")
    first = page.locator(".cc-table tbody tr").first
    expect(first).to_contain_text("Which allergies are documented?")
    expect(first).to_contain_text("local")
    page.get_by_label("Patient", exact=True).fill("nobody of this name")
    expect(page.get_by_role("heading", name="Nothing matches")).to_be_visible()
    page.get_by_label("Patient", exact=True).fill("parker")
    expect(first).to_contain_text("Kelvin")
    settled(page)
    first.get_by_role("link", name="Which allergies are documented?").click()
    expect(page.get_by_label("Question about this record")).to_have_value("Which allergies are documented?")


def test_a_file_is_loaded_in_the_browser_and_a_bad_one_explained(page: Page, dashboard: str) -> None:
    patient = {"resourceType": "Patient", "id": "uploaded", "name": [{"text": "Uma Uploaded"}]}
    broken = {"resourceType": "Observation", "status": "final"}
    bundle = {
        "resourceType": "Bundle",
        "type": "collection",
        "entry": [{"resource": patient}, {"resource": broken}],
    }
    open_page(page, dashboard, page="data")
    chooser = page.locator("input[type=file]")
    chooser.set_input_files(
        {"name": "new.json", "mimeType": "application/json", "buffer": json.dumps(bundle).encode()}
    )
    expect(page.get_by_role("status").filter(has_text="new.json")).to_contain_text(
        "2 resources read: 1 new, 1 in quarantine"
    )
    expect(page.locator(".cc-table").last).to_contain_text("new.json")
    settled(page)
    chooser.set_input_files({"name": "bad.json", "mimeType": "application/json", "buffer": b"{"})
    expect(page.get_by_role("status").filter(has_text="bad.json")).to_contain_text("in quarantine")
    open_page(page, dashboard)
    page.get_by_label("Find a patient").press_sequentially("uma")
    expect(page.locator("[class*=search-results] button").filter(has_text="Uma Uploaded")).to_have_count(1)
