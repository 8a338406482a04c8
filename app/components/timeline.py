"""The charts of one answer's results: cited points filled, the others hollow; every value in a table beneath."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from app import theme
from app.components.chart import OUTSIDE, described, panel_chart
from app.components.evidence import anchor
from app.text import escaped
from core.timeline import Panel, Point


def timeline(panels: tuple[Panel, ...], numbers: dict[str, int], key: str) -> None:
    """Draw the panels. Those without a cited point are folded while there are others, drawn only when unfolded."""
    cited = [panel for panel in panels if any(p.cited for p in panel.points)]
    shown = cited or list(panels[:1])
    rest = [panel for panel in panels if panel not in shown]
    for index, panel in enumerate(shown):
        _panel(panel, numbers, f"{key}-{index}")
    if rest:
        words = "1 more chart" if len(rest) == 1 else f"{len(rest)} more charts"
        fold = st.expander(f"{words} of retrieved results", key=f"more-charts-{key}", on_change="rerun")
        if fold.open:
            with fold:
                for index, panel in enumerate(rest):
                    _panel(panel, numbers, f"{key}-more-{index}")


def _panel(panel: Panel, numbers: dict[str, int], key: str) -> None:
    with st.container(key=f"panel-{key}", gap=None):
        st.html(_heading(panel))
        colours = theme.palette()
        st.vega_lite_chart(
            described(
                key,
                lambda: panel_chart(panel, colours, lambda i: card_of(i, numbers), lambda p: p.cited),
                panel,
                colours,
                numbers,
            ),
            key=f"chart-{key}",
            theme=None,
            width="stretch",
            alt=f"{panel.title} over time. {panel.takeaway}",
        )
        st.html(table_html(panel, numbers))


def _heading(panel: Panel) -> str:
    cited = sum(p.cited for p in panel.points)
    keys = [("●", "cited")] if cited else []
    if cited < len(panel.points):
        keys.append(("○", "retrieved, not cited"))
    return heading_html(panel, keys)


def heading_html(panel: Panel, keys: list[tuple[str, str]]) -> str:
    """The panel's title and the key to its signs, of which only those that occur are explained."""
    keys = list(keys)
    if any(p.standing in OUTSIDE for p in panel.points):
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
    return values_html(panel, lambda point: _link(point, numbers))


def values_html(panel: Panel, link: Callable[[Point], str]) -> str:
    several = len(panel.lines) > 1
    rows = "".join(
        f"<tr>{''.join(f'<td>{cell}</td>' for cell in _cells(p, several, link))}</tr>"
        for p in reversed(panel.points)
    )
    measured = ("Measured",) if several else ()
    names = ("Date", *measured, "Value", "Reference", "Standing", "Status", "Evidence")
    head = "".join(f"<th>{name}</th>" for name in names)
    count = "1 value" if len(panel.points) == 1 else f"{len(panel.points)} values"
    return (
        f'<details class="cc-rest"><summary>{count} as a table</summary>'
        f'<table class="cc-table"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></details>'
    )


def _cells(point: Point, several: bool, link: Callable[[Point], str]) -> list[str]:
    cells = [point.shown_date, *((point.line,) if several else ()), point.shown, point.range_text]
    return [*(escaped(c) or "–" for c in (*cells, point.standing.value, point.status)), link(point)]


def _link(point: Point, numbers: dict[str, int]) -> str:
    number = numbers.get(point.resource_id)
    if number is None:
        return f"<code>{escaped(point.resource_id)}</code>"
    return f'<a class="cc-cite" href="#evidence-{number}" aria-label="Evidence {number}">{number}</a>'


def card_of(resource_id: str, numbers: dict[str, int]) -> str:
    """The HTML id of the card a point opens."""
    number = numbers.get(resource_id)
    return f"evidence-{number}" if number else anchor(resource_id)
