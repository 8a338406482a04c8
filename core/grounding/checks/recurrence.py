"""Every year, yearly, every July: what recurs has an entry in each of those years, from the first named to the last.

One year without an entry refutes it. Of a drug's dosage these words are a frequency, and judged there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.grounding.checks.dates import WindowAtom
from core.grounding.checks.outcome import Outcome, agreed, contradicted, missing
from core.grounding.reading import Atom, Reading
from core.models import Facts

_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december")  # fmt: skip


@dataclass(frozen=True, slots=True)
class RecurrenceAtom(Atom):
    """`month` is 1 to 12 for "every July", 0 for "every year"."""

    month: int


_YEARLY = re.compile(
    r"\b(?:(?:every|each) (?:single )?year|year (?:after|on|in,?) year(?: out)?|(?:yearly|annually)|once (?:a|"
    r"per|every) year|"
    rf"(?:every|each) (?:single )?({'|'.join(_MONTHS)}))\b(?! (?:rose|fell|up|down))"
)


def read(reading: Reading, cited: Sequence[Facts]) -> list[RecurrenceAtom]:
    """These words, where what is cited happens again and again: visits, vaccines, procedures, results."""
    if not any(f.resource_type in _RECURRING for f in cited):
        return []
    found = []
    for match in list(reading.find(_YEARLY)):
        month = _MONTHS.index(match[1]) + 1 if match[1] else 0
        found.append(RecurrenceAtom(*match.span(), match.group(), month))
        reading.take(*match.span())
    return found


_RECURRING = frozenset(
    {"Encounter", "Immunization", "Procedure", "Observation", "DiagnosticReport", "MedicationRequest"}
)


def check(atom: RecurrenceAtom, members: Sequence[Facts], windows: Sequence[WindowAtom]) -> Outcome:
    """`members` are everything there is of the thing; `windows` the stretch named, else it is from the first to the last."""
    held = [f.date.start for f in members if f.date and (not atom.month or f.date.start.month == atom.month)]
    if not held:
        return missing("recurrence", atom.said, "no dated entry of it in the record")
    years = {day.year for day in held}
    frames = [w for w in windows if w.kind != "in"]
    first = max([w.first.year for w in frames if w.first.year > 1800], default=min(years))
    last = min([w.last.year for w in frames if w.last.year < 2200], default=max(years))
    gaps = [year for year in range(first, last + 1) if year not in years]
    if gaps or first == last:
        return contradicted(
            "recurrence", atom.said, f"none in {', '.join(map(str, gaps[:4]))}" if gaps else "one year only"
        )
    return agreed("recurrence", atom.said, f"{first} to {last}")
