"""All checks of one statement under one reading of its citations, in the order they are shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.grounding import beside
from core.grounding.binding import Binding
from core.grounding.checks import (
    age,
    average,
    coded,
    components,
    content,
    count,
    dates,
    designator,
    direction,
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
    sequence,
    stated,
    status,
    unlisted,
    vital,
    windows,
)
from core.grounding.checks.outcome import Outcome, agreed, contradicted, missing
from core.grounding.checks.quantity import QuantityAtom
from core.grounding.claims import Statement
from core.grounding.scope import Scope
from core.grounding.statement import Parsed
from core.grounding.vocabulary import FRAME
from core.models import Facts

# From what is counted to its day, with nothing between that would part them.
_ON = re.compile(r"[^,;:()\d\ue000]* on (?:the )?")


class Examination:
    """One statement, what it cites, the text above it, and what the statement before it was about."""

    def __init__(
        self,
        statement: Statement,
        parsed: Parsed,
        scope: Scope,
        question: Parsed | None,
        before: Sequence[Facts],
    ) -> None:
        self.statement, self.parsed, self.question, self.before = statement, parsed, question, before
        self.binding = Binding(parsed, scope)
        self.scope, self.cited = scope, parsed.cited
        self.context = (*reversed(statement.context), *([question.text] if question else []))
        self.labels = beside.labels(parsed)

    def outcomes(self) -> list[Outcome]:
        """Every check of a claim."""
        parsed, found = self.parsed, list[Outcome | None]()
        found += names.identity(parsed, self.scope, self.context, self.before)
        found += self._contents()
        found += content.another(parsed)
        found += pairing.check(parsed, self.binding.at)
        found += stated.check(parsed, self.scope)
        found += document.check(self._words_of_documents(), self.cited, bool(parsed.negations))
        found.append(negation.not_done(self.cited, bool(parsed.negations), parsed.text))
        found += self._polarity()
        return [o for o in found if o is not None]

    def label_outcomes(self) -> list[Outcome]:
        """The checks of a heading or lead-in: what it says has to hold for everything that stands under it."""
        found = list(self._contents())
        for atom in self.parsed.orders:
            found += self._order_of_each_series(atom)
        return found

    def asserted(self) -> list[Outcome]:
        """The checks that could prove a yes-or-no question wrong, read as the statement it asks about."""
        return [o for o in self._contents() if not (o.kind == "content" and o.missing)]

    def _contents(self) -> list[Outcome]:
        """Everything that the words themselves say, each checked against what it is said of."""
        parsed, at, found = self.parsed, self.binding.at, list[Outcome | None]()
        label = self.statement.is_label
        found += content.coverage(parsed, heading=label)
        found += coded.check(parsed.smoking, parsed.text, self.cited)
        found += [designator.check(a, at(a.start)) for a in parsed.designators]
        found += designator.check_sides(parsed.text, at)
        found += [components.check(a, at(a.start)) for a in parsed.pairs]
        found += [self._quantity(a) for a in parsed.quantities]
        found += [quantity.check_unit(a, at(a.start)) for a in parsed.units]
        for day in parsed.frame.dates:
            if label:
                found += [dates.check(day, [f]) for f in self.cited]
            elif not vital.is_day_of_age(day, parsed.durations, self.cited):
                found.append(dates.check(day, at(day.start)))
        found += [windows.check(w, self.cited) for w in parsed.frame.windows]
        days = [d for d in parsed.frame.dates if vital.is_day_of_age(d, parsed.durations, self.cited)]
        found += [self._duration(a, days) for a in parsed.durations]
        found += [age.check(a, at(a.start), parsed.record) for a in parsed.ages]
        found += [vital.check(a, parsed.record) for a in parsed.vitals]
        found += [unlisted.check(a, parsed.record) for a in parsed.unlisted]
        found += [
            sequence.told_backwards(a.start, a.said, self._sides, later=beside.is_later(parsed, a))
            for a in parsed.durations
            if a.kind in ("later", "earlier")
        ]
        found += [frequency.check(a, at(a.start)) for a in parsed.frequencies]
        found += [self._status(a) for a in parsed.statuses]
        if not label:
            found += [self._order(a) for a in parsed.orders]
        found += [self._relation(a) for a in parsed.relations]
        # "Earlier:" over a list says only that it stands apart.
        found += [self._sequence(a) for a in parsed.sequences if not (label and a.kind in ("back", "then"))]
        found += [self._average(a) for a in parsed.averages]
        found += [self._count(a) for a in parsed.counts]
        found += [count.check_told(a, at(a.start), self.cited) for a in parsed.told]
        found += [self._interpretation(a) for a in parsed.interpretations]
        found += [self._negation(a) for a in parsed.negations]
        found += [person.check(a, parsed.record) for a in parsed.persons]
        for quantifier in parsed.quantifiers:
            found += self._every(quantifier)
        return [o for o in found if o is not None]

    @property
    def _sides(self) -> Sequence[sequence.Place]:
        """What stands left and right of a word: told apart by citation, or by name where all is cited at once."""
        return self.binding.groups if len(self.scope.groups) > 1 else self.binding.places

    def _duration(self, atom: duration.DurationAtom, days: Sequence[dates.DateAtom]) -> Outcome:
        before = self.parsed.reading.before(atom.start)
        # An age is that on the day of what it is said of, a length one between any of what is cited.
        about = self.binding.at(atom.start) if atom.kind == "age" else self.cited
        outcome = duration.check(atom, about, self.parsed.record, days, before)
        alone = len({f.date.start for f in self.cited if f.date}) < 2
        if not outcome.ok and alone and self.before:
            return duration.from_before(atom, self.cited, self.before) or outcome
        return outcome

    # --- checks that need more than one atom --------------------------------------------------------

    def _quantity(self, atom: QuantityAtom) -> Outcome | None:
        candidates = self.binding.at(atom.start)
        if atom.always:
            members = [m for f in self.cited[:1] for m in self.binding.population(f) if quantity.held_by(m)]
            wrong = [m for m in members if not quantity.supports(atom, m)]
            return quantity.check(atom, wrong or candidates)
        if any(r.kind == "within" and atom in self._limits(r) for r in self.parsed.relations):
            return None  # a limit that all stay within stands in no resource: the relation check judges it
        if self.parsed.averages and not atom.comparator:
            return None  # a mean stands in no resource: the average check computes it
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
        if not any(r.kind in ("range", "within") and r.end <= atom.start for r in self.parsed.relations):
            return None
        members = [m for f in self.cited for m in self.binding.population(f)]
        holder = next((m for m in members if quantity.supports(atom, m)), None)
        return agreed("quantity", atom.said, quantity.shown(holder)) if holder else None

    def _status(self, atom: status.StatusAtom) -> Outcome | None:
        if any(q.kind == "none" and 0 <= atom.start - q.end < 30 for q in self.parsed.quantifiers):
            return None  # "neither is active": the quantifier judges it
        group = self.scope.at(atom.start)
        in_group = [
            a for a in self.parsed.statuses if self.scope.index(a.start) == self.scope.index(atom.start)
        ]
        meant = self.binding.of_the_noun(atom.start)
        return status.check(atom, meant or (self.binding.at(atom.start) if len(in_group) > 1 else group))

    def _order(self, atom: order.OrderAtom) -> Outcome | None:
        candidates, frames = self.binding.ordered(atom)
        if atom.count > 1 and candidates and len(self.scope.groups) > 1:
            # "The last three were 8 [A], 7 [B] and 9 [C]": it is said of all of them
            same = self.parsed.record.same_series
            candidates = tuple(f for f in self.cited if same(f, candidates[0]))
        ranged = self.binding.ranged_over
        return order.check(
            atom, candidates, self.cited, lambda facts: ranged(facts, atom.end, frames), self.labels
        )

    def _order_of_each_series(self, atom: order.OrderAtom) -> list[Outcome]:
        """ "Latest results:" says it of every series under it: one of each has to be the latest."""
        series: dict[tuple[str, ...], list[Facts]] = {}
        frames = self.parsed.frame.windows
        for facts in self.cited:
            members = self.binding.population(facts, frames)
            series.setdefault(tuple(m.resource_id for m in members), []).append(facts)
        outcomes = [
            order.check(atom, listed, listed, lambda f: self.binding.population(f, frames), self.labels)
            for listed in series.values()
        ]
        return [o for o in outcomes if o is not None]

    def _relation(self, atom: direction.RelationAtom) -> Outcome | None:
        parsed = self.parsed
        if relation.is_threshold(atom, parsed.reading, self.cited):
            return None
        if atom.kind in ("range", "within"):
            return self._ranged(atom)
        if atom.kind == "ratio":
            return relation.check_ratio(atom, parsed.quantities)
        if atom.kind in ("same day", "that day"):
            return relation.same_day(
                atom, self._beside(atom), self.before, ended=beside.by_its_end(parsed, atom)
            )
        told = relation.Told(self.binding.bound, self.binding.places, self.cited)
        return relation.check(atom, told, parsed.record, self.labels, parsed.reading)

    def _beside(self, atom: direction.RelationAtom) -> Sequence[Facts]:
        """What is cited where a word stands and just before it; all that is cited where that cannot be told apart."""
        groups = self.scope.groups
        index = self.scope.index(atom.start)
        return (*groups[index - 1].cited, *groups[index].cited) if index else self.cited

    def _limits(self, atom: direction.RelationAtom) -> list[QuantityAtom]:
        """The two numbers after "ranged" or "within"."""
        return [q for q in self.parsed.quantities if not q.comparator and q.start >= atom.end][:2]

    def _ranged(self, atom: direction.RelationAtom) -> Outcome | None:
        """ "Ranged from 5 to 7": the two numbers after the word are the extremes; "stayed within" them all the rest lie."""
        limits = sorted((q.stated for q in self._limits(atom)), key=lambda s: s.value)
        members: Sequence[Facts] = [m for f in self.cited[:1] for m in self.binding.population(f)]
        if len(self.cited) > 2 or any(a.count > 1 for a in self.parsed.orders):
            members = self.cited  # "over these results"
        held = sorted(v.value for m in members if (v := order.number(m, self.labels)) and v.value is not None)
        if len(limits) < 2 or not held:
            return missing("relation", atom.said, "no two limits") if atom.kind == "within" else None
        low, high = limits[0], limits[-1]
        inside = atom.kind == "within" and low.value <= held[0] and held[-1] <= high.value
        if inside or (low.equals(held[0]) and high.equals(held[-1])):
            return agreed("relation", atom.said, f"{held[0]} to {held[-1]}")
        return contradicted(
            "relation", f"{atom.said} {low.value} to {high.value}", f"{held[0]} to {held[-1]}"
        )

    def _sequence(self, atom: sequence.SequenceAtom) -> Outcome | None:
        about_it = self.before if beside.speaks_of_it(self.parsed) or atom.kind == "back" else ()
        return sequence.check(atom, self.binding.places, self.binding.groups, self.cited, about_it)

    def _average(self, atom: average.AverageAtom) -> Outcome:
        members = [m for f in self.cited[:1] for m in self.binding.population(f)]
        return average.check(atom, self.parsed.quantities, self.cited, members)

    def _count(self, atom: count.CountAtom) -> Outcome:
        """A count, of the time the statement names or else of the time asked about."""
        members = self._counted(atom)
        outcome = count.check(atom, members, self.cited)
        if not outcome.ok and (day := self._day_counted(atom)):
            outcome = count.check(atom, [m for m in members if dates.supports(day, m)], self.cited)
        if not outcome.ok and not self.statement.cited and not self.parsed.names_something:
            # "So three doses altogether.": of the things just told
            series = {m.resource_id: m for f in self.cited for m in self.parsed.record.series(f)}
            outcome = count.check(atom, list(series.values()), self.cited)
        if (
            outcome.ok
            or self.question is None
            or self.parsed.frame.windows
            or not self.question.frame.windows
        ):
            return outcome
        asked = [m for m in members if self.question.frame.holds(m)]
        return count.check(atom, asked, self.cited)

    def _day_counted(self, atom: count.CountAtom) -> dates.DateAtom | None:
        """The day that a count is of: "three orders went in on 16 September 2015"."""
        folded = self.parsed.reading.folded
        return next(
            (
                d
                for d in self.parsed.frame.dates
                if d.start > atom.end and _ON.fullmatch(folded[atom.end : d.start])
            ),
            None,
        )

    def _counted(self, atom: count.CountAtom) -> list[Facts]:
        return self.binding.counted(atom.end, [q for q in self.parsed.quantities if q.comparator])

    def _interpretation(self, atom: interpretation.InterpretationAtom) -> Outcome:
        if self.statement.is_label:
            outcomes = [interpretation.check(atom, [f]) for f in self.cited]
            return next((o for o in outcomes if not o.ok), interpretation.check(atom, self.cited))
        return interpretation.check(atom, self.binding.at(atom.start))

    def _negation(self, atom: negation.NegationAtom) -> Outcome | None:
        if any(a.start <= atom.start < a.end for a in (*self.parsed.statuses, *self.parsed.relations)):
            return None
        if self.parsed.relations and re.match(
            r"\b(?:not|no|never)\s", self.parsed.reading.folded[atom.start :]
        ):
            near = [r for r in self.parsed.relations if 0 <= r.start - atom.end < 8]
            if near:
                return None
        about = self.binding.at(atom.start)
        if names.says_the_same_no(self.parsed, atom.end, about):
            return agreed("negation", atom.said, "as named")
        in_full = {f.resource_id for p in self.parsed.phrases for f in p.owners}
        return negation.check(atom, about, [f for f in about if self.parsed.lexicon.says_no(f, in_full)])

    def _every(self, atom: every.QuantifierAtom) -> list[Outcome]:
        parsed = self.parsed
        several_told = len(self.cited) > 1 and not self.binding.has_noun(atom.end)
        if atom.kind == "all" and several_told and not self.statement.is_label:
            return []  # "A, B and C are all active": of those named, and each of them is checked
        phrase = self.binding.phrase(atom.end)
        said = every.Said(
            bounds=[q for q in parsed.quantities if q.comparator],
            values=[q for q in parsed.quantities if not q.comparator and 0 <= atom.start - q.end < 12],
            interpretations=parsed.interpretations,
            statuses=[a for a in parsed.statuses if not phrase[0] <= a.start < phrase[1]],
            counted=bool(parsed.counts),
            pair=beside.pairs(parsed, atom),
            cited=self.scope.at(atom.start) if atom.said == "each" else self.cited,
        )
        return every.check(atom, said, lambda: self._all_meant(atom))

    def _all_meant(self, atom: every.QuantifierAtom) -> Sequence[Facts]:
        """What "all" and "only" range over; "takes only X" ranges over all that is of X's type and in the status said."""
        if not self.cited:
            return ()
        facts, binding = self.cited[0], self.binding
        if atom.kind == "none" and not binding.has_noun(atom.end):
            return self.parsed.record.of_type(facts.resource_type)
        if atom.kind == "only" and not binding.has_noun(atom.end):
            return binding.of_type(facts)
        return binding.ranged_over(facts, atom.end, self.parsed.frame.windows)

    def _words_of_documents(self) -> list[str]:
        """The stems of the statement that are no name of what is cited: in a document, they are what it says."""
        own = frozenset(s for f in self.cited for s in self.parsed.lexicon.own_names(f))
        said = [t.stem for t in self.parsed.left_over] + [s for m in self.parsed.mentions for s in m.stems]
        return [s for s in dict.fromkeys(said) if s not in own and s not in FRAME]

    def _polarity(self) -> list[Outcome]:
        """A leading "Yes" or "No" against the question read as a statement about everything cited for the answer."""
        if not self.statement.polarity or self.question is None:
            return []
        asked = Examination(
            replace(self.statement, text=self.question.text, polarity=""),
            self.question,
            Scope((replace(self.scope.groups[0], start=10**6, end=10**6, cited=self.question.cited),)),
            None,
            (),
        )
        negated = bool(self.parsed.negations) or any(a.negated for a in self.parsed.statuses)
        return polarity.check(
            self.statement.polarity, self.question, asked.asserted(), negated, self.parsed.relations
        )
