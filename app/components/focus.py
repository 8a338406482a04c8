"""Point the page at a card, as a click on its number would: the browser scrolls to it and marks it."""

from __future__ import annotations

import json
import re

import streamlit as st

_ELEMENT_ID = re.compile(r"[A-Za-z][A-Za-z0-9-]*")


def focus(element: str, key: str) -> None:
    """Go to an element of this page once per selection; "" leaves the page where it is.

    The only script of the dashboard: it holds an element id of ours (letters, digits, hyphens), no record
    text.
    """
    wanted = (element, key)
    if not _ELEMENT_ID.fullmatch(element) or st.session_state.get("focused") == wanted:
        return
    st.session_state["focused"] = wanted
    target = json.dumps(element)
    script = (
        f"<script>(() => {{ let left = 60, there = false; const go = () => {{"
        f" const card = document.getElementById({target});"
        " if (card && !there) { there = true;"
        " history.replaceState(history.state, '', location.pathname + location.search);"
        f" location.hash = {target}; }}"
        " if (card) card.scrollIntoView({ block: 'nearest' });"  # again while a fold is still opening
        " if (left--) requestAnimationFrame(go); }; go(); })()</script>"
    )
    st.html(script, unsafe_allow_javascript=True)
