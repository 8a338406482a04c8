"""Diagnoses and medication orders on the same time axis as the results: one lane each, ends only where they are recorded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

import streamlit as st

from app import theme
from app.components.chart import Span, Spec, fixed_width, framed, time_axis
from app.text import escaped
from core.trends import Mark

LANES = 8  # of each kind
_LANE_HEIGHT = 24


def marks_panel(
    title: str, marks: Sequence[Mark], span: Span, born: datetime | None, link: Callable[[str], str], key: str
) -> None:
    """The first lanes as a chart, every mark in the table beneath."""
    lanes = list(dict.fromkeys(m.lane for m in marks))
    drawn = [m for m in marks if m.lane in set(lanes[:LANES])]
    more = f"{LANES} of {len(lanes)} drawn, all in the table" if len(lanes) > LANES else ""
    with st.container(key=f"panel-{key}", gap=None):
        keys = [("▶", "began"), ("━", "until its recorded end"), ("┅", "still active")]
        legend = "".join(f"<span><i aria-hidden='true'>{i}</i> {words}</span>" for i, words in keys)
        st.html(
            f'<div class="cc-panel-head"><h2 class="cc-h2">{escaped(title)} <span>{more}</span></h2>'
            f'<p class="cc-key">{legend}</p></div>'
        )
        st.vega_lite_chart(
            marks_chart(drawn, theme.palette(), span, born, link),
            key=f"chart-{key}",
            theme=None,
            width="stretch",
            alt=f"{title} over time: {', '.join(lanes[:LANES])}.",
        )
        st.html(_table(marks, link))


def marks_chart(
    marks: Sequence[Mark],
    colours: theme.Palette,
    span: Span,
    born: datetime | None,
    link: Callable[[str], str],
) -> Spec:
    lanes = list(dict.fromkeys(m.lane for m in marks))
    first, last = span
    seen = [m for m in marks if m.start <= last and (m.end or last) >= first]
    # Of several active orders of one thing the first says it all.
    since = {m.lane: m for m in reversed(seen) if m.ongoing}
    rows = [_row(m, last, link, since.get(m.lane) is m) for m in seen]
    y = {
        "field": "lane",
        "type": "nominal",
        "scale": {"domain": lanes},
        # A blank title keeps the room that the title of a result's axis takes: one time axis for all.
        "title": " ",
        "axis": {
            "labels": False,
            "ticks": False,
            "domain": False,
            "grid": True,
            **fixed_width(),
        },
    }
    x = time_axis(span, born, "start")
    tooltip = [
        {"field": field, "type": "nominal", "title": name}
        for field, name in (("lane", "What"), ("from", "Began"), ("until", "Ended"), ("status", "Status"))
    ]
    clip = {"clip": True, "color": colours.mark}
    long = {"x": x, "x2": {"field": "stop"}, "y": y, "tooltip": tooltip}
    names = [{"lane": lane, "at": first.isoformat()} for lane in lanes]
    layers: list[Spec] = [
        {
            "data": {"values": [r for r in rows if r["ends"]]},
            "mark": {"type": "rule", "strokeWidth": 4, "opacity": 0.7, "yOffset": 5, **clip},
            "encoding": long,
        },
        {
            "data": {"values": [r for r in rows if r["goes_on"]]},
            "mark": {
                "type": "rule",
                "strokeWidth": 3,
                "opacity": 0.7,
                "strokeDash": [6, 3],
                "yOffset": 5,
                **clip,
            },
            "encoding": long,
        },
        {
            "data": {"values": rows},
            "mark": {
                "type": "point",
                "shape": "triangle-right",
                "size": 60,
                "filled": True,
                "opacity": 1,
                "cursor": "pointer",
                "yOffset": 5,
                **clip,
            },
            "encoding": {"x": x, "y": y, "href": {"field": "href", "type": "nominal"}, "tooltip": tooltip},
        },
        {
            "data": {"values": names},
            "mark": {
                "type": "text",
                "align": "left",
                "dx": 4,
                "dy": -6,
                "fontSize": 11,
                "color": colours.ink,
                "limit": 420,
            },
            "encoding": {"x": {**x, "field": "at"}, "y": y, "text": {"field": "lane", "type": "nominal"}},
        },
    ]
    layers = [layer for layer in layers if layer["data"]["values"]]
    return framed(layers, colours, _LANE_HEIGHT * max(1, len(lanes)) + 24)


def _row(mark: Mark, last: datetime, link: Callable[[str], str], goes_on: bool) -> Spec:
    stop = mark.end or (last if mark.ongoing else mark.start)
    return {
        "lane": mark.lane,
        "start": mark.start.isoformat(),
        "stop": stop.isoformat(),
        "from": mark.shown_date,
        "until": _until(mark),
        "status": mark.status,
        "ends": mark.end is not None,
        "goes_on": goes_on,
        "href": f"#{link(mark.resource_id)}",
    }


def _until(mark: Mark) -> str:
    return mark.shown_end or ("still active" if mark.ongoing else "no end recorded")


def _table(marks: Sequence[Mark], link: Callable[[str], str]) -> str:
    rows = "".join(
        f"<tr><td>{escaped(m.lane)}</td><td>{escaped(m.shown_date)}</td><td>{escaped(_until(m))}</td>"
        f'<td>{escaped(m.status)}</td><td><a href="#{link(m.resource_id)}">card</a></td></tr>'
        for m in marks
    )
    return (
        f'<details class="cc-rest"><summary>{len(marks)} entries as a table</summary><table class="cc-table">'
        "<thead><tr><th>What</th><th>Began</th><th>Ended</th><th>Status</th><th>Evidence</th></tr></thead>"
        f"<tbody>{rows}</tbody></table></details>"
    )
