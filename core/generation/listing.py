"""Conditions, medications, allergies, events and plans in words: what holds now first, social findings kept apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from core.generation.items import Ages, Item, merged, record_item
from core.generation.wording import Group, Wording
from core.models import Facts
from core.naming import MEDICATION_TYPES
from core.problems import is_clinical
from core.retrieval.language import RecordKind
from core.retrieval.match import Topic
from core.retrieval.question import Aggregate, Question
from core.retrieval.select import ACTIVE, Selection

_LISTED_EACH = (
    12  # up to so many resources of one asked-for thing are listed one by one, more are merged by concept
)
_UNDATED = datetime.max.replace(tzinfo=UTC)


def listing(question: Question, topic: Topic, selection: Selection, ages: Ages) -> Wording:
    """How to word the chosen resources of a selection (which holds at least one)."""
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
        subject = _one(named) if len(found) == 1 else named
        return Wording(
            "counted_events", tuple(_undated(record_item(f)) for f in found), subject=subject, window=window
        )
    if event and selection.aggregate in (Aggregate.LATEST, Aggregate.FIRST):
        return Wording(
            "latest_event", (_undated(record_item(found[0])),), aggregate=selection.aggregate.value
        )
    if selection.resource_type == "Condition" and selection.aggregate is Aggregate.WHEN:
        found.sort(key=lambda f: f.date.instant if f.date else _UNDATED)
    if event and selection.aggregate is Aggregate.WHEN and len(found) == 1 and found[0].date:
        return Wording("latest_event", (_undated(record_item(found[0])),), aggregate="latest")
    return Wording(
        "listed",
        lead=_lead(question, found),
        groups=tuple(_groups(question, topic.kind, selection, found, ages if _wants_age(question) else None)),
    )


def _one(named: str) -> str:
    """What is counted in the singular: the noun before "of" ("records of …"), else the last word."""
    noun, of, rest = named.partition(" of ")
    return f"{singular(noun)}{of}{rest}"


def singular(plural: str) -> str:
    """The last word of a label in the singular: "imaging studies" reads "imaging study"."""
    if plural.endswith("ies"):
        return f"{plural[:-3]}y"
    return plural if plural.endswith(("ss", "is", "us")) else plural.removesuffix("s")


def _undated(item: Item) -> Item:
    """The item without its own date among its facts: the sentence says it already."""
    return Item(
        item.id, item.name, item.date, facts=tuple(f for f in item.facts if f != item.date), every=item.every
    )


def _lead(question: Question, found: Sequence[Facts]) -> str:
    """The word a yes-or-no question is owed before its evidence."""
    if (
        question.aggregate not in (Aggregate.HAS, Aggregate.STATUS)
        or not question.subject
        or not question.yes_no
    ):
        return ""
    if question.ended:  # "is she off it?": the statuses below answer, a yes would say the opposite
        return ""
    if found[0].resource_type in (*MEDICATION_TYPES, "Condition"):
        return "Yes." if any(f.status in ACTIVE for f in found) else ""
    return "Yes."


def _wants_age(question: Question) -> bool:
    person = question.kind is not None and question.kind.types == ("Patient",)
    return question.aged or (question.summary and person)


def _groups(
    question: Question,
    kind: RecordKind | None,
    selection: Selection,
    found: Sequence[Facts],
    ages: Ages | None,
) -> list[Group]:
    asked_for_one = bool(question.subject)
    if asked_for_one and len(found) <= _LISTED_EACH:
        items = tuple(record_item(f, ages) for f in found)
        return [Group("", tuple(_still(i) for i in items) if question.ended else items)]
    lines = [
        (group, record_item(group[0], ages) if len(group) == 1 else merged(group))
        for group in _by_concept(found)
    ]
    if selection.resource_type == "Condition" and not asked_for_one:
        clinical = [item for group, item in lines if is_clinical(group[0])]
        other = [item for group, item in lines if not is_clinical(group[0])]
        headed = [
            ("Clinical problems", clinical),
            ("Other findings and circumstances", other),
        ]
        return [Group(h if other or question.summary else "", tuple(items)) for h, items in headed if items]
    active = tuple(item for group, item in lines if group[0].status in ACTIVE or not group[0].status)
    ended = tuple(item for group, item in lines if item not in active)
    if selection.resource_type in MEDICATION_TYPES and active and ended and not asked_for_one:
        return [Group("On the list now", active), Group("Not active", ended)]
    heading = "" if asked_for_one or kind is None else f"{kind.label[:1].upper()}{kind.label[1:]}"
    return [Group(heading, tuple(item for _, item in lines))]


def _still(item: Item) -> Item:
    """An item asked about as over ("when was it stopped?"): what is active is said to be so still."""
    facts = tuple("still active" if f == "active" else f for f in item.facts)
    return replace(item, facts=facts, every=item.every)


def _by_concept(found: Sequence[Facts]) -> list[list[Facts]]:
    """Resources of one concept and one status together, in the order given; those with an end keep their own lines."""
    groups: dict[tuple[str, str, str], list[Facts]] = {}
    for facts in found:
        end = facts.dated("period.end")
        groups.setdefault((facts.concept_key, facts.status, end.text if end else ""), []).append(facts)
    return list(groups.values())
