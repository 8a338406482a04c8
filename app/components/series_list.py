"""The series of a record as a list to pick from: name and unit, last value, change, how many, and a sparkline.

One element of HTML with a button per series; record text is escaped.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby
from urllib.parse import quote

from app.components.chart import OUTSIDE
from app.text import escaped
from core.timeline import Point
from core.trends import Series

_WIDTH, _HEIGHT, _EDGE = 84, 24, 3


def series_html(series: Sequence[Series], chosen: Collection[str], ink: str) -> str:
    """The list; a pressed button holds the series' name in data-series."""
    parts = []
    for group, members in groupby(series, key=lambda s: s.group):
        rows = "".join(_row(s, s.name in chosen, ink) for s in members)
        parts.append(f'<h3 class="cc-group">{escaped(group)}</h3><ul class="cc-series">{rows}</ul>')
    return "".join(parts)


def _row(series: Series, chosen: bool, ink: str) -> str:
    last = series.last
    outside = any(p.standing in OUTSIDE for p in last)
    note = '<span class="cc-out" title="outside its reference range">◆ </span>' if outside else ""
    count = "1 result" if series.count == 1 else f"{series.count} results"
    change = f" · {escaped(series.change)}" if series.change else ""
    return (
        f'<li><button type="button" data-series="{escaped(series.name)}" aria-pressed="{str(chosen).lower()}">'
        f'<span class="cc-series-name">{escaped(series.panel.name)}</span>'
        f'<span class="cc-series-last">{note}{escaped(series.last_shown)}</span>'
        f'<span class="cc-series-more">{count} · last {escaped(last[0].shown_date)}{change}</span>'
        f'<img class="cc-spark" alt="" src="{escaped(sparkline(series, ink))}"></button></li>'
    )


def sparkline(series: Series, ink: str) -> str:
    """The course of the first of a series' lines as a small picture (a data: address), not smoothed; limits not joined."""
    line = series.panel.lines[0]
    points = [p for p in series.panel.points if p.line == line]
    exact = [p for p in points if not p.comparator]
    low, high = min(p.value for p in points), max(p.value for p in points)
    first, last = points[0].at, points[-1].at
    width = (last - first).total_seconds() or 1.0
    height = (high - low) or 1.0

    def place(p: Point) -> str:
        x = _EDGE + (_WIDTH - 2 * _EDGE) * ((p.at - first).total_seconds() / width if last > first else 0.5)
        y = _HEIGHT - _EDGE - (_HEIGHT - 2 * _EDGE) * ((p.value - low) / height if high > low else 0.5)
        return f"{x:.1f},{y:.1f}"

    end = place(points[-1]).split(",")
    ring = "none" if points[-1].comparator else ink
    picture = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}">'
        f'<polyline points="{" ".join(map(place, exact))}" fill="none" stroke="{ink}" stroke-width="1.3"/>'
        f'<circle cx="{end[0]}" cy="{end[1]}" r="2.2" fill="{ring}" stroke="{ink}"/></svg>'
    )
    return f"data:image/svg+xml,{quote(picture)}"
