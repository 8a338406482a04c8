"""One statement against what it cites: every atom is checked, and one that does not hold decides.

Where citations stand amid the text there is more than one way to read which fact belongs to which; a statement stands
if one whole reading holds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.grounding.checks import (
    coded,
    components,
    count,
    dates,
    designator,
    document,
    duration,
    every,
    frequency,
    interpretation,
    names,
    negation,
    order,
    pairing,
    person,
    polarity,
    quantity,
    relation,
    status,
    windows,
)
from core.grounding.checks.components import PairAtom
from core.grounding.checks.dates import WindowAtom
from core.grounding.checks.outcome import Outcome, agreed, contradicted
from core.grounding.checks.quantity import QuantityAtom
from core.grounding.claims import Statement
from core.grounding.lexicon import Lexicon
from core.grounding.population import population
from core.grounding.record import Record
from core.grounding.scope import Scope, in_turn, scopes
from core.grounding.statement import Parsed
from core.grounding.vocabulary import FRAME
from core.models import ClaimStatus, Facts


def examine(
    statement: Statement,
    parsed: Parsed,
    record: Record,
    lexicon: Lexicon,
    question: str,
    before: Sequence[Facts],
) -> tuple[ClaimStatus, list[Outcome]]:
    """The status of a cited statement and every check made on it."""
    marks = [[record.resources[i] for i in group if i in record.resources] for group in statement.marks]
    first: list[Outcome] = []
    readings = scopes(statement.text, marks, parsed.cited)
    if one_each := in_turn(readings[0], _lists(parsed)):
        readings.append(one_each)
    for scope in readings:
        outcomes = Examination(statement, parsed, scope, question, before).outcomes()
        if all(o.ok for o in outcomes):
            return ClaimStatus.SUPPORTED, outcomes
        first = first or outcomes
    failed = [o for o in first if not o.ok]
    return (ClaimStatus.UNSUPPORTED if all(o.missing for o in failed) else ClaimStatus.CONTRADICTED), first


class Examination:
    """All checks of one statement under one reading of its citations."""

    def __init__(
        self, statement: Statement, parsed: Parsed, scope: Scope, question: str, before: Sequence[Facts]
    ) -> None:
        self.statement, self.parsed, self.scope, self.question, self.before = (
            statement,
            parsed,
            scope,
            question,
            before,
        )
        self.cited = parsed.cited
        self.context = (*reversed(statement.context), *([question] if question else []))
        self.labels = frozenset(label for a in parsed.quantities for label in a.labels) or _labels(parsed)

    def outcomes(self) -> list[Outcome]:
        parsed, found = self.parsed, list[Outcome | None]()
        found += names.identity(parsed, self.scope, self.context, self.before)
        found += names.coverage(parsed)
        found += names.another(parsed)
        found += coded.check(parsed.smoking, parsed.text, self.cited)
        found += [designator.check(a, self._at(a.start)) for a in parsed.designators]
        found += [components.check(a, self._at(a.start)) for a in parsed.pairs]
        found += [self._quantity(a) for a in parsed.quantities]
        found += [dates.check(a, self._at(a.start)) for a in parsed.frame.dates]
        found += [windows.check(w, self.cited) for w in parsed.frame.windows]
        found += pairing.check(parsed, self._at)
        found += [duration.check(a, self.cited, parsed.record) for a in parsed.durations]
        found += [frequency.check(a, self._at(a.start)) for a in parsed.frequencies]
        found += [self._status(a) for a in parsed.statuses]
        found += [self._order(a) for a in parsed.orders]
        found += [self._relation(a) for a in parsed.relations]
        found += [self._count(a) for a in parsed.counts]
        found += [interpretation.check(a, self._at(a.start)) for a in parsed.interpretations]
        found += [self._negation(a) for a in parsed.negations]
        found += [person.check(a, parsed.record) for a in parsed.persons]
        found += self._every()
        found += document.check(self._words_of_documents(), self.cited, bool(parsed.negations))
        found.append(negation.not_done(self.cited, bool(parsed.negations), parsed.text))
        found.append(self._polarity())
        return [o for o in found if o is not None]

    # --- what each word is said of ------------------------------------------------------------------

    def _at(self, position: int) -> tuple[Facts, ...]:
        """The resources a place in the text is about: its citation group, narrowed to those its clause names."""
        group = self.scope.at(position)
        if len(group) < 2 or all(self.parsed.record.same_series(group[0], f) for f in group[1:]):
            return group
        start, end = _clause(self.parsed.reading.folded, position)
        named = tuple(f for f in group if names.names(f, self.parsed, start, end))
        return named or group

    def _population(self, facts: Facts, frames: Sequence[WindowAtom] | None = None) -> tuple[Facts, ...]:
        if frames is None:
            frames = self.parsed.frame.during(self.parsed.first_value_at)
        return tuple(
            f
            for f in population(self.parsed, facts)
            if all(w.holds(f) for w in frames)
            and all(duration.recent(d, f, self.parsed.record) for d in self._recent())
        )

    def _recent(self) -> list[duration.DurationAtom]:
        """The windows that count back from the record's last day."""
        return [d for d in self.parsed.durations if d.kind in ("window", "calendar")]

    def _counted(self) -> list[Facts]:
        """The members of every population cited, in the windows, with the statuses and within the bounds named."""
        bounds = [a for a in self.parsed.quantities if a.comparator]
        found: dict[str, Facts] = {}
        seen: set[tuple[str, ...]] = set()
        for facts in self.cited:
            members = population(self.parsed, facts)
            key = tuple(m.resource_id for m in members)
            if key in seen:
                continue
            seen.add(key)
            found |= {m.resource_id: m for m in members}
        return [
            m for m in found.values()
            if self.parsed.frame.holds(m) and all(a.agrees(m) for a in self.parsed.statuses)
            and all(quantity.supports(b, m) for b in bounds)
            and all(duration.recent(d, m, self.parsed.record) for d in self._recent())
        ]  # fmt: skip

    def _bound(self) -> list[tuple[QuantityAtom | PairAtom, Facts]]:
        """Each number with the one resource it was found in, in text order."""
        parsed = self.parsed
        atoms: list[QuantityAtom | PairAtom] = sorted(
            [*parsed.quantities, *parsed.pairs], key=lambda a: a.start
        )
        found = []
        for atom in atoms:
            holders = [f for f in self._at(atom.start) if pairing.holds(_plain(atom), f)]
            holders = self._dated(atom, holders) if len(holders) > 1 else holders
            if holders:
                found.append((atom, holders[0]))
        return found

    def _dated(self, atom: QuantityAtom | PairAtom, holders: list[Facts]) -> list[Facts]:
        after = [d for d in self.parsed.frame.dates if d.start >= atom.end][:1]
        fitting = [f for f in holders if all(dates.supports(d, f) for d in after)]
        return fitting or holders

    # --- checks that need more than one atom --------------------------------------------------------

    def _quantity(self, atom: QuantityAtom) -> Outcome | None:
        candidates = self._at(atom.start)
        if atom.delta and self.parsed.relations:
            return relation.check_delta(atom, self.cited, self.labels)
        if atom.comparator:
            if (
                len(self.cited) > 1
                and (outcome := quantity.check(replace(atom, comparator=""), candidates)).ok
            ):
                return outcome  # "lower than the 8.2 % of …": the other result, not a bound
            numeric = [f for f in candidates if quantity.held_by(f)]
            wrong = [f for f in numeric if not quantity.supports(atom, f)]
            return quantity.check(atom, wrong or candidates)
        outcome = quantity.check(atom, candidates)
        if not outcome.ok and (held := self._range(atom)):
            return held
        return outcome

    def _range(self, atom: QuantityAtom) -> Outcome | None:
        """A limit of the series where the statement says "ranged": it need not be cited to be true."""
        if not any(r.kind == "range" for r in self.parsed.relations):
            return None
        members = [m for f in self.cited for m in self._population(f)]
        holder = next((m for m in members if quantity.supports(atom, m)), None)
        return agreed("quantity", atom.said, quantity.shown(holder)) if holder else None

    def _status(self, atom: status.StatusAtom) -> Outcome | None:
        group = self.scope.at(atom.start)
        in_group = [
            a for a in self.parsed.statuses if self.scope.index(a.start) == self.scope.index(atom.start)
        ]
        return status.check(atom, self._at(atom.start) if len(in_group) > 1 else group)

    def _order(self, atom: order.OrderAtom) -> Outcome | None:
        candidates = self.scope.at(atom.start)
        if atom.count == 1 and len(candidates) > 1:
            following = [f for a, f in self._bound() if a.start >= atom.end and f in candidates]
            if following:
                candidates = (following[0],)
        frames = self.parsed.frame.during(self.parsed.first_value_at)
        if _AS_VERB.match(self.parsed.reading.folded[atom.end :]):
            # "First measured in 2018": the year is when, not among which.
            frames = tuple(w for w in frames if w.kind != "in" or w.start < atom.start)
        return order.check(
            atom, candidates, self.cited, lambda facts: self._population(facts, frames), self.labels
        )

    def _relation(self, atom: relation.RelationAtom) -> Outcome | None:
        parsed = self.parsed
        if relation.is_threshold(atom, parsed.reading, self.cited):
            return None
        if atom.kind == "range":
            return self._ranged(atom)
        return relation.check(atom, self._bound(), self.cited, parsed.record, self.labels, parsed.reading)

    def _ranged(self, atom: relation.RelationAtom) -> Outcome | None:
        stated = sorted((q.stated for q in self.parsed.quantities if not q.comparator), key=lambda s: s.value)
        members: Sequence[Facts] = [m for f in self.cited[:1] for m in self._population(f)]
        if len(self.cited) > 2:
            members = self.cited  # "over these results"
        held = sorted(v.value for m in members if (v := order.number(m, self.labels)) and v.value is not None)
        if len(stated) < 2 or not held:
            return None
        if stated[0].equals(held[0]) and stated[-1].equals(held[-1]):
            return agreed("relation", atom.said, f"{held[0]} to {held[-1]}")
        return contradicted(
            "relation", f"{atom.said} {stated[0].value} to {stated[-1].value}", f"{held[0]} to {held[-1]}"
        )

    def _count(self, atom: count.CountAtom) -> Outcome | None:
        return count.check(atom, self._counted(), self.cited)

    def _negation(self, atom: negation.NegationAtom) -> Outcome | None:
        if any(a.start <= atom.start < a.end for a in (*self.parsed.statuses, *self.parsed.relations)):
            return None
        if self.parsed.relations and re.match(
            r"\b(?:not|no|never)\s", self.parsed.reading.folded[atom.start :]
        ):
            near = [r for r in self.parsed.relations if 0 <= r.start - atom.end < 8]
            if near:
                return None
        about = self._at(atom.start)
        in_full = {f.resource_id for p in self.parsed.phrases for f in p.owners}
        return negation.check(atom, about, [f for f in about if self.parsed.lexicon.says_no(f, in_full)])

    def _every(self) -> list[Outcome]:
        bounds = [a for a in self.parsed.quantities if a.comparator]
        members: list[Facts] = []
        for facts in self.cited[:1]:
            members = [m for m in population(self.parsed, facts) if self.parsed.frame.holds(m)]
        return every.check(self.parsed.reading, bounds, self.parsed.interpretations, members)

    def _words_of_documents(self) -> list[str]:
        """The stems of the statement that are no name of what is cited: in a document, they are what it says."""
        own = frozenset(s for f in self.cited for s in self.parsed.lexicon.own_names(f))
        said = [t.stem for t in self.parsed.left_over] + [s for m in self.parsed.mentions for s in m.stems]
        return [s for s in dict.fromkeys(said) if s not in own and s not in FRAME]

    def _polarity(self) -> Outcome | None:
        parsed = self.parsed
        negated = bool(parsed.negations) or any(a.negated for a in parsed.statuses)
        return polarity.check(self.statement.polarity, self.question, self.cited, negated, parsed.relations)


def _lists(parsed: Parsed) -> list[list[int]]:
    """Where the numbers, pairs and dates of a statement stand: lists that may go with the citations one each."""
    numbers = [q.start for q in parsed.quantities if not (q.delta or q.of_range)]
    return [numbers, [p.start for p in parsed.pairs], [d.start for d in parsed.frame.dates]]


def _plain(atom: QuantityAtom | PairAtom) -> QuantityAtom | PairAtom:
    return replace(atom, comparator="") if isinstance(atom, QuantityAtom) and atom.comparator else atom


_AS_VERB = re.compile(r"\s+(?:been )?[a-z]+(?:ed|en|wn|iven)\b")
_CLAUSE_END = re.compile(r"[,;]\s|\s(?:and|while|whereas|but)\s")


def _clause(folded: str, position: int) -> tuple[int, int]:
    ends = [m.start() for m in _CLAUSE_END.finditer(folded)]
    start = max((e for e in ends if e < position), default=0)
    end = min((e for e in ends if e >= position), default=len(folded))
    return start, end


def _labels(parsed: Parsed) -> frozenset[str]:
    words = {t.stem for t in parsed.left_over}
    found = frozenset(
        w for w in ("systolic", "diastolic") if w in words or w[:8] in words or w in parsed.reading.folded
    )
    return found if len(found) == 1 else frozenset()
