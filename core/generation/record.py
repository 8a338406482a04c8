"""The answerer that needs no model: every figure is computed from typed facts, every sentence cites what it rests on.

The same question about the same record gives the same text. What the record cannot answer is refused, and the refusal
says what was searched.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from core.fhir.measured import measured
from core.generation.items import Ages, asked_of_person, in_unit, record_item, who_item
from core.generation.listing import listing
from core.generation.refusal import refusal
from core.generation.results import beyond_none, results
from core.generation.wording import render
from core.models import REFUSAL, Draft, Facts, FhirDate
from core.retrieval.question import Aggregate, Question
from core.retrieval.reading import Asked, clock_of
from core.retrieval.search import Concept
from core.retrieval.select import Selection
from core.retrieval.topic import Outcome


class RecordAnswerer:
    """Answers from a Selection; stateless."""

    name = "record"

    def draft(
        self, asked: Sequence[Asked], concepts: Sequence[Concept], born: FhirDate | None = None
    ) -> Draft:
        """The answer to everything asked, or the refusal that says why there is none; `born` is the birth date."""
        clock = clock_of(concepts)
        texts = [self._text(one, born, clock) for one in asked]
        if not any(texts):
            return refusal(asked[0].topic, asked[0].selection, concepts)
        said = [
            text or render("gap.jinja2", refusal=REFUSAL.rstrip("."), asked=one.said)
            for one, text in zip(asked, texts, strict=True)
        ]
        return Draft("\n\n".join(said), refused=False, answerer=self.name)

    def _text(self, one: Asked, born: FhirDate | None, clock: date | None) -> str:
        """The answer to one question, or "" where the record has none."""
        question, topic, selection = one.question, one.topic, one.selection
        if topic.outcome is not Outcome.FOUND:
            return ""
        if not selection.chosen:
            wording = beyond_none(question.limit, topic, selection) if question.limit else None
        elif _goes_unanswered(question, selection):
            return ""
        elif selection.resource_type == "Observation":
            wording = results(topic, selection, question)
        else:
            wording = listing(question, topic, selection, Ages(born, clock, question.how_long))
        event = record_item(one.event.stored.facts) if one.event else None
        return render("answer.jinja2", a=wording, event=event) if wording else ""


def _is_in(facts: Facts, unit: str) -> bool:
    number = measured(facts)
    return number is not None and (number.unit == unit or bool(in_unit(facts, number, unit)))


def _goes_unanswered(question: Question, selection: Selection) -> bool:
    """Whether what was found does not say what was asked: no reason, no range, no word of a death."""
    found = [s.facts for s in selection.chosen]
    if question.aggregate is Aggregate.WHY:
        kind = "status reason" if question.ended else "reason"
        return not any(f.detail(kind) for f in found)
    if (
        question.ranged
        and question.aggregate is not Aggregate.RANGE
        and selection.resource_type == "Observation"
    ):
        return not any(v.ranges for f in found for v in f.values)
    asked = question.aggregate if selection.resource_type == "Observation" else selection.aggregate
    if asked in (Aggregate.WHO, Aggregate.WHERE):
        place = question.aggregate is Aggregate.WHERE
        return selection.resource_type == "Observation" or not any(who_item(f, place) for f in found)
    if question.unit and selection.resource_type == "Observation":
        return not all(_is_in(f, question.unit) for f in found)
    if selection.resource_type == "Patient" and (details := asked_of_person(question)):
        return not any(f.detail(kind) for f in found for kind in details)
    if question.dying and selection.resource_type == "Patient":
        return not any(f.dated("deceasedDateTime") or f.detail("deceased") for f in found)
    return False
