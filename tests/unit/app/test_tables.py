"""Tables and lists of the pages: ids, words and counts; whatever comes from a record or a file is escaped."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote

from app.components.audit_table import audit_html
from app.components.chart import panel_chart
from app.components.data_tables import counts_html, problems_html, report_html
from app.components.earlier import earlier_html
from app.components.evidence import anchor
from app.components.marks import marks_chart
from app.components.series_list import series_html, sparkline
from app.theme import LIGHT
from core.access.audit import AuditRow
from core.fhir.facts import facts
from core.models import REFUSAL, Answer, Facts, Timings, VerdictStatus
from core.quarantine import Quarantined
from core.trends import marks_of, series_of
from core.uploads import Report

MARKUP = "<img src=x onerror=alert(1)>"
AT = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)


def result(day: str, value: float, **more: Any) -> Facts:
    return facts(
        {
            "resourceType": "Observation",
            "id": f"r-{day}",
            "status": "final",
            "code": {"text": more.pop("name", "Ferritin")},
            "effectiveDateTime": day,
            "valueQuantity": {"value": value, "unit": "ug/L", "code": "ug/L"} | more,
        },
        "Patient/p",
    )


def rows(layer: dict[str, Any], spec: dict[str, Any]) -> list[dict[str, Any]]:
    return list(spec["datasets"][layer["data"]["name"]])


def to(change: dict[str, str]) -> str:
    return "?" + "&amp;".join(change)


def test_an_audit_row_says_who_what_and_how_it_ended() -> None:
    row = AuditRow(
        1, AT, MARKUP, "Patient/p", MARKUP, MARKUP, ("Observation/a",), "record", "ungrounded", True
    )
    shown = audit_html([row], to)
    assert "2026-03-01 12:30" in shown
    assert "refused" in shown
    assert "Observation/a" in shown
    assert "<img" not in shown


def test_a_question_without_a_verdict_was_not_answered() -> None:
    assert "not answered" in audit_html(
        [AuditRow(1, AT, "u", "Patient/p", "", "q", (), "llm", "unanswered", False)], to
    )


def test_what_is_loaded_is_counted_by_type() -> None:
    shown = counts_html({"Observation": 1200, "Patient": 3})
    assert "3 patients, 1,203 resources" in shown
    assert "1,200" in shown


def test_the_quarantine_names_file_entry_and_reason_and_is_paged() -> None:
    problems = [Quarantined(f"/in/{MARKUP}.json", "entry[3]", MARKUP, AT)]
    shown = problems_html(problems, 50, 120, lambda n: f"?from={n}")
    assert "entry[3]" in shown
    assert "51 to 51" in shown
    assert "?from=51" in shown
    assert "<img" not in shown
    assert "Everything that was loaded was taken." in problems_html([], 0, 0, str)


def test_an_upload_is_reported_in_counts() -> None:
    shown = report_html(f"{MARKUP}.json", Report(read=5, written=3, unchanged=1, quarantined=1))
    assert "5 resources read: 3 new, 1 unchanged, 1 in quarantine." in shown
    assert "<img" not in shown


def test_an_earlier_answer_keeps_question_badge_and_text() -> None:
    answer = Answer(
        patient="Patient/p",
        question=MARKUP,
        answer=f"{REFUSAL} {MARKUP}",
        verdict=VerdictStatus.UNGROUNDED,
        refused=True,
        answerer="record",
        claims=[],
        citations=[],
        retrieved=[],
        timings_ms=Timings(),
    )
    shown = earlier_html([(answer, "?question")])
    assert "Not in this record" in shown
    assert "&lt;img" in shown
    assert "<img" not in shown


def test_the_list_of_series_shows_last_value_change_and_count() -> None:
    series = series_of(
        [result("2020-01-01", 30), result("2021-01-01", 45), result("2021-02-01", 1, name=MARKUP)]
    )
    shown = series_html(series, {series[0].name}, "#000")
    assert "45 ug/L" in shown
    assert "2 results · last 2021-01-01 · +15 since 2020-01-01" in shown
    assert shown.count('aria-pressed="true"') == 1
    assert "<img src=x" not in shown


def test_a_sparkline_does_not_join_what_is_only_a_limit() -> None:
    series = series_of(
        [result("2020-01-01", 30), result("2021-01-01", 45), result("2022-01-01", 5, comparator="<")]
    )
    picture = unquote(sparkline(series[0], "#123456"))
    points = picture.partition('points="')[2].partition('"')[0].split()
    assert len(points) == 2
    assert 'fill="none" stroke="#123456"/></svg>' in picture  # the last value's ring is open


def test_a_chart_point_links_to_its_card_and_a_limit_is_open() -> None:
    panel = series_of([result("2020-01-01", 30), result("2022-01-01", 5, comparator="<")])[0].panel
    spec = panel_chart(panel, LIGHT, anchor, lambda _: True).to_dict()
    points = rows(spec["layer"][-1], spec)
    assert [r["href"] for r in points] == [
        "#other-Observation-r-2020-01-01",
        "#other-Observation-r-2022-01-01",
    ]
    assert [r["ground"] for r in points] == [LIGHT.mark, LIGHT.paper]


def test_a_childs_axis_tells_the_age() -> None:
    panel = series_of([result("2020-01-01", 30)])[0].panel
    spec = panel_chart(panel, LIGHT, anchor, lambda _: True, born=datetime(2015, 5, 5)).to_dict()
    assert "datetime(2015, 4, 5)" in spec["layer"][-1]["encoding"]["x"]["axis"]["labelExpr"]


def test_marks_draw_an_end_only_where_one_is_known() -> None:
    def condition(identifier: str, **more: Any) -> Facts:
        coded = {"clinicalStatus": {"coding": [{"code": "active"}]}, "code": {"text": identifier}}
        return facts(
            {"resourceType": "Condition", "id": identifier, "onsetDateTime": "2020-01-01"} | coded | more,
            "Patient/p",
        )

    ended = {"clinicalStatus": {"coding": [{"code": "resolved"}]}, "abatementDateTime": "2021-01-01"}
    vague = {"clinicalStatus": {"coding": [{"code": "resolved"}]}}
    marks = marks_of([condition("on"), condition("ended", **ended), condition("vague", **vague)])
    spec = marks_chart(marks, LIGHT, (datetime(2019, 1, 1), datetime(2022, 1, 1)), None, anchor).to_dict()
    drawn = {
        layer["mark"].get("strokeWidth"): [r["lane"] for r in rows(layer, spec)]
        for layer in spec["layer"][:2]
    }
    assert drawn == {4: ["ended"], 3: ["on"]}
    assert {r["lane"]: r["until"] for r in rows(spec["layer"][2], spec)}["vague"] == "no end recorded"
