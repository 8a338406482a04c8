"""The answer as prose: a failing statement is marked where it stands, citations are numbered by first use.

Answer text quotes the record and may be a model's: it is escaped whole; only list marks and **bold** count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import streamlit as st

from app.text import escaped
from core.models import REFUSAL, Answer, Claim, ClaimStatus

_ID = r"[A-Z][A-Za-z]+/[A-Za-z0-9\-.]{1,64}"
_CITATIONS = re.compile(rf"\s*\[({_ID}(?:\s*[,;]\s*{_ID})*)\]")
_LIST_MARK = re.compile(r"^\s*(?:[-*•]|\d{1,3}[.)])\s+")
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_WORD = re.compile(r"\S+")
_MARKS = {
    ClaimStatus.CONTRADICTED: ("is-bad", "contradicted by the record"),
    ClaimStatus.UNSUPPORTED: ("is-warn", "not found in what it cites"),
    ClaimStatus.UNCITED: ("is-warn", "cites nothing that was retrieved"),
}


@dataclass(frozen=True, slots=True)
class Statement:
    """A stretch of the answer text and the claim it is, None for text that states nothing."""

    start: int
    end: int
    claim: Claim | None


def citation_numbers(answer: Answer) -> dict[str, int]:
    """Resource id -> its number: by first use in the text, then any citation the text does not show."""
    used = [
        i for match in _CITATIONS.finditer(answer.answer) for i in re.split(r"\s*[,;]\s*", match.group(1))
    ]
    known = {c.resource_id for c in answer.citations}
    order = [i for i in used if i in known] + [c.resource_id for c in answer.citations]
    return {identifier: number for number, identifier in enumerate(dict.fromkeys(order), 1)}


def answer(found: Answer, numbers: dict[str, int]) -> None:
    st.html(answer_html(found, numbers))


def answer_html(found: Answer, numbers: dict[str, int]) -> str:
    """The answer's paragraphs and lists, or for a refusal its own calm panel with what was searched."""
    if found.refused:
        return _refusal(found.answer)
    statements = align(found.answer, found.claims)
    blocks: list[str] = []
    items: list[str] = []
    offset = 0
    for line in found.answer.splitlines(keepends=True):
        mark = _LIST_MARK.match(line)
        start = offset + (mark.end() if mark else 0)
        offset += len(line)
        body = _line(found.answer, start, offset, statements, numbers).strip()
        if mark:
            items.append(f"<li>{body}</li>")
            continue
        if items:
            blocks.append(f"<ul>{''.join(items)}</ul>")
            items = []
        if body:
            blocks.append(f"<p>{body.lstrip('# ')}</p>")
    if items:
        blocks.append(f"<ul>{''.join(items)}</ul>")
    return _section("cc-answer", "".join(blocks) + _mark_rules(numbers))


def align(text: str, claims: list[Claim]) -> list[Statement]:
    """Where each claim stands in the answer, in order, matched word by word across marks and citations.

    A claim that cannot be found is left out here and still shown among the checks.
    """
    between = r"(?:[\s*_|#>]|\[[^\]]*\])*"
    found: list[Statement] = []
    cursor = 0
    for claim in claims:
        words = _WORD.findall(_CITATIONS.sub("", claim.text).replace("**", ""))
        if not words:
            continue
        pattern = between.join(re.escape(word) for word in words)
        match = re.compile(pattern).search(text, cursor) or re.compile(pattern.removesuffix(r"\.")).search(
            text, cursor
        )
        if not match:
            continue
        end = match.end()
        while trailing := _CITATIONS.match(text, end):
            end = trailing.end()
        if end < len(text) and text[end] in ".;!?":
            end += 1
        found.append(Statement(match.start(), end, claim))
        cursor = end
    return found


def _line(text: str, start: int, end: int, statements: list[Statement], numbers: dict[str, int]) -> str:
    """One line as HTML, each statement in its own span."""
    pieces: list[str] = []
    cursor = start
    for statement in statements:
        left, right = max(statement.start, start), min(statement.end, end)
        if left >= right:
            continue
        pieces.append(_prose(text[cursor:left], numbers))
        pieces.append(_statement(text[left:right], statement.claim, numbers))
        cursor = right
    pieces.append(_prose(text[cursor:end], numbers))
    return "".join(pieces)


def _statement(text: str, claim: Claim | None, numbers: dict[str, int]) -> str:
    body = _prose(text, numbers)
    if claim is None:
        return body
    mark, words = _MARKS.get(claim.status, ("", ""))
    cites = " ".join(f"cites-{numbers[i]}" for i in claim.citations if i in numbers)
    note = f'<span class="cc-note">{words}</span>' if words else ""
    return f'<span class="cc-claim {mark} {cites}">{body}{note}</span>'


def _prose(text: str, numbers: dict[str, int]) -> str:
    """Escaped text with its citations as numbers; an id that was not retrieved is shown as unknown."""
    pieces: list[str] = []
    cursor = 0
    for match in _CITATIONS.finditer(text):
        pieces.append(_BOLD.sub(r"<strong>\1</strong>", escaped(text[cursor : match.start()])))
        identifiers = dict.fromkeys(re.split(r"\s*[,;]\s*", match.group(1)))
        pieces.append("".join(_number(i, numbers) for i in identifiers))
        cursor = match.end()
    pieces.append(_BOLD.sub(r"<strong>\1</strong>", escaped(text[cursor:])))
    return "".join(pieces)


def _number(identifier: str, numbers: dict[str, int]) -> str:
    number = numbers.get(identifier)
    if number is None:
        return f'<span class="cc-cite is-unknown" title="{escaped(identifier)} was not retrieved">?</span>'
    return f'<a class="cc-cite" href="#evidence-{number}" aria-label="Evidence {number}">{number}</a>'


def _refusal(text: str) -> str:
    rest = text.replace(REFUSAL, "").strip()
    searched = "".join(f"<p>{escaped(line)}</p>" for line in rest.splitlines() if line.strip())
    return _section("cc-answer cc-refusal", f'<p class="cc-lead">{escaped(REFUSAL)}</p>{searched}')


def _section(classes: str, body: str) -> str:
    return f'<section class="{classes}" aria-label="Answer" aria-live="polite">{body}</section>'


def _mark_rules(numbers: dict[str, int]) -> str:
    """The rules that mark a card's sentences while the card is the page's target: no script, no rerun."""
    rules = "".join(
        f".stApp:has(#evidence-{n}:target) .cites-{n}"
        "{background:var(--cc-mark);box-shadow:0 0 0 3px var(--cc-mark)}"
        f".stApp:has(#evidence-{n}:target) a.cc-cite[href='#evidence-{n}']"
        "{background:var(--cc-accent);color:var(--cc-paper)}"
        for n in numbers.values()
    )
    return f"<style>{rules}</style>"
