"""Observations: every value and component with its unit and comparator; high and low are said only from the flags.

A missing value reads "no result recorded: <reason>" (dataAbsentReason), never as a value.
"""

from __future__ import annotations

from core.fhir import codes
from core.fhir.render.generic import Renderer
from core.fhir.render.parts import (
    capitalised,
    date_line,
    detail_lines,
    full_names,
    lead,
    one_line,
    status,
    when,
)
from core.fhir.values import blood_pressure, shown_flags, shown_ranges, shown_value
from core.models import Facts, Value, ValueKind

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
_IN_HEADLINE = 3
_ON_OWN_LINE = 8


def headline(facts: Facts) -> str:
    return f"{lead(facts)}{one_line(facts.label)}: {_result(facts)}{when(facts)}{status(facts)}"


def _result(facts: Facts) -> str:
    if pressure := blood_pressure(facts.values):
        return pressure
    if not facts.values:
        return "no result recorded"
    if len(facts.values) == 1:
        return one_line(shown_value(facts.values[0]))
    if len(facts.values) <= _IN_HEADLINE:
        return "; ".join(_named(v, facts) for v in facts.values)
    return f"{len(facts.values)} results"


def _named(value: Value, facts: Facts) -> str:
    own = value.label and codes.plain(value.label) != facts.label
    return one_line(f"{value.label} {shown_value(value)}" if own else shown_value(value))


def body(facts: Facts) -> list[str]:
    lines = []
    several = len(facts.values) > 1
    for value in facts.values:
        said = [_named(value, facts)] if several else []
        notes = [capitalised(shown_flags(value)) if not several else shown_flags(value), shown_ranges(value)]
        if text := " – ".join([*said, *(n for n in notes if n)]):
            lines.append(text)
    if len(lines) > _ON_OWN_LINE:
        lines = [*lines[: _ON_OWN_LINE - 1], "; ".join(lines[_ON_OWN_LINE - 1 :])]
    return [*lines, *detail_lines(facts), *date_line(facts)]


def concept(facts: Facts) -> str:
    """Category, name and the names of the components; the values vary, so they stay out."""
    words = (c.casefold().replace("-", " ") for c in facts.categories)
    kind = next((_CATEGORIES[w] for w in words if w in _CATEGORIES), "Observation")
    named = full_names(facts)
    parts = dict.fromkeys(v.label for v in facts.values if v.label and v.path.startswith("component"))
    parts.pop(facts.label, None)
    return f"{kind}: {named} ({'; '.join(parts)})" if parts else f"{kind}: {named}"


def measured(facts: Facts) -> bool:
    """Whether any value was recorded at all."""
    return any(v.kind is not ValueKind.ABSENT for v in facts.values)


RENDERER = Renderer(headline, body, concept)
