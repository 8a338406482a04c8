"""Trends: every numeric series of the record; those picked drawn above each other on one time axis."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from app import session, theme
from app.components.bridge import pressed
from app.components.chart import Span, described, panel_chart, span_of
from app.components.evidence import anchor, drawer_html, json_on_demand
from app.components.marks import marks_panel
from app.components.series_list import series_html
from app.components.state import nothing
from app.components.timeline import heading_html, values_html
from app.frame import patient_page
from app.text import escaped
from core.patients import PatientSummary
from core.timeline import Panel
from core.trends import Mark, Series, born_of_child, marks_of, series_of, since, within

_PERIODS = {"All": 0, "10 years": 10, "5 years": 5, "2 years": 2, "1 year": 1}
_PANEL_HEIGHT = {1: 250, 2: 180}


def page(patient: PatientSummary) -> None:
    record = session.record()
    series = session.kept("series", lambda: series_of(record.resources.values()))
    if not series:
        nothing(
            "No numbers to chart",
            "This record holds no Observation with a numeric value and a date. Its other content is on the Record page.",
        )
        return
    marks = session.kept("marks", lambda: marks_of(record.resources.values()))
    trends(patient, series, marks)
    json_on_demand(patient.patient, session.resource)


@st.fragment
def trends(patient: PatientSummary, series: tuple[Series, ...], marks: tuple[Mark, ...]) -> None:
    """The list on the left, the charts on the right: a fragment, so that a pick redraws nothing else."""
    toggle(pressed("series", patient.patient), series)
    chosen = [s for s in series if s.name in picked(series)]
    left, right = st.columns([1, 2.6], gap="medium")
    with left, st.container(key="series", gap="xsmall"):
        wanted = ""
        if len(series) > 12:
            wanted = st.text_input(
                "Find a series",
                key="series-search",
                placeholder=f"Find among {len(series)} series",
                type="search",
                live="200ms",
                label_visibility="collapsed",
                autocomplete="off",
            )
        listed = [s for s in series if (wanted or "").casefold() in s.panel.title.casefold()]
        st.html(series_html(listed, {s.name for s in chosen}, theme.palette().mark))
        if not listed:
            st.html('<p class="cc-quiet">No series has this in its name.</p>')
    with right:
        draw(patient, chosen, marks)


def picked(series: tuple[Series, ...]) -> list[str]:
    """The series the URL names, or those the resource it names is part of, else the first."""
    names = {s.name for s in series}
    named = [n for n in st.query_params.get("series", "").split(",") if n in names]
    of = st.query_params.get("of", "")
    part = [s.name for s in series if any(p.resource_id == of for p in s.panel.points)] if of else []
    return named or part or [series[0].name]


def toggle(name: str, series: tuple[Series, ...]) -> None:
    """Add a series to those drawn, or take it away; one always stays."""
    now = picked(series)
    if any(s.name == name for s in series):
        now = [n for n in now if n != name] if name in now else [*now, name]
        st.query_params["series"] = ",".join(now or [name])


def draw(patient: PatientSummary, chosen: list[Series], marks: tuple[Mark, ...]) -> None:
    period, shown = controls()
    first = since([s.panel for s in chosen], _PERIODS[period]) if _PERIODS[period] else None
    panels = [p for s in chosen if (p := within(s.panel, first))]
    span = span_of(panels)
    born = born_of_child(patient.birth_date, panels)
    for series in chosen:
        panel = within(series.panel, first)
        if panel is None:
            st.html(
                f'<p class="cc-quiet">{escaped(series.panel.title)}: its last result, of '
                f"{escaped(series.last[0].shown_date)}, lies before this period.</p>"
            )
        else:
            draw_panel(series, panel, span, born, _PANEL_HEIGHT.get(len(chosen), 150))
    cards = [p.resource_id for panel in panels for p in panel.points]
    for kind, title in (("Medication", "Medications"), ("Diagnosis", "Diagnoses")):
        of_kind = [
            m for m in marks if m.kind == kind and m.start <= span[1] and (m.end or span[1]) >= span[0]
        ]
        if title in shown and of_kind:
            marks_panel(title, of_kind, span, born, anchor, f"marks-{kind}")
            cards += [m.resource_id for m in of_kind]
    found = session.service().evidence(patient.patient, list(dict.fromkeys(cards)))
    st.html(drawer_html(found))


def controls() -> tuple[str, list[str]]:
    """The period to show and what to mark beside the results."""
    with st.container(key="trend-controls", horizontal=True, gap="medium", vertical_alignment="center"):
        period = st.segmented_control(
            "Period", list(_PERIODS), default="All", required=True, key="period", label_visibility="collapsed"
        )
        shown = st.pills(
            "Beside the results",
            ["Medications", "Diagnoses"],
            selection_mode="multi",
            default=["Medications", "Diagnoses"],
            key="beside",
            label_visibility="collapsed",
        )
    return period or "All", shown or []


def draw_panel(series: Series, panel: Panel, span: Span, born: datetime | None, height: int) -> None:
    with st.container(key=f"panel-{series.name}", gap=None):
        st.html(heading_html(panel, []))
        colours = theme.palette()
        st.vega_lite_chart(
            described(
                series.name,
                lambda: panel_chart(panel, colours, anchor, lambda _: True, span, born, height),
                panel,
                colours,
                span,
                born,
                height,
            ),
            key=f"chart-{series.name}",
            theme=None,
            width="stretch",
            alt=f"{panel.title} over time. {panel.takeaway}",
        )
        if series.other_units:
            st.html(
                f'<p class="cc-quiet">Also recorded in {escaped(" and ".join(series.other_units))}: a series of '
                "its own. Units are never converted into one line.</p>"
            )
        st.html(
            values_html(panel, lambda p: f'<a href="#{anchor(p.resource_id)}">{escaped(p.resource_id)}</a>')
        )


patient_page("trends", page)
