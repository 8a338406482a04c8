"""The dashboard's entry, run by `python -m streamlit run app/main.py`: page settings, look, pages."""

from pathlib import Path

import streamlit as st

from app import frame, theme

st.set_page_config(
    page_title="ChartCite",
    page_icon=Path(__file__).parent / "icon.svg",
    layout="wide",
    initial_sidebar_state="collapsed",
)
theme.apply()
frame.run()
