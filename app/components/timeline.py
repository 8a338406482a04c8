"""The chart of the retrieved results: one panel per quantity and unit, time on a true axis, nothing smoothed.

Filled points are cited, hollow ones are not; a diamond lies outside its own reference range; an arrow is a
value known only as "less than" or "more than"; a bar is a date known only to its month or year.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import altair as alt
import streamlit as st

from app import theme
from app.components.evidence import anchor
from app.text import escaped
from core.timeline import Panel, Point, Standing

_UP = "M-0.7,0.1L0,-0.9L0.7,0.1M0,-0.9L0,0.9"
_DOWN = "M-0.7,-0.1L0,0.9L0.7,-0.1M0,0.9L0,-0.9"
_SHAPES = {"inside": "circle", "outside": "diamond", "below": _DOWN, "above": _UP}
_OUTSIDE = (Standing.LOW, Standing.HIGH, Standing.ABNORMAL)


def timeline(panels: tuple[Panel, ...], numbers: dict[str, int], key: str) -> str:
    """Draw the panels; returns the resource whose point was selected last, "" if none was.

    Panels without a cited point are folded while there are others, and drawn only when unfolded.
    """
    cited = [panel for panel in panels if any(p.cited for p in panel.points)]
    shown = cited or list(panels[:1])
    rest = [panel for panel in panels if panel not in shown]
    picked = {panel.key: _panel(panel, numbers, f"{key}-{index}") for index, panel in enumerate(shown)}
    if rest:
        words = "1 more chart" if len(rest) == 1 else f"{len(rest)} more charts"
        fold = st.expander(f"{words} of retrieved results", key=f"more-charts-{key}", on_change="rerun")
        if fold.open:
            with fold:
                picked |= {p.key: _panel(p, numbers, f"{key}-more-{index}") for index, p in enumerate(rest)}
    return _last_picked(picked, f"picked-{key}")


def _last_picked(picked: dict[str, str], name: str) -> str:
    """Every chart keeps its own selection; the one that changed is the one just clicked."""
    before, last = st.session_state.get(name, ({}, ""))
    last = next((now for panel, now in picked.items() if now and before.get(panel) != now), last)
    st.session_state[name] = (picked, last)
    return last


def _panel(panel: Panel, numbers: dict[str, int], key: str) -> str:
    with st.container(key=f"panel-{key}", gap=None):
        st.html(_heading(panel))
        event = st.altair_chart(
            chart(panel, theme.palette()),
            key=f"chart-{key}",
            on_select="rerun",
            selection_mode="point",
            theme=None,
            width="stretch",
            alt=f"{panel.title} over time. {panel.takeaway}",
        )
        st.html(table_html(panel, numbers))
    picked = event["selection"].get("point", [])
    return str(picked[-1].get("resource_id", "")) if picked else ""


def chart(panel: Panel, colours: theme.Palette) -> alt.LayerChart:
    """The Altair chart of one panel."""
    low, high = _domain(panel)
    first, last = _span(panel)
    x = alt.X(
        "at:T",
        title=None,
        scale=alt.Scale(domain=[first, last]),
        axis=alt.Axis(tickCount=6, labelFlush=False),
    )
    y = alt.Y(
        "value:Q",
        title=panel.title,
        scale=alt.Scale(domain=[low, high], nice=True, zero=False),
        axis=alt.Axis(tickCount=4, domain=False, ticks=False),
    )
    points = [_row(p, panel, colours) for p in panel.points]
    layers: list[Any] = []
    if panel.bands:
        bands = [
            {
                "start": b.start.isoformat() if b.start > datetime.min else first,
                "end": b.end.isoformat(),
                "low": low if b.low is None else max(b.low, low),
                "high": high if b.high is None else min(b.high, high),
            }
            for b in panel.bands
        ]
        if len(panel.points) == 1 or len(bands) == 1:
            bands[0]["start"], bands[-1]["end"] = first, last
        layers.append(
            alt.Chart(_inline(bands))
            .mark_rect(color=colours.band, clip=True)
            .encode(x="start:T", x2="end:T", y="low:Q", y2="high:Q")
        )
    exact = [p for p in points if p["kind"] in ("inside", "outside")]
    colour = alt.Color(
        "line:N",
        scale=alt.Scale(domain=list(panel.lines), range=[colours.mark, colours.second]),
        legend=alt.Legend(title=None, orient="top") if len(panel.lines) > 1 else None,
    )
    layers.append(
        alt.Chart(_inline(exact))
        .mark_line(strokeWidth=1.4, opacity=0.75, interpolate="linear")
        .encode(x=x, y=y, color=colour)
    )
    partial = [p for p in points if p["partial"]]
    if partial:
        layers.append(
            alt.Chart(_inline(partial))
            .mark_rule(strokeWidth=4, opacity=0.45)
            .encode(x="start:T", x2="end:T", y=y, color=colour)
        )
    pick = alt.selection_point(name="point", fields=["resource_id"], on="click", clear=False, empty=False)
    layers.append(
        alt.Chart(_inline(points))
        .mark_point(size=70, strokeWidth=1.8, opacity=1, cursor="pointer")
        .encode(
            x=x,
            y=y,
            shape=alt.Shape(
                "kind:N", scale=alt.Scale(domain=list(_SHAPES), range=list(_SHAPES.values())), legend=None
            ),
            stroke=alt.Stroke("ink:N", scale=None),
            fill=alt.Fill("ground:N", scale=None),
            size=alt.when(pick).then(alt.value(170)).otherwise(alt.value(70)),
            tooltip=[alt.Tooltip(f"{field}:N", title=title) for field, title in _tooltip(panel)],
        )
        .add_params(pick)
    )
    laid_out: alt.LayerChart = (
        alt.layer(*layers)
        .properties(
            height=196, background="transparent", padding={"left": 2, "right": 8, "top": 6, "bottom": 2}
        )
        .configure(font=theme.FONT)
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=colours.muted,
            titleColor=colours.ink,
            gridColor=colours.grid,
            domainColor=colours.muted,
            tickColor=colours.muted,
            labelFontSize=11,
            titleFontSize=12,
            titleFontWeight=600,
        )
        .configure_axisX(grid=False)
        .configure_legend(labelColor=colours.ink, labelFontSize=12)
    )
    return laid_out


def _row(point: Point, panel: Panel, colours: theme.Palette) -> dict[str, Any]:
    """One point as chart data. Moments carry no offset, so that every browser draws the recorded day."""
    kind = {"<": "below", "<=": "below", ">": "above", ">=": "above"}.get(
        point.comparator, "outside" if point.standing in _OUTSIDE else "inside"
    )
    own = colours.second if point.line != panel.lines[0] else colours.mark
    ink = colours.outside if point.standing in _OUTSIDE else own
    return {
        "ink": ink,
        "ground": ink if point.cited else colours.paper,
        "resource_id": point.resource_id,
        "line": point.line,
        "value": point.value,
        "at": point.at.isoformat(),
        "start": point.start.isoformat(),
        "end": point.end.isoformat(),
        "shown": point.shown,
        "date": point.shown_date,
        "reference": point.range_text or "none given",
        "status": point.status,
        "evidence": "cited" if point.cited else "retrieved, not cited",
        "kind": kind,
        "partial": point.partial,
    }


def _tooltip(panel: Panel) -> list[tuple[str, str]]:
    named = [("line", "Measured")] if len(panel.lines) > 1 else []
    return [
        *named,
        ("shown", panel.name),
        ("date", "Date"),
        ("reference", "Reference"),
        ("status", "Status"),
        ("evidence", "Evidence"),
    ]


def _inline(rows: list[dict[str, Any]]) -> alt.InlineData:
    return alt.InlineData(values=rows)


def _domain(panel: Panel) -> tuple[float, float]:
    """The value axis: every value and every limit of a range, with a margin."""
    seen = [p.value for p in panel.points]
    seen += [limit for b in panel.bands for limit in (b.low, b.high) if limit is not None]
    low, high = min(seen), max(seen)
    margin = (high - low) * 0.12 or abs(high) * 0.1 or 1.0
    return (max(0.0, low - margin) if low >= 0 else low - margin), high + margin


def _span(panel: Panel) -> tuple[str, str]:
    """The time axis: first to last result with a margin, at least a month wide."""
    first, last = min(p.start for p in panel.points), max(p.end for p in panel.points)
    margin = max((last - first) * 0.03, timedelta(days=15))
    try:
        return (first - margin).isoformat(), (last + margin).isoformat()
    except OverflowError:
        return first.isoformat(), last.isoformat()


def _heading(panel: Panel) -> str:
    cited = sum(p.cited for p in panel.points)
    keys = [("●", "cited")]
    if cited < len(panel.points):
        keys.append(("○", "retrieved, not cited"))
    if any(p.standing in _OUTSIDE for p in panel.points):
        keys.append(("◆", "outside its reference range"))
    if any(p.comparator for p in panel.points):
        keys.append(("↓↑", "only a limit is known"))
    if any(p.partial for p in panel.points):
        keys.append(("▬", "day not recorded"))
    if panel.bands:
        keys.append(("▒", "reference range"))
    tones = {"◆": " class='is-outside'", "▒": " class='is-band'"}
    legend = "".join(
        f"<span><i aria-hidden='true'{tones.get(i, '')}>{i}</i> {words}</span>" for i, words in keys
    )
    title = f'<h2 class="cc-h2">{escaped(panel.title)}</h2>'
    return f'<div class="cc-panel-head">{title}<p class="cc-key">{legend}</p></div>'


def table_html(panel: Panel, numbers: dict[str, int]) -> str:
    """Every point's exact value, newest first: the chart for those who read or cannot see it."""
    several = len(panel.lines) > 1
    rows = "".join(
        f"<tr>{''.join(f'<td>{cell}</td>' for cell in _cells(p, several, numbers))}</tr>"
        for p in reversed(panel.points)
    )
    head = "".join(
        f"<th>{name}</th>"
        for name in (
            "Date",
            *(("Measured",) if several else ()),
            "Value",
            "Reference",
            "Standing",
            "Status",
            "Evidence",
        )
    )
    count = "1 value" if len(panel.points) == 1 else f"{len(panel.points)} values"
    return (
        f'<details class="cc-rest"><summary>{count} as a table</summary>'
        f'<table class="cc-table"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></details>'
    )


def _cells(point: Point, several: bool, numbers: dict[str, int]) -> list[str]:
    cells = [point.shown_date, *((point.line,) if several else ()), point.shown, point.range_text]
    return [*(escaped(c) or "–" for c in (*cells, point.standing.value, point.status)), _link(point, numbers)]


def _link(point: Point, numbers: dict[str, int]) -> str:
    number = numbers.get(point.resource_id)
    if number is None:
        return f"<code>{escaped(point.resource_id)}</code>"
    return f'<a class="cc-cite" href="#evidence-{number}" aria-label="Evidence {number}">{number}</a>'


def card_of(resource_id: str, numbers: dict[str, int]) -> str:
    """The HTML id of the card a point opens."""
    number = numbers.get(resource_id)
    return f"evidence-{number}" if number else anchor(resource_id)
