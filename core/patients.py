"""Patients: found by any part of a name, identifier, birth date or id; the list is never loaded whole."""

from __future__ import annotations

from datetime import UTC, date, datetime

import psycopg
from pydantic import BaseModel, computed_field

from core.database.queries import query
from core.errors import UnknownPatient
from core.fhir.dates import parse_date


class PatientSummary(BaseModel):
    """One patient as a list or a header shows them. `deceased` is a date, "deceased" or None; age is in whole years."""

    patient: str
    name: str
    birth_date: str
    gender: str
    resources: int
    deceased: str | None = None
    merged_into: str | None = None

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
    """Patients that match every word of `text`, by name; at most `limit`."""
    words = [w.replace("\\", "").replace("%", "").replace("_", "") for w in text.lower().split()]
    parameters = {"patterns": [f"%{w}%" for w in words if w] or ["%"], "limit": limit}
    return [_summary(row) for row in connection.execute(query("search_patients"), parameters)]


def require_patient(connection: psycopg.Connection, patient: str) -> PatientSummary:
    """The patient, or UnknownPatient. "id" alone is taken as "Patient/id"."""
    reference = patient if "/" in patient else f"Patient/{patient}"
    row = connection.execute(query("patient"), {"patient": reference}).fetchone()
    if row is None:
        raise UnknownPatient(
            f"There is no {reference} in this database. `python -m core patients` lists those there are."
        )
    return _summary(row)


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
