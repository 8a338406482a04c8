"""Diagnoses and medication orders on the same time axis as the results: one lane each, ends only where they are recorded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

import altair as alt
import streamlit as st

from app import theme
from app.components.chart import Row, Span, chart_of, described, fixed_width, framed, time_axis
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
        colours = theme.palette()
        st.vega_lite_chart(
            described(key, lambda: marks_chart(drawn, colours, span, born, link), drawn, colours, span, born),
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
) -> alt.LayerChart:
    lanes = list(dict.fromkeys(m.lane for m in marks))
    first, last = span
    seen = [m for m in marks if m.start <= last and (m.end or last) >= first]
    # Of several active orders of one thing the first says it all.
    since = {m.lane: m for m in reversed(seen) if m.ongoing}
    rows = [_row(m, last, link, since.get(m.lane) is m) for m in seen]
    # A blank title keeps the room that the title of a result's axis takes: one time axis for all.
    axis = fixed_width(alt.Axis(labels=False, ticks=False, domain=False, grid=True))
    y = alt.Y("lane:N", scale=alt.Scale(domain=lanes), title=" ", axis=axis)
    x = time_axis(span, born, "start")
    told = (("lane", "What"), ("from", "Began"), ("until", "Ended"), ("status", "Status"))
    tooltip = [alt.Tooltip(f"{field}:N", title=name) for field, name in told]
    ended = [r for r in rows if r["ends"]]
    ongoing = [r for r in rows if r["goes_on"]]
    layers: list[alt.Chart] = []
    for lines, look in ((ended, {"strokeWidth": 4}), (ongoing, {"strokeWidth": 3, "strokeDash": [6, 3]})):
        if lines:
            rule = chart_of(lines).mark_rule(opacity=0.7, yOffset=5, clip=True, color=colours.mark, **look)
            layers.append(rule.encode(x=x, x2="stop", y=y, tooltip=tooltip))
    if rows:
        starts = chart_of(rows).mark_point(
            shape="triangle-right",
            size=60,
            filled=True,
            opacity=1,
            cursor="pointer",
            yOffset=5,
            clip=True,
            color=colours.mark,
        )
        layers.append(starts.encode(x=x, y=y, href="href:N", tooltip=tooltip))
    names = chart_of([{"lane": lane, "at": first.isoformat()} for lane in lanes]).mark_text(
        align="left", dx=4, dy=-6, fontSize=11, color=colours.ink, limit=420
    )
    layers.append(names.encode(x=time_axis(span, born, "at"), y=y, text="lane:N"))
    return framed(layers, colours, _LANE_HEIGHT * max(1, len(lanes)) + 24)


def _row(mark: Mark, last: datetime, link: Callable[[str], str], goes_on: bool) -> Row:
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
