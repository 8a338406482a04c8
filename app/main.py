"""The dashboard's entry, run by `python -m streamlit run app/main.py`: page settings, look, pages."""

from pathlib import Path

import streamlit as st

from app import theme

st.set_page_config(
    page_title="ChartCite",
    page_icon=Path(__file__).parent / "icon.svg",
    layout="wide",
    initial_sidebar_state="collapsed",
)
theme.apply()
# No ":material/" icon on a page: the browser would ask a font host for it.
st.navigation([st.Page("pages/ask.py", title="Ask", default=True)], position="hidden").run()
