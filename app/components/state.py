"""The page's calm states: nothing chosen, nothing loaded, something wrong. Plain words, never a traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from app.text import escaped

FOOTER = (
    "Not a medical device. Synthetic or authorised data only. "
    "Answers are about what the record says; they are not advice."
)


@contextmanager
def working(what: str) -> Iterator[None]:
    """Say what is happening while it takes longer than a moment."""
    with st.spinner(f"{what} …"):
        yield


def empty_database() -> None:
    st.html(
        '<section class="cc-state"><h2>No records are loaded yet</h2>'
        "<p>ChartCite answers from FHIR R4 records in its database. Load some in a terminal, then reload"
        " this page:</p>"
        "<pre><code>python -m core ingest PATH</code></pre>"
        "<p>PATH is a Bundle file or a folder of them (.json, .ndjson, .gz, .zip). "
        "<code>data/demo</code> holds eight synthetic patients to start with.</p></section>"
    )


def nothing(title: str, message: str) -> None:
    """A panel with nothing to show says so, and where to look instead."""
    st.html(f'<section class="cc-state"><h2>{escaped(title)}</h2><p>{escaped(message)}</p></section>')


def problem(message: str, title: str = "This could not be done") -> None:
    st.html(
        f'<section class="cc-state is-problem" role="alert"><h2>{escaped(title)}</h2>'
        f"<p>{escaped(message)}</p></section>"
    )


def footer() -> None:
    st.html(f'<footer class="cc-footer">{FOOTER}</footer>')
