"""The line on top: the product and its pages, as links that can also be opened in another tab."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import urlencode

import streamlit as st

from app.text import escaped

BRAND = '<span class="cc-brand">ChartCite</span>'


def navigation(pages: Iterable[tuple[str, Mapping[str, str], bool]]) -> None:
    """Each page's title and the query parameters it is opened with, and whether it is the one shown."""
    links = "".join(
        f'<a data-go href="{address(query)}"{" aria-current=page" if here else ""}>{escaped(title)}</a>'
        for title, query, here in pages
    )
    with st.container(key="header"):
        st.html(f'<header class="cc-bar">{BRAND}<nav aria-label="Pages">{links}</nav></header>')


def address(query: Mapping[str, str]) -> str:
    """The address of a view, for an HTML attribute."""
    return escaped(f"?{urlencode(query)}")
