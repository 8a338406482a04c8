"""Answers checked against whole records, exactly as the pipeline checks its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from pydantic import BaseModel

from core.citing import cited_resources
from core.cli import batch
from core.grounding import citations
from core.grounding.verdict import verify
from core.models import Citation, Claim, VerdictStatus
from core.service import Service, open_service


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


@contextmanager
def opened_verifier() -> Iterator[Verifier]:
    """A Verifier over the configured database."""
    with closing(open_service(warm=False)) as service:
        yield Verifier(service)


class Verifier:
    """Checks answers against the records of an opened database; needs no model."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def check(self, line: batch.Line) -> Verified:
        """Verify {"patient", "answer", "question"?}; raises UnknownPatient or InvalidQuestion."""
        answer = batch.text(line, "answer")
        question = line.get("question") if isinstance(line.get("question"), str) else ""
        cited = [i for bracket in citations.mask(answer)[1] for i in bracket]
        record = self._service.record(batch.text(line, "patient"), cited)
        verdict = verify(answer, record, question=question or "")
        return Verified(
            id=line.get("id"),
            patient=record.patient_ref,
            question=question or "",
            answer=answer,
            verdict=verdict.verdict,
            refused=verdict.refused,
            claims=verdict.claims,
            citations=cited_resources(verdict.claims, record),
        )
