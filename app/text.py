"""Record text is untrusted: every word of it that reaches the page passes through one of these functions."""

from __future__ import annotations

import html
import re

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>$:&])")


def escaped(text: object) -> str:
    """Text for an HTML element or attribute; markup in it is shown, never obeyed."""
    return html.escape(str(text), quote=True)


def plain(text: object) -> str:
    """Text for a Streamlit label, which is Markdown: every character Markdown could act on is escaped."""
    return _MARKDOWN.sub(r"\\\1", " ".join(str(text).split()))
