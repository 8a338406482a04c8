"""The answerer that needs no model: every figure is computed from typed facts, every sentence cites what it rests on.

The same question about the same record gives the same text. What the record cannot answer is refused, and the refusal
says what was searched.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.generation.listing import listing
from core.generation.refusal import refusal
from core.generation.results import results
from core.generation.wording import render
from core.models import Draft
from core.retrieval.match import Outcome, Topic
from core.retrieval.question import Aggregate, Question
from core.retrieval.search import Concept
from core.retrieval.select import Selection


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
        observed = selection.resource_type == "Observation"
        wording = results(topic, selection) if observed else listing(question, topic, selection)
        return Draft(render("answer.jinja2", a=wording), refused=False, answerer=self.name)
