"""Patients: found by any part of a name, identifier, birth date or id; the list is never loaded whole."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import UTC, date, datetime

import psycopg
from pydantic import BaseModel, Field, computed_field

from core.database.queries import query
from core.errors import UnknownPatient
from core.fhir.dates import parse_date

_WRITTEN_DAY = re.compile(r"(\d{1,2})[./-](\d{1,2})[./-](\d{4})")


class PatientSummary(BaseModel):
    """One patient as a list or a header shows them. `deceased` is a date, "deceased" or None; age is in whole years.

    `merged_into` is the record that replaced this one, `merged_from` the replaced id that was asked for, `holds` the
    ids of the records merged into this one.
    """

    patient: str
    name: str
    birth_date: str
    gender: str
    resources: int
    deceased: str | None = None
    merged_into: str | None = None
    merged_from: str | None = None
    holds: list[str] = Field(default_factory=list)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def age(self) -> int | None:
        """Age today, or at death; None when the year of birth is not known."""
        born = parse_date(self.birth_date)
        if born is None:
            return None
        died = parse_date(self.deceased) if self.deceased else None
        if self.deceased and died is None:
            return None
        at = died.start if died else datetime.now(UTC).date()
        return _years(born.start, at)

    @property
    def line(self) -> str:
        """The patient in one line, as a model is told: name withheld, sex and birth date given."""
        parts = [self.gender or "sex not recorded", f"born {self.birth_date}" if self.birth_date else ""]
        return ", ".join(p for p in (*parts, f"deceased {self.deceased}" if self.deceased else "") if p)


def _years(born: date, at: date) -> int:
    return at.year - born.year - ((at.month, at.day) < (born.month, born.day))


def search_patients(connection: psycopg.Connection, text: str = "", limit: int = 20) -> list[PatientSummary]:
    """Patients that match every word of `text`, by name; at most `limit`. Accents and case do not matter.

    A word that is a day as people write it (14.03.1971, 3/14/1971) finds that birth date.
    """
    patterns = [_patterns(word) for word in text.split()]
    wanted = [p for p in patterns if p] or [["%"]]
    widest = max(map(len, wanted))
    # One row a word, padded with its own first way of writing: SQL arrays are rectangular.
    parameters = {"patterns": [p + p[:1] * (widest - len(p)) for p in wanted], "limit": limit}
    return [_summary(row) for row in connection.execute(query("search_patients"), parameters)]


def _patterns(word: str) -> list[str]:
    """The LIKE patterns any of which is a match for a word; [] when nothing of it can be searched."""
    plain = folded(word)
    return [f"%{way}%" for way in dict.fromkeys([plain, *_days(plain)]) if way]


def folded(word: str) -> str:
    """Lower case without accents and without what LIKE would act on; the column it meets is made the same way."""
    apart = unicodedata.normalize("NFD", word.lower())
    return "".join(c for c in apart if not unicodedata.combining(c) and c not in "\\%_")


def _days(word: str) -> list[str]:
    """The ISO dates a word may mean: day first or month first where both are possible."""
    match = _WRITTEN_DAY.fullmatch(word)
    if not match:
        return []
    first, second, year = int(match[1]), int(match[2]), int(match[3])
    found = []
    for day, month in ((first, second), (second, first)):
        try:
            found.append(date(year, month, day).isoformat())
        except ValueError:
            continue
    return found


def patients_of(connection: psycopg.Connection, refs: Sequence[str]) -> list[PatientSummary]:
    """These patients, in this order; those that are not there any more are left out."""
    rows = connection.execute(query("patients"), {"patients": list(refs)}).fetchall()
    found = {s.patient: s for s in map(_summary, rows)}
    return [found[ref] for ref in refs if ref in found]


def require_patient(connection: psycopg.Connection, patient: str) -> PatientSummary:
    """The patient, or UnknownPatient. "id" alone is taken as "Patient/id"."""
    reference = patient if "/" in patient else f"Patient/{patient}"
    row = connection.execute(query("patient"), {"patient": reference}).fetchone()
    if row is None:
        raise UnknownPatient(
            f"There is no {reference} in this database. `python -m core patients` lists those there are."
        )
    return _summary(row)


def answering_patient(connection: psycopg.Connection, patient: str) -> PatientSummary:
    """Whose record answers for a patient: the survivor's where theirs was merged into another; else as `require_patient`."""
    asked = require_patient(connection, patient)
    row = connection.execute(query("merged"), {"patient": asked.patient}).fetchone()
    if row is None or (row[0] == asked.patient and len(row[1]) < 2):
        return asked
    survivor, holds, resources = row
    found = asked if survivor == asked.patient else require_patient(connection, survivor)
    return found.model_copy(
        update={
            "merged_from": asked.patient if survivor != asked.patient else None,
            "holds": sorted(set(holds) - {survivor}),
            "resources": int(resources),
        }
    )


def _summary(row: tuple[str, str, str, str, str, str, int]) -> PatientSummary:
    reference, name, birth_date, gender, deceased, merged_into, resources = row
    return PatientSummary(
        patient=reference,
        name=name or reference,
        birth_date=birth_date,
        gender=gender,
        resources=resources,
        deceased=deceased or None,
        merged_into=merged_into or None,
    )
