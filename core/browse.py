"""One patient's whole record to look through: nothing is left out, what is void says why, references lead both ways.

Pure, but for the search, which the database does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import psycopg

from core.database.queries import query
from core.fhir.types import ADMINISTRATIVE
from core.models import Facts

_UNDATED = datetime.min.replace(tzinfo=UTC)
_FIRST = (
    "Condition",
    "MedicationRequest",
    "MedicationStatement",
    "AllergyIntolerance",
    "Observation",
    "DiagnosticReport",
    "Procedure",
    "Immunization",
    "Encounter",
)


@dataclass(frozen=True, slots=True)
class Link:
    """A reference between two resources: the field it stands in, the resource at its other end and its name."""

    path: str
    resource_id: str
    label: str
    date: str = ""


def newest_first(record: Iterable[Facts]) -> tuple[Facts, ...]:
    """Every resource, the latest first, those without a date last."""
    return tuple(
        sorted(record, key=lambda f: (f.date.instant if f.date else _UNDATED, f.resource_id), reverse=True)
    )


def types_of(record: Iterable[Facts]) -> list[tuple[str, int]]:
    """Resource types and how many of each: what a clinician looks for first, paperwork last."""
    counts = Counter(f.resource_type for f in record)

    def place(kind: str) -> tuple[int, int, str]:
        return (kind in ADMINISTRATIVE, _FIRST.index(kind) if kind in _FIRST else len(_FIRST), kind)

    return [(kind, counts[kind]) for kind in sorted(counts, key=place)]


def referring(record: Iterable[Facts]) -> dict[str, tuple[Link, ...]]:
    """Resource id -> the resources that refer to it, the latest first."""
    found: dict[str, list[Link]] = {}
    for facts in newest_first(record):
        for reference in facts.references:
            if reference.target:
                date = facts.date.shown if facts.date else ""
                link = Link(reference.path, facts.resource_id, facts.label, date)
                found.setdefault(reference.target, []).append(link)
    return {target: tuple(links) for target, links in found.items()}


def refers_to(facts: Facts, known: Mapping[str, Facts]) -> tuple[Link, ...]:
    """What a resource refers to; a target that is not at hand goes by its display, without an id to follow."""
    return tuple(
        Link(
            r.path,
            r.target if r.target in known else "",
            known[r.target].label if r.target in known else r.display or r.target or "not in this record",
        )
        for r in facts.references
    )


def search_record(connection: psycopg.Connection, patient: str, text: str, limit: int = 500) -> Sequence[str]:
    """Ids of the patient's resources that hold every word of the text (or a form of it), the nearest first."""
    text = text.replace("\0", "")
    words = [w for w in (w.replace("\\", "").replace("%", "").replace("_", "\\_") for w in text.split()) if w]
    if not words:
        return []
    parameters = {"patient": patient, "text": text, "patterns": [f"%{w}%" for w in words], "limit": limit}
    return [row[0] for row in connection.execute(query("search_record"), parameters)]
