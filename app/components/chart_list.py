"""The record as a list: types on the left, entries by year, one entry's card with its references both ways."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from app.components.card import card_html, shown_value
from app.text import escaped
from core.browse import Link
from core.fhir.types import spoken
from core.models import Evidence, Facts

Address = Callable[[dict[str, str]], str]  # changed query parameters -> address
_LINKS_SHOWN = 25


def types_html(types: Sequence[tuple[str, int]], chosen: str, to: Address) -> str:
    """The overview, everything, and each type with its count."""
    total = sum(number for _, number in types)
    rows = [("Overview", "", ""), ("Everything", "all", f"{total:,}")]
    rows += [(spoken(kind), kind, f"{number:,}") for kind, number in types]
    links = "".join(
        f'<li><a data-go href="{to({"type": value} if value else {})}"{" aria-current=page" if value == chosen else ""}>'
        f"<span>{escaped(name)}</span><span>{count}</span></a></li>"
        for name, value, count in rows
    )
    return f'<nav aria-label="Parts of the record"><ul class="cc-types">{links}</ul></nav>'


def entries_html(entries: Sequence[Facts], chosen: str, to: Address, by_year: bool) -> str:
    """Rows that open a card, under the year they belong to."""
    if not by_year:
        return f'<ul class="cc-entries">{"".join(_entry(f, chosen, to) for f in entries)}</ul>'
    parts = []
    for year, members in groupby(entries, key=lambda f: str(f.date.start.year) if f.date else "No date"):
        rows = "".join(_entry(f, chosen, to) for f in members)
        parts.append(f'<h3 class="cc-group">{year}</h3><ul class="cc-entries">{rows}</ul>')
    return "".join(parts)


def _entry(facts: Facts, chosen: str, to: Address) -> str:
    value = shown_value(facts) or facts.status
    when = facts.date.shown if facts.date else ""
    void = f'<span class="cc-void">{escaped(facts.void_reason)}</span>' if facts.void else ""
    here = " aria-current=true" if facts.resource_id == chosen else ""
    return (
        f'<li{" class=is-void" if facts.void else ""}><a data-go href="{to({"resource": facts.resource_id})}"{here}>'
        f'<span class="cc-when">{escaped(when)}</span><span class="cc-entry-name">{escaped(facts.label)}</span>'
        f'<span class="cc-entry-value">{escaped(value)}</span><span class="cc-type">{escaped(spoken(facts.resource_type))}'
        f"</span></a>{void}</li>"
    )


def detail_html(item: Evidence, out: Sequence[Link], back: Sequence[Link], to: Address) -> str:
    """One resource's card, what it refers to and what refers to it."""
    return (
        f'<h2 class="cc-h2">{escaped(spoken(item.facts.resource_type))}</h2>{card_html(item, "")}'
        f"{_links('Refers to', out, to)}{_links('Referred to by', back, to)}"
    )


def _links(title: str, links: Sequence[Link], to: Address) -> str:
    if not links:
        return f'<h3 class="cc-group">{title}</h3><p class="cc-quiet">Nothing in this record.</p>'
    rows = "".join(_link(link, to) for link in links[:_LINKS_SHOWN])
    more = len(links) - _LINKS_SHOWN
    rest = f'<p class="cc-quiet">and {more} more</p>' if more > 0 else ""
    return (
        f'<h3 class="cc-group">{title} <span>{len(links)}</span></h3><ul class="cc-plain">{rows}</ul>{rest}'
    )


def _link(link: Link, to: Address) -> str:
    name = escaped(link.label)
    if link.resource_id:
        name = f'<a data-go href="{to({"resource": link.resource_id})}">{name}</a>'
    kind = spoken(link.resource_id.partition("/")[0]) if link.resource_id else ""
    words = " · ".join(escaped(w) for w in (link.date, kind, link.path) if w)
    return f'<li>{name}<span class="cc-detail">{words}</span></li>'


def pages_html(first: int, shown: int, total: int, to: Address) -> str:
    """Where in a long list this is, and the ways on."""
    if total <= shown and first == 0:
        return ""
    ways = []
    if first > 0:
        ways.append(f'<a data-go href="{to({"from": str(max(0, first - shown))})}">newer</a>')
    if first + shown < total:
        ways.append(f'<a data-go href="{to({"from": str(first + shown)})}">older</a>')
    last = min(total, first + shown)
    return f'<p class="cc-pages"><span>{first + 1:,} to {last:,} of {total:,}</span>{"".join(ways)}</p>'
