"""A page that prints well: one file, nothing loaded from anywhere, every word of the record escaped."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import jinja2

from core.export.content import NOTICE, Content


def page(content: Content) -> str:
    """The answer as a whole HTML document."""
    return _template().render(content=content, notice=NOTICE, at=content.at.strftime("%Y-%m-%d %H:%M %Z"))


@cache
def _template() -> jinja2.Template:
    folder = Path(__file__).parent / "templates"
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), autoescape=True, undefined=jinja2.StrictUndefined
    )
    return environment.get_template("page.html.jinja2")
