"""Data: what is loaded, by type, and what could not be taken and why."""

from __future__ import annotations

import streamlit as st

from app import session
from app.components.state import empty_database
from app.frame import page
from app.text import escaped


def data() -> None:
    counts = session.service().counts()
    if not counts:
        empty_database()
        return
    rows = "".join(f"<tr><td>{escaped(kind)}</td><td>{number:,}</td></tr>" for kind, number in counts.items())
    st.html(f'<h1 class="cc-h1">Data</h1><table class="cc-table">{rows}</table>')


page("data", data)
