"""Forgetting a patient: every row of theirs and every vector made from them alone goes, in one transaction.

A merged patient is one person: whichever of the ids is named, the records of all of them go.

Shared directory rows stay, as do the audit rows: who asked what about whom is kept even when the record is not.
"""

from __future__ import annotations

from pydantic import BaseModel, Field

from core.database.pool import Database
from core.database.queries import query
from core.ingestion import store
from core.patients import require_patient


class Forgotten(BaseModel):
    """What went: rows as the database counted them. `audit_kept` is what stays of the patient.

    `merged` are the other ids of the person, whose records went too.
    """

    patient: str
    merged: list[str] = Field(default_factory=list)
    resources: int = 0
    by_type: dict[str, int] = Field(default_factory=dict)
    texts: int = 0
    quarantined: int = 0
    audit_kept: int = 0


def forget(database: Database, patient: str) -> Forgotten:
    """Remove a patient ("Patient/id" or the id); raises UnknownPatient."""
    with database.connection() as connection:
        store.lock(connection)
        ref = require_patient(connection, patient).patient
        row = connection.execute(query("person"), {"patient": ref}).fetchone()
        person = sorted({ref, *(row[0] if row and row[0] else ())})
        alone = {"patients": person}
        quarantined = connection.execute(query("forget_quarantine"), alone).rowcount
        by_type = connection.execute(query("forget_resources"), alone).fetchall()
        connection.execute(query("forget_patient"), alone)
        connection.execute(query("forget_feedback"), alone)  # holds answers
        texts = connection.execute(query("drop_orphan_concepts")).rowcount
        connection.execute(query("forget_reports"), alone)  # of evaluations: they hold answers
        store.forget_files(connection)  # any of them may hold the patient
        audit = connection.execute(query("audit_kept"), alone).fetchone()
    counts: dict[str, int] = dict(by_type)
    return Forgotten(
        patient=ref,
        merged=[other for other in person if other != ref],
        resources=sum(counts.values()),
        by_type=counts,
        texts=texts,
        quarantined=quarantined,
        audit_kept=audit[0] if audit else 0,
    )
