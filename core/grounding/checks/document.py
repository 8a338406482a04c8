"""What a document says in a line that negates it, it does not say: "no history of stroke" supports no stroke.

Words of a claim are looked up in the cited document line by line; a negated line supports only a negated claim.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from core.grounding.checks.outcome import Outcome, agreed, contradicted
from core.models import Facts
from core.words import stems

_LINE = re.compile(r"[\r\n]+|(?<=[.!?;])\s+")
_NEGATIVE = frozenset(
    s for w in ["no", "not", "never", "denies", "denied", "without", "negative"] for s in stems(w)
)
_LONG = ("document", "presentedForm", "conclusion", "note")


@lru_cache(maxsize=256)
def _lines(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """The lines of a text with their stems."""
    return tuple((line.strip(), frozenset(stems(line))) for line in _LINE.split(text) if line.strip())


def check(said: Sequence[str], cited: Sequence[Facts], negated: bool) -> list[Outcome]:
    """`said` are the stems of the claim that no other part of the cited resources accounts for."""
    texts = [d.text for f in cited for d in f.details if d.kind in _LONG]
    if not texts or negated:
        return []
    found = []
    for word in said:
        lines = [(line, words) for text in texts for line, words in _lines(text) if word in words]
        if not lines:
            continue
        plain = [line for line, words in lines if not words & _NEGATIVE]
        if plain:
            found.append(agreed("document", word, plain[0][:120]))
        else:
            found.append(contradicted("document", word, lines[0][0][:120]))
    return found
