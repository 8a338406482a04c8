"""The record at a glance, as panels of links; an empty panel says that nothing is recorded, never that there is nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.components.chart import OUTSIDE
from app.text import escaped
from core.overview import Line, Overview
from core.trends import Series

Link = Callable[[dict[str, str]], str]  # query parameters of this patient's record page -> address


def overview_html(
    found: Overview, vitals: Sequence[Series], labs: Sequence[Series], record: Link, trends: Link
) -> str:
    """All panels; `record` and `trends` give the addresses of their links."""
    of_type = {
        kind: record({"type": kind})
        for kind in ("Condition", "MedicationRequest", "AllergyIntolerance", "Encounter")
    }
    findings = f" · {found.other_findings} other findings" if found.other_findings else ""
    panels = [
        _panel(
            "Active problems",
            _lines(found.problems, record),
            f"{found.problems_earlier} resolved or inactive{findings}",
            of_type["Condition"],
            "No active problem is recorded.",
        ),
        _panel(
            "Current medications",
            _lines(found.medications, record),
            f"{found.medications_earlier} earlier",
            of_type["MedicationRequest"],
            "No current medication is recorded.",
        ),
        _panel(
            "Allergies and intolerances",
            _lines(found.allergies, record),
            "",
            of_type["AllergyIntolerance"],
            "No allergy is recorded. That does not say that there is none.",
        ),
        _panel("Last vital signs", _results(vitals, trends), "", trends({}), "No vital sign is recorded."),
        _panel(
            "Last laboratory results",
            _results(labs, trends),
            "",
            trends({}),
            "No laboratory result is recorded.",
        ),
        _panel(
            "Encounters",
            _years(found) + _lines(found.encounters, record),
            "",
            of_type["Encounter"],
            "No encounter is recorded.",
        ),
    ]
    return f'<div class="cc-overview">{"".join(panels)}</div>'


def _panel(title: str, body: str, note: str, more: str, empty: str) -> str:
    shown = body or f'<p class="cc-quiet">{empty}</p>'
    foot = f'<p class="cc-more-line">{note} <a data-go href="{more}" aria-label="{title}: all">all</a></p>'
    return f'<section class="cc-box"><h2 class="cc-h2">{title}</h2>{shown}{foot}</section>'


def _lines(lines: Sequence[Line], record: Link) -> str:
    if not lines:
        return ""
    return f'<ul class="cc-plain">{"".join(_line(line, record) for line in lines)}</ul>'


def _line(line: Line, record: Link) -> str:
    more = f' <span class="cc-quiet">+{line.more}</span>' if line.more else ""
    detail = f'<span class="cc-detail">{escaped(line.detail)}</span>' if line.detail else ""
    status = f" · {escaped(line.status)}" if line.status not in ("active", "finished", "") else ""
    return (
        f'<li><span class="cc-what"><a data-go href="{record({"resource": line.resource_id})}">'
        f"{escaped(line.label)}</a>{more}</span>"
        f'<span class="cc-when">{escaped(line.date)}{status}</span>{detail}</li>'
    )


def _results(series: Sequence[Series], trends: Link) -> str:
    rows = []
    for one in series:
        outside = any(p.standing in OUTSIDE for p in one.last)
        sign = '<span class="cc-out" title="outside its reference range">◆ </span>' if outside else ""
        rows.append(
            f'<li><a data-go href="{trends({"series": one.name})}">{escaped(one.panel.name)}</a>'
            f'<b>{sign}{escaped(one.last_shown)}</b><span class="cc-when">{escaped(one.last[0].shown_date)}</span></li>'
        )
    return f'<ul class="cc-plain is-results">{"".join(rows)}</ul>' if rows else ""


def _years(found: Overview) -> str:
    """Encounters a year as bars: how often the patient was seen, without a number having to be read."""
    if not found.encounters_by_year:
        return ""
    years = found.encounters_by_year[-40:]
    most = max(number for _, number in years)
    bars = "".join(
        f'<span title="{year}: {number} encounters" style="height:{round(100 * number / most)}%"></span>'
        for year, number in years
    )
    total = sum(number for _, number in found.encounters_by_year)
    first, last = years[0][0], years[-1][0]
    words = f"{total} encounters, {found.encounters_by_year[0][0]} to {last}"
    return (
        f'<div class="cc-years" role="img" aria-label="{words}">{bars}</div>'
        f'<p class="cc-years-ends"><span>{first}</span><span>{words}</span><span>{last}</span></p>'
    )
