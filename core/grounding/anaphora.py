"""A sentence that cites nothing and leans on its neighbour: "Both were stopped.", "He had a cold. It lasted a week [A]."

It is judged on what the neighbour cites, and stands only if that bears it out whole; otherwise it cites nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.grounding.checks import numbers
from core.grounding.claims import Statement

_ADVERB = r"(?:(?:so|thus|hence|overall|altogether|in (?:total|all|sum|short)|again|and|but|of (?:these|those|them)),? )*"
_NOUN = r"(?: \w+){0,3}"
# What a sentence opens with that speaks of what was just said: "it", "both", "all three", "the latter", "neither of them".
_LEANS = re.compile(
    rf"^\W*{_ADVERB}(?:it|its|this|that|these|those|they|their|both|neither|either|none|all|each|the same|"
    rf"(?:no|nothing) (?:other|else|further)|(?:the )?(?:first|second|third|last|latest|earliest|earlier|later|former|"
    rf"latter|highest|lowest|most recent|current|only|other|order|prescription|result|reading|value|figure|peak|rest|"
    rf"{numbers.WORD}|"
    rf"\d{{1,3}})(?: (?:one|of (?:them|these|those|the \w+)))?{_NOUN}|(?:he|she) (?:did|had|was|has|is) (?:it|them|both))\b",
    re.IGNORECASE,
)


def borrowed(found: Sequence[Statement], position: int) -> tuple[str, ...]:
    """What a sentence without a citation may be judged on: what it leans on before it, or what leans on it after it."""
    statement = found[position]
    if (
        statement.layout != "sentence"
        or statement.cited
        or statement.below
        or statement.text.rstrip().endswith("?")
    ):
        return ()
    return _before(found, position) or _after(found, position)


def _before(found: Sequence[Statement], position: int) -> tuple[str, ...]:
    if not position or not _LEANS.match(found[position].text):
        return ()
    previous = found[position - 1]
    if previous.layout in ("item", "row"):
        listed = [s for s in found[:position] if s.block > 0 and s.layout == previous.layout]
        return tuple(dict.fromkeys(c for s in listed for c in s.cited))
    if previous.block != found[position].block:
        return ()
    together = [s for s in found[:position] if s.block == found[position].block and s.cited]
    said = together if _COUNTS.match(found[position].text) else together[-1:]
    return tuple(dict.fromkeys(c for s in said for c in s.cited))


# "So three doses altogether": of everything that the paragraph has told.
_COUNTS = re.compile(rf"^\W*{_ADVERB}(?:both|all|none|neither|(?:{numbers.WORD}|\d{{1,3}}) )", re.IGNORECASE)


def _after(found: Sequence[Statement], position: int) -> tuple[str, ...]:
    following = next(iter(found[position + 1 : position + 2]), None)
    if following is None or following.block != found[position].block or following.layout != "sentence":
        return ()
    return following.cited if _LEANS.match(following.text) else ()
