"""A leading "Yes" or "No" answers the question: what is asked, read as a statement, has to hold or to fail with it.

A question that sets two things against each other ("higher or lower?") is not answered by yes or no and judges nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.grounding.checks import names
from core.grounding.checks.direction import RelationAtom
from core.grounding.checks.outcome import Outcome, agreed, contradicted, missing, several
from core.grounding.checks.windows import LASTING
from core.grounding.statement import Parsed
from core.models import Facts
from core.words import fold

_PRESENCE = re.compile(
    r"^\W*(?:is|are|does|do|has|have|had|was|were|did|any|can you tell me (?:if|whether))\b"
)
_EITHER = re.compile(r"\bor\b")
_NOW = re.compile(r"\b(?:active|currently|current|still|taking|takes?|now|on)\b")
_UP = re.compile(r"\b(?:higher|greater|increas\w*|risen|rise|rising|rose|up|more)\b")
_DOWN = re.compile(r"\b(?:lower|less|decreas\w*|fallen|fall|falling|fell|down|dropped)\b")
_OVER = frozenset(
    {"stopped", "resolved", "completed", "inactive", "cancelled", "remission", "not-done", "ended", "on-hold"}
)


def check(
    said: str, asked: Parsed, outcomes: Sequence[Outcome], negated: bool, relations: Sequence[RelationAtom]
) -> list[Outcome]:
    """`outcomes` are the checks of the question read as a statement, without those of its mere wording."""
    text = fold(asked.text)
    if not _PRESENCE.match(text):
        return []
    if wrong := _comparison(said, text, relations):
        return [wrong]
    if _EITHER.search(text) or not asked.cited:
        return []
    failed = [o for o in outcomes if not o.ok]
    over = all(_is_over(f) for f in asked.cited)
    refuted = any(not o.missing for o in failed)
    shown = several([f"{f.label}: {f.status}" for f in asked.cited])
    if said == "yes":
        if failed:
            return [contradicted("yes or no", "yes", o.found) if not o.missing else o for o in failed[:1]]
        if over and _NOW.search(text) and not re.search(r"\bprescribed\b", text):
            return [contradicted("yes or no", "yes", shown)]
        if all(asked.lexicon.says_no(f) for f in asked.cited) and not asked.negations:
            return [contradicted("yes or no", "yes", several([_value(f) for f in asked.cited]))]
        if not _speaks_of(asked):
            return [
                missing(
                    "yes or no",
                    "yes",
                    f"the question names none of {several([f.label for f in asked.cited])}",
                )
            ]
        return [agreed("yes or no", "yes", shown)]
    denies = negated or over or refuted or any(asked.lexicon.says_no(f) for f in asked.cited)
    return [agreed("yes or no", "no", shown) if denies else contradicted("yes or no", "no", shown)]


def _speaks_of(asked: Parsed) -> bool:
    """Whether the question is about something cited: it names it, or says nothing that the resources do not."""
    if any(names.names(f, asked, 0, len(asked.text)) for f in asked.cited):
        return True
    known = frozenset(s for f in asked.cited for s in asked.lexicon.words(f))
    return not asked.mentions and all(t.stem in known for t in asked.left_over)


def _is_over(facts: Facts) -> bool:
    """Whether a resource says that what it is about is no more, or was not done; a completed event was."""
    ended = facts.resource_type in LASTING and _OVER & {s.casefold() for s in facts.statuses}
    return bool(ended) or facts.not_done


def _value(facts: Facts) -> str:
    return several([v.text for v in facts.values]) or facts.label


def _comparison(said: str, text: str, relations: Sequence[RelationAtom]) -> Outcome | None:
    up, down = bool(_UP.search(text)), bool(_DOWN.search(text))
    if up == down:  # neither, or "higher or lower"
        return None
    kinds = {r.kind for r in relations} & {"up", "down", "same"}
    if not kinds:
        return None
    fits = ("up" if up else "down") in kinds
    if fits == (said == "yes"):
        return None
    return contradicted("yes or no", said, " and ".join(r.said for r in relations))
