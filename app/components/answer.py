"""The answer as prose: a failing statement is marked where it stands, citations are numbered by first use.

Answer text quotes the record and may be a model's: it is escaped whole; only list marks and **bold** count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.text import escaped
from core.grounding.citations import MARK, mask
from core.models import REFUSAL, Answer, Claim, ClaimStatus

_LIST_MARK = re.compile(r"^\s*(?:[-*•]|\d{1,3}[.)])\s+")
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_WORD = re.compile(r"\w+")
_REST_OF_STATEMENT = re.compile(rf"(?:[ \t]*[{MARK}%.,;:!?)\]]|[*|])*")
_LONG_LIST, _SHOWN_OF_LONG_LIST = 8, 5
_SHOWN_OF_CITATIONS = 2
_MARKS = {
    ClaimStatus.CONTRADICTED: ("is-bad", "contradicted by the record"),
    ClaimStatus.UNSUPPORTED: ("is-warn", "not found in what it cites"),
    ClaimStatus.UNCITED: ("is-warn", "cites nothing that was retrieved"),
}


@dataclass(frozen=True, slots=True)
class Statement:
    """A stretch of the answer text (citations masked) and the claim it is."""

    start: int
    end: int
    claim: Claim


def answer(found: Answer, numbers: dict[str, int]) -> None:
    if found.read_as:
        st.html(f'<p class="cc-quiet">Read as “{escaped(found.read_as)}”</p>')
    st.html(answer_html(found, numbers))


def answer_html(found: Answer, numbers: dict[str, int]) -> str:
    """The answer's paragraphs and lists, or for a refusal its own calm panel with what was searched."""
    if found.refused:
        return _refusal(found.answer)
    text, cited = mask(found.answer)
    statements = align(text, found.claims)
    blocks: list[str] = []
    items: list[str] = []
    offset = 0
    for line in text.splitlines(keepends=True):
        mark = _LIST_MARK.match(line)
        start = offset + (mark.end() if mark else 0)
        offset += len(line)
        body = _line(text, start, offset, statements, cited, numbers).strip()
        if mark:
            items.append(f"<li>{body}</li>")
            continue
        if body:
            blocks += [*_list(items), f'<div class="cc-p">{body.lstrip("# ")}</div>']
            items = []
    blocks += _list(items)
    return _section("cc-answer", "".join(blocks) + _mark_rules(numbers))


def show_draft(place: DeltaGenerator, text: str) -> None:
    """A model's text while it is being written: marked as a draft, its citations not yet resolved."""
    place.html(draft_html(text))


def draft_html(text: str) -> str:
    words = escaped(mask(text)[0].replace(MARK, ""))
    return _section(
        "cc-answer cc-draft", f'<p class="cc-tag is-warn">Draft, not yet checked</p><p>{words}</p>'
    )


def align(text: str, claims: list[Claim]) -> list[Statement]:
    """Where each claim stands in the answer, in order, matched word by word across marks and citations.

    A claim that cannot be found is left out here and still shown among the checks.
    """
    found: list[Statement] = []
    cursor = 0
    for claim in claims:
        words = _WORD.findall(mask(claim.text)[0])
        match = words and re.compile(r"\W*".join(map(re.escape, words)), re.IGNORECASE).search(text, cursor)
        if not match:
            continue
        start = match.start()
        while start > cursor and not text[start - 1].isspace() and text[start - 1] != MARK:
            start -= 1
        rest = _REST_OF_STATEMENT.match(text, match.end())
        cursor = rest.end() if rest else match.end()
        found.append(Statement(start, cursor, claim))
    return found


def _list(items: list[str]) -> list[str]:
    """A list; a long one's tail is folded unless something in it fails, so that the chart stays in sight."""
    if not items:
        return []
    head, tail = items[:_SHOWN_OF_LONG_LIST], items[_SHOWN_OF_LONG_LIST:]
    if len(items) <= _LONG_LIST or any("cc-note" in item for item in tail):
        return [f"<ul>{''.join(items)}</ul>"]
    return [
        f"<ul>{''.join(head)}</ul>",
        f'<details class="cc-rest"><summary>{len(tail)} more</summary><ul>{"".join(tail)}</ul></details>',
    ]


def _line(
    text: str,
    start: int,
    end: int,
    statements: list[Statement],
    cited: tuple[tuple[str, ...], ...],
    numbers: dict[str, int],
) -> str:
    """One line as HTML, each statement in its own span."""

    def prose(left: int, right: int) -> str:
        return _prose(text[left:right], cited[text.count(MARK, 0, left) :], numbers)

    pieces: list[str] = []
    cursor = start
    for statement in statements:
        left, right = max(statement.start, start), min(statement.end, end)
        if left < right:
            pieces += [prose(cursor, left), _statement(prose(left, right), statement.claim, numbers)]
            cursor = right
    return "".join([*pieces, prose(cursor, end)])


def _statement(body: str, claim: Claim, numbers: dict[str, int]) -> str:
    mark, words = _MARKS.get(claim.status, ("", ""))
    cites = " ".join(f"cites-{numbers[i]}" for i in claim.citations if i in numbers)
    note = f'<span class="cc-note">{words}</span>' if words else ""
    return f'<span class="cc-claim {mark} {cites}">{body}{note}</span>'


def _prose(text: str, cited: tuple[tuple[str, ...], ...], numbers: dict[str, int]) -> str:
    """Escaped text with its citations as numbers; an id that was not retrieved is shown as unknown."""
    *before, last = text.split(MARK)
    words = [_BOLD.sub(r"<strong>\1</strong>", escaped(w)) for w in (*(b.rstrip(" ") for b in before), last)]
    marks = [_numbers(group, numbers) for group in cited[: len(before)]]
    return words[0] + "".join(mark + word for mark, word in zip(marks, words[1:], strict=True))


def _numbers(group: tuple[str, ...], numbers: dict[str, int]) -> str:
    """The numbers of one bracket; beyond a few, the rest unfold in place."""
    found = [_number(i, numbers) for i in group]
    if len(found) <= _SHOWN_OF_CITATIONS + 1:
        return "".join(found)
    head, tail = found[:_SHOWN_OF_CITATIONS], found[_SHOWN_OF_CITATIONS:]
    more = f"<summary aria-label='{len(tail)} more citations'>+{len(tail)}</summary>"
    return f'{"".join(head)}<details class="cc-cites">{more}{"".join(tail)}</details>'


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
