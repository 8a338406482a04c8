"""What can be done with an answer: copy it, take it along, say whether it was right."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import streamlit as st

from app.components.bridge import copier
from core.export.content import Content
from core.export.markdown import markdown, plain
from core.export.page import page
from core.feedback import Rating

_RATINGS = {Rating.RIGHT: "✓ Right", Rating.WRONG: "✕ Wrong", Rating.MISSING: "◔ Incomplete"}


@st.fragment
def actions(
    content: Content,
    document: Callable[[Content], dict[str, Any]],
    rate: Callable[[Rating, str], None],
    key: str,
) -> None:
    """One quiet row under the answer; a fragment, so that nothing else is drawn again."""
    with st.container(key=f"actions-{key}", horizontal=True, gap="small", vertical_alignment="center"):
        st.html(
            '<button type="button" class="cc-button" data-copy>Copy with citations</button>', width="content"
        )
        copier(plain(content), key)
        with st.popover("Download", key=f"download-{key}", width="content"):
            _downloads(content, document, key)
        _feedback(rate, key)


def _downloads(content: Content, document: Callable[[Content], dict[str, Any]], key: str) -> None:
    name = f"answer-{content.at:%Y%m%d-%H%M%S}"
    # Each is made when it is asked for, not when the page is drawn.
    kinds: list[tuple[str, str, str, Callable[[], str]]] = [
        ("Page to print or save as PDF (HTML)", "html", "text/html", lambda: page(content)),
        ("Markdown", "md", "text/markdown", lambda: markdown(content)),
        (
            "FHIR R4 document (Bundle)",
            "fhir.json",
            "application/fhir+json",
            lambda: json.dumps(document(content), ensure_ascii=False, indent=1),
        ),
    ]
    for label, ending, mime, make in kinds:
        st.download_button(
            label,
            make,
            f"{name}.{ending}",
            mime,
            key=f"download-{ending}-{key}",
            on_click="ignore",
            type="tertiary",
        )


def _feedback(rate: Callable[[Rating, str], None], key: str) -> None:
    given = st.segmented_control(
        "Was this answer right?",
        list(_RATINGS),
        format_func=lambda r: _RATINGS[r],
        key=f"rating-{key}",
        label_visibility="collapsed",
    )
    if not given:
        return
    comment = ""
    if given is not Rating.RIGHT:
        comment = st.text_input(
            "What is wrong or missing?",
            key=f"comment-{key}",
            placeholder="What is wrong or missing? (optional)",
            label_visibility="collapsed",
            max_chars=2000,
            autocomplete="off",
        )
    said = (given, comment)
    if st.session_state.get(f"said-{key}") != said:
        rate(given, comment or "")
        st.session_state[f"said-{key}"] = said
    st.html('<span class="cc-quiet" role="status">Kept with the answer.</span>', width="content")
