"""Words of a question with a slip of one letter, as the vocabulary or the record spells them."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz.distance import DamerauLevenshtein

from core.retrieval.language import language
from core.terminology import vocabulary


def spelled(stems: tuple[str, ...], quoted: set[int], names: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """The stems with a slip of one letter put right, where the word is no word known here and one clinical word is near.

    One edit only: two would turn hypotension into hypertension.
    """
    lang = language()
    known = {s for phrase in lang.kinds for s in phrase} | {s for name in names for s in name}
    cues = {
        s
        for phrases in (*lang.aggregates.values(), *lang.status.values(), lang.advice)
        for p in phrases
        for s in p
    }
    words = vocabulary()
    return tuple(
        s
        if i in quoted
        or len(s) < 6
        or not s.isalpha()
        or s in lang.frame
        or s in known
        or s in cues
        or s in words
        else _nearest(s, words)
        for i, s in enumerate(stems)
    )


def _nearest(word: str, words: frozenset[str]) -> str:
    near = [w for w in words if w[0] == word[0] and DamerauLevenshtein.distance(w, word, score_cutoff=1) <= 1]
    return near[0] if len(near) == 1 else word
