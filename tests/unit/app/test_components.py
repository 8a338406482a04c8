"""The components' HTML: record text escaped, numbers in order, verdicts in words, failures in place."""

from __future__ import annotations

from typing import Any

import pytest

from app import theme
from app.components.answer import align, answer_html, draft_html
from app.components.card import card_html
from app.components.chart import panel_chart
from app.components.evidence import anchor, checked_atoms
from app.components.timeline import table_html
from app.components.verdict import badge_words, verdict_html
from app.text import escaped, plain
from core.citing import citation_numbers
from core.fhir.facts import facts
from core.grounding.citations import mask
from core.models import REFUSAL, Answer, Check, Citation, Claim, ClaimStatus, Evidence, Timings, VerdictStatus
from core.timeline import panels_of

MARKUP = "<img src=x onerror=alert(1)> **bold** [link](http://example.org) :material/home: $x$"


def claim(text: str, *cited: str, status: ClaimStatus = ClaimStatus.SUPPORTED, **check: Any) -> Claim:
    checks = [Check(**{"kind": "number", "ok": True, "expected": "7.1 %", "found": "7.1 %"} | check)]
    return Claim(text=text, status=status, citations=list(cited), checks=checks)


def answer(text: str, *claims: Claim, **more: Any) -> Answer:
    cited = dict.fromkeys(i for c in claims for i in c.citations)
    statuses = [c.status for c in claims]
    matching = statuses.count(ClaimStatus.SUPPORTED)
    verdict = VerdictStatus.GROUNDED if matching == len(claims) else VerdictStatus.PARTIALLY_GROUNDED
    if not matching or ClaimStatus.CONTRADICTED in statuses:
        verdict = VerdictStatus.UNGROUNDED
    fields: dict[str, Any] = {
        "patient": "Patient/p",
        "question": "?",
        "answer": text,
        "verdict": verdict,
        "refused": False,
        "answerer": "record",
        "claims": list(claims),
        "citations": [Citation(resource_id=i, resource_type="", date=None, text="") for i in cited],
        "retrieved": [],
        "timings_ms": Timings(),
    }
    return Answer(**fields | more)


def hba1c(**more: Any) -> dict[str, Any]:
    return {
        "resourceType": "Observation",
        "id": "a",
        "status": "final",
        "code": {"text": "HbA1c"},
        "effectiveDateTime": "2024-03-01",
        "valueQuantity": {"value": 7.1, "unit": "%", "code": "%"},
        "referenceRange": [{"low": {"value": 4, "unit": "%"}, "high": {"value": 5.6, "unit": "%"}}],
        "interpretation": [{"coding": [{"code": "H"}]}],
    } | more


def card(resource: dict[str, Any], text: str = "", atoms: tuple[str, ...] = (), void: bool = False) -> str:
    return card_html(Evidence(facts(resource, "Patient/p"), text, ("question",)), "evidence-1", "1", atoms)


# --- text ---------------------------------------------------------------------------------------------


def test_html_is_shown_not_obeyed() -> None:
    assert escaped(MARKUP).startswith("&lt;img src=x onerror=alert(1)&gt;")


def test_every_character_markdown_could_act_on_is_escaped() -> None:
    assert plain("**a** [b](c) <i> :red[x] $y$") == r"\*\*a\*\* \[b\]\(c\) \<i\> \:red\[x\] \$y\$"


def test_a_label_is_one_line() -> None:
    assert plain("a\n# b") == r"a \# b"


# --- verdict ------------------------------------------------------------------------------------------

SUPPORTED = claim("HbA1c was 7.1 % [Observation/a].", "Observation/a")
UNSUPPORTED = claim("It was 9 % [Observation/a].", "Observation/a", status=ClaimStatus.UNSUPPORTED, ok=False)
CONTRADICTED = claim(
    "It was 8 % [Observation/a].", "Observation/a", status=ClaimStatus.CONTRADICTED, ok=False
)


@pytest.mark.parametrize(
    ("claims", "badge"),
    [
        ([SUPPORTED] * 6, ("ok", "✓", "Grounded: all 6 statements match the record")),
        ([SUPPORTED], ("ok", "✓", "Grounded: the 1 statement matches the record")),
        ([SUPPORTED] * 4 + [UNSUPPORTED] * 2, ("warn", "◐", "Partially grounded: 4 of 6 match")),
        ([SUPPORTED, CONTRADICTED], ("bad", "✕", "Ungrounded: not supported by the record")),
    ],
)
def test_badge_says_how_many_statements_match(claims: list[Claim], badge: tuple[str, str, str]) -> None:
    assert badge_words(answer("", *claims)) == badge


def test_a_refusal_has_its_own_badge_and_nothing_to_open() -> None:
    refused = answer(REFUSAL, refused=True)
    assert badge_words(refused) == ("none", "∅", "Not in this record")
    assert "<details" not in verdict_html(refused)


def test_checks_show_what_was_expected_and_found() -> None:
    wrong = claim("x [Observation/a].", "Observation/a", ok=False, expected="8 %", found="7.1 %")
    shown = verdict_html(answer("x", wrong))
    assert "<td>8 %</td><td>7.1 %</td><td>✕ differs</td>" in shown


def test_checks_escape_record_text() -> None:
    assert "<img" not in verdict_html(answer("x", claim(MARKUP, "Observation/a", found=MARKUP)))


# --- answer -------------------------------------------------------------------------------------------


def test_numbers_follow_first_use() -> None:
    text = "B [Observation/b]. A [Observation/a]. B again [Observation/b]."
    found = answer(text, claim("A", "Observation/a"), claim("B", "Observation/b"))
    assert citation_numbers(found) == {"Observation/b": 1, "Observation/a": 2}


def test_a_citation_becomes_a_link_to_its_card() -> None:
    found = answer(SUPPORTED.text, SUPPORTED)
    assert 'href="#evidence-1" aria-label="Evidence 1">1</a>' in answer_html(found, citation_numbers(found))


def test_one_bracket_may_cite_several() -> None:
    text = "Two results [Observation/a, Observation/b]."
    found = answer(text, claim(text, "Observation/a", "Observation/b"))
    shown = answer_html(found, citation_numbers(found))
    assert 'href="#evidence-1"' in shown
    assert 'href="#evidence-2"' in shown


def test_an_id_that_was_not_retrieved_is_no_link() -> None:
    found = answer("Invented [Observation/zzz].", claim("Invented", status=ClaimStatus.UNCITED))
    assert 'title="Observation/zzz was not retrieved">?</span>' in answer_html(found, {})


def test_a_failing_statement_is_marked_in_place() -> None:
    found = answer(f"{SUPPORTED.text} {CONTRADICTED.text}", SUPPORTED, CONTRADICTED)
    shown = answer_html(found, citation_numbers(found))
    failing = shown.split('<span class="cc-claim is-bad')[1]
    assert failing.startswith(' cites-1">It was 8 %')
    assert "contradicted by the record" in failing


def test_list_items_and_headings_are_kept() -> None:
    first, second = (claim(f"Item {n} [Condition/{n}]", f"Condition/{n}") for n in (1, 2))
    found = answer("Active:\n- Item 1 [Condition/1]\n- Item 2 [Condition/2]", first, second)
    shown = answer_html(found, citation_numbers(found))
    assert shown.count("<li>") == 2
    assert '<div class="cc-p">Active:</div>' in shown


def test_claims_are_found_across_citations_and_emphasis() -> None:
    text, _ = mask("The **last** HbA1c [Observation/a] was 7.1 %.")
    (found,) = align(text, [claim("The last HbA1c was 7.1 %.", "Observation/a")])
    assert text[found.start : found.end] == text


def test_a_claim_that_is_not_in_the_text_is_left_out() -> None:
    assert align("Something else.", [SUPPORTED]) == []


def test_answer_text_is_escaped() -> None:
    found = answer(MARKUP, claim(MARKUP))
    shown = answer_html(found, {})
    assert "<img" not in shown
    assert "<a " not in shown


def test_a_refusal_says_what_was_searched() -> None:
    shown = answer_html(answer(f"{REFUSAL}\nSearched 226 <observations>.", refused=True), {})
    assert f'<p class="cc-lead">{REFUSAL}</p><p>Searched 226 &lt;observations&gt;.</p>' in shown


def test_a_draft_says_that_it_is_not_checked_yet() -> None:
    shown = draft_html(f"HbA1c was 7.1 % [Observation/a]. {MARKUP}")
    assert "Draft, not yet checked" in shown
    assert "Observation/a" not in shown
    assert "<img" not in shown


def test_the_tail_of_a_long_list_is_folded_unless_something_in_it_fails() -> None:
    claims = [claim(f"Item {n} [Condition/{n}]", f"Condition/{n}") for n in range(1, 12)]
    text = "\n".join(f"- {c.text}" for c in claims)
    found = answer(text, *claims)
    assert "<summary>6 more</summary>" in answer_html(found, citation_numbers(found))
    claims[-1].status = ClaimStatus.CONTRADICTED
    assert "<summary>6 more" not in answer_html(answer(text, *claims), citation_numbers(found))


def test_many_citations_of_one_statement_unfold_in_place() -> None:
    cited = [f"Condition/{n}" for n in range(1, 9)]
    found = answer(f"Stress [{'; '.join(cited)}].", claim("Stress.", *cited))
    shown = answer_html(found, citation_numbers(found))
    assert "+6</summary>" in shown
    assert shown.count('href="#evidence-') == 8


# --- evidence -----------------------------------------------------------------------------------------


def test_a_card_shows_value_range_date_status_and_id() -> None:
    shown = card(hba1c())
    for part in (
        "HbA1c",
        "7.1 %",
        "above its reference 4 % to 5.6 %",
        "2024-03-01",
        "final",
        "Observation/a",
        "asked for",
    ):
        assert part in shown


def test_the_checked_field_is_highlighted_whole() -> None:
    shown = card(hba1c(), atoms=("7.1 %", "2024-03-01", "1"))
    assert "<mark>7.1 %</mark>" in shown
    assert "<mark>2024-03-01</mark>" in shown
    assert shown.count("<mark>") == 2


def test_atoms_come_from_the_checks_of_the_claims_that_cite_the_card() -> None:
    assert checked_atoms(answer("", SUPPORTED)) == {"Observation/a": ("7.1 %",)}


def test_a_void_resource_says_so() -> None:
    assert "Not evidence: entered in error" in card(hba1c(status="entered-in-error"))


def test_a_missing_value_says_why() -> None:
    resource = hba1c(dataAbsentReason={"text": "specimen lost"})
    del resource["valueQuantity"]
    assert "no value (specimen lost)" in card(resource)


def test_record_text_on_a_card_is_escaped() -> None:
    shown = card(hba1c(code={"text": MARKUP}), text=f"headline\n{MARKUP}", atoms=("<img",))
    assert "<img" not in shown


def test_an_anchor_holds_only_letters_digits_and_hyphens() -> None:
    assert anchor("Observation/a.b'c") == "other-Observation-a-b-c"


# --- chart --------------------------------------------------------------------------------------------


def drawn(*resources: dict[str, Any], cited: tuple[str, ...] = ()) -> dict[str, Any]:
    (panel,) = panels_of([facts(r, "Patient/p") for r in resources], cited)
    return panel_chart(panel, theme.LIGHT, anchor, lambda p: p.cited).to_dict()


def layer(spec: dict[str, Any], mark: str) -> dict[str, Any]:
    return next(found for found in spec["layer"] if found["mark"]["type"] == mark)


def rows(spec: dict[str, Any], mark: str) -> list[dict[str, Any]]:
    return list(spec["datasets"][layer(spec, mark)["data"]["name"]])


def test_cited_points_are_filled_and_others_hollow() -> None:
    found = rows(drawn(hba1c(), hba1c(id="b"), cited=("Observation/a",)), "point")
    assert [p["ground"] for p in found] == [theme.LIGHT.outside, theme.LIGHT.paper]


def test_a_result_outside_its_range_has_another_shape_and_a_limit_is_an_arrow() -> None:
    below = hba1c(id="b", valueQuantity={"value": 4, "unit": "%", "code": "%", "comparator": "<"})
    inside = hba1c(id="c", valueQuantity={"value": 5, "unit": "%", "code": "%"}, interpretation=[])
    assert {p["resource_id"]: p["kind"] for p in rows(drawn(hba1c(), below, inside), "point")} == {
        "Observation/a": "outside",
        "Observation/b": "below",
        "Observation/c": "inside",
    }


def test_a_value_known_only_as_a_limit_is_not_joined_by_the_line() -> None:
    below = hba1c(id="b", valueQuantity={"value": 4, "unit": "%", "code": "%", "comparator": "<"})
    assert [p["resource_id"] for p in rows(drawn(hba1c(), below), "line")] == ["Observation/a"]


def test_the_chart_names_its_axis_and_draws_band_and_partial_dates() -> None:
    spec = drawn(hba1c(effectiveDateTime="2024"))
    assert [found["mark"]["type"] for found in spec["layer"]] == ["rect", "line", "rule", "point"]
    assert spec["layer"][-1]["encoding"]["y"]["title"] == "HbA1c (%)"


def test_the_line_is_not_smoothed() -> None:
    assert layer(drawn(hba1c()), "line")["mark"]["interpolate"] == "linear"


def test_the_table_holds_every_value_and_escapes_it() -> None:
    panel = panels_of([facts(hba1c(status="<b>final"), "Patient/p")])[0]
    shown = table_html(panel, {"Observation/a": 1})
    assert "<td>2024-03-01</td><td>7.1 %</td><td>4 to 5.6</td><td>high</td><td>&lt;b&gt;final</td>" in shown
    assert 'href="#evidence-1"' in shown
