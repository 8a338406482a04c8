"""The visual language: one style sheet for the page, the matching colours for charts, in light and dark."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

_STYLE_SHEET = Path(__file__).parent / "theme.css"
FONT = "system-ui, -apple-system, Segoe UI, Roboto, Noto Sans, Liberation Sans, Arial, sans-serif"


@dataclass(frozen=True, slots=True)
class Palette:
    """Chart colours, by meaning. `ink` on `paper` is at least 7:1, `mark` and `outside` at least 4.5:1."""

    paper: str
    ink: str
    muted: str
    grid: str
    mark: str
    outside: str
    band: str
    second: str


LIGHT = Palette("#ffffff", "#16202b", "#4a5866", "#e3e8ed", "#0b4f8a", "#8c1d40", "#dfeee6", "#5b4a9c")
DARK = Palette("#0f1720", "#e6edf3", "#a3b3c2", "#243240", "#7db8f5", "#ff9db5", "#17352a", "#c3b5ff")


def apply() -> None:
    """Add the style sheet to the page; a file of this package, holding no record text."""
    st.html(_STYLE_SHEET)


def palette() -> Palette:
    """The chart colours for the theme the browser shows."""
    return DARK if st.context.theme.type == "dark" else LIGHT
