"""A date stands only if a dated field of the cited resource lies inside it; a more precise claim than the record fails.

"March 2021" is supported by 2021-03-14, a record of "2021" supports no month. Where the words give the date a role
(onset, resolved, prescribed, issued), only the fields of that role count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from core.grounding.checks.outcome import Outcome, agreed, contradicted, missing, several
from core.grounding.checks.written_dates import Interval, forms
from core.grounding.reading import Atom, Reading
from core.models import DatedField, Facts, Precision


@dataclass(frozen=True, slots=True)
class DateAtom(Atom):
    """A date of the text: the days it may mean (two readings for 04/05/2020), its precision, the role the words give it.

    `clock` is a stated time of day, "HH:MM".
    """

    intervals: tuple[Interval, ...]
    precision: Precision
    role: str = ""
    clock: str = ""


@dataclass(frozen=True, slots=True)
class WindowAtom(Atom):
    """A stretch of time that frames a claim: "since 2016", "between 2012 and 2016", "in 2019"."""

    first: date
    last: date
    kind: str  # "since", "after", "before", "until", "between", "in"
    precision: Precision = Precision.YEAR

    def holds(self, facts: Facts) -> bool:
        """Whether the resource's date lies wholly inside; an undated resource lies in no window."""
        return bool(facts.date and self.first <= facts.date.start and facts.date.end <= self.last)


# The words that give a date its role, and the fields that can play it.
ROLES: dict[str, tuple[re.Pattern[str], tuple[str, ...]]] = {
    "resolved": (
        re.compile(r"\b(?:resolved|resolution|abated|abatement|remitted|cleared)\b[^.;]{0,24}$"),
        ("abatement",),
    ),
    "ended": (
        re.compile(
            r"\b(?:ended|ending|ends|end date|end|stopped|discontinued|discharged|until|finished|completed)\b"
            r"[^.;\d]{0,16}$"
        ),
        ("abatement", "period.end", "effectivePeriod.end", "performedPeriod.end", "expirationDate", "lastOccurrence"),
    ),
    "onset": (
        re.compile(r"\b(?:onset|began|begun|started|start date|starting|start)\b[^.;\d]{0,24}$"),
        ("onset", "period.start", "effectivePeriod.start", "performedPeriod.start", "effective", "authoredOn", "startDate",
         "started", "performedDateTime", "occurrence"),
    ),
    "authored": (
        re.compile(r"\b(?:authored|prescribed|ordered|written|prescription date|order date)\b[^.;\d]{0,16}$"),
        ("authoredOn", "authored", "dateAsserted", "date"),
    ),
    "issued": (re.compile(r"\b(?:issued|released)\b[^.;\d]{0,12}$"), ("issued",)),
    "born": (re.compile(r"\b(?:born|birth|birthdate|dob)\b[^.;\d]{0,12}$"), ("birthDate",)),
    "died": (re.compile(r"\b(?:died|death|deceased)\b[^.;\d]{0,12}$"), ("deceased",)),
    "expires": (re.compile(r"\b(?:expires|expired|expiry|expiration)\b[^.;\d]{0,12}$"), ("expirationDate",)),
}  # fmt: skip


def read(reading: Reading) -> list[DateAtom]:
    """Every date of the text with the role its words give it. Windows are made from these by `windows`."""
    return [
        DateAtom(
            w.start,
            w.end,
            f"{reading.text[w.start : w.end].strip()} {w.clock}".strip(),
            w.intervals,
            w.precision,
            _role(reading, w.start),
            w.clock,
        )
        for w in forms(reading)
    ]


def _role(reading: Reading, start: int) -> str:
    """The role given by the nearest word before the date: "status stopped, authored 2016-12-10" is when it was authored."""
    before = reading.unclaimed_before(start, 48)
    found = [(m.start(), role) for role, (pattern, _) in ROLES.items() if (m := _last(pattern, before))]
    return max(found, default=(0, ""))[1]


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The match that begins latest: role words may stand one after another."""
    found = pattern.search(text)
    while found and (later := pattern.search(text, found.start() + 1)):
        found = later
    return found


def fields_for(atom: DateAtom, facts: Facts) -> list[DatedField]:
    """The dated fields of a resource that may support a date with this role."""
    every = list(facts.dates)
    if facts.date and not any(d.date == facts.date for d in every):
        every.append(DatedField(facts.date_field, facts.date))
    every += [DatedField(v.path, d) for v in facts.values for d in (v.when, v.until) if d]
    if not atom.role:
        return every
    wanted = ROLES[atom.role][1]
    fitting = [d for d in every if d.field.startswith(wanted)]
    if not fitting and (
        atom.role in ("onset", "authored") or (atom.role == "ended" and facts.resource_type in _MOMENTARY)
    ):
        # A resource with no start of its own starts when it is dated.
        fitting = [d for d in every if d.field == facts.date_field]
    return fitting


# What is recorded with one date was begun and completed on it.
_MOMENTARY = frozenset(
    {
        "Procedure",
        "Immunization",
        "Observation",
        "MedicationAdministration",
        "DiagnosticReport",
        "ImagingStudy",
    }
)


def supports(atom: DateAtom, facts: Facts) -> bool:
    """Whether one dated field of the resource lies within the date as stated."""
    return any(_within(atom, d) for d in fields_for(atom, facts)) or _in_words(atom, facts)


def _within(atom: DateAtom, dated: DatedField) -> bool:
    if not any(first <= dated.date.start and dated.date.end <= last for first, last in atom.intervals):
        return False
    return not atom.clock or dated.date.text[11:16] == atom.clock


def _in_words(atom: DateAtom, facts: Facts) -> bool:
    """A date written in a document or a note counts where it stands there as such."""
    if atom.precision is not Precision.DAY or not atom.intervals:
        return False
    iso = atom.intervals[0][0].isoformat()
    return any(iso in d.text for d in facts.details)


def check(atom: DateAtom, cited: Sequence[Facts]) -> Outcome:
    """The date against every resource it may belong to: one has to support it."""
    if not atom.intervals:
        return contradicted("date", atom.said, "no such day in the calendar")
    for facts in cited:
        if supports(atom, facts):
            return agreed("date", atom.said, _shown(fields_for(atom, facts)) or facts.label)
    held = [d for facts in cited for d in fields_for(atom, facts)]
    if held:
        return contradicted("date", _expected(atom), _shown(held))
    return missing("date", _expected(atom), f"no {atom.role + ' ' if atom.role else ''}date in what is cited")


def _expected(atom: DateAtom) -> str:
    return f"{atom.role} {atom.said}" if atom.role else atom.said


def _shown(held: Sequence[DatedField]) -> str:
    return several([d.date.shown for d in held])
