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
<<<<<<< HEAD
=======


def card_html(item: Evidence, element: str, number: str = "", atoms: tuple[str, ...] = ()) -> str:
    facts = item.facts
    value = shown_value(facts)
    when = facts.date.shown if facts.date else "no date"
    field = f' title="{escaped(facts.date_field)}"' if facts.date_field else ""
    status = f'<span class="cc-status">{_marked(facts.status, atoms)}</span>' if facts.status else ""
    label = f'<span class="cc-number" aria-hidden="true">{number}</span>' if number else ""
    role = f"Evidence {number}" if number else _words(facts.resource_type)
    void = f'<p class="cc-void">Not evidence: {escaped(facts.void_reason)}</p>' if facts.void else ""
    shown = f'<p class="cc-value">{_marked(value, atoms)}{_range(facts)}</p>' if value else ""
    own = f' id="{element}"' if element else ""
    head = f'{label}<span class="cc-name">{_marked(facts.label, atoms)}</span>'
    head = (
        f'<a class="cc-card-head" href="#{element}">{head}</a>'
        if element
        else f'<p class="cc-card-head">{head}</p>'
    )
    return (
        f'<article{own} class="cc-card" aria-label="{role}: {escaped(facts.label)}">{head}{shown}{void}'
        f'<p class="cc-meta"><span class="cc-type">{escaped(_words(facts.resource_type))}</span>'
        f"<span{field}>{_marked(when, atoms)}</span>{status}"
        f'<span class="cc-why" title="Why it was retrieved">{_why(item)}</span></p>'
        f"{_lines(item, atoms)}{_foot(facts.resource_id)}</article>"
    )


def cited_only_html(citation: Citation, element: str, number: str) -> str:
    """A card for a resource that a model cited from the record although it was not retrieved for it."""
    headline, *lines = citation.text.splitlines() or [citation.resource_id]
    body = "".join(f"<li>{escaped(line)}</li>" for line in lines[:_LINES_SHOWN])
    mark = f'<span class="cc-number" aria-hidden="true">{number}</span>'
    return (
        f'<article id="{element}" class="cc-card" aria-label="Evidence {number}">'
        f'<a class="cc-card-head" href="#{element}">{mark}'
        f'<span class="cc-name">{escaped(headline)}</span></a>'
        f'<ul class="cc-lines">{body}</ul>{_foot(citation.resource_id)}</article>'
    )


def shown_value(facts: Facts) -> str:
    """The values of a resource as printed: "7.1 %", "Systolic 117 mmHg · Diastolic 81 mmHg"."""
    values = facts.values
    if len(values) > 1 and all(v.kind is ValueKind.QUANTITY and v.quantity for v in values):
        return " · ".join(f"{short_name(v.label, v.codings)} {_value(v)}" for v in values)
    return " · ".join(text for v in values if (text := _value(v)))


def _value(value: Value) -> str:
    if value.kind is ValueKind.QUANTITY and value.quantity:
        limits = [q.value for r in value.ranges for q in (r.low, r.high) if q and q.value is not None]
        return shown_quantity(value.quantity, limits)
    if value.kind is ValueKind.ABSENT:
        return f"no value ({value.absent_reason})" if value.absent_reason else "no value"
    return value.text


def _range(facts: Facts) -> str:
    """The reference range the result itself carries, and on which side of it the result was flagged."""
    if len(facts.values) != 1 or not facts.values[0].ranges:
        return ""
    value = facts.values[0]
    first = value.ranges[0]
    low, high = (shown_quantity(q) if q else "" for q in (first.low, first.high))
    text = first.text or (
        f"{low} to {high}" if low and high else f"at least {low}" if low else f"at most {high}"
    )
    side = next((_OUTSIDE[s] for s in senses(value.flags) if s in _OUTSIDE), "")
    side = f"far {side}" if side and is_critical(value.flags) else side
    words = f"{side} its reference {text}" if side else f"reference {text}"
    return f'<span class="cc-range {"is-outside" if side else ""}">{escaped(words)}</span>'


def _lines(item: Evidence, atoms: tuple[str, ...]) -> str:
    """The card's further lines as recorded, without the headline and the codes; long ones unfold."""
    lines = [line for line in item.text.splitlines()[1:] if line.strip() and not line.startswith("Codes: ")]
    if item.facts.resource_type == "Observation":  # values and range are shown above
        lines = [line for line in lines if "reference range" not in line.casefold()]
        if len(item.facts.values) > 1:
            lines = [line for line in lines if not any(line.startswith(v.label) for v in item.facts.values)]
    if not lines:
        return ""
    short = "".join(f"<li>{_marked(line, atoms)}</li>" for line in lines[:_LINES_SHOWN])
    if len(lines) <= _LINES_SHOWN:
        return f'<ul class="cc-lines">{short}</ul>'
    more = "".join(f"<li>{_marked(line, atoms)}</li>" for line in lines[_LINES_SHOWN:])
    return (
        f'<ul class="cc-lines">{short}</ul><details class="cc-rest">'
        f'<summary>{len(lines) - _LINES_SHOWN} more lines</summary><ul class="cc-lines">{more}</ul></details>'
    )


def _marked(text: str, atoms: tuple[str, ...]) -> str:
    """Escaped text with every checked atom in it highlighted, whole words only, longest atom first."""
    wanted = [
        re.escape(atom) for atom in sorted(atoms, key=len, reverse=True) if atom.casefold() in text.casefold()
    ]
    if not wanted:
        return escaped(text)
    pattern = re.compile(rf"(?<![\w.])(?:{'|'.join(wanted)})(?!\w|\.\d)", re.IGNORECASE)
    pieces: list[str] = []
    cursor = 0
    for match in pattern.finditer(text):
        pieces += [escaped(text[cursor : match.start()]), f"<mark>{escaped(match.group())}</mark>"]
        cursor = match.end()
    return "".join([*pieces, escaped(text[cursor:])])


def _why(item: Evidence) -> str:
    arms = item.arms[:1] if "question" in item.arms else item.arms
    return escaped(" · ".join(_WHY.get(arm, arm) for arm in arms))


def _words(resource_type: str) -> str:
    """ "MedicationRequest" -> "Medication request"."""
    return re.sub(r"(?<=[a-z])([A-Z])", lambda m: " " + m.group(1).lower(), resource_type)
>>>>>>> 8585996 (Retrieval: what refers to the evidence, the arms that brought each row, parts that can be switched off; one instant in the order of ids)
