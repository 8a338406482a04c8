"""The audit trail: a question leaves its row before any model is asked, and the verdict is added when there is one.

No record content is written: ids of what was shown, never values.
"""

from __future__ import annotations

from collections.abc import Sequence

import psycopg

from core.database.queries import query
from core.models import Answer


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
