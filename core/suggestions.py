"""Questions this record can answer, grouped by what they are about: each is built from a concept the patient has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import psycopg
from pydantic import BaseModel

from core.terminology import Term, TermKind, terms

# The results a clinician browses first, in this order; whatever else the record repeats comes after.
_FIRST = (
    "hba1c",
    "egfr",
    "blood-pressure",
    "bmi",
    "ldl",
    "creatinine",
    "hemoglobin",
    "uacr",
    "weight",
    "fev1-fvc",
)
_PER_GROUP = 4


class Suggestion(BaseModel):
    """A question that the record can answer, under the heading it belongs to."""

    group: str
    question: str


def suggestions(connection: psycopg.Connection, patient: str) -> list[Suggestion]:
    """Up to four questions a group; a group is there only if the record has what it asks for."""
    rows = connection.execute(
        "select resource_type, codes, count(*), count(*) filter (where status = 'active') from record_rows(%s)"
        " where not void and not administrative group by resource_type, codes",
        (patient,),
    ).fetchall()
    counts: dict[str, int] = {}
    active: dict[str, int] = {}
    coded: dict[str, int] = {}
    for kind, codes, number, still in rows:
        counts[kind] = counts.get(kind, 0) + number
        active[kind] = active.get(kind, 0) + still
        if kind == "Observation":
            for code in codes:
                coded[code] = coded.get(code, 0) + number
    results = [
        q for term in _analytes() if (n := sum(coded.get(c, 0) for c in term.codes)) for q in _about(term, n)
    ]
    groups = {
        "Results": results,
        "Problems": ["What are the active problems?"] if active.get("Condition") else [],
        "Medications": ["What medications is this patient currently taking?"]
        if active.get("MedicationRequest")
        else [],
        "Allergies": ["Which allergies are documented?"] if counts.get("AllergyIntolerance") else [],
        "Care": list(_care(counts, active)),
    }
    return [Suggestion(group=g, question=q) for g, found in groups.items() for q in found[:_PER_GROUP]]


def _analytes() -> Sequence[Term]:
    known = {t.key: t for t in terms() if t.kind is TermKind.ANALYTE}
    return [known[key] for key in _FIRST if key in known]


def _about(term: Term, number: int) -> Iterator[str]:
    yield (
        f"How has {term.label} changed over time?" if number > 2 else f"What is the most recent {term.label}?"
    )


def _care(counts: dict[str, int], active: dict[str, int]) -> Iterator[str]:
    if active.get("CarePlan"):
        yield "What care plans are active?"
    if counts.get("Immunization"):
        yield "Which immunizations are recorded?"
    if counts.get("Encounter"):
        yield "When was the last encounter?"
