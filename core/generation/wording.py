"""What the templates are given, and the text they make of it: plain Markdown, one claim a sentence or list item."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import jinja2

from core.generation.items import Item

_TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True, slots=True)
class Series:
    """Results in one unit, newest first; `numeric` when all of them are plain numbers."""

    name: str
    items: tuple[Item, ...]
    numeric: bool

    @property
    def first(self) -> Item:
        return self.items[-1]

    @property
    def last(self) -> Item:
        return self.items[0]

    @property
    def high(self) -> Item:
        return max(self.items, key=lambda i: i.number.value if i.number else 0)

    @property
    def low(self) -> Item:
        return min(self.items, key=lambda i: i.number.value if i.number else 0)


@dataclass(frozen=True, slots=True)
class Group:
    heading: str
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Wording:
    """What the template needs; `form` names the macro."""

    form: str
    chosen: tuple[Item, ...] = ()
    aggregate: str = ""
    subject: str = ""
    window: str = ""
    relation: str = ""
    lead: str = ""
    series: tuple[Series, ...] = ()
    groups: tuple[Group, ...] = field(default=())


def render(template: str, **values: object) -> str:
    """The text of one template, trailing spaces and runs of blank lines removed."""
    text = _environment().get_template(template).render(**values)
    lines = [line.rstrip() for line in text.strip().splitlines()]
    return "\n".join(line for i, line in enumerate(lines) if line or (i and lines[i - 1]))


@cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # the answer is Markdown text; whoever shows it escapes it
    )
