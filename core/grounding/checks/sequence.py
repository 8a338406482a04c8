"""Before, after, then, first: events stand in the order of their recorded dates, or the sentence is wrong.

The two events have to be told apart, by name or by citation, on either side of the word; else the word is not supported.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.grounding.checks.outcome import Outcome, agreed, contradicted, missing, named
from core.grounding.citations import MARK
from core.grounding.reading import Atom, Reading
from core.models import Facts, Precision

# A stretch of text with the cited resources that it names.
Place = tuple[int, int, tuple[Facts, ...]]


@dataclass(frozen=True, slots=True)
class SequenceAtom(Atom):
    """`kind`: "before", "after" (the left one is), "then" (the right one is later), "first", "last" (the left one is).

    "back" says that the right one is earlier, "from" that of two which follow it the first is.
    """

    kind: str


_PATTERNS = (
    ("from", r"(?:progressed|advanced|evolved|worsened|improved|developed|went) from"),
    ("descending", r"(?:newest|latest|most recent)(?: results?| ones?)? first"),
    ("ascending", r"(?:oldest|earliest)(?: results?| ones?)? first|in chronological order|chronologically"),
    ("then", r"followed by|(?:progressed|evolved|advanced) (?:in)?to"),
    ("after", r"(?:was |is |were )?preceded by"),
    ("before", r"(?:c[ao]mes? )?"
        r"(?:shortly |long |just |soon |years? |well )?(?:before(?! that)|prior to(?! that))|preced(?:ed|es|ing)|"
        "predat(?:ed|es|ing)|earlier than"),
    (
        "after",
        r"(?:c[ao]mes? )?"
        r"(?:shortly |long |just |soon |well )?after(?!wards?)(?! that)|follow(?:ed|ing|s)(?= (?:an?|the|his|her|"
            r"their)\b)|later than|"
        r"subsequent to|postdat(?:ed|es|ing)",
    ),
    ("first", r"(?:came|was|happened|occurred|is) (?:the )?(?:first|earlier)(?: one)?"
        rf"(?=\s*(?:[,.;){MARK}]|$|and\b|then\b))"),
    ("last", r"(?:came|was|happened|occurred|is) (?:the )?(?:last|later|more recent)(?: one)?"
        rf"(?=\s*(?:[,.;){MARK}]|$|and\b))"),
    ("back", r"before that|prior to that|earlier(?! than)"),
    ("then", r"(?:and )?then|later(?: on)?|subsequently|afterwards?|thereafter|after that"),
)  # fmt: skip
_ANY = re.compile(rf"\b(?:{'|'.join(words for _, words in _PATTERNS)})\b")
_COMPILED = tuple((kind, re.compile(rf"\b(?:{words})\b")) for kind, words in _PATTERNS)


def read_ends(reading: Reading) -> list[SequenceAtom]:
    """ "Came first", "is the more recent": before "first" alone is read as the first of a series."""
    return _read(reading, ("first", "last", "ascending", "descending"))


def read(reading: Reading) -> list[SequenceAtom]:
    """Every other word of order between events that no date, length of time or comparison has claimed."""
    return _read(reading, ("back", "from", "before", "after", "then"))


def _read(reading: Reading, kinds: tuple[str, ...]) -> list[SequenceAtom]:
    found: list[SequenceAtom] = []
    if not reading.has(_ANY):
        return found
    for kind, pattern in _COMPILED:
        if kind not in kinds:
            continue
        for match in list(reading.find(pattern)):
            found.append(SequenceAtom(*match.span(), match.group(), kind))
            reading.take(*match.span())
    return sorted(found, key=lambda a: a.start)


def check(
    atom: SequenceAtom,
    places: Sequence[Place],
    groups: Sequence[Place],
    cited: Sequence[Facts],
    before: Sequence[Facts] = (),
) -> Outcome:
    """`places` are where cited resources are named, `groups` where they are cited, both in text order.

    `before` is what "it" may mean: what the statement before was about.
    """
    if atom.kind in ("ascending", "descending"):
        return _in_order(atom, cited)
    by_name, by_citation = _sides(atom, places), _sides(atom, groups)
    if atom.kind in ("then", "back") and by_citation:
        by_name = None
    left, right = by_name or by_citation or ((), ())
    if not left and before and atom.kind in ("before", "after", "back", "then"):
        left, right = tuple(before), tuple(f for f in cited if f not in before)
    if atom.kind in ("first", "last") and left:
        right = tuple(f for f in cited if f not in left)
    if not left or not right:
        return missing("sequence", atom.said, "what came before and what after is not told apart")
    pairs = [(a, b) for a in left for b in right if a.date and b.date]
    if not pairs:
        return missing("sequence", atom.said, "no dates to compare in what is cited")
    earlier_left = atom.kind in ("from", "before", "then", "first")
    holds = [_earlier(a, b) if earlier_left else _earlier(b, a) for a, b in pairs]
    if all(holds) if atom.kind in ("first", "last") else any(holds):
        return agreed("sequence", atom.said, " and ".join(named(f) for f in pairs[0]))
    return contradicted("sequence", atom.said, " and ".join(named(f) for f in pairs[0]))


def _in_order(atom: SequenceAtom, cited: Sequence[Facts]) -> Outcome:
    """ "Newest first": what is cited stands in that order."""
    moments = [f.date.instant for f in cited if f.date]
    dates = [f.date.shown for f in cited if f.date]
    if moments == sorted(moments, reverse=atom.kind == "descending"):
        return agreed("sequence", atom.said, ", ".join(dates[:4]))
    return contradicted("sequence", atom.said, ", ".join(dates[:4]))


def told_backwards(at: int, said: str, groups: Sequence[Place], *, later: bool) -> Outcome | None:
    """ "8.2 % [A], two years later 7.1 % [B]": B has to be the later one, whatever the distance."""
    left, right = _before(at, groups), _after(at, groups)
    pairs = [(a, b) for a in left for b in right if a.date and b.date and a.resource_id != b.resource_id]
    if not pairs or any(_earlier(a, b) if later else _earlier(b, a) for a, b in pairs):
        return None
    return contradicted("sequence", said, " and ".join(named(f) for f in pairs[0]))


def _sides(atom: SequenceAtom, places: Sequence[Place]) -> tuple[tuple[Facts, ...], tuple[Facts, ...]] | None:
    left, right = _before(atom.start, places), _after(atom.end, places)
    if atom.kind == "from":
        left = ()
    if not left:  # "After the burn, he had bronchitis": what stands first is what the other came after
        after = [p for p in places if p[0] >= atom.end]
        other = next((p for p in after if not set(_ids(p[2])) & set(_ids(right))), None)
        if not right or not other:
            return None
        return (right, other[2]) if atom.kind == "from" else (other[2], right)
    right = tuple(f for f in right if f.resource_id not in set(_ids(left)))
    return (left, right) if right or atom.kind in ("first", "last") else None


def _ids(found: Sequence[Facts]) -> list[str]:
    return [f.resource_id for f in found]


def _before(at: int, places: Sequence[Place]) -> tuple[Facts, ...]:
    return next((p[2] for p in reversed(places) if p[1] <= at), ())


def _after(at: int, places: Sequence[Place]) -> tuple[Facts, ...]:
    return next((p[2] for p in places if p[0] >= at), ())


def _earlier(one: Facts, other: Facts) -> bool:
    if one.date is None or other.date is None:
        return False
    if one.date.precision is Precision.TIME and other.date.precision is Precision.TIME:
        return one.date.instant < other.date.instant
    return one.date.end < other.date.start
