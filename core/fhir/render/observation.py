"""Observations: every value and component with unit and comparator; high and low are said only from flags.

A missing value reads "no result recorded: <reason>" (dataAbsentReason), never as a value.
"""

from __future__ import annotations

from core.fhir.render.generic import Renderer
from core.fhir.render.parts import date_line, detail_lines, full_names, lead, one_line, spaced, status, when
from core.fhir.render.results import result, value_lines
from core.models import Facts

# HL7 observation-category codes and their displays -> what a reader calls such an observation.
_CATEGORIES = {
    "activity": "Activity observation",
    "exam": "Examination finding",
    "imaging": "Imaging observation",
    "laboratory": "Laboratory observation",
    "procedure": "Procedure observation",
    "social history": "Social history observation",
    "survey": "Survey answer",
    "therapy": "Therapy observation",
    "vital signs": "Vital sign",
}
_COMPONENTS_NAMED = 12  # the rest of a long panel would be cut from an embedding of 256 word pieces anyway


def headline(facts: Facts) -> str:
    """ "Glucose: 98 mg/dL on 2024-03-01 (final)"."""
    return f"{lead(facts)}{one_line(facts.label)}: {result(facts)}{when(facts)}{status(facts)}"


def body(facts: Facts) -> list[str]:
    """Flags and ranges with their values first; the category is part of the concept, not of every card."""
    return [*value_lines(facts), *detail_lines(facts), *date_line(facts)]


def concept(facts: Facts) -> str:
    """Category, name and the names of the components; the values vary, so they stay out."""
    words = (spaced(c.casefold()) for c in facts.categories)
    kind = next((_CATEGORIES[w] for w in words if w in _CATEGORIES), "Observation")
    parts = dict.fromkeys(v.label for v in facts.values if v.label and v.path.startswith("component"))
    parts.pop(facts.label, None)
    named = "; ".join(list(parts)[:_COMPONENTS_NAMED])
    return f"{kind}: {full_names(facts)} ({named})" if named else f"{kind}: {full_names(facts)}"


RENDERER = Renderer(headline, body, concept)
