"""The verdict: icon, words and count, never colour alone; it says "matches the record", not "correct".

Opening the badge shows every claim with what was checked, what the claim says and what the record holds.
"""

from __future__ import annotations

import re

import streamlit as st

from app.text import escaped
from core.grounding.citations import MARK, mask
from core.models import Answer, Claim, ClaimStatus, VerdictStatus

_CLAIM_WORDS = {
    ClaimStatus.SUPPORTED: ("ok", "✓", "matches the record"),
    ClaimStatus.CONTRADICTED: ("bad", "✕", "contradicted by the record"),
    ClaimStatus.UNSUPPORTED: ("warn", "◐", "not found in what it cites"),
    ClaimStatus.UNCITED: ("warn", "◐", "cites nothing that was retrieved"),
}


def badge_words(answer: Answer) -> tuple[str, str, str]:
    """(tone, icon, words) of an answer's badge; the words hold the count."""
    total = len(answer.claims)
    matching = sum(claim.status is ClaimStatus.SUPPORTED for claim in answer.claims)
    if answer.refused:
        return "none", "∅", "Not in this record"
    match answer.verdict:
        case VerdictStatus.GROUNDED:
            every = f"all {total} statements match" if total != 1 else "the 1 statement matches"
            return "ok", "✓", f"Grounded: {every} the record"
        case VerdictStatus.PARTIALLY_GROUNDED:
            return "warn", "◐", f"Partially grounded: {matching} of {total} match"
        case _:
            return "bad", "✕", "Ungrounded: not supported by the record"


def verdict(answer: Answer) -> None:
    """The badge, which opens into the claim-by-claim checks; a refusal makes no claim and has none."""
    st.html(verdict_html(answer))


def verdict_html(answer: Answer) -> str:
    tone, icon, words = badge_words(answer)
    badge = f'<span class="cc-icon" aria-hidden="true">{icon}</span>{escaped(words)}'
    if answer.refused or not answer.claims:
        return f'<div class="cc-badge is-{tone}" role="status" data-verdict="{tone}">{badge}</div>'
    if tone == "bad":
        badge += f'<span class="cc-count">{_failures(answer)}</span>'
    claims = "".join(_claim(number, claim) for number, claim in enumerate(answer.claims, 1))
    return (
        f'<details class="cc-verdict"><summary class="cc-badge is-{tone}" data-verdict="{tone}">{badge}'
        f'<span class="cc-more">what was checked</span></summary>'
        f'<ol class="cc-claims">{claims}</ol></details>'
    )


def _failures(answer: Answer) -> str:
    """How an ungrounded answer fails: what the record contradicts, else that nothing matches."""
    total = len(answer.claims)
    contradicted = sum(claim.status is ClaimStatus.CONTRADICTED for claim in answer.claims)
    return f"{contradicted} of {total} contradicted" if contradicted else f"0 of {total} match"


def _claim(number: int, claim: Claim) -> str:
    tone, icon, words = _CLAIM_WORDS[claim.status]
    text = re.sub(rf"\s*{MARK}", "", mask(claim.text)[0]).strip()
    rows = "".join(
        f'<tr class="{"is-ok" if check.ok else "is-bad"}"><td>{escaped(_spaced(check.kind))}</td>'
        f"<td>{escaped(check.expected) or '–'}</td><td>{escaped(check.found) or '–'}</td>"
        f"<td>{'✓ agrees' if check.ok else '✕ differs'}</td></tr>"
        for check in claim.checks
    )
    table = (
        '<table class="cc-table"><thead><tr><th>Checked</th><th>The answer says</th><th>The record holds</th>'
        f"<th>Result</th></tr></thead><tbody>{rows}</tbody></table>"
        if rows
        else ""
    )
    return f'<li><p><span class="cc-tag is-{tone}">{icon} {words}</span> {escaped(text)}</p>{table}</li>'


def _spaced(kind: str) -> str:
    return kind.replace("_", " ").replace("-", " ")
