"""The audit trail: a question leaves its row before any model is asked, and the verdict is added when there is one.

No record content is written: ids of what was shown, never values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import psycopg

from core.database.queries import query
from core.models import Answer
from core.patients import folded


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One question: who asked whom about what, which resources were shown, who answered, with which verdict.

    `verdict` is "unanswered" where the answer failed.
    """

    audit_id: int
    at: datetime
    user: str
    patient: str
    name: str
    question: str
    shown: tuple[str, ...]
    answerer: str
    verdict: str
    refused: bool


def audit_trail(
    connection: psycopg.Connection,
    user: str = "",
    patient: str = "",
    before: int | None = None,
    limit: int = 50,
) -> list[AuditRow]:
    """The trail, newest first: of one user, of patients by id ("Patient/x") or part of a name, before an entry."""
    values = {"user": user, "patient": patient, "before": before, "limit": limit}
    values["pattern"] = f"%{folded(patient)}%"
    rows = connection.execute(query("audit_trail"), values).fetchall()
    return [
        AuditRow(number, at, who, ref, name, asked, tuple(shown), answerer, verdict, refused)
        for number, at, who, ref, name, asked, shown, answerer, verdict, refused in rows
    ]


def audit_users(connection: psycopg.Connection) -> list[str]:
    """Who asked anything, the latest first."""
    return [row[0] for row in connection.execute(query("audit_users"))]


def open_audit(
    connection: psycopg.Connection,
    user: str,
    patient: str,
    question: str,
    shown: Sequence[str],
    answerer: str,
) -> int:
    """Write who asks what about whom and which resources the answerer is given; returns the row's id."""
    values = {
        "user": user,
        "patient": patient,
        "question": question,
        "shown": list(shown),
        "answerer": answerer,
    }
    row = connection.execute(query("open_audit"), values).fetchone()
    return int(row[0]) if row else 0


def close_audit(connection: psycopg.Connection, audit_id: int, answer: Answer) -> None:
    """Add the verdict. A row without one is a question whose answer failed."""
    values = {"answerer": answer.answerer, "verdict": answer.verdict, "refused": answer.refused}
    connection.execute(query("close_audit"), {"audit_id": audit_id, **values})
