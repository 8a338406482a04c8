"""A paragraph as sentences: a full stop after an abbreviation, an initial or inside a number ends none.

Citations after a full stop stay with the sentence before them.
"""

from __future__ import annotations

import re

from core.grounding.citations import MARK

# A full stop after one of these ends no sentence.
_ABBREVIATION_WORDS = (
    "dr mr mrs ms prof st jr sr e.g eg i.e ie vs approx ca cf etc incl resp fig no nos vol est "
    "dept min max avg wk mo yr hr jan feb mar apr jun jul aug sep sept oct nov dec inc ltd co "
    "p.o q.d b.i.d t.i.d q.i.d p.r.n i.v i.m s.c a.m p.m tab caps sol inj"
)
_ABBREVIATIONS = frozenset(_ABBREVIATION_WORDS.split())
_FOLLOWED_BY_NUMBER = frozenset({"no", "nos", "fig", "vol", "approx", "ca", "est"})
_END = re.compile(rf"[.!?]+[\"'”’)\]]*(?:\s*{MARK})*(?=\s|$)")
_WORD_BEFORE = re.compile(r"([A-Za-z][A-Za-z.]*)$")


def sentences(text: str) -> list[str]:
    """Split a paragraph into sentences; citations after a full stop stay with the sentence before them."""
    found, begin = [], 0
    for match in _END.finditer(text):
        if _is_abbreviation(text, match.start(), match.group()):
            continue
        found.append(text[begin : match.end()])
        begin = match.end()
    found.append(text[begin:])
    # A bracket alone belongs to the sentence before it.
    joined: list[str] = []
    for piece in found:
        if joined and not piece.replace(MARK, "").strip(" .;,"):
            joined[-1] += piece
        elif piece.strip():
            joined.append(piece)
    return [piece.strip() for piece in joined]


def _is_abbreviation(text: str, stop: int, ending: str) -> bool:
    if not ending.startswith(".") or MARK in ending:
        return False
    word = _WORD_BEFORE.search(text[max(0, stop - 12) : stop])
    if not word:
        return False
    following = text[stop + len(ending) :].lstrip()
    token = word[1].casefold()
    if token in _FOLLOWED_BY_NUMBER:
        return following[:1].isdigit()
    if token in _ABBREVIATIONS:
        return bool(following)
    # An initial inside a name: "John A. Smith"; but "hepatitis B. The …" ends.
    if len(word[1]) == 1 and word[1].isupper():
        if following[:1].islower():
            return True  # "E. coli"
        before = text[: stop - 1].split()
        return bool(before) and before[-1][:1].isupper() and following[:1].isupper()
    return False


def item_pieces(text: str) -> list[str]:
    """The sentences of a list item, uncited ones joined to the cited one they go with: an item is one claim."""
    pieces: list[str] = []
    waiting = ""
    for sentence in sentences(text):
        waiting = f"{waiting} {sentence}".strip()
        if MARK in sentence:
            pieces.append(waiting)
            waiting = ""
    if waiting:
        if pieces:
            pieces[-1] += f" {waiting}"
        else:
            pieces.append(waiting)
    return pieces
