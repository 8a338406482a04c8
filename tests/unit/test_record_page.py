"""The record page's lists: nothing left out, void entries marked, missing said as missing, references both ways."""

from __future__ import annotations

from typing import Any

from app.components.chart_list import detail_html, entries_html
from app.components.overview import overview_html
from core.browse import newest_first, referring, refers_to, types_of
from core.fhir.facts import facts
from core.models import Evidence, Facts
from core.overview import overview_of

MARKUP = "<img src=x onerror=alert(1)>"


def entry(kind: str, identifier: str, **more: Any) -> Facts:
    return facts({"resourceType": kind, "id": identifier} | more, "Patient/p")


def condition(identifier: str, name: str, status: str = "active", **more: Any) -> Facts:
    coded = {
        "clinicalStatus": {"coding": [{"code": status}]},
        "code": {"text": name},
        "onsetDateTime": "2020-01-01",
    }
    return entry("Condition", identifier, **(coded | more))


def to(change: dict[str, str]) -> str:
    return "?" + "&amp;".join(f"{k}={v}" for k, v in change.items())


REFUTED = {"verificationStatus": {"coding": [{"code": "refuted"}]}}


def test_the_overview_lists_what_holds_now_and_counts_the_rest() -> None:
    found = overview_of(
        [
            condition("a", "Asthma"),
            condition("b", "Asthma", onsetDateTime="2022-01-01"),
            condition("c", "Bronchitis", "resolved"),
            condition("d", "Gout", **REFUTED),
        ]
    )
    assert [(line.label, line.resource_id, line.more) for line in found.problems] == [
        ("Asthma", "Condition/b", 1)
    ]
    assert (found.problems_earlier, found.void) == (1, 1)


def test_an_empty_list_says_that_nothing_is_recorded() -> None:
    shown = overview_html(overview_of([]), (), (), to, to)
    assert "No allergy is recorded. That does not say that there is none." in shown
    assert "No active problem is recorded." in shown


def test_types_come_clinical_first_and_paperwork_last() -> None:
    record = [entry("Claim", "1"), entry("Goal", "2"), entry("Condition", "3"), entry("Condition", "4")]
    assert types_of(record) == [("Condition", 2), ("Goal", 1), ("Claim", 1)]


def test_entries_are_newest_first_and_undated_ones_last() -> None:
    record = [entry("Goal", "x"), condition("old", "A"), condition("new", "B", onsetDateTime="2024-05")]
    assert [f.resource_id for f in newest_first(record)] == ["Condition/new", "Condition/old", "Goal/x"]


def test_references_are_found_from_both_ends() -> None:
    visit = entry("Encounter", "e", status="finished")
    about = condition(
        "c",
        "Asthma",
        encounter={"reference": "Encounter/e"},
        recorder={"reference": "Practitioner/z", "display": "Dr. Z"},
    )
    known = {f.resource_id: f for f in (visit, about)}
    assert [(link.path, link.resource_id) for link in referring(known.values())["Encounter/e"]] == [
        ("encounter", "Condition/c")
    ]
    assert {(link.path, link.resource_id, link.label) for link in refers_to(about, known)} == {
        ("encounter", "Encounter/e", visit.label),
        ("recorder", "", "Dr. Z"),
    }


def test_a_void_entry_is_struck_through_with_its_reason() -> None:
    gout = condition("d", "Gout", **REFUTED)
    listed = entries_html([gout], "", to, by_year=True)
    assert "class=is-void" in listed
    assert gout.void_reason in listed
    assert "cc-card is-void" in detail_html(Evidence(gout, "Gout", ("record",)), (), (), to)


def test_record_text_is_escaped_in_every_list() -> None:
    nasty = condition("n", MARKUP, encounter={"display": MARKUP}, note=[{"text": MARKUP}])
    other = entry(
        "AllergyIntolerance", "a", code={"text": MARKUP}, reaction=[{"manifestation": [{"text": MARKUP}]}]
    )
    links = refers_to(nasty, {})
    pages = [
        entries_html([nasty, other], "", to, by_year=False),
        detail_html(Evidence(nasty, f"x\n{MARKUP}", ("record",)), links, links, to),
        overview_html(overview_of([nasty, other]), (), (), to, to),
    ]
    assert all("<img" not in page and "&lt;img" in page for page in pages)
