"""A time told by something of the record: "before the stroke", "since the diabetes diagnosis", "at the last visit".

The event is found like any other subject; which of several is meant is said in the answer, never left open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from core.retrieval.question import Aggregate, Question
from core.retrieval.search import Stored
from core.retrieval.select import select
from core.retrieval.topic import Topic
from core.retrieval.window import Window
from core.words import fold


@dataclass(frozen=True, slots=True)
class Event:
    """The resource that tells the time, and the window it makes."""

    stored: Stored
    window: Window


_RELATION = re.compile(
    r"\b(?P<before>before|prior\s+to|until|leading\s+up\s+to)\b|\b(?P<since>since|from\s+the\s+time\s+of)\b|"
    r"\b(?P<after>after|following|post)\b|\b(?P<during>during|throughout|at|on|in|for)(?=\s+(?:the|his|her|their|this|that|most|last|first)\b)"
)
_LASTING = frozenset({"Encounter", "Procedure"})


def split_event(text: str) -> Iterator[tuple[str, str, str]]:
    """(what is asked, relation, what tells the time) for every place where a question may be parted so."""
    folded = fold(text)
    for match in _RELATION.finditer(folded):
        relation = str(match.lastgroup)
        head, tail = text[: match.start()].strip(" ,"), text[match.end() :].strip(" ,.?;")
        if tail:
            yield head, relation, tail


def event_window(
    relation: str, question: Question, topic: Topic, found: Sequence[Stored], clock: date | None
) -> Event | None:
    """The window an event makes; None when the record does not date it or a stretch is asked of a mere point."""
    series = [s for s in select(question, topic, found, clock).chosen if s.facts.date]
    if not series:
        return None
    series.sort(key=lambda s: s.facts.date.instant if s.facts.date else 0)
    lasting = series[0].facts.resource_type in _LASTING
    newest = question.aggregate is Aggregate.LATEST or (lasting and question.aggregate is not Aggregate.FIRST)
    stored = series[-1] if newest else series[0]
    day = stored.facts.date
    if stored.facts.resource_type == "Patient":  # of a person, what tells a time is the death
        day = stored.facts.dated("deceasedDateTime") if question.dying else None
    if day is None:
        return None
    if relation == "before":
        return Event(stored, Window(None, day.start - timedelta(days=1), None, f"before {day.shown}", 0, 0))
    if relation == "since":
        return Event(stored, Window(day.start, None, None, f"since {day.shown}", 0, 0))
    if relation == "after":
        return Event(stored, Window(day.end + timedelta(days=1), None, None, f"after {day.shown}", 0, 0))
    if not lasting:
        return None
    until = stored.facts.dated("period.end", "performedPeriod.end") or day
    if until.end == day.start:
        return Event(stored, Window(day.start, day.end, None, f"on {day.shown}", 0, 0))
    phrase = f"between {day.shown} and {until.shown}"
    return Event(stored, Window(day.start, until.end, None, phrase, 0, 0))
