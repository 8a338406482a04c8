"""What is being asked, as a value: a word nobody accounts for is kept, so that the question can be refused for it.

Parsing knows no patient: names from the record are matched afterwards (core.retrieval.match).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from core.errors import InvalidQuestion
from core.retrieval.language import RecordKind, contains, first_place, language
from core.retrieval.window import Window, find_window
from core.terminology import TermMatch, matches
from core.words import Token, tokens

# SNOMED CT semantic tags quoted from a label ("Sprain (morphologic abnormality)") name no subject of their own.
_QUOTED_TAG = re.compile(
    r"\((?:disorder|finding|situation|procedure|regime/therapy|record artifact|morphologic abnormality|substance|"
    r"organism|observable entity|person|event|product|physical object)\)"
)


class Aggregate(StrEnum):
    """What to do with the resources found."""

    LATEST = "latest"
    FIRST = "first"
    HIGHEST = "highest"
    LOWEST = "lowest"
    TREND = "trend"
    COMPARE = "compare"
    COUNT = "count"
    EVERY = "every"
    LIST = "list"
    HAS = "has"
    WHEN = "when"
    WHY = "why"
    STATUS = "status"


@dataclass(frozen=True, slots=True)
class Question:
    """A parsed question.

    `tokens` are its words; `subject` the indices of those that carry content (neither frame, nor time, nor a kind of
    record); `terms` the clinical terms named; `kind` the kind of record named, if any, and `kind_tokens` where.
    `status` is "", "active" or "stopped". `advice` marks a request for a recommendation.
    """

    text: str
    tokens: tuple[Token, ...]
    aggregate: Aggregate
    window: Window | None
    status: str
    kind: RecordKind | None
    kind_tokens: frozenset[int]
    terms: tuple[TermMatch, ...]
    subject: tuple[int, ...]
    advice: bool

    def words(self, indices: frozenset[int] | tuple[int, ...]) -> str:
        """The named words as they were written, in order."""
        return " ".join(self.text[self.tokens[i].start : self.tokens[i].end] for i in sorted(indices))


def parse(text: str, limit: int = 2000, names: Iterable[tuple[str, ...]] = ()) -> Question:
    """Parse a question; raises InvalidQuestion when it is empty or longer than `limit` characters.

    `names` are the names of the record as stems: a word that stands inside one of them ("first trimester") says
    nothing about what to do.
    """
    text = " ".join(text.split())
    if not text:
        raise InvalidQuestion("The question is empty. Ask something about this patient's record.")
    if len(text) > limit:
        raise InvalidQuestion(
            f"The question has {len(text)} characters; at most {limit} are read. Shorten it."
        )
    text = _QUOTED_TAG.sub(lambda m: " " * len(m.group()), text)
    window = find_window(text)
    words = tokens(text)
    timed = {i for i, t in enumerate(words) if window and t.start < window.last and t.end > window.first}
    stems = tuple("" if i in timed else t.stem for i, t in enumerate(words))
    quoted = _quoted(stems, names)
    terms = tuple(m for m in matches(stems) if not set(range(m.first, m.last + 1)) < quoted)
    named = {i for m in terms for i in range(m.first, m.last + 1)} | quoted
    kind, kind_tokens = _kind(stems, named)
    cues = tuple("" if i in quoted else s for i, s in enumerate(stems))
    lang = language()
    subject = tuple(
        i
        for i, t in enumerate(words)
        if i not in timed
        and i not in kind_tokens
        and (i in named or (t.stem not in lang.frame and not t.word.isdigit()))
    )
    return Question(
        text=text,
        tokens=words,
        aggregate=_aggregate(cues),
        window=window,
        status=_status(cues),
        kind=kind,
        kind_tokens=kind_tokens,
        terms=terms,
        subject=_without_cues(subject, cues, named),
        advice=any(contains(stems, phrase) for phrase in lang.advice),
    )


def _quoted(stems: tuple[str, ...], names: Iterable[tuple[str, ...]]) -> set[int]:
    """The tokens of every name of the record, of two words or more, that the question quotes in full."""
    quoted: set[int] = set()
    for name in names:
        if len(name) > 1 and name not in language().kinds and (place := first_place(stems, name)) >= 0:
            quoted.update(range(place, place + len(name)))
    return quoted


def _kind(stems: tuple[str, ...], named: set[int]) -> tuple[RecordKind | None, frozenset[int]]:
    """The kind of record named by the longest phrase, and every token of a phrase that names that kind of resource."""
    found = [
        (len(phrase), -place, kind, frozenset(range(place, place + len(phrase))))
        for phrase, kind in language().kinds.items()
        if (place := first_place(stems, phrase)) >= 0
    ]
    found = [f for f in found if not f[3] <= named]
    if not found:
        return None, frozenset()
    found.sort(key=lambda f: f[:2], reverse=True)
    best = found[0][2]
    same = frozenset().union(*(f[3] for f in found if set(f[2].types) & set(best.types)))
    return best, same


def _aggregate(stems: tuple[str, ...]) -> Aggregate:
    """The most specific aggregate whose words are there; the order is from the most to the least telling."""
    lang = language()
    order = (
        *(
            Aggregate.COMPARE,
            Aggregate.STATUS,
            Aggregate.COUNT,
            Aggregate.HIGHEST,
            Aggregate.LOWEST,
            Aggregate.WHY,
        ),
        *(Aggregate.TREND, Aggregate.FIRST, Aggregate.LATEST, Aggregate.EVERY, Aggregate.WHEN, Aggregate.HAS),
        Aggregate.LIST,
    )
    for aggregate in order:
        if any(contains(stems, phrase) for phrase in lang.aggregates[aggregate]):
            return aggregate
    return Aggregate.LIST


def _status(stems: tuple[str, ...]) -> str:
    lang = language()
    found = [name for name, phrases in lang.status.items() if any(contains(stems, p) for p in phrases)]
    return found[0] if len(found) == 1 else ""


def _without_cues(subject: tuple[int, ...], stems: tuple[str, ...], named: set[int]) -> tuple[int, ...]:
    """The subject without words that only say what to do ("trend", "highest"), unless a clinical term holds them."""
    cues: set[int] = set()
    lang = language()
    for phrases in (*lang.aggregates.values(), *lang.status.values()):
        for phrase in phrases:
            if (place := first_place(stems, phrase)) >= 0:
                cues.update(range(place, place + len(phrase)))
    return tuple(i for i in subject if i in named or i not in cues)
