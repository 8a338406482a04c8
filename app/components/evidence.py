"""The evidence: one card per cited resource in the order of the numbers, the rest folded below.

A card shows what the record holds, never a paraphrase: name, value or status, date, id, why it was retrieved.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from app.components.bridge import pressed
from app.components.card import card_html, cited_only_html
from app.text import plain
from core.models import Answer, Evidence


def evidence(answer: Answer, found: tuple[Evidence, ...], numbers: dict[str, int]) -> None:
    """Cited cards in the order of their numbers; the others below, folded until opened or pointed at."""
    with st.container(key="evidence"):
        st.html(evidence_html(answer, found, numbers))


def evidence_html(answer: Answer, found: tuple[Evidence, ...], numbers: dict[str, int]) -> str:
    """The whole panel as one element: a browser going to a card inside a <details> unfolds it."""
    by_id = {e.facts.resource_id: e for e in found}
    texts = {c.resource_id: c for c in answer.citations}
    atoms = checked_atoms(answer)
    cards = [
        card_html(by_id[i], f"evidence-{number}", str(number), atoms.get(i, ()))
        if i in by_id
        else cited_only_html(texts[i], f"evidence-{number}", str(number))
        for i, number in numbers.items()
    ]
    rest = [card_html(e, anchor(i)) for i, e in by_id.items() if i not in numbers]
    if rest:
        cards.append(
            f'<details class="cc-rest cc-uncited"><summary>{len(rest)} retrieved but not cited</summary>'
            f"{''.join(rest)}</details>"
        )
    counts = (
        f"{len(numbers)} cited · {len(found)} retrieved" if numbers else f"{len(found)} retrieved, none cited"
    )
    return f'<h2 class="cc-h2">Evidence <span>{counts}</span></h2>{"".join(cards)}'


def anchor(resource_id: str) -> str:
    """The HTML id of an uncited resource's card."""
    return "other-" + re.sub(r"[^A-Za-z0-9-]", "-", resource_id)


@st.fragment
def json_on_demand(patient: str, resource: Callable[[str], dict[str, Any]]) -> None:
    """Listen for the cards' JSON buttons and show the resource as stored; only this is run again."""
    wanted = pressed("resource", patient)
    if wanted:
        _json_dialog(wanted, resource(wanted))


def _json_dialog(resource_id: str, resource: dict[str, Any]) -> None:
    @st.dialog(plain(resource_id), width="medium")
    def shown() -> None:
        st.code(json.dumps(resource, indent=2, ensure_ascii=False), language=None, height=480)

    shown()


def drawer_html(found: Mapping[str, Evidence]) -> str:
    """Cards that wait out of sight: the one the browser goes to comes up, and its × puts it away."""
    close = '<a class="cc-close" href="#top" aria-label="Close this card">×</a>'
    cards = "".join(
        f'<div class="cc-drawn" id="{anchor(i)}">{close}{card_html(e, "")}</div>' for i, e in found.items()
    )
    return f'<div class="cc-drawer">{cards}</div>'


def checked_atoms(answer: Answer) -> dict[str, tuple[str, ...]]:
    """Resource id -> what the checks found in it: the words to highlight on its card."""
    atoms: dict[str, list[str]] = {}
    for claim in answer.claims:
        for identifier in claim.citations:
            atoms.setdefault(identifier, []).extend(
                text for check in claim.checks for text in (check.expected, check.found) if len(text) > 1
            )
    return {identifier: tuple(dict.fromkeys(texts)) for identifier, texts in atoms.items()}
