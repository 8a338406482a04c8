"""Answers checked against whole records; a record is read once for all the answers about it that follow each other."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from core.cli import batch
from core.fhir.render import headline
from core.grounding.record import Record
from core.grounding.verdict import verify
from core.models import Citation, Claim, VerdictStatus
from core.service import open_service


class Verified(BaseModel):
    """The published JSON of one verified answer: an answer's JSON without the retrieval fields."""

    id: Any = None
    patient: str
    question: str
    answer: str
    verdict: VerdictStatus
    refused: bool
    claims: list[Claim]
    citations: list[Citation]


class Verifier:
    """Checks answers against the records of an opened database; needs no model."""

    def __init__(self) -> None:
        service = open_service(warm=False)
        self._record = lru_cache(maxsize=4)(service.record)

    def check(self, line: batch.Line) -> Verified:
        """Verify {"patient", "answer", "question"?}; raises UnknownPatient or InvalidQuestion."""
        patient = batch.text(line, "patient")
        patient = patient if "/" in patient else f"Patient/{patient}"
        answer = batch.text(line, "answer")
        question = line.get("question") if isinstance(line.get("question"), str) else ""
        record = self._record(patient)
        verdict = verify(answer, record, question=question or "")
        return Verified(
            id=line.get("id"),
            patient=patient,
            question=question or "",
            answer=answer,
            verdict=verdict.verdict,
            refused=verdict.refused,
            claims=verdict.claims,
            citations=_citations(verdict.claims, record),
        )


def _citations(claims: list[Claim], record: Record) -> list[Citation]:
    ids = dict.fromkeys(i for claim in claims for i in claim.citations if i in record.resources)
    found = [record.resources[i] for i in ids]
    return [
        Citation(
            resource_id=f.resource_id,
            resource_type=f.resource_type,
            date=f.date.text if f.date else None,
            text=headline(f),
        )
        for f in found
    ]
