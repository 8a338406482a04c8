"""Reports kept in the database: the newest ones, each gone when one of its patients is forgotten."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pydantic import ValidationError

from core.database.queries import query
from core.errors import EvaluationError
from core.evaluation.report import Report
from core.service import Service

KEPT = 20


@dataclass(frozen=True, slots=True)
class Kept:
    """One kept report, without its body. `correct` is None for retrieval alone."""

    number: int
    made_at: datetime
    questions: str
    answerer: str
    asked: int
    correct: float | None


def keep(service: Service, report: Report) -> int:
    """Store a report and drop all but the newest; returns its number."""
    values = {
        "questions": report.questions,
        "answerer": report.answerer,
        "patients": sorted({o.patient for o in report.outcomes}),
        "report": report.model_dump_json(),
    }
    with service.stages.database.connection() as connection:
        row = connection.execute(query("store_report"), values).fetchone()
        connection.execute(query("drop_old_reports"), {"keep": KEPT})
    return int(row[0]) if row else 0


def kept(service: Service) -> list[Kept]:
    """The kept reports, newest first."""
    with service.stages.database.connection() as connection:
        return [Kept(*row) for row in connection.execute(query("reports"))]


def kept_report(service: Service, number: int) -> Report:
    """One kept report; raises EvaluationError when it is gone or was written by a version that reported otherwise."""
    with service.stages.database.connection() as connection:
        row = connection.execute(query("report"), {"evaluation_id": number}).fetchone()
    if row is None:
        raise EvaluationError(f"Report {number} is not kept any more. Run the evaluation again.")
    try:
        return Report.model_validate_json(row[0])
    except ValidationError:
        raise EvaluationError(
            f"Report {number} was written by another version. Run the evaluation again."
        ) from None
