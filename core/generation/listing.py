"""Conditions, medications, allergies, events and plans in words: what holds now first, social findings kept apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from core.fhir.problems import is_errand
from core.generation.items import Ages, Item, asked_of_person, merged, person_item, record_item, who_item
from core.generation.wording import Group, Wording
from core.models import Facts
from core.naming import MEDICATION_TYPES
from core.problems import is_clinical
from core.retrieval.language import RecordKind
from core.retrieval.question import Aggregate, Question
from core.retrieval.select import ACTIVE, Selection
from core.retrieval.topic import Topic
from core.retrieval.window import Window
from core.words import stems

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
        kind = topic.kind if not question.subject else None
        named = (kind.counted or kind.label) if kind else f"records of {topic.label}"
        if selection.status:
            named = f"{selection.status} {named}"
        subject = _one(named) if len(found) == 1 else named
        return Wording(
            "counted_events", tuple(_undated(record_item(f)) for f in found), subject=subject, window=window
        )
    if selection.aggregate in (Aggregate.WHO, Aggregate.WHERE):
        named_so = (who_item(f, place=selection.aggregate is Aggregate.WHERE) for f in found)
        return Wording("listed", groups=(Group("", tuple(i for i in named_so if i)),))
    if details := asked_of_person(question) if selection.resource_type == "Patient" else []:
        told = (person_item(f, details, ages if question.aged else None) for f in found)
        return Wording("listed", groups=(Group("", tuple(told)),))
    one_thing = len({f.concept_key for f in found}) == 1  # two of one moment, or of a wider name, are listed
    if event and one_thing and selection.aggregate in (Aggregate.LATEST, Aggregate.FIRST):
        return Wording(
            "latest_event",
            (_undated(record_item(found[0], ages if question.how_long else None)),),
            aggregate=selection.aggregate.value,
        )
    if selection.resource_type == "Condition" and selection.aggregate in (Aggregate.WHEN, Aggregate.SEQUENCE):
        found.sort(key=lambda f: f.date.instant if f.date else _UNDATED)
    if event and selection.aggregate is Aggregate.WHEN and len(found) == 1 and found[0].date:
        one = record_item(found[0], ages if question.how_long else None)
        return Wording("latest_event", (_undated(one),), aggregate="latest")
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
        or len({m.first for m in question.terms}) > 1  # of two things asked, a yes would be of which?
        or (found[0].resource_type in MEDICATION_TYPES and any(m.term.treated_as for m in question.terms))
    ):
        return ""
    if question.ended:  # "is she off it?": the statuses below answer, a yes would say the opposite
        return ""
    if found[0].resource_type == "AllergyIntolerance" and not _is_named_in(question, found):
        return ""  # an allergy to animal dander, asked about cats
    if found[0].resource_type in (*MEDICATION_TYPES, "Condition"):
        return "Yes." if any(f.status in ACTIVE for f in found) else ""
    return "Yes."


def _is_named_in(question: Question, found: Sequence[Facts]) -> bool:
    asked = {question.tokens[i].stem for i in question.subject}
    return all(asked & set(stems(f.label)) for f in found)


def _wants_age(question: Question) -> bool:
    person = question.kind is not None and question.kind.types == ("Patient",)
    return question.aged or question.how_long or (question.summary and person)


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
        unlisted = _errands(found, selection)
        clinical = [item for group, item in lines if is_clinical(group[0])]
        other = [
            item
            for group, item in lines
            if not is_clinical(group[0]) and not (unlisted and is_errand(group[0]))
        ]
        entries = (
            f"{unlisted} active administrative {'entry is' if unlisted == 1 else 'entries are'} not listed"
        )
        headed = [
            (f"Clinical problems; {entries}" if unlisted else "Clinical problems", clinical),
            ("Other findings and circumstances", other),
        ]
        shown = other or question.summary or unlisted
        return [Group(h if shown else "", tuple(items)) for h, items in headed if items]
    if selection.resource_type in MEDICATION_TYPES and selection.window and not asked_for_one:
        return _by_period(lines, selection.window)
    active = tuple(item for group, item in lines if group[0].status in ACTIVE or not group[0].status)
    ended = tuple(item for group, item in lines if item not in active)
    if selection.resource_type in MEDICATION_TYPES and active and ended and not asked_for_one:
        return [Group("On the list now", active), Group("Not active", ended)]
    label = "allergies" if kind and kind.types == ("AllergyIntolerance",) else kind.label if kind else ""
    heading = "" if asked_for_one or kind is None else f"{label[:1].upper()}{label[1:]}"
    return [Group(heading, tuple(item for _, item in lines))]


def _still(item: Item) -> Item:
    """An item asked about as over ("when was it stopped?"): what is active is said to be so still."""
    facts = tuple("still active" if f == "active" else f for f in item.facts)
    return replace(item, facts=facts, every=item.every)


def _errands(found: Sequence[Facts], selection: Selection) -> int:
    """How many entries of an active problem list only remind of something to do; 0 where nothing else would be left."""
    if selection.status != "active" or selection.window:
        return 0
    errands = sum(map(is_errand, found))
    return errands if any(is_clinical(f) for f in found) else 0


def _by_period(lines: Sequence[tuple[Sequence[Facts], Item]], window: Window) -> list[Group]:
    """Medications begun in a window, then those begun before it that still hold or ended later."""
    begun = tuple(item for group, item in lines if window.holds(group[0].date))
    earlier = [(group, item) for group, item in lines if item not in begun]
    active = tuple(item for group, item in earlier if group[0].status in ACTIVE)
    ended = tuple(item for group, item in earlier if group[0].status not in ACTIVE)
    headed = [("Begun in that time", begun), ("Still active", active), ("Not active", ended)]
    return [Group(h if len(begun) < len(lines) else "Medications", items) for h, items in headed if items]


def _by_concept(found: Sequence[Facts]) -> list[list[Facts]]:
    """Resources of one concept and one status together, in the order given; those with an end keep their own lines."""
    groups: dict[tuple[str, str, str], list[Facts]] = {}
    for facts in found:
        end = facts.dated("period.end")
        groups.setdefault((facts.concept_key, facts.status, end.text if end else ""), []).append(facts)
    return list(groups.values())
