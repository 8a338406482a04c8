"""Measured and answered values in lines: each with its name, unit, comparator, flag and reference range."""

from __future__ import annotations

from core.fhir import codes
from core.fhir.render.parts import capitalised, one_line
from core.fhir.values import blood_pressure, shown_flags, shown_ranges, shown_value
from core.models import Facts, Value

_IN_HEADLINE = 3
_ON_OWN_LINE = 8  # a survey of forty answers would otherwise be forty lines


def measured_values(facts: Facts) -> tuple[Value, ...]:
    """The values a resource was made to state: of an Observation, a questionnaire or a contained result."""
    if facts.resource_type in ("Observation", "QuestionnaireResponse"):
        return facts.values
    return tuple(v for v in facts.values if v.path.startswith("contained["))


def result(facts: Facts) -> str:
    """The values in one phrase: "7.1 %", "138/82 mmHg", "no result recorded: not performed", "21 results"."""
    if pressure := blood_pressure(facts.values):
        return pressure
    if not facts.values:
        return "no result recorded"
    if len(facts.values) == 1:
        return one_line(shown_value(facts.values[0]))
    if len(facts.values) <= _IN_HEADLINE:
        return "; ".join(_named(v, facts) for v in facts.values)
    return f"{len(facts.values)} results"


def value_lines(facts: Facts) -> list[str]:
    """Flag and range of a lone value (the headline has the value itself), or a line for each of several."""
    own = facts.resource_type == "Observation"
    if own and len(facts.values) == 1:
        value = facts.values[0]
        notes = [capitalised(shown_flags(value)), shown_ranges(value)]
        return [" – ".join(n for n in notes if n)]
    lines = []
    for value in measured_values(facts):
        notes = [_named(value, facts), shown_flags(value), shown_ranges(value)]
        lines.append(" – ".join(n for n in notes if n))
    if len(lines) > _ON_OWN_LINE:
        return [*lines[: _ON_OWN_LINE - 1], "; ".join(lines[_ON_OWN_LINE - 1 :])]
    return lines


def _named(value: Value, facts: Facts) -> str:
    other = value.label and codes.plain(value.label) != facts.label
    return one_line(f"{value.label}: {shown_value(value)}" if other else shown_value(value))
