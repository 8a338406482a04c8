"""Which cited resources each piece of a statement is about.

An answer cites after what it says ("8.2 % [A], then 7.1 % [B]"), sometimes before ("X [A] is active and Y [B] stopped").
Each way is tried whole: a statement stands only if one of them explains all of it, never a mixture.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.grounding.citations import MARK
from core.models import Facts


@dataclass(frozen=True)
class Group:
    """Citations that stand together, at `start`..`end` of the text."""

    start: int
    end: int
    cited: tuple[Facts, ...]


@dataclass(frozen=True)
class Scope:
    """The groups of one statement, and whether text belongs to the group after it or the one before it.

    `assigned` gives single positions a group of their own: the second of two numbers goes with the second citation.
    """

    groups: tuple[Group, ...]
    leading: bool = False
    assigned: Mapping[int, int] = field(default_factory=dict)

    @property
    def everything(self) -> tuple[Facts, ...]:
        unique = {f.resource_id: f for g in self.groups for f in g.cited}
        return tuple(unique.values())

    def at(self, position: int) -> tuple[Facts, ...]:
        """The resources that a piece of text at this position is about."""
        return self.groups[self.index(position)].cited

    def index(self, position: int) -> int:
        if position in self.assigned:
            return self.assigned[position]
        if self.leading:
            before = [i for i, g in enumerate(self.groups) if g.start <= position]
            return before[-1] if before else 0
        after = [i for i, g in enumerate(self.groups) if g.start >= position]
        return after[0] if after else len(self.groups) - 1


def groups(text: str, marks: Sequence[Sequence[Facts]]) -> tuple[Group, ...]:
    """Citation groups of a text: brackets with nothing but punctuation between them are one group."""
    found: list[Group] = []
    position = -1
    for cited in marks:
        position = text.index(MARK, position + 1)
        between = text[found[-1].end : position] if found else ""
        if found and not between.strip(" ,;.&").removesuffix("and").strip():
            last = found.pop()
            found.append(Group(last.start, position + 1, (*last.cited, *cited)))
        else:
            found.append(Group(position, position + 1, tuple(cited)))
    return tuple(found)


def scopes(text: str, marks: Sequence[Sequence[Facts]], inherited: Sequence[Facts]) -> list[Scope]:
    """The ways to read who a statement is about, the usual one first."""
    if not marks:
        return [Scope((Group(len(text), len(text), tuple(inherited)),))]
    found = groups(text, marks)
    if len(found) == 1:
        return [Scope(found)]
    closing, leading = Scope(found), Scope(found, leading=True)
    ends_cited = not text[found[-1].end :].strip(" .;,)|")
    starts_cited = not text[: found[0].start].strip(" (-*|")
    if starts_cited:
        return [leading]
    return [closing] if ends_cited else [closing, leading]


def at_once(scope: Scope, numbers: Sequence[int]) -> Scope | None:
    """The reading where all numbers come first, then where they are from: "from 5 to 7, on … [A] and … [B]"."""
    if len(scope.groups) < 2 or not numbers or max(numbers) > scope.groups[0].start or scope.leading:
        return None
    everything = Group(scope.groups[-1].start, scope.groups[-1].end, scope.everything)
    last = len(scope.groups)
    return Scope((*scope.groups, everything), assigned=dict.fromkeys(numbers, last))


def in_turn(scope: Scope, lists: Sequence[Sequence[int]]) -> Scope | None:
    """The reading where facts and citations go one each in order: "8.7 %, then 7.4 %, in 2014 [A] and 2017 [B]"."""
    count = len(scope.groups)
    fitting = [positions for positions in lists if len(positions) == count]
    if count < 2 or not fitting or scope.leading:
        return None
    return Scope(scope.groups, assigned={p: i for positions in fitting for i, p in enumerate(positions)})
