"""What the browser tests do and look at, in a reader's words."""

from __future__ import annotations

import os
import re
from io import BytesIO
from urllib.parse import quote_plus, urlencode

from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import SCREENSHOTS

LAST_HBA1C = "What was the last HbA1c?"
HBA1C_TREND = "How has HbA1c changed over time?"


# What fades in is not there yet: its colours are between those of before and after.
_STILL = """() => !document.getAnimations().some(
    a => a.playState === 'running' && a.effect?.getComputedTiming().iterations !== Infinity)"""


def open_page(page: Page, dashboard: str, /, **query: str) -> None:
    """Open the dashboard and wait until it has finished drawing."""
    page.goto(f"{dashboard}/?{urlencode(query)}" if query else dashboard)
    expect(page.locator(".cc-footer")).to_be_visible(timeout=60_000)
    settled(page)


def settled(page: Page) -> None:
    expect(page.locator(".stApp")).to_have_attribute("data-test-script-state", "notRunning", timeout=60_000)
    expect(page.locator("[data-stale=true]")).to_have_count(0)
    page.wait_for_function(_STILL)


def ask(page: Page, question: str) -> None:
    """Type a question and press Enter."""
    box = page.get_by_label("Question about this record")
    box.fill(question)
    box.press("Enter")
    expect(page).to_have_url(re.compile(re.escape(f"question={quote_plus(question)}")))
    expect(page.locator(".cc-badge")).to_be_visible()
    settled(page)


def chart_points(page: Page) -> Locator:
    return page.locator("[data-testid=stVegaLiteChart] svg path[aria-roledescription=point]")


def go_to(page: Page, title: str) -> None:
    """Follow a link of the navigation and wait until the page it names is drawn."""
    page.get_by_role("navigation", name="Pages").get_by_role("link", name=title, exact=True).click()
    expect(page.get_by_role("navigation", name="Pages").locator("[aria-current]")).to_have_text(title)
    settled(page)


def serious_findings(page: Page) -> list[str]:
    """What axe finds serious or critical, with the elements concerned."""
    return [
        f"{v['id']}: {[n['target'] for n in v['nodes']]}"
        for v in Axe().run(page).response["violations"]
        if v["impact"] in ("serious", "critical")
    ]


def tab_to(page: Page, wanted: Locator, at_most: int = 40) -> None:
    """Press Tab until the element has the focus."""
    for _ in range(at_most):
        page.keyboard.press("Tab")
        if wanted.evaluate("e => e === document.activeElement"):
            return
    raise AssertionError(f"Tab does not reach {wanted}")


def save(page: Page, name: str) -> None:
    """Write a screenshot for the README, only when asked to, so that a test run leaves the tree clean."""
    if os.environ.get("CHARTCITE_SCREENSHOTS") == "1":
        page.mouse.move(0, 0)
        picture = Image.open(BytesIO(page.screenshot(animations="disabled")))
        # 128 colours are enough for a page of few, and a third of the bytes.
        picture.quantize(128, dither=Image.Dither.NONE).save(SCREENSHOTS / f"{name}.png", optimize=True)
