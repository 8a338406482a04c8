"""One panel as a Vega-Lite chart: time on a true axis, one quantity in one unit, nothing smoothed, nothing converted.

A diamond lies outside its own reference range, an open arrow is a value known only as "less than" or "more than", a
bar is a date known only to its month or year. A point links to its card: the browser goes there by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from app import theme
from core.timeline import Panel, Point, Standing

Spec = dict[str, Any]
Span = tuple[datetime, datetime]

_UP = "M-0.7,0.1L0,-0.9L0.7,0.1M0,-0.9L0,0.9"
_DOWN = "M-0.7,-0.1L0,0.9L0.7,-0.1M0,0.9L0,-0.9"
_SHAPES = {"inside": "circle", "outside": "diamond", "below": _DOWN, "above": _UP}
OUTSIDE = (Standing.LOW, Standing.HIGH, Standing.ABNORMAL)
_GUTTER = 62  # pixels left of every plot, so that panels below each other share one time axis
_YEAR_MS = 31_556_952_000


def panel_chart(
    panel: Panel,
    colours: theme.Palette,
    link: Callable[[str], str],
    filled: Callable[[Point], bool],
    span: Span | None = None,
    born: datetime | None = None,
    height: int = 196,
) -> Spec:
    """The chart of one panel. `link` gives the HTML id of a point's card; with `born` the axis tells the age too."""
    low, high = _domain(panel)
    span = span or span_of([panel])
    x = time_axis(span, born)
    y = {
        "field": "value",
        "type": "quantitative",
        "title": panel.title,
        "scale": {"domain": [low, high], "nice": True, "zero": False},
        "axis": {"tickCount": 4, "domain": False, "ticks": False, **fixed_width()},
    }
    colour = {
        "field": "line",
        "type": "nominal",
        "scale": {"domain": list(panel.lines), "range": [colours.mark, colours.second]},
        "legend": {"title": None, "orient": "top"} if len(panel.lines) > 1 else None,
    }
    points = [_row(p, panel, colours, link, filled) for p in panel.points]
    layers = [_bands(panel, colours, span, x, low, high)] if panel.bands else []
    layers.append(
        {
            "data": {"values": [p for p in points if p["kind"] in ("inside", "outside")]},
            "mark": {"type": "line", "strokeWidth": 1.4, "opacity": 0.75, "interpolate": "linear"},
            "encoding": {"x": x, "y": y, "color": colour},
        }
    )
    partial = [p for p in points if p["partial"]]
    if partial:
        layers.append(
            {
                "data": {"values": partial},
                "mark": {"type": "rule", "strokeWidth": 4, "opacity": 0.45},
                "encoding": {"x": {**x, "field": "start"}, "x2": {"field": "end"}, "y": y, "color": colour},
            }
        )
    layers.append(
        {
            "data": {"values": points},
            "mark": {"type": "point", "size": 70, "strokeWidth": 1.8, "opacity": 1, "cursor": "pointer"},
            "encoding": {
                "x": x,
                "y": y,
                "shape": {
                    "field": "kind",
                    "type": "nominal",
                    "scale": {"domain": list(_SHAPES), "range": list(_SHAPES.values())},
                    "legend": None,
                },
                "stroke": {"field": "ink", "type": "nominal", "scale": None},
                "fill": {"field": "ground", "type": "nominal", "scale": None},
                "href": {"field": "href", "type": "nominal"},
                "tooltip": [
                    {"field": field, "type": "nominal", "title": title} for field, title in _tooltip(panel)
                ],
            },
        }
    )
    return framed(layers, colours, height)


def framed(layers: list[Spec], colours: theme.Palette, height: int) -> Spec:
    """Layers as one chart in the page's visual language."""
    return {
        "layer": layers,
        "height": height,
        "background": "transparent",
        "padding": {"left": 2, "right": 8, "top": 6, "bottom": 2},
        "autosize": {"type": "fit", "contains": "padding"},
        "config": {
            "font": theme.FONT,
            "view": {"stroke": None},
            "axis": {
                "labelColor": colours.muted,
                "titleColor": colours.ink,
                "gridColor": colours.grid,
                "domainColor": colours.muted,
                "tickColor": colours.muted,
                "labelFontSize": 11,
                "titleFontSize": 12,
                "titleFontWeight": 600,
            },
            "axisX": {"grid": False},
            "legend": {"labelColor": colours.ink, "labelFontSize": 12},
        },
    }


def time_axis(span: Span, born: datetime | None = None, field: str = "at") -> Spec:
    """The time encoding over a span; a child's age stands under each date."""
    axis: Spec = {"tickCount": 6, "labelFlush": False, "labelOverlap": True}
    if born:
        years = f"(datum.value - {_moment_js(born)}) / {_YEAR_MS}"
        age = f"{years} < 2 ? floor({years} * 12) + ' months' : floor({years}) + ' years'"
        axis["labelExpr"] = f"[datum.label, datum.value < {_moment_js(born)} ? '' : ({age})]"
    return {
        "field": field,
        "type": "temporal",
        "title": None,
        "scale": {"domain": [_date_time(moment) for moment in span]},
        "axis": axis,
    }


def fixed_width() -> Spec:
    return {"minExtent": _GUTTER - 16, "maxExtent": _GUTTER - 16}


def span_of(panels: Sequence[Panel]) -> Span:
    """The time axis of panels: first to last result with a margin, at least a month wide."""
    first = min(p.start for panel in panels for p in panel.points)
    last = max(p.end for panel in panels for p in panel.points)
    margin = max((last - first) * 0.03, timedelta(days=15))
    try:
        return first - margin, last + margin
    except OverflowError:
        return first, last


def _date_time(moment: datetime) -> Spec:
    """A Vega-Lite DateTime: read as wall-clock time, as the points are."""
    return {
        "year": moment.year,
        "month": moment.month,
        "date": moment.day,
        "hours": moment.hour,
        "minutes": moment.minute,
    }


def _moment_js(moment: datetime) -> str:
    return f"datetime({moment.year}, {moment.month - 1}, {moment.day})"


def _bands(panel: Panel, colours: theme.Palette, span: Span, x: Spec, low: float, high: float) -> Spec:
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
    return {
        "data": {"values": bands},
        "mark": {"type": "rect", "color": colours.band, "clip": True},
        "encoding": {
            "x": {**x, "field": "start"},
            "x2": {"field": "end"},
            "y": {"field": "low", "type": "quantitative"},
            "y2": {"field": "high"},
        },
    }


def _row(
    point: Point,
    panel: Panel,
    colours: theme.Palette,
    link: Callable[[str], str],
    filled: Callable[[Point], bool],
) -> Spec:
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
