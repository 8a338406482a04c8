"""One panel as a chart: time on a true axis, one quantity in one unit, nothing smoothed, nothing converted.

A diamond lies outside its own reference range, an open arrow is a value known only as "less than" or "more than", a
bar is a date known only to its month or year. A point links to its card: the browser goes there by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

import altair as alt
import streamlit as st

from app import theme
from core.timeline import Panel, Point, Standing

Row = dict[str, Any]
Span = tuple[datetime, datetime]

_UP = "M-0.7,0.1L0,-0.9L0.7,0.1M0,-0.9L0,0.9"
_DOWN = "M-0.7,-0.1L0,0.9L0.7,-0.1M0,0.9L0,-0.9"
_SHAPES = {"inside": "circle", "outside": "diamond", "below": _DOWN, "above": _UP}
OUTSIDE = (Standing.LOW, Standing.HIGH, Standing.ABNORMAL)
_GUTTER = 62  # pixels left of every plot, so that panels below each other share one time axis
_YEAR_MS = 31_556_952_000


def described(name: str, make: Callable[[], alt.LayerChart], *key: object) -> dict[str, Any]:
    """A chart as Vega-Lite, kept in this session while its content (`key`) is the same: Altair takes 0.1 s and more."""
    kept = st.session_state.get(f"described-{name}")
    if not kept or kept[0] != key:
        kept = (key, make().to_dict())
        st.session_state[f"described-{name}"] = kept
    found: dict[str, Any] = kept[1]
    return found


def panel_chart(
    panel: Panel,
    colours: theme.Palette,
    link: Callable[[str], str],
    filled: Callable[[Point], bool],
    span: Span | None = None,
    born: datetime | None = None,
    height: int = 196,
) -> alt.LayerChart:
    """The chart of one panel. `link` gives the HTML id of a point's card; with `born` the axis tells the age too."""
    low, high = _domain(panel)
    span = span or span_of([panel])
    x = time_axis(span, born)
    y = alt.Y(
        "value:Q",
        title=panel.title,
        scale=alt.Scale(domain=[low, high], nice=True, zero=False),
        axis=fixed_width(alt.Axis(tickCount=4, domain=False, ticks=False)),
    )
    colour = alt.Color(
        "line:N",
        scale=alt.Scale(domain=list(panel.lines), range=[colours.mark, colours.second]),
        legend=alt.Legend(title=None, orient="top") if len(panel.lines) > 1 else None,
    )
    points = [_row(p, panel, colours, link, filled) for p in panel.points]
    layers = [_bands(panel, colours, span, born, low, high)] if panel.bands else []
    layers.append(
        chart_of([p for p in points if p["kind"] in ("inside", "outside")])
        .mark_line(strokeWidth=1.4, opacity=0.75, interpolate="linear")
        .encode(x=x, y=y, color=colour)
    )
    partial = [p for p in points if p["partial"]]
    if partial:
        layers.append(
            chart_of(partial)
            .mark_rule(strokeWidth=4, opacity=0.45)
            .encode(x=time_axis(span, born, "start"), x2="end", y=y, color=colour)
        )
    layers.append(
        chart_of(points)
        .mark_point(size=70, strokeWidth=1.8, opacity=1, cursor="pointer")
        .encode(
            x=x,
            y=y,
            shape=alt.Shape(
                "kind:N", scale=alt.Scale(domain=list(_SHAPES), range=list(_SHAPES.values())), legend=None
            ),
            stroke=alt.Stroke("ink:N", scale=None),
            fill=alt.Fill("ground:N", scale=None),
            href="href:N",
            tooltip=[alt.Tooltip(f"{field}:N", title=title) for field, title in _tooltip(panel)],
        )
    )
    return framed(layers, colours, height)


def chart_of(rows: list[Row]) -> alt.Chart:
    """A chart of rows that travel with it."""
    return alt.Chart(alt.InlineData(values=rows))


def framed(layers: Sequence[alt.Chart], colours: theme.Palette, height: int) -> alt.LayerChart:
    """Layers as one chart in the page's visual language."""
    laid_out: alt.LayerChart = (
        alt.layer(*layers)
        .properties(
            height=height,
            background="transparent",
            padding={"left": 2, "right": 8, "top": 6, "bottom": 2},
            autosize=alt.AutoSizeParams(type="fit", contains="padding"),
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


def time_axis(span: Span, born: datetime | None = None, field: str = "at") -> alt.X:
    """The time encoding over a span; a child's age stands under each date."""
    axis = alt.Axis(tickCount=6, labelFlush=False, labelOverlap=True)
    if born:
        years = f"(datum.value - {_moment_js(born)}) / {_YEAR_MS}"
        age = f"{years} < 2 ? floor({years} * 12) + ' months' : floor({years}) + ' years'"
        axis["labelExpr"] = f"[datum.label, datum.value < {_moment_js(born)} ? '' : ({age})]"
    return alt.X(
        f"{field}:T", title=None, scale=alt.Scale(domain=[_date_time(moment) for moment in span]), axis=axis
    )


def fixed_width(axis: alt.Axis) -> alt.Axis:
    """The axis, as wide as that of every other panel."""
    axis["minExtent"] = axis["maxExtent"] = _GUTTER - 16
    return axis


def span_of(panels: Sequence[Panel]) -> Span:
    """The time axis of panels: first to last result with a margin, at least a month wide."""
    first = min(p.start for panel in panels for p in panel.points)
    last = max(p.end for panel in panels for p in panel.points)
    margin = max((last - first) * 0.03, timedelta(days=15))
    try:
        return first - margin, last + margin
    except OverflowError:
        return first, last


def _date_time(moment: datetime) -> alt.DateTime:
    """Read as wall-clock time, as the points are."""
    return alt.DateTime(
        year=moment.year, month=moment.month, date=moment.day, hours=moment.hour, minutes=moment.minute
    )


def _moment_js(moment: datetime) -> str:
    return f"datetime({moment.year}, {moment.month - 1}, {moment.day})"


def _bands(
    panel: Panel, colours: theme.Palette, span: Span, born: datetime | None, low: float, high: float
) -> alt.Chart:
    first, last = (moment.isoformat() for moment in span)
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
    drawn: alt.Chart = (
        chart_of(bands)
        .mark_rect(color=colours.band, clip=True)
        .encode(x=time_axis(span, born, "start"), x2="end", y="low:Q", y2="high")
    )
    return drawn


def _row(
    point: Point,
    panel: Panel,
    colours: theme.Palette,
    link: Callable[[str], str],
    filled: Callable[[Point], bool],
) -> Row:
    """One point as chart data. Moments carry no offset, so that every browser draws the recorded day."""
    outside = point.standing in OUTSIDE
    kind = {"<": "below", "<=": "below", ">": "above", ">=": "above"}.get(
        point.comparator, "outside" if outside else "inside"
    )
    own = colours.second if point.line != panel.lines[0] else colours.mark
    ink = colours.outside if outside else own
    return {
        "ink": ink,
        "ground": ink if filled(point) and not point.comparator else colours.paper,
        "resource_id": point.resource_id,
        "href": f"#{link(point.resource_id)}",
        "line": point.line,
        "value": point.value,
        "at": point.at.isoformat(),
        "start": point.start.isoformat(),
        "end": point.end.isoformat(),
        "shown": point.shown,
        "date": point.shown_date,
        "reference": point.range_text or "none given",
        "status": point.status,
        "kind": kind,
        "partial": point.partial,
    }


def _tooltip(panel: Panel) -> list[tuple[str, str]]:
    named = [("line", "Measured")] if len(panel.lines) > 1 else []
    shown = [("shown", panel.name), ("date", "Date"), ("reference", "Reference"), ("status", "Status")]
    return [*named, *shown]


def _domain(panel: Panel) -> tuple[float, float]:
    """The value axis: every value and every limit of a range, with a margin."""
    seen = [p.value for p in panel.points]
    seen += [limit for b in panel.bands for limit in (b.low, b.high) if limit is not None]
    low, high = min(seen), max(seen)
    margin = (high - low) * 0.12 or abs(high) * 0.1 or 1.0
    return (max(0.0, low - margin) if low >= 0 else low - margin), high + margin
