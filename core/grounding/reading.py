"""The text of one statement while it is being read: every character is claimed by at most one atom.

What no atom claims is left for the coverage check, so nothing a claim says goes unjudged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from core.grounding.citations import MARK
from core.words import Token, fold, tokens

# What only separates or joins; everything else that is no letter and no digit has to be read.
_SIGN = re.compile(r"[^\w\s.,;:!()\[\]{}'\"’‘“”«»`´&@#/\\|–—‐‑_*%°•·…+=~^-]|[-+~^=](?=[-+~^=])|\([-+−–]\)")


@dataclass
class Reading:
    """`text` is the statement with a MARK per citation, `folded` the same in lower case, `taken` marks read characters."""

    text: str
    folded: str = ""
    taken: bytearray = field(default_factory=bytearray)

    def __post_init__(self) -> None:
        self.folded = fold(self.text)
        self.taken = bytearray(len(self.text))

    def free(self, start: int, end: int) -> bool:
        return not any(self.taken[start:end])

    def take(self, start: int, end: int) -> None:
        self.taken[start:end] = b"\x01" * (end - start)

    def find(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Matches in the folded text that no earlier atom has claimed."""
        for match in pattern.finditer(self.folded):
            if match.end() > match.start() and self.free(match.start(), match.end()):
                yield match

    def has(self, pattern: re.Pattern[str]) -> bool:
        """Whether a pattern occurs at all: most statements hold no word of most kinds."""
        return pattern.search(self.folded) is not None

    def before(self, position: int, width: int = 40) -> str:
        """The folded text just before a position, up to the last citation or sentence part."""
        return self.folded[max(0, position - width) : position].rpartition(MARK)[2]

    def unclaimed_before(self, position: int, width: int = 40) -> str:
        """`before`, with what earlier atoms have claimed blanked out: a name's words give a date no role."""
        start = max(0, position - width)
        text = "".join(
            "_" if t else c
            for c, t in zip(self.folded[start:position], self.taken[start:position], strict=True)
        )
        return text.rpartition(MARK)[2]

    def after(self, position: int, width: int = 40) -> str:
        return self.folded[position : position + width].partition(MARK)[0]

    def left_over(self) -> list[Token]:
        """The words that no atom has claimed."""
        return [t for t in tokens(self.text) if self.free(t.start, t.end)]

    def signs(self) -> list[str]:
        """The signs that no atom has claimed and that are no punctuation: an arrow, a cross, an emoji says something."""
        return [
            m.group() for m in _SIGN.finditer(self.text) if not m.group().isalnum() and self.free(*m.span())
        ]


@dataclass(frozen=True, slots=True)
class Atom:
    """One checkable piece of a statement, at its place in the text."""

    start: int
    end: int
    said: str
