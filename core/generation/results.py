"""Results in words: numbers from typed facts, mixed units never compared, comparators never averaged or ranked."""

from __future__ import annotations

from dataclasses import replace

from core.generation.items import Item, result_item
from core.generation.wording import Series, Wording
from core.models import Facts
from core.retrieval.match import Topic
from core.retrieval.question import Aggregate
from core.retrieval.select import Selection
from core.terminology import TermKind


def results(topic: Topic, selection: Selection) -> Wording:
    """How to word the chosen Observations of a selection (which holds at least one)."""
    window = f" {selection.window.phrase}" if selection.window else ""
    stored = [s.facts for s in selection.chosen]
    compared = selection.aggregate is Aggregate.COMPARE and len(stored) == 2
    beside = stored[::-1] if compared else [None] * len(stored)
    chosen = tuple(
        result_item(f, _name(topic, f), topic.component, other)
        for f, other in zip(stored, beside, strict=True)
    )
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


_FORMS = {
    Aggregate.LATEST: "latest_result",
    Aggregate.FIRST: "first_result",
    Aggregate.PREVIOUS: "previous_result",
    Aggregate.HIGHEST: "extreme_result",
    Aggregate.LOWEST: "extreme_result",
    Aggregate.COUNT: "counted_results",
}


def _name(topic: Topic, facts: Facts) -> str:
    """What to call a result: the clinician's word for an analyte, else the record's own."""
    if topic.component:
        return topic.component.label
    codes = {f"{c.system}|{c.code}" for c in facts.codings}
    term = next((t for t in topic.terms if t.kind is TermKind.ANALYTE and t.codes & codes), None)
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
