"""A leading "Yes" or "No" has to agree with the statement it introduces, as far as the question lets one tell."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.grounding.checks.outcome import Outcome, contradicted, several
from core.grounding.checks.relation import RelationAtom
from core.models import Facts
from core.words import fold

_PRESENCE = re.compile(r"^\W*(?:is|are|does|do|has|have|was|were|did|any|can you tell me (?:if|whether))\b")
_COMPARES = re.compile(
    r"\b(?:than|or|higher|lower|same|changed?|increased?|decreased?|better|worse|rise|risen|fallen|normal)\b"
)
_NOW = re.compile(r"\b(?:active|currently|current|still|taking|now|on)\b")
_UP = re.compile(r"\b(?:higher|greater|increas\w*|risen|rise|rising|rose|up|more)\b")
_DOWN = re.compile(r"\b(?:lower|less|decreas\w*|fallen|fall|falling|fell|down|dropped)\b")
_OVER = frozenset(
    {"stopped", "resolved", "completed", "inactive", "cancelled", "remission", "not-done", "ended", "on-hold"}
)


def check(
    polarity: str, question: str, cited: Sequence[Facts], negated: bool, relations: Sequence[RelationAtom]
) -> Outcome | None:
    asked = fold(question)
    if not polarity or not _PRESENCE.match(asked):
        return None
    if wrong := _comparison(polarity, asked, relations):
        return wrong
    if _COMPARES.search(asked) or not cited:
        return None
    over = all(_OVER & {s.casefold() for s in f.statuses} or f.not_done for f in cited)
    shown = several([f"{f.label}: {f.status}" for f in cited])
    if polarity == "no" and not negated and not over:
        return contradicted("yes or no", "no", shown)
    if polarity == "yes" and over and _NOW.search(asked) and not re.search(r"\bprescribed\b", asked):
        return contradicted("yes or no", "yes", shown)
    return None


def _comparison(polarity: str, asked: str, relations: Sequence[RelationAtom]) -> Outcome | None:
    up, down = bool(_UP.search(asked)), bool(_DOWN.search(asked))
    if up == down:  # neither, or "higher or lower"
        return None
    kinds = {r.kind for r in relations} & {"up", "down", "same"}
    if not kinds:
        return None
    fits = ("up" if up else "down") in kinds
    if fits == (polarity == "yes"):
        return None
    return contradicted("yes or no", polarity, " and ".join(r.said for r in relations))
