"""The earlier answers about this patient: question and badge, the answer on demand, and the way back to it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app.components.verdict import badge_words
from app.text import escaped
from core.export.content import blocks_of
from core.models import Answer

Past = tuple[Answer, str]  # an answer and the address it opens at


def earlier(answers: Sequence[Past]) -> None:
    if answers:
        with st.container(key="earlier"):
            st.html(earlier_html(answers))


def earlier_html(answers: Sequence[Past]) -> str:
    """Newest first. Their citations are not linked: the evidence beside them is that of the answer above."""
    rows = "".join(_answer(*a) for a in answers)
    return f'<h2 class="cc-h2">Asked before <span>about this patient, in this session</span></h2>{rows}'


def _answer(found: Answer, address: str) -> str:
    tone, icon, words = badge_words(found)
    badge = f'<span class="cc-tag is-{tone}"><span aria-hidden="true">{icon}</span> {escaped(words)}</span>'
    body = "".join(
        f"<ul><li>{escaped(b.text)}</li></ul>" if b.item else f"<p>{escaped(b.text)}</p>"
        for b in blocks_of(found)
    )
    return (
        f'<details class="cc-earlier"><summary><span>{escaped(found.read_as or found.question)}</span>{badge}</summary>'
        f'<div class="cc-past">{body}</div>'
        f'<p class="cc-more-line"><a data-go href="{address}">Open with its evidence</a></p></details>'
    )
