"""Citations as they are written: "[Type/id]", several in one bracket, as a URL; any other bracket is text.

A bracket counts only when everything in it is a citation, so "[Mass/volume] in Blood" stays part of a name.
"""

from __future__ import annotations

import re

# One private-use character stands for one bracket: sentences can then be split without looking inside it.
MARK = "\ue000"
_BRACKET = re.compile(r"\[([^\[\]]{3,100000})\](?:\([^()\s]{1,500}\))?")
_SEPARATOR = re.compile(r"\s*[,;]\s*|\s+(?:and|&)\s+|\s+")
_ONE = re.compile(
    r"(?:https?://\S{1,400}/)?([A-Z][A-Za-z]{2,40}/[A-Za-z0-9\-.]{1,64})(?:/_history/[A-Za-z0-9\-.]{1,64})?"
)
# LOINC long names print their property in brackets: "Glucose [Mass/volume] in Blood".
_PROPERTY = re.compile(
    r"(?:Mass|Moles|Volume|Units|Enzymatic|Entitic|Catalytic|Number|Entities|Presence|Time|Length|Area|Ratio|"
    r"Substance|Titer|Susceptibility|Type|Entire|Relative|Velocity|Pressure|Arbitrary)/[a-z]+(?:\.[a-z]+)?",
    re.IGNORECASE,
)


def parse(bracket: str) -> tuple[str, ...]:
    """The "Type/id" of everything cited between two brackets; empty when the bracket holds anything else."""
    parts = [p.strip("`* ") for p in _SEPARATOR.split(bracket.strip()) if p.strip("`* ")]
    found = []
    for part in parts:
        match = _ONE.fullmatch(part.rstrip("/"))
        if not match or _PROPERTY.fullmatch(match[1]):
            return ()
        found.append(match[1])
    return tuple(dict.fromkeys(found))


def mask(text: str) -> tuple[str, tuple[tuple[str, ...], ...]]:
    """The text with every citation bracket replaced by MARK, and what each MARK cites, in order."""
    cited: list[tuple[str, ...]] = []

    def replace(match: re.Match[str]) -> str:
        found = parse(match[1])
        if not found:
            return match[0]
        cited.append(found)
        return MARK

    return _BRACKET.sub(replace, text.replace(MARK, "")), tuple(cited)
