"""The answerer that needs no model: every figure is computed from typed facts, every sentence cites what it rests on.

The same question about the same record gives the same text. What the record cannot answer is refused, and the refusal
says what was searched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import jinja2

from core.fhir.codes import plain, semantic_tag
from core.fhir.types import spoken
from core.generation.items import Item, merged, record_item, result_item
from core.models import REFUSAL, Draft, Facts
from core.retrieval.match import MEDICATION_TYPES, SPEAKS_OF, Outcome, Topic
from core.retrieval.question import Aggregate, Question
from core.retrieval.search import Concept
from core.retrieval.select import ACTIVE, Selection
from core.terminology import TermKind, terms

_WORDING = Path(__file__).parent / "wording"
_LISTED_EACH = (
    12  # up to so many resources of one asked-for thing are listed one by one, more are merged by concept
)
_NEAR = 3
_UNDATED = datetime.max.replace(tzinfo=UTC)


@cache
def _templates() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(_WORDING),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # the answer is Markdown text; whoever shows it escapes it
        keep_trailing_newline=False,
    )


@dataclass(frozen=True, slots=True)
class _Series:
    """Results in one unit, newest first; `numeric` when all of them are plain numbers."""

    name: str
    items: tuple[Item, ...]
    numeric: bool

    @property
    def first(self) -> Item:
        return self.items[-1]

    @property
    def last(self) -> Item:
        return self.items[0]

    @property
    def high(self) -> Item:
        return max(self.items, key=lambda i: i.number.value if i.number else 0)

    @property
    def low(self) -> Item:
        return min(self.items, key=lambda i: i.number.value if i.number else 0)


@dataclass(frozen=True, slots=True)
class _Group:
    heading: str
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class _Wording:
    """What the template needs; `form` names the macro."""

    form: str
    chosen: tuple[Item, ...] = ()
    aggregate: str = ""
    subject: str = ""
    window: str = ""
    relation: str = ""
    lead: str = ""
    series: tuple[_Series, ...] = ()
    groups: tuple[_Group, ...] = field(default=())


class RecordAnswerer:
    """Answers from a Selection; stateless."""

    name = "record"

    def draft(
        self, question: Question, topic: Topic, selection: Selection, concepts: Sequence[Concept]
    ) -> Draft:
        """The answer to a question whose subject was found, or the refusal that says why there is none."""
        if topic.outcome is not Outcome.FOUND or not selection.chosen:
            return refusal(topic, selection, concepts)
        if question.aggregate is Aggregate.WHY and not any(
            s.facts.detail("reason") for s in selection.chosen
        ):
            return refusal(topic, selection, concepts)
        wording = (
            _results(topic, selection)
            if selection.resource_type == "Observation"
            else _records(question, topic, selection)
        )
        text = _templates().get_template("answer.jinja2").render(a=wording)
        return Draft(_tidy(text), refused=False, answerer=self.name)


def _tidy(text: str) -> str:
    """Trailing spaces and runs of blank lines removed."""
    lines = [line.rstrip() for line in text.strip().splitlines()]
    return "\n".join(line for i, line in enumerate(lines) if line or (i and lines[i - 1]))


# --- results ----------------------------------------------------------------------------------------


def _results(topic: Topic, selection: Selection) -> _Wording:
    window = f" {selection.window.phrase}" if selection.window else ""
    stored = [s.facts for s in selection.chosen]
    compared = selection.aggregate is Aggregate.COMPARE and len(stored) == 2
    beside = stored[::-1] if compared else [None] * len(stored)
    chosen = tuple(
        result_item(f, _name(topic, f), topic.component, other)
        for f, other in zip(stored, beside, strict=True)
    )
    common = {"chosen": chosen, "window": window, "subject": chosen[0].name}
    match selection.aggregate:
        case Aggregate.LATEST:
            return _Wording("latest_result", **common)
        case Aggregate.PREVIOUS:
            return _Wording("previous_result", **common)
        case Aggregate.FIRST:
            return _Wording("first_result", **common)
        case Aggregate.HIGHEST | Aggregate.LOWEST:
            return _Wording("extreme_result", aggregate=selection.aggregate.value, **common)
        case Aggregate.COUNT:
            return _Wording("counted_results", **common)
        case Aggregate.COMPARE if len(chosen) == 2:
            relation = _relation(chosen[0], chosen[1])
            return _Wording(
                "compared_results" if relation else "uncompared_results", relation=relation, **common
            )
        case Aggregate.COMPARE:
            return _Wording("latest_result", **common)
    aggregate = selection.aggregate.value
    return _Wording("trend_results", series=_by_unit(chosen), aggregate=aggregate, **common)


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


def _by_unit(items: tuple[Item, ...]) -> tuple[_Series, ...]:
    """One series per name and unit: mixed units are never one series."""
    found: dict[tuple[str, str], list[Item]] = {}
    for item in items:
        found.setdefault((item.name, item.number.unit if item.number else ""), []).append(item)
    return tuple(
        _Series(name, tuple(group), numeric=all(i.number and not i.number.comparator for i in group))
        for (name, _), group in found.items()
    )


# --- everything else --------------------------------------------------------------------------------


def _records(question: Question, topic: Topic, selection: Selection) -> _Wording:
    found = [s.facts for s in selection.chosen]
    if selection.resource_type in (*MEDICATION_TYPES, "Condition"):
        found.sort(
            key=lambda f: f.status not in ACTIVE
        )  # what holds now is read first; the order of dates stays
    window = f" {selection.window.phrase}" if selection.window else ""
    event = selection.resource_type not in ("Condition", "AllergyIntolerance", "Patient", *MEDICATION_TYPES)
    if selection.aggregate is Aggregate.COUNT:
        named = topic.kind.label if topic.kind and not question.subject else f"records of {topic.label}"
        if selection.status:
            named = f"{selection.status} {named}"
        subject = singular(named) if len(found) == 1 else named
        return _Wording("counted_events", tuple(map(record_item, found)), subject=subject, window=window)
    if event and selection.aggregate in (Aggregate.LATEST, Aggregate.FIRST):
        return _Wording(
            "latest_event", (_undated(record_item(found[0])),), aggregate=selection.aggregate.value
        )
    if selection.resource_type == "Condition" and selection.aggregate is Aggregate.WHEN:
        found.sort(key=lambda f: f.date.instant if f.date else _UNDATED)
    if event and selection.aggregate is Aggregate.WHEN and len(found) == 1 and found[0].date:
        return _Wording("latest_event", (_undated(record_item(found[0])),), aggregate="latest")
    return _Wording("listed", lead=_lead(question, found), groups=tuple(_groups(question, selection, found)))


def singular(plural: str) -> str:
    """The last word of a label in the singular: "imaging studies" reads "imaging study"."""
    return f"{plural[:-3]}y" if plural.endswith("ies") else plural.removesuffix("s")


def _undated(item: Item) -> Item:
    """The item without its own date among its facts: the sentence says it already."""
    return Item(
        item.id, item.name, item.date, facts=tuple(f for f in item.facts if f != item.date), every=item.every
    )


def _lead(question: Question, found: Sequence[Facts]) -> str:
    """The word a yes-or-no question is owed before its evidence."""
    if question.aggregate not in (Aggregate.HAS, Aggregate.STATUS) or not question.subject:
        return ""
    if found[0].resource_type in (*MEDICATION_TYPES, "Condition"):
        return "Yes." if any(f.status in ACTIVE for f in found) else ""
    return "Yes."


def _groups(question: Question, selection: Selection, found: Sequence[Facts]) -> list[_Group]:
    asked_for_one = bool(question.subject)
    if asked_for_one and len(found) <= _LISTED_EACH:
        return [_Group("", tuple(record_item(f) for f in found))]
    lines = [(group, merged(group)) for group in _by_concept(found)]
    if selection.resource_type == "Condition" and not asked_for_one:
        clinical = [item for group, item in lines if _is_clinical(group[0])]
        other = [item for group, item in lines if not _is_clinical(group[0])]
        headed = [("Clinical problems", clinical), ("Other findings and circumstances", other)]
        return [_Group(h if len(other) else "", tuple(items)) for h, items in headed if items]
    active = tuple(item for group, item in lines if group[0].status in ACTIVE or not group[0].status)
    ended = tuple(item for group, item in lines if item not in active)
    if selection.resource_type in MEDICATION_TYPES and active and ended and not asked_for_one:
        return [_Group("On the list now", active), _Group("Earlier", ended)]
    return [_Group("", tuple(item for _, item in lines))]


def _by_concept(found: Sequence[Facts]) -> list[list[Facts]]:
    """Resources of one concept and one status together, in the order given; those with an end keep their own lines."""
    groups: dict[tuple[str, str, str], list[Facts]] = {}
    for facts in found:
        end = facts.dated("period.end")
        groups.setdefault((facts.concept_key, facts.status, end.text if end else ""), []).append(facts)
    return list(groups.values())


def _is_clinical(facts: Facts) -> bool:
    """A disorder, or a finding the vocabulary knows as a condition; not work, schooling, housing or paperwork."""
    tags = {semantic_tag(n) for n in facts.names} - {""}
    if not tags or tags & {"disorder", "morphologic abnormality"}:
        return True
    codes = {f"{c.system}|{c.code}" for c in facts.codings}
    conditions = [t for t in terms() if t.kind is TermKind.CONDITION]
    return any(t.codes & codes or any(t.is_named_by(n) for n in facts.names) for t in conditions)


# --- refusal ----------------------------------------------------------------------------------------


def refusal(topic: Topic, selection: Selection | None, concepts: Sequence[Concept]) -> Draft:
    """The refusal: what was searched and what lies near it. It states nothing about the patient and cites nothing."""
    near: list[str] = []
    if topic.outcome is not Outcome.ADVICE:
        clinical = [
            c
            for c in concepts
            if c.resource_type not in ("DocumentReference", "Patient", "Encounter", "CareTeam")
        ]
        near = list(dict.fromkeys(plain(c.label) for c in clinical if c.word_rank))[:_NEAR]
    text = (
        _templates()
        .get_template("refusal.jinja2")
        .render(
            refusal=REFUSAL,
            outcome=topic.outcome.name.lower(),
            searched=_searched(topic, selection, concepts),
            near=near,
        )
    )
    return Draft(_tidy(text), refused=True, answerer=RecordAnswerer.name)


def _spoken_of(topic: Topic) -> tuple[str, ...]:
    """The types of record the terms of a question would stand in."""
    return tuple(dict.fromkeys(t for term in topic.terms for t in SPEAKS_OF[term.kind]))


def _searched(topic: Topic, selection: Selection | None, concepts: Sequence[Concept]) -> str:
    """How much was looked through, by type, and over which years."""
    if topic.outcome is Outcome.ADVICE or not concepts:
        return ""
    kinds = (
        topic.kind.types if topic.kind else _spoken_of(topic) or tuple({c.resource_type for c in concepts})
    )
    counts = {t: sum(c.resources for c in concepts if c.resource_type == t) for t in kinds}
    shown = sorted(((n, t) for t, n in counts.items() if n), reverse=True)[:4]
    what = ", ".join(f"{n} {spoken(t).lower()} record{'s' if n != 1 else ''}" for n, t in shown)
    years = [d.year for c in concepts if c.resource_type in kinds for d in (c.first, c.last) if d]
    span = f" from {min(years)} to {max(years)}" if years else ""
    about = f' for "{topic.asked}"' if topic.asked else ""
    if selection and selection.series:
        missed = f"; {len(selection.series)} on record, none of them as asked"
        return f"{what or 'this record'}{span}{about}{missed}"
    return f"{what or 'this record'}{span}{about}"
