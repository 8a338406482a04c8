"""Of a series: its latest, first, highest, one of each, all of one unit, as the aggregate asks.

Two results of one moment that differ are both kept; values in different units are not compared, a bound is no number.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from core.fhir.measured import measured
from core.models import Facts
from core.retrieval.question import Aggregate
from core.retrieval.search import Stored
from core.retrieval.topic import Topic
from core.terminology import analytes_of


def instances(pool: Sequence[Stored], aggregate: Aggregate, topic: Topic) -> Sequence[Stored]:
    if not pool:
        return ()
    match aggregate:
        case Aggregate.LATEST:
            several = is_panel(topic) or (
                len(topic.quoted) > 1 and pool[0].facts.resource_type == "Procedure"
            )
            latest = one_per_concept(pool, topic) if several else _at_once(pool, topic)
            return (
                [s for one in latest for s in (one, *_beside(one, pool, topic))]
                if is_panel(topic)
                else latest
            )
        case Aggregate.FIRST:
            return _at_once(pool[::-1], topic)
        case Aggregate.SEQUENCE:
            first: dict[str, Stored] = {}
            for stored in pool[::-1]:
                first.setdefault(_analyte(stored.facts), stored)
            return list(first.values())
        case Aggregate.PREVIOUS:
            return _two_occasions(pool)[1:] if pool[0].facts.resource_type == "Observation" else pool
        case Aggregate.COMPARE:
            return _two_occasions(pool)
        case Aggregate.HIGHEST | Aggregate.LOWEST:
            return _extremes(pool, aggregate, topic)
        case Aggregate.RANGE if pool[0].facts.resource_type == "Observation":
            ends = [*_extremes(pool, Aggregate.HIGHEST, topic), *_extremes(pool, Aggregate.LOWEST, topic)]
            return ends if len(ends) == 2 else ()
        case Aggregate.AVERAGE:
            return _of_one_unit(pool, topic)
    return pool


def _at_once(pool: Sequence[Stored], topic: Topic) -> Sequence[Stored]:
    """The first of a series, with every other of the same moment that says something else: none is left out."""
    moment = pool[0].facts.date.instant if pool[0].facts.date else None
    if moment is None:
        return pool[:1]
    together: dict[tuple[object, ...], Stored] = {}
    for one in pool:
        if one.facts.date and one.facts.date.instant == moment:
            together.setdefault((_analyte(one.facts), *_stated(one.facts, topic)), one)
    return list(together.values())


def _two_occasions(pool: Sequence[Stored]) -> Sequence[Stored]:
    """The newest result and the newest of an earlier time: one taken at the same moment is not the one before."""
    earlier = [
        s
        for s in pool[1:]
        if s.facts.date and pool[0].facts.date and s.facts.date.instant < pool[0].facts.date.instant
    ]
    return [pool[0], *earlier[:1]]


def is_panel(topic: Topic) -> bool:
    """A category ("vital signs") asks for the latest of each of its concepts; so do several analytes at once."""
    return bool(topic.kind and topic.kind.category) or len(topic.terms) > 1


def one_per_concept(pool: Sequence[Stored], topic: Topic) -> list[Stored]:
    """The latest of each analyte or concept; what a heading holds in the vocabulary's order, which is that of use."""
    latest: dict[str, Stored] = {}
    for stored in pool:
        latest.setdefault(_analyte(stored.facts), stored)
    order = {t.key: n for n, t in enumerate(topic.terms)}
    return [s for _, s in sorted(latest.items(), key=lambda pair: order.get(pair[0], len(order)))]


def _of_one_unit(pool: Sequence[Stored], topic: Topic) -> Sequence[Stored]:
    """The results an average can be made of: plain numbers, all in one unit, of one analyte; else none."""
    codes = topic.component.codes if topic.component else frozenset()
    numbers = [measured(s.facts, codes) for s in pool]
    plain_numbers = all(n and not n.comparator for n in numbers)
    units = {n.unit for n in numbers if n}
    several = len(pool) > 1 and len(topic.terms) < 2
    return pool if several and plain_numbers and len(units) == 1 else ()


def _beside(one: Stored, pool: Sequence[Stored], topic: Topic) -> list[Stored]:
    """Other results of the very same time that say something else: the record holds both, and neither is later."""
    if one.facts.resource_type != "Observation" or one.facts.date is None:
        return []
    key, seen, found = _analyte(one.facts), {_stated(one.facts, topic)}, []
    for other in pool:
        same = other.facts.date is not None and other.facts.date.instant == one.facts.date.instant
        if same and _analyte(other.facts) == key and _stated(other.facts, topic) not in seen:
            seen.add(_stated(other.facts, topic))
            found.append(other)
    return found


def _analyte(facts: Facts) -> str:
    analytes = analytes_of(f"{c.system}|{c.code}" for c in facts.codings)
    return analytes[0].key if analytes else facts.concept_key


def _stated(facts: Facts, topic: Topic) -> tuple[object, ...]:
    number = measured(facts, topic.component.codes if topic.component else frozenset())
    if number:
        return (number.value, number.unit, number.comparator)
    return tuple(v.text for v in facts.values)


def _extremes(pool: Sequence[Stored], aggregate: Aggregate, topic: Topic) -> list[Stored]:
    """The extreme of each unit: values in different units are not compared. The newest of equal ones; comparators never."""
    by_unit: dict[str, list[tuple[Decimal, Stored]]] = {}
    for stored in pool:
        number = measured(stored.facts, topic.component.codes if topic.component else frozenset())
        if number and not number.comparator:
            by_unit.setdefault(number.unit, []).append((number.value, stored))
    pick = max if aggregate is Aggregate.HIGHEST else min
    return [pick(group, key=lambda g: g[0])[1] for group in by_unit.values()]
