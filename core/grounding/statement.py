"""A statement taken apart: its atoms, its words, and the resources it cites; what every check is given.

Atoms are read in a fixed order, the most specific first: a name that holds a number is a name, a date is no quantity.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from core.grounding.checks import (
    age,
    average,
    coded,
    components,
    count,
    dates,
    designator,
    direction,
    duration,
    every,
    frequency,
    interpretation,
    negation,
    order,
    person,
    quantity,
    sequence,
    status,
    unlisted,
    vital,
    windows,
)
from core.grounding.checks.windows import Frame
from core.grounding.citations import MARK
from core.grounding.lexicon import Lexicon
from core.grounding.reading import Reading
from core.grounding.record import Record
from core.grounding.vocabulary import FRAME_WORDS, IDIOMS, REASON_WORDS, TYPE_WORDS
from core.models import Facts
from core.terminology import Term, matches
from core.words import Token, stems, tokens


@dataclass(frozen=True)
class Phrase:
    """A name of a cited resource found word for word."""

    start: int
    end: int
    said: str
    owners: tuple[Facts, ...]


@dataclass(frozen=True)
class Mention:
    """A term of the terminology found in the text, over the words `start`..`end`."""

    start: int
    end: int
    said: str
    term: Term
    stems: frozenset[str]


class Parsed:
    """One statement read against the resources it cites."""

    def __init__(
        self, text: str, cited: Sequence[Facts], record: Record, lexicon: Lexicon, *, label: bool = False
    ) -> None:
        self.text, self.cited, self.record, self.lexicon = text, tuple(cited), record, lexicon
        reading = self.reading = Reading(text)
        for position, char in enumerate(text):
            if char == MARK:
                reading.take(position, position + 1)
        self.phrases = _phrases(reading, self.cited, lexicon)
        self.smoking = coded.read(reading, self.cited)
        self.mentions = _mentions(reading, self.phrases)
        for match in list(reading.find(_IDIOMS)):
            reading.take(*match.span())
        if label:
            for match in list(reading.find(LISTED)):
                reading.take(*match.span())
        quantity.take_scales(reading, self.cited)
        self.unlisted = unlisted.read(reading)
        self.designators = designator.read(reading)
        found_dates = dates.read(reading)
        self.frequencies = frequency.read(reading, self.cited)
        self.ages = age.read(reading)
        self.durations = duration.read(reading)
        self.sequences = sequence.read_ends(reading)
        self.orders = order.read(reading)
        self.counts = count.read(reading)
        self.frame: Frame = windows.frame(
            reading, found_dates, self.cited, self.counts[0].end if self.counts else None
        )
        self.averages = average.read(reading)
        self.pairs = components.read(reading)
        self.quantities = quantity.read(reading)
        self.units = quantity.read_units(reading)
        self.relations = direction.read(reading)
        self.sequences += sequence.read(reading)
        self.statuses = status.read(reading, self.cited)
        self.quantifiers = every.read(reading)
        self.vitals = vital.read(reading, self.cited)
        self.interpretations = interpretation.read(reading)
        self.negations = negation.read(reading)
        self.persons = person.read(reading, record)
        self.told = count.read_told(reading)

    @cached_property
    def left_over(self) -> tuple[Token, ...]:
        """Words that no atom, name or term has claimed and that are not part of every sentence."""
        kinds = frozenset(s for f in self.cited for s in TYPE_WORDS.get(f.resource_type, ()))
        if any(f.detail("reason") for f in self.cited):
            kinds |= REASON_WORDS
        strict = coded.STRICT if any(coded.is_worded(f) for f in self.cited) else frozenset()
        return tuple(
            self.lexicon.as_recorded(t, self.cited)
            for t in self.reading.left_over()
            if t.stem not in kinds and not (t.word in FRAME_WORDS and t.stem not in strict)
        )

    @cached_property
    def said(self) -> frozenset[str]:
        """The stems of every word of the statement."""
        return frozenset(stems(self.text))

    @property
    def names_something(self) -> bool:
        """Whether the statement itself says what it is about, beyond the kind of resource."""
        return bool(self.phrases or self.mentions or self.left_over)

    @cached_property
    def named_at(self) -> list[int]:
        """Where names, terms and words of substance begin."""
        starts = [p.start for p in self.phrases] + [m.start for m in self.mentions]
        return sorted(starts + [t.start for t in self.left_over])

    @cached_property
    def first_value_at(self) -> int | None:
        starts = [a.start for a in (*self.quantities, *self.pairs)]
        return min(starts) if starts else None

    def states_a_fact(self) -> bool:
        """Whether anything in the text could be right or wrong about the patient."""
        return bool(
            self.names_something or self.frame.dates or self.frame.windows or self.counts or self.durations or self.pairs
            or self.quantities or self.statuses or self.orders or self.relations or self.interpretations or self.frequencies
            or self.designators or self.persons or self.quantifiers or self.sequences or self.averages or self.signs
            or self.vitals or self.negations or self.unlisted or self.ages or self.told
        )  # fmt: skip

    def is_label(self) -> bool:
        """Whether the text names things and says nothing of them: a heading, a lead-in."""
        return not (
            self.counts or self.durations or self.pairs or self.quantities or self.relations
            or self.frequencies or self.averages or self.unlisted or self.ages
            or [a for a in self.sequences if a.kind not in ("back", "then", "ascending", "descending")]
        )  # fmt: skip

    def says_of_all(self) -> bool:
        """Whether a heading says something of what it lists that a reader would take as a claim."""
        return bool(
            self.statuses or self.interpretations or self.negations or self.quantifiers
            or [a for a in self.orders if a.kind not in ("latest", "current")]
        )  # fmt: skip

    @cached_property
    def signs(self) -> list[str]:
        """Signs that nothing has read."""
        return self.reading.signs()


# "Other findings (12):" counts what it lists.
LISTED = re.compile(r"\s*\((\d{1,4})\)(?=\s*:?\s*$)")
_IDIOMS = re.compile(rf"\b(?:{'|'.join(IDIOMS)})\b")


def _phrases(reading: Reading, cited: Sequence[Facts], lexicon: Lexicon) -> tuple[Phrase, ...]:
    """Names and values of the cited resources that stand word for word in the text, longest first."""
    owners: dict[str, list[Facts]] = {}
    for facts in cited:
        for text in lexicon.texts(facts):
            owners.setdefault(text, []).append(facts)
    found: list[Phrase] = []
    folded = reading.folded
    for phrase in sorted(owners, key=len, reverse=True):
        start = folded.find(phrase)
        while start >= 0:
            end = start + len(phrase)
            if reading.free(start, end) and whole(folded, start, end):
                found.append(Phrase(start, end, reading.text[start:end], tuple(owners[phrase])))
                reading.take(start, end)
            start = folded.find(phrase, end)
    return tuple(sorted(found, key=lambda p: p.start))


def whole(text: str, start: int, end: int) -> bool:
    """Whether a stretch of text begins and ends at word boundaries."""
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    return not (before.isalnum() and text[start].isalnum()) and not (
        after.isalnum() and text[end - 1].isalnum()
    )


def _around_names(reading: Reading, phrases: Sequence[Phrase]) -> list[Mention]:
    """Terms that are wider than a name inside them: "blood glucose" where the record's own name is "Glucose"."""
    words = tokens(reading.text)
    found = []
    for match in matches([t.stem for t in words]):
        first, last = words[match.first], words[match.last]
        inside = [p for p in phrases if first.start <= p.start and p.end <= last.end]
        cut = [p for p in phrases if p.start < last.end and first.start < p.end and p not in inside]
        if (
            inside
            and not cut
            and not all(
                any(p.start <= t.start < p.end for p in inside) for t in words[match.first : match.last + 1]
            )
        ):
            said = reading.text[first.start : last.end]
            stems_said = frozenset(t.stem for t in words[match.first : match.last + 1])
            found.append(Mention(first.start, last.end, said, match.term, stems_said))
    return found


def _mentions(reading: Reading, phrases: Sequence[Phrase]) -> tuple[Mention, ...]:
    """Terms named in the text that is still free; their words (which may hold digits) are claimed."""
    words = [t for t in tokens(reading.text) if reading.free(t.start, t.end)]
    found: list[Mention] = _around_names(reading, phrases)
    for mention in found:
        reading.take(mention.start, mention.end)
        words = [t for t in words if not mention.start <= t.start < mention.end]
    for match in matches([t.stem for t in words]):
        span = words[match.first : match.last + 1]
        gap = reading.folded[span[0].start : span[-1].end]
        if (
            MARK in gap
            or len(gap) > sum(len(t.word) for t in span) + 4 * len(span)
            or _not_meant(span, reading)
        ):
            continue
        found.append(
            Mention(span[0].start, span[-1].end, reading.text[span[0].start : span[-1].end], match.term,
                    frozenset(t.stem for t in span))
        )  # fmt: skip
    for mention in found:
        reading.take(mention.start, mention.end)
    return tuple(found)


def _not_meant(span: Sequence[Token], reading: Reading) -> bool:
    """A one- or two-letter abbreviation in lower case ("k", "ca", "mi") is a word, not an analyte."""
    if len(span) != 1 or len(span[0].word) > 2 or not span[0].word.isalpha():
        return False
    if re.search(r"\d[\s-]*$", reading.folded[: span[0].start]) and reading.folded[span[0].end :][:1] in (
        "/",
        "·",
    ):
        return True  # "11 K/uL": a unit
    return not reading.text[span[0].start].isupper()
