"""A record at a glance: what holds now, what was measured last, when the patient was seen. What is missing is said.

Only what the record states: an empty list reads "none recorded", never "none". Void entries are left out here; the
record page shows them where they stand. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from core.browse import newest_first
from core.models import Facts
from core.problems import is_clinical
from core.retrieval.select import ACTIVE
from core.trends import Series

_MEDICATIONS = ("MedicationRequest", "MedicationStatement")
_RESULTS_SHOWN = 10
_ENCOUNTERS_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Line:
    """One thing of the record, by its latest entry: `more` counts the earlier entries of the same thing."""

    resource_id: str
    label: str
    status: str
    date: str
    detail: str = ""
    more: int = 0


@dataclass(frozen=True, slots=True)
class Overview:
    """The lists of the overview. `*_earlier` and `other_findings` are counts of what is not listed."""

    problems: tuple[Line, ...]
    problems_earlier: int
    other_findings: int
    medications: tuple[Line, ...]
    medications_earlier: int
    allergies: tuple[Line, ...]
    encounters: tuple[Line, ...]
    encounters_by_year: tuple[tuple[int, int], ...]
    void: int


def overview_of(record: Iterable[Facts]) -> Overview:
    """The overview of one patient's resources."""
    everything = newest_first(record)
    found = [f for f in everything if not f.void and not f.not_done]
    conditions = [f for f in found if f.resource_type == "Condition"]
    clinical = [f for f in conditions if is_clinical(f)]
    problems = _lines(clinical, _active)
    medications = [f for f in found if f.resource_type in _MEDICATIONS]
    taken = _lines(medications, _active)
    encounters = [f for f in found if f.resource_type == "Encounter"]
    return Overview(
        problems=problems,
        problems_earlier=_labels(clinical) - len(problems),
        other_findings=_labels(f for f in conditions if f not in clinical),
        medications=taken,
        medications_earlier=_labels(medications) - len(taken),
        allergies=_lines(
            [f for f in found if f.resource_type == "AllergyIntolerance"],
            lambda _: True,
            lambda f: ", ".join(f.detail("reaction", "criticality")),
        ),
        encounters=tuple(_line(f, [f], _reason) for f in encounters[:_ENCOUNTERS_SHOWN]),
        encounters_by_year=_by_year(encounters),
        void=sum(f.void for f in everything),
    )


def last_results(series: Sequence[Series], group: str) -> tuple[Series, ...]:
    """The series of a group with the latest results, at most ten."""
    of_group = [s for s in series if s.group == group]
    return tuple(sorted(of_group, key=lambda s: s.last[0].at, reverse=True)[:_RESULTS_SHOWN])


def _active(facts: Facts) -> bool:
    return facts.status in ACTIVE or not facts.status


def _lines(
    found: Sequence[Facts], wanted: Callable[[Facts], bool], detail: Callable[[Facts], str] = lambda _: ""
) -> tuple[Line, ...]:
    """One line per name, of the entries wanted, the latest first."""
    groups: dict[str, list[Facts]] = {}
    for facts in found:
        if wanted(facts):
            groups.setdefault(facts.label, []).append(facts)
    return tuple(_line(group[0], group, detail) for group in groups.values())


def _line(facts: Facts, group: Sequence[Facts], detail: Callable[[Facts], str]) -> Line:
    date = facts.date.shown if facts.date else ""
    return Line(facts.resource_id, facts.label, facts.status, date, detail(facts), len(group) - 1)


def _reason(facts: Facts) -> str:
    return ", ".join(facts.detail("reason", "class"))


def _labels(found: Iterable[Facts]) -> int:
    return len({f.label for f in found})


def _by_year(encounters: Sequence[Facts]) -> tuple[tuple[int, int], ...]:
    """Year and number of encounters, every year between the first and the last."""
    years = [f.date.start.year for f in encounters if f.date]
    return tuple((y, years.count(y)) for y in range(min(years), max(years) + 1)) if years else ()
