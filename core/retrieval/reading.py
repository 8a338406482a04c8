"""A question read against one record, part by part: several questions in one, an overview, a time told by an event.

The whole question is tried first; it is taken apart only where as a whole it names nothing here, and a part that
cannot be answered stays among the parts, so that the answer says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from core.retrieval.by_name import quotable_names
from core.retrieval.events import Event, event_window, split_event
from core.retrieval.follow_up import leaned
from core.retrieval.language import RecordKind, language
from core.retrieval.match import match, passes_over
from core.retrieval.question import Aggregate, Question, parse
from core.retrieval.search import Concept, Stored
from core.retrieval.select import Selection, select
from core.retrieval.topic import Outcome, Topic
from core.retrieval.window import Window, aged_window

Fetch = Callable[[Sequence[str]], list[Stored]]
# What an overview holds, in the order a clinician reads it: kind of record, status, how many of the newest.
_OVERVIEW: tuple[tuple[str, str, int | None], ...] = (
    ("personal details", "", None),
    ("conditions", "active", None),
    ("medications", "active", None),
    ("allergies", "", None),
    ("vital signs", "", None),
    ("laboratory results", "", None),
    ("encounters", "", 5),
)
# What may have happened in a stretch of time.
_EVENTS = (
    *("encounters", "conditions", "procedures", "medications", "immunizations", "laboratory results"),
    *("vital signs", "imaging studies"),
)  # fmt: skip
_AT_MOST = 6


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, what it is about here, what answers it, and the event that tells its time, if one does.

    `said` are its words as they were written, where it is one of several; `in_full` the question it was read as, where
    it leaned on the one before.
    """

    question: Question
    topic: Topic
    selection: Selection
    event: Event | None = None
    said: str = ""
    in_full: str = ""

    @property
    def found(self) -> bool:
        return self.topic.outcome is Outcome.FOUND and bool(self.selection.chosen)


@dataclass(frozen=True)
class Reader:
    """Reads questions against one record: its concepts, its clock, and a way to fetch the resources of concepts."""

    concepts: Sequence[Concept]
    fetch: Fetch
    limit: int
    vocabulary: bool = True

    @property
    def clock(self) -> date | None:
        """The day of the record's latest entry."""
        return clock_of(self.concepts)

    @property
    def _born(self) -> date | None:
        return next((c.first for c in self.concepts if c.resource_type == "Patient"), None)

    def read(self, text: str, previous: str = "") -> list[Asked]:
        """Everything asked, at least one thing; `previous` is the question before, which this one may lean on.

        Raises InvalidQuestion when the question is empty or too long.
        """
        names = quotable_names(self.concepts)
        text = aged_window(text, self._born)
        if previous:
            for leaning in leaned(text, previous, self.limit, names):
                if (found := self._read(leaning, names)) and found[0].found:
                    return [replace(found[0], in_full=leaning), *found[1:]]
        return self._read(text, names)

    def _read(self, text: str, names: Sequence[tuple[str, ...]]) -> list[Asked]:
        whole = parse(text, self.limit, names)
        if whole.summary and _is_of_everything(whole):
            return self._overview(whole)
        first = self._part(whole)
        if first.topic.outcome is Outcome.ADVICE:
            return [first]
        if first.topic.outcome is Outcome.FOUND:
            return (self._apart(text, whole, names) if passes_over(first.topic, whole) else []) or [first]
        if told := self._by_event(whole, names):
            return told
        if whole.window and not whole.subject and whole.kind is None:
            return self._happened(whole, whole.window, None) or [first]
        return self._apart(text, whole, names) or [first]

    def _apart(self, text: str, whole: Question, names: Sequence[tuple[str, ...]]) -> list[Asked]:
        """Each of several questions in one by itself, where all of them are understood; [] where it is one.

        "Compare LDL and HDL" is one: apart, each would be compared with its own past.
        """
        pieces = split(text)[:_AT_MOST]
        if len(pieces) < 2 or whole.aggregate is Aggregate.COMPARE:
            return []
        # A "yes" to one part would read as a yes to all of them.
        asked = [replace(parse(p, self.limit, names), yes_no=False) for p in pieces]
        parts = [replace(self._part(q), said=p) for q, p in zip(asked, pieces, strict=True)]
        return parts if any(p.found for p in parts) and all(_is_understood(p) for p in parts) else []

    def _part(self, question: Question, event: Event | None = None) -> Asked:
        if question.aged and question.subject and question.kind and question.kind.types == ("Patient",):
            question = replace(question, kind=None)  # the age at something, not the person's details
        question = question if self.vocabulary else replace(question, terms=())
        topic = match(question, self.concepts)
        return self._of(question, topic, event)

    def _of(self, question: Question, topic: Topic, event: Event | None = None) -> Asked:
        found = self.fetch([c.key for c in topic.concepts]) if topic.outcome is Outcome.FOUND else []
        return Asked(question, topic, select(question, topic, found, self.clock), event)

    def _overview(self, question: Question) -> list[Asked]:
        parts = [self._part(_asking(question, *what)) for what in _OVERVIEW]
        return [p for p in parts if p.found] or parts[:1]

    def _happened(self, question: Question, window: Window, event: Event | None) -> list[Asked]:
        """Everything of a stretch of time, kind by kind; [] when there is nothing."""
        asked = replace(question, window=window, taken=False)
        parts = [self._part(_asking(asked, kind, "", None)) for kind in _EVENTS]
        found = [p for p in parts if p.found]
        return [replace(found[0], event=event), *found[1:]] if found else []

    def _by_event(self, whole: Question, names: Sequence[tuple[str, ...]]) -> list[Asked]:
        """The parts where another thing of the record tells the time ("before the stroke"); [] where none does."""
        for head, relation, tail in split_event(whole.text):
            named = parse(tail, self.limit, names)
            topic = match(named, self.concepts)
            if topic.outcome is not Outcome.FOUND or named.limit:
                continue
            event = event_window(
                relation, named, topic, self.fetch([c.key for c in topic.concepts]), self.clock
            )
            if event is None:
                continue
            asked = (
                parse(head, self.limit, names) if head else replace(named, subject=(), terms=(), kind=None)
            )
            if asked.window:
                continue
            if not asked.subject and asked.kind is None and not asked.advice:
                if happened := self._happened(asked, event.window, event):
                    return happened
                continue
            part = self._part(replace(asked, window=event.window), event)
            if part.topic.outcome is Outcome.FOUND:
                return [part]
        return []


def _is_understood(part: Asked) -> bool:
    return part.topic.outcome in (Outcome.FOUND, Outcome.ABSENT)


def _is_of_everything(question: Question) -> bool:
    """Whether a request for an overview names nothing but the occasion it is for ("before the visit")."""
    occasion = language().occasion
    named = {question.tokens[i].stem for i in (*question.subject, *question.kind_tokens)}
    return not question.terms and named <= occasion


def _asking(question: Question, label: str, status: str, number: int | None) -> Question:
    """The question for everything of one kind, in the words of nothing in particular."""
    return replace(
        question,
        kind=kind_called(label),
        kind_tokens=frozenset(),
        terms=(),
        subject=(),
        status=status,
        number=number,
        aggregate=Aggregate.EVERY if number else Aggregate.LIST,
        advice=False,
        judged=False,
        yes_no=False,
        summary=True,
    )


def clock_of(concepts: Sequence[Concept]) -> date | None:
    """The day of the latest entry among these concepts, birth dates aside."""
    return max((c.last for c in concepts if c.last and c.resource_type != "Patient"), default=None)


def kind_called(label: str) -> RecordKind:
    """The kind of record with this label in the vocabulary."""
    return next(k for k in language().kinds.values() if k.label == label)


_SENTENCE = re.compile(r"[?;]\s*|(?<=[a-z0-9)])\.\s+(?=[A-Z])|\n")
_JOINED = re.compile(r",?\s+(?:and|or|plus|as well as|also)\s+(?:also\s+)?|,\s+", re.IGNORECASE)


def split(text: str) -> list[str]:
    """The questions a text may hold: its sentences, else what "and" or a comma joins."""
    sentences = [s.strip(" ,.?;") for s in _SENTENCE.split(text)]
    sentences = [s for s in sentences if s]
    pieces = [p.strip(" ,.?;") for s in sentences for p in _JOINED.split(s)]
    return [p for p in pieces if p]
