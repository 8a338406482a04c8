"""Which resources each piece of a statement is about, under one reading of its citations, and what its words range over."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property

from core.grounding.checks import dates, duration, names, order, pairing
from core.grounding.checks.components import PairAtom
from core.grounding.checks.dates import WindowAtom
from core.grounding.checks.quantity import QuantityAtom, supports
from core.grounding.checks.sequence import Place
from core.grounding.population import Span, kind_named, noun_phrase, of_class, of_kind, population
from core.grounding.scope import Scope
from core.grounding.statement import Parsed
from core.grounding.vocabulary import KIND_NOUNS
from core.models import Facts
from core.words import fold, stems, tokens

Number = QuantityAtom | PairAtom
_VERB = re.compile(r"\b(?:was|is|were|are|came|dated|took)\b|[:,(=]")
_PREDICATE = re.compile(r"\b(?:is|was|were|are|been|at (?:its|his|her|their))\s+$")
_AS_VERB = re.compile(r"\s+(?:been )?[a-z]+(?:ed|en|wn|iven)\b")
# "The only glucose result", "all LDL values": a name with one of these ranges over the series of that name.
_INSTANCES = frozenset(
    stems("result value measurement reading entry record test level dose year month visit time week occasion")
)
_OF_RECORD = frozenset(stems("recorded documented known available"))
_BEFORE_DATE = re.compile(r"(?:\s+(?:one|was|being|of|these|them|which|in|on|from|dated))*\s*\(?")
_CLAUSE_END = re.compile(r"[,;]\s|\s(?:and|while|whereas|but)\s")


class Binding:
    """One statement with one way to read which fact belongs to which citation."""

    def __init__(self, parsed: Parsed, scope: Scope) -> None:
        self.parsed, self.scope, self.cited = parsed, scope, parsed.cited

    def at(self, position: int) -> tuple[Facts, ...]:
        """The resources a place in the text is about: its citation group, narrowed to those its clause names."""
        group = self.scope.at(position)
        if len(group) < 2 or all(self.parsed.record.same_series(group[0], f) for f in group[1:]):
            return group
        start, end = _clause(self.parsed.reading.folded, position)
        named = tuple(f for f in group if names.names(f, self.parsed, start, end))
        return named or group

    def of_the_noun(self, position: int) -> tuple[Facts, ...]:
        """Those cited for a place that the noun of its clause means: "that prescription has been stopped"."""
        start, end = _clause(self.parsed.reading.folded, position)
        said = {t.stem for t in tokens(self.parsed.text) if start <= t.start < end}
        kinds = {kind for s in said for kind in KIND_NOUNS.get(s, ())}
        return tuple(f for f in self.scope.at(position) if f.resource_type in kinds)

    def ranged_over(
        self, facts: Facts, start: int, frames: Sequence[WindowAtom] | None = None
    ) -> tuple[Facts, ...]:
        """What a record-wide word before `start` ranges over: the kind it is said of, or what is named."""
        parsed = self.parsed
        if frames is None:
            frames = parsed.frame.during(parsed.first_value_at)
        kinds = kind_named(parsed, start)
        phrase = noun_phrase(parsed, start)
        if kinds and facts.resource_type in kinds:
            members = of_class(parsed, phrase, facts, of_kind(parsed, kinds, facts))
            inside = [a for a in parsed.statuses if phrase[0] <= a.start < phrase[1]]
            members = tuple(m for m in members if all(a.agrees(m) for a in inside))
        else:
            members = population(parsed, facts, phrase)
        return self._in_time(members, frames)

    def population(self, facts: Facts, frames: Sequence[WindowAtom] | None = None) -> tuple[Facts, ...]:
        """The series or namesakes of a resource in the windows of the statement."""
        if frames is None:
            frames = self.parsed.frame.during(self.parsed.first_value_at)
        return self._in_time(population(self.parsed, facts), frames)

    def _in_time(self, members: Sequence[Facts], frames: Sequence[WindowAtom]) -> tuple[Facts, ...]:
        return tuple(
            f
            for f in members
            if all(w.holds(f) for w in frames)
            and all(duration.recent(d, f, self.parsed.record) for d in self._recent)
        )

    @cached_property
    def _recent(self) -> list[duration.DurationAtom]:
        """The windows that count back from the record's last day."""
        return [d for d in self.parsed.durations if d.kind in ("window", "calendar")]

    def counted(self, start: int, bounds: Sequence[QuantityAtom] = ()) -> list[Facts]:
        """The members of every population cited, in the windows, with the statuses and within the bounds that are named.

        `start` is where the phrase begins that says what is counted.
        """
        found: dict[str, Facts] = {}
        seen: set[tuple[str, ...]] = set()
        kinds = kind_named(self.parsed, start)
        of_kinds = [f for f in self.cited if f.resource_type in kinds]
        for facts in of_kinds or self.cited:
            if of_kinds:
                every = [m for t in kinds for m in self.parsed.record.of_type(t) if self._for_reason(m)]
                members = of_class(self.parsed, noun_phrase(self.parsed, start), facts, every)
            else:
                members = _events(population(self.parsed, facts))
            key = tuple(m.resource_id for m in members)
            if key in seen:
                continue
            seen.add(key)
            found |= {m.resource_id: m for m in members}
        return [
            m for m in found.values()
            if self.parsed.frame.holds(m) and all(a.agrees(m) for a in self.parsed.statuses)
            and all(duration.recent(d, m, self.parsed.record) for d in self._recent)
            and all(supports(b, m) for b in bounds)
            and (not self._days or (m.date is not None and m.date.start in self._days))
        ]  # fmt: skip

    @cached_property
    def _days(self) -> set[date]:
        """The day that "at that visit" or "the same day" keeps to, if the statement says so."""
        kept = any(r.kind in ("same day", "that day") for r in self.parsed.relations)
        return {f.date.start for f in self.cited if f.date} if kept else set()

    def _for_reason(self, facts: Facts) -> bool:
        """Whether a resource has the reasons that the statement gives for those it cites: "drugs for hypertension"."""
        return self._reasons <= {fold(t) for t in facts.detail("reason")}

    @cached_property
    def _reasons(self) -> frozenset[str]:
        held = {fold(t) for f in self.cited for t in f.detail("reason")}
        return frozenset(t for t in held if t in self.parsed.reading.folded)

    @cached_property
    def bound(self) -> list[tuple[Number, Facts]]:
        """Each number with the one resource it was found in, in text order."""
        parsed = self.parsed
        atoms: list[Number] = sorted([*parsed.quantities, *parsed.pairs], key=lambda a: a.start)
        found = []
        for atom in atoms:
            holders = [f for f in self.at(atom.start) if pairing.holds(_plain(atom), f)]
            holders = self._dated(atom, holders) if len(holders) > 1 else holders
            if holders:
                found.append((atom, holders[0]))
        return found

    def _dated(self, atom: Number, holders: list[Facts]) -> list[Facts]:
        after = [d for d in self.parsed.frame.dates if d.start >= atom.end][:1]
        fitting = [f for f in holders if all(dates.supports(d, f) for d in after)]
        return fitting or holders

    @cached_property
    def places(self) -> list[Place]:
        """Where cited resources are named, in text order."""
        return names.places(self.parsed)

    @cached_property
    def groups(self) -> list[Place]:
        """Where resources are cited, in text order; one citation among many has no place of its own."""
        if len(self.scope.groups) > 1:
            return [(g.start, g.start, g.cited) for g in self.scope.groups]
        return [(a.start, a.end, (f,)) for a, f in self.bound]

    def ordered(self, atom: order.OrderAtom) -> tuple[tuple[Facts, ...], tuple[WindowAtom, ...]]:
        """The resources an order word may be said of, and the windows it is read in."""
        candidates = self.scope.at(atom.start)
        if atom.count == 1 and len(candidates) > 1:
            following = [f for a, f in self.bound if a.start >= atom.end and f in candidates]
            dated = [f for f in candidates if any(dates.supports(d, f) for d in self._day_of(atom))]
            if following:
                candidates = (following[0],)
            elif self._day_of(atom):
                candidates = tuple(dated)
        frames = self.parsed.frame.during(self.parsed.first_value_at)
        if _AS_VERB.match(self.parsed.reading.folded[atom.end :]):
            # "First measured in 2018": the year is when, not among which.
            frames = tuple(w for w in frames if w.kind != "in" or w.start < atom.start)
        if atom.kind in ("highest", "lowest") and _PREDICATE.search(self.parsed.reading.folded[: atom.start]):
            # "HbA1c was highest in 2017": the highest of all, and that was when.
            frames = tuple(w for w in frames if w.kind != "in" or w.start < atom.start)
        folded = self.parsed.reading.folded
        # "The last one was in 2019": past its verb, a date is when it was, not among which it is the last.
        frames = tuple(w for w in frames if w.kind != "in" or not _VERB.search(folded[atom.end : w.start]))
        return candidates, frames

    def _day_of(self, atom: order.OrderAtom) -> list[dates.DateAtom]:
        """The date right after an order word: "…, the last in 2013"."""
        folded = self.parsed.reading.folded
        return [
            d
            for d in self.parsed.frame.dates
            if d.start >= atom.end and _BEFORE_DATE.fullmatch(folded[atom.end : d.start])
        ][:1]

    def phrase(self, start: int) -> Span:
        """The noun phrase that begins at a place."""
        return noun_phrase(self.parsed, start)

    def has_noun(self, start: int) -> bool:
        """Whether the phrase that begins here names a thing or a kind of thing."""
        first, last = noun_phrase(self.parsed, start)
        starts = self.parsed.named_at
        kinds = kind_named(self.parsed, start)
        words = {t.stem for t in tokens(self.parsed.text) if first <= t.start < last}
        return (
            bool(kinds)
            or bool(words & _INSTANCES)
            or (any(first <= s < last for s in starts) and bool(words & _OF_RECORD))
        )

    def of_type(self, facts: Facts) -> tuple[Facts, ...]:
        """Everything of a resource's type that has the statuses the statement names."""
        members = of_kind(self.parsed, (facts.resource_type,), facts)
        return self._in_time(
            [m for m in members if all(a.agrees(m) for a in self.parsed.statuses)], self.parsed.frame.windows
        )


def _events(members: Sequence[Facts]) -> tuple[Facts, ...]:
    """Without the entries that only tell of an event recorded beside them: "History of myocardial infarction"."""
    return tuple(m for m in members if not m.label.casefold().startswith("history of")) or tuple(members)


def _plain(atom: Number) -> Number:
    return replace(atom, comparator="") if isinstance(atom, QuantityAtom) and atom.comparator else atom


def _clause(folded: str, position: int) -> tuple[int, int]:
    ends = [m.start() for m in _CLAUSE_END.finditer(folded)]
    start = max((e for e in ends if e < position), default=0)
    end = min((e for e in ends if e >= position), default=len(folded))
    return start, end
