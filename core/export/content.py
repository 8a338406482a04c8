"""What every export of an answer holds: question, answer, verdict, each source by its number, who answered, when.

The text is plain: citations have become numbers in brackets, and whoever writes it out escapes it for where it goes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.citing import citation_numbers
from core.grounding.citations import MARK, mask
from core.models import Answer, Citation, Claim, ClaimStatus, VerdictStatus
from core.patients import PatientSummary

NOTICE = (
    "Not a medical device. Synthetic or authorised data only. "
    "Answers are about what the record says; they are not advice."
)
_LIST_MARK = re.compile(r"^\s*(?:[-*•]|\d{1,3}[.)])\s+")
# What XML 1.0 has no place for; a narrative is XHTML.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
_STATUS_WORDS = {
    ClaimStatus.SUPPORTED: "matches the record",
    ClaimStatus.CONTRADICTED: "contradicted by the record",
    ClaimStatus.UNSUPPORTED: "not found in what it cites",
    ClaimStatus.UNCITED: "cites nothing that was retrieved",
}


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph of the answer, or one item of a list of it."""

    text: str
    item: bool


@dataclass(frozen=True, slots=True)
class Source:
    """A cited resource under its number."""

    number: int
    citation: Citation

    @property
    def lines(self) -> list[str]:
        return [clean(line) for line in self.citation.text.splitlines() if line.strip()]


@dataclass(frozen=True, slots=True)
class Content:
    """One answer, ready to be written out."""

    patient: PatientSummary
    answer: Answer
    user: str
    at: datetime

    @property
    def identity(self) -> str:
        """The patient in one line."""
        one = self.patient
        born = f"born {one.birth_date}" if one.birth_date else "birth date not recorded"
        parts = [one.name, one.gender or "sex not recorded", born]
        parts += [f"deceased {one.deceased}"] if one.deceased else []
        return clean(" · ".join([*parts, one.patient]))

    @property
    def question(self) -> str:
        return clean(self.answer.read_as or self.answer.question)

    @property
    def answerer(self) -> str:
        return f"ChartCite, answerer “{clean(self.answer.answerer)}”"

    @property
    def verdict(self) -> str:
        """The verdict in words; it says "match the record", not "correct"."""
        total = len(self.answer.claims)
        matching = sum(c.status is ClaimStatus.SUPPORTED for c in self.answer.claims)
        if self.answer.refused:
            return "Not in this record"
        if self.answer.verdict is VerdictStatus.GROUNDED:
            return f"Grounded: {matching} of {total} statements match the record"
        partial = self.answer.verdict is VerdictStatus.PARTIALLY_GROUNDED
        name = "Partially grounded" if partial else "Ungrounded"
        return f"{name}: {matching} of {total} statements match the record"

    @property
    def blocks(self) -> list[Block]:
        return blocks_of(self.answer)

    @property
    def sources(self) -> list[Source]:
        numbers = citation_numbers(self.answer)
        found = {c.resource_id: c for c in self.answer.citations}
        return [Source(number, found[i]) for i, number in numbers.items() if i in found]

    @property
    def checks(self) -> list[tuple[str, str, str]]:
        """Each statement, its status in words, and what differs where something does."""
        return [(_plain(c), _STATUS_WORDS[c.status], _differences(c)) for c in self.answer.claims]


def blocks_of(answer: Answer) -> list[Block]:
    """An answer's paragraphs and list items, citations as numbers."""
    text, cited = mask(answer.answer)
    brackets = iter(cited)
    numbers = citation_numbers(answer)
    blocks = []
    for line in text.splitlines():
        words = re.sub(MARK, lambda _: _numbers(next(brackets), numbers), line)
        mark = _LIST_MARK.match(words)
        words = clean(words[mark.end() if mark else 0 :]).replace("**", "").lstrip("# ").strip()
        if words:
            blocks.append(Block(words, mark is not None))
    return blocks


def clean(text: str) -> str:
    """The text without characters that no document can hold."""
    return _CONTROL.sub("", text)


def _plain(claim: Claim) -> str:
    return clean(re.sub(rf"\s*{MARK}", "", mask(claim.text)[0]).replace("**", "").strip())


def _differences(claim: Claim) -> str:
    wrong = [c for c in claim.checks if not c.ok]
    return clean(
        "; ".join(f"{c.kind}: says {c.expected or '–'}, record holds {c.found or '–'}" for c in wrong)
    )


def _numbers(ids: Sequence[str], numbers: dict[str, int]) -> str:
    known = [str(numbers[i]) if i in numbers else "?" for i in ids]
    return f"[{', '.join(known)}]"
