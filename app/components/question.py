"""Where a question is put: typed, or picked from those this record can answer."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

import streamlit as st

from app.text import escaped, plain
from core.suggestions import Suggestion


def question_bar(
    submit: Callable[[], None],
    suggestions: list[Suggestion],
    ask: Callable[[str], None],
    folded: bool,
    key: str,
) -> None:
    """The question input with its button; suggestions lie open until there is an answer."""
    with st.container(key="ask-row", horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.form("ask-form", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
            st.text_input(
                "Question about this record",
                key="question",
                placeholder="Ask about this record, e.g. “What was the last HbA1c?”",
                label_visibility="collapsed",
                autocomplete="off",
            )
            st.form_submit_button("Ask", type="primary", on_click=submit, width="content")
        if folded and suggestions:
            with st.popover("Suggestions", key=f"suggestions-{key}", width="content"):
                suggested(suggestions, ask, "folded")
    if not folded:
        suggested(suggestions, ask, "open")


def suggested(suggestions: list[Suggestion], ask: Callable[[str], None], place: str) -> None:
    """The questions this record can answer, grouped by what they are about, one click each."""
    with st.container(key=f"suggested-{place}", gap="small"):
        if not suggestions:
            st.html(
                '<p class="cc-quiet">This record holds nothing that a question could be suggested for.</p>'
            )
        for group, members in groupby(suggestions, key=lambda s: s.group):
            with st.container(horizontal=True, gap="xsmall", vertical_alignment="top"):
                st.html(f'<h3 class="cc-group">{escaped(group)}</h3>', width=128)
                with st.container(horizontal=True, gap="xsmall", width="stretch"):
                    for suggestion in members:
                        st.button(
                            plain(suggestion.question),
                            key=f"suggestion-{place}-{group}-{suggestion.question}",
                            on_click=ask,
                            args=(suggestion.question,),
                            width="content",
                        )
