"""Results in words: numbers from typed facts, mixed units never compared, comparators never averaged or ranked."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from core.fhir.measured import measured
from core.fhir.quantities import printed_unit, shown_number
from core.generation.items import Item, result_item
from core.generation.wording import Series, Wording
from core.models import Facts, Quantity
from core.retrieval.limits import SAID, Limit
from core.retrieval.question import Aggregate, Question
from core.retrieval.select import Selection
from core.retrieval.topic import Topic
from core.terminology import TermKind, analytes_of, terms


def results(topic: Topic, selection: Selection, question: Question) -> Wording:
    """How to word the chosen Observations of a selection (which holds at least one)."""
    window = f" {selection.window.phrase}" if selection.window else ""
    stored = [s.facts for s in selection.chosen]
    whole = topic.kind is not None and bool(topic.kind.category) and not question.subject
    of_a_day = whole and selection.window is not None and selection.aggregate is Aggregate.LATEST
    if question.summary or of_a_day:
        stored = _first_read(stored) if question.summary else stored
        if selection.window:
            items = tuple(result_item(f, _name(topic, f)) for f in stored)
            subject = topic.label if question.summary else f"{topic.label}{window}"
            return Wording("named_results", items, subject=subject)
    compared = selection.aggregate is Aggregate.COMPARE and len(stored) == 2
    beside = stored[::-1] if compared else [None] * len(stored)
    chosen = tuple(
        result_item(f, _name(topic, f), topic.component, other, question.unit)
        for f, other in zip(stored, beside, strict=True)
    )
    if selection.aggregate is Aggregate.AVERAGE:
        return Wording(
            "averaged_results", chosen, subject=chosen[0].name, window=window, relation=_mean(chosen)
        )
    if question.limit:
        return _beyond(question, question.limit, selection, chosen, window)
    if selection.aggregate in (Aggregate.LATEST, Aggregate.FIRST):
        chosen = _alike_once(chosen)
    wording = Wording(
        _FORMS.get(selection.aggregate, "trend_results"), chosen, subject=chosen[0].name, window=window
    )
    if selection.aggregate is Aggregate.COMPARE:
        relation = _relation(chosen[0], chosen[1]) if len(chosen) == 2 else ""
        form = (
            "latest_result" if len(chosen) < 2 else "compared_results" if relation else "uncompared_results"
        )
        return replace(wording, form=form, relation=relation)
    return replace(wording, aggregate=selection.aggregate.value, series=_by_unit(chosen))


_ON_ONE_PAGE = 16


def _first_read(found: list[Facts]) -> list[Facts]:
    """What an overview has room for: results the vocabulary knows, in its order, which is that of clinical use."""
    order = {term.key: n for n, term in enumerate(terms())}
    known = [
        (order[a[0].key], f) for f in found if (a := analytes_of(f"{c.system}|{c.code}" for c in f.codings))
    ]
    return [f for _, f in sorted(known, key=lambda k: k[0])][:_ON_ONE_PAGE] or found[:_ON_ONE_PAGE]


def _mean(items: tuple[Item, ...]) -> str:
    """The mean of plain numbers in one unit, as printed."""
    values = [i.number for i in items if i.number]
    mean = sum((v.value for v in values), Decimal(0)) / len(values)
    quantity = values[0].source.quantity
    printed = printed_unit(quantity) if quantity else ""
    return f"{shown_number(mean, unit=values[0].unit)} {printed}".rstrip()


def _alike_once(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Results that say the same of one day as one item that cites them all."""
    alike: dict[tuple[str, ...], list[Item]] = {}
    for item in items:
        alike.setdefault((item.name, item.date, item.value, item.flag, item.range), []).append(item)
    return tuple(replace(g[0], every=tuple(g)) if len(g) > 1 else g[0] for g in alike.values())


def _beyond(
    question: Question, limit: Limit, selection: Selection, chosen: tuple[Item, ...], window: str
) -> Wording:
    counted = selection.aggregate is Aggregate.COUNT
    mixed = len({i.number.unit for i in chosen if i.number}) > 1
    return Wording(
        "counted_beyond" if counted else "results_beyond",
        chosen,
        subject=chosen[0].name,
        window=window,
        relation=f"{SAID[limit.sign]} {limit.value}" if mixed and not limit.unit else _said(limit, chosen[0]),
        lead="Yes." if question.yes_no and not counted else "",
    )


def beyond_none(limit: Limit, topic: Topic, selection: Selection) -> Wording | None:
    """How to say that no result lies beyond a limit: by the one nearest to it. None where some cannot be told."""
    found = [s.facts for s in selection.considered]
    codes = topic.component.codes if topic.component else frozenset()
    if not found or any(limit.met_by(f, codes) is not False for f in found):
        return None
    pick = max if limit.sign.startswith(">") else min
    nearest = pick(found, key=lambda f: m.value if (m := measured(f, codes)) else 0)
    item = result_item(nearest, _name(topic, nearest), topic.component)
    return Wording(
        "none_beyond",
        (item,),
        aggregate="highest" if limit.sign.startswith(">") else "lowest",
        subject=item.name,
        window=f" {selection.window.phrase}" if selection.window else "",
        relation=_said(Limit(_OPPOSITE[limit.sign], limit.value, limit.unit, 0, 0), item),
    )


_OPPOSITE = {">": "<=", ">=": "<", "<": ">=", "<=": ">"}


def _said(limit: Limit, item: Item) -> str:
    """The limit in words, with its own unit or else that of the results it was put to."""
    quantity = item.number.source.quantity if item.number else None
    unit = limit.unit or (quantity.code or quantity.unit if quantity else "")
    printed = printed_unit(Quantity(limit.value, unit, unit))
    return f"{SAID[limit.sign]} {limit.value} {printed}".rstrip()


_FORMS = {
    Aggregate.LATEST: "latest_result",
    Aggregate.FIRST: "first_result",
    Aggregate.PREVIOUS: "previous_result",
    Aggregate.HIGHEST: "extreme_result",
    Aggregate.LOWEST: "extreme_result",
    Aggregate.COUNT: "counted_results",
    Aggregate.RANGE: "ranged_results",
    Aggregate.AVERAGE: "averaged_results",
}


def _name(topic: Topic, facts: Facts) -> str:
    """What to call a result: the clinician's word for an analyte, else the record's own."""
    if topic.component:
        return topic.component.label
    codes = {f"{c.system}|{c.code}" for c in facts.codings}
    term = next((t for t in topic.terms if t.kind is TermKind.ANALYTE and t.codes & codes), None)
    if term is None and topic.kind and topic.kind.category:
        term = next(iter(analytes_of(codes)), None)
    return term.label if term else facts.label


def _relation(new: Item, old: Item) -> str:
    """How two results compare, or "" when they cannot be: other units, comparators, not numbers."""
    if new.number is None or old.number is None or new.number.comparator or old.number.comparator:
        return ""
    if new.number.unit != old.number.unit:
        return ""
    a, b = new.number.value, old.number.value
    return "higher than" if a > b else "lower than" if a < b else "the same as"


def _by_unit(items: tuple[Item, ...]) -> tuple[Series, ...]:
    """One series per name and unit: mixed units are never one series."""
    found: dict[tuple[str, str], list[Item]] = {}
    for item in items:
        found.setdefault((item.name, item.number.unit if item.number else ""), []).append(item)
    return tuple(
        Series(name, tuple(group), numeric=all(i.number and not i.number.comparator for i in group))
        for (name, _), group in found.items()
    )
