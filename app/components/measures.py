"""What was measured: shares as tiles and charts, each with its interval and how many it is of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt
import streamlit as st

from app import theme
from app.components.chart import framed
from app.text import escaped
from core.evaluation.calibration import Calibration, Refusing
from core.evaluation.metrics import Percentiles, Share

_ROW = 22  # pixels of one line of an interval chart
_PERCENT = alt.Axis(format="%", tickCount=6, grid=True, domain=False)


def tiles_html(figures: Sequence[tuple[str, Share, bool]]) -> str:
    """Each figure's name, share and whether less of it is better."""
    cells = "".join(_tile(name, share, low) for name, share, low in figures if share.mean is not None)
    return f'<dl class="cc-tiles">{cells}</dl>'


def _tile(name: str, share: Share, low: bool) -> str:
    mean = share.mean or 0.0
    missed = mean > 0 if low else mean < 1
    return (
        f'<div class="cc-tile{" is-missed" if missed else ""}"><dt>{escaped(name)}</dt>'
        f"<dd>{percent(mean)}</dd><dd class='cc-tile-more'>{_interval(share)} · n {share.n:,}</dd></div>"
    )


def percent(share: float) -> str:
    """One decimal where a whole percent would say more or less than is so."""
    whole = round(100 * share)
    return f"{whole} %" if abs(100 * share - whole) < 0.05 else f"{100 * share:.1f} %"


def _interval(share: Share) -> str:
    return f"{100 * (share.low or 0):.0f}-{100 * (share.high or 0):.0f} %"


def shares_panel(title: str, note: str, shares: Mapping[str, Share], key: str) -> None:
    """One line a group: its share as a point, its 95 % interval as a bar, the numbers in a table beneath."""
    known = {name: share for name, share in shares.items() if share.mean is not None}
    with st.container(key=f"panel-{key}", gap=None):
        st.html(_head(title, note))
        st.altair_chart(
            shares_chart(known, theme.palette()),
            key=f"chart-{key}",
            theme=None,
            width="stretch",
            alt=f"{title}: "
            + "; ".join(f"{n} {percent(s.mean or 0)} of {s.n}" for n, s in known.items())
            + ".",
        )
        rows = [(name, percent(s.mean or 0), _interval(s), f"{s.n:,}") for name, s in known.items()]
        st.html(_table(("", "share", "95 % interval", "of"), rows))


def shares_chart(shares: Mapping[str, Share], colours: theme.Palette) -> alt.LayerChart:
    rows = [
        {
            "name": name,
            "mean": share.mean,
            "low": share.low,
            "high": share.high,
            "of": f"{percent(share.mean or 0)} of {share.n}",
        }
        for name, share in shares.items()
    ]
    y = alt.Y(
        "name:N",
        title=None,
        scale=alt.Scale(domain=list(shares)),
        axis=alt.Axis(labelLimit=190, labelColor=colours.ink, ticks=False, domain=False),
    )
    tips = [alt.Tooltip("name:N", title=" "), alt.Tooltip("of:N", title="share")]
    base = alt.Chart(alt.Data(values=rows))
    interval = base.mark_rule(strokeWidth=5, opacity=0.3, color=colours.mark).encode(
        x=_share_axis("low"),
        x2="high:Q",
        y=y,
        tooltip=tips,
    )
    point = base.mark_point(filled=True, size=60, opacity=1, color=colours.mark).encode(
        x=_share_axis("mean"), y=y, tooltip=tips
    )
    return framed([interval, point], colours, height=_ROW * len(rows) + 24)


def _share_axis(field: str) -> alt.X:
    return alt.X(f"{field}:Q", title=None, scale=alt.Scale(domain=[0, 1]), axis=_PERCENT)


def calibration_panel(found: Calibration) -> None:
    """What every threshold on distance would refuse, rightly and wrongly, and where the decision itself stands."""
    decision = found.decision
    colours = theme.palette()
    signs = [("●", colours.second, "a distance threshold")]
    if decision:
        signs.append(("◆", colours.mark, "the decision by codes and names"))
    keys = "".join(
        f"<span><i aria-hidden='true' style='color:{colour}'>{sign}</i> {words}</span>"
        for sign, colour, words in signs
    )
    said = ""
    if decision:
        said = f"It refuses {_counts(decision, found)}."
        if found.matching:
            said += f" A threshold ({found.matching.threshold}) that refuses as many: {_counts(found.matching, found)}."
    with st.container(key="panel-calibration", gap=None):
        st.html(
            '<div class="cc-panel-head"><h2 class="cc-h2">Relevance: is the answer in this record?</h2>'
            f'<p class="cc-key">{keys}</p></div><p class="cc-quiet">{said}</p>'
        )
        st.altair_chart(
            calibration_chart(found, colours),
            key="chart-calibration",
            theme=None,
            width="stretch",
            alt=f"Refused of the questions to refuse against refused of the questions to answer. {said}",
        )
        rows = [(f"{p.threshold:.2f}", str(p.due_refused), str(p.answerable_refused)) for p in found.points]
        head = ("farther than", f"refused of {found.to_refuse} to refuse", f"of {found.to_answer} to answer")
        st.html(_table(head, rows))


def _counts(point: Refusing, of: Calibration) -> str:
    due = f"{point.due_refused} of {of.to_refuse} that are due"
    return f"{due} and {point.answerable_refused} of {of.to_answer} that are not"


def calibration_chart(found: Calibration, colours: theme.Palette) -> alt.LayerChart:
    def row(point: Refusing, said: str, step: int = 0) -> dict[str, float | str]:
        return {
            "step": step,
            "due": point.due_refused / found.to_refuse,
            "answerable": point.answerable_refused / found.to_answer,
            "said": said,
            "counts": _counts(point, found),
        }

    x = alt.X(
        "answerable:Q", title="refused, though answerable", scale=alt.Scale(domain=[0, 1]), axis=_PERCENT
    )
    y = alt.Y(
        "due:Q",
        title="refused when due",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(format="%", tickCount=4),
    )
    tips = [alt.Tooltip("said:N", title="refuses"), alt.Tooltip("counts:N", title="that is")]
    curve = alt.Chart(
        alt.Data(values=[row(p, f"farther than {p.threshold}", i) for i, p in enumerate(found.points)])
    )
    layers = [
        curve.mark_line(strokeWidth=1.4, opacity=0.75, color=colours.second).encode(
            x=x, y=y, order=alt.Order("step:Q")
        ),
        curve.mark_point(filled=True, size=30, opacity=1, color=colours.second).encode(
            x=x, y=y, tooltip=tips
        ),
    ]
    if found.decision:
        own = alt.Chart(alt.Data(values=[row(found.decision, "by codes and names")]))
        layers.append(
            own.mark_point(shape="diamond", filled=True, size=190, opacity=1, color=colours.mark).encode(
                x=x, y=y, tooltip=tips
            )
        )
    return framed(layers, colours, height=220)


def latency_html(stages: Mapping[str, Percentiles]) -> str:
    rows = [(stage, f"{p.p50:,.1f}", f"{p.p95:,.1f}") for stage, p in stages.items()]
    return _head("Time of an answer", "milliseconds") + _open_table(("stage", "p50", "p95"), rows)


def _head(title: str, note: str) -> str:
    return f'<div class="cc-panel-head"><h2 class="cc-h2">{escaped(title)} <span>{escaped(note)}</span></h2></div>'


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return f'<details class="cc-rest"><summary>As a table</summary>{_open_table(head, rows)}</details>'


def _open_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(f"<th>{escaped(cell)}</th>" for cell in head)
    body = "".join(f"<tr>{''.join(f'<td>{escaped(c)}</td>' for c in row)}</tr>" for row in rows)
    return f'<table class="cc-table"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>'
