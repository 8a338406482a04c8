"""The audit trail: every question leaves one row, in the same transaction as its answer. No record content is written."""

from __future__ import annotations

import psycopg

from core.models import Answer


def write_audit(connection: psycopg.Connection, user: str, answer: Answer) -> None:
    """Who asked what about whom, which resources were shown, who answered and with what verdict."""
    connection.execute(
        "insert into audit (user_name, patient_ref, question, shown, answerer, verdict, refused)"
        " values (%s, %s, %s, %s, %s, %s, %s)",
        (
            user,
            answer.patient,
            answer.question,
            answer.retrieved,
            answer.answerer,
            answer.verdict,
            answer.refused,
        ),
    )
