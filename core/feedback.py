"""What readers say of answers: right, wrong, or something missing, kept with the answer as it was shown."""

from __future__ import annotations

from enum import StrEnum

import psycopg

from core.database.queries import query
from core.models import Answer


class Rating(StrEnum):
    RIGHT = "right"
    WRONG = "wrong"
    MISSING = "missing"


def give_feedback(
    connection: psycopg.Connection, user: str, answer: Answer, rating: Rating, comment: str = ""
) -> None:
    """Store a rating. Another one of the same answer by the same user takes its place."""
    values = {
        "user": user,
        "patient": answer.patient,
        "question": answer.question,
        "rating": rating.value,
        "comment": comment.strip()[:2000],
        "answer": answer.model_dump_json(),
    }
    connection.execute(query("give_feedback"), values)
