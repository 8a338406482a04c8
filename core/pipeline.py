"""One question, seven stages, top to bottom: embed, retrieve, follow references, build context, generate, verify, audit.

Nothing leaves this module unverified: whatever an answerer writes is split into claims and checked against the record.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from core.access.audit import write_audit
from core.config import Settings
from core.database.pool import Database
from core.embedding import Embedder
from core.errors import ConfigurationError
from core.fhir.render import headline
from core.generation.record import RecordAnswerer
from core.generation.refusal import refusal
from core.generation.writer import write_with_model
from core.grounding import citations
from core.grounding.record import Record
from core.grounding.verdict import verify
from core.models import Answer, Citation, Draft, Evidence, Result, Timings, Verdict, VerdictStatus
from core.patients import require_patient
from core.retrieval import evidence as gathering
from core.retrieval.context import build_context
from core.retrieval.match import Outcome, match, quotable_names
from core.retrieval.question import parse
from core.retrieval.references import follow
from core.retrieval.search import record_around, search


@dataclass(frozen=True)
class Stages:
    """What the stages work with, opened once and shared by every question."""

    settings: Settings
    database: Database
    embedder: Embedder


def ask(
    stages: Stages,
    patient: str,
    text: str,
    answerer: str | None = None,
    on_draft: Callable[[str], None] | None = None,
    question_id: str | None = None,
) -> Result:
    """Answer one question about one patient's record, verified.

    `on_draft` receives a model's text while it is written; it is a draft until the Result is there. Raises
    UnknownPatient, InvalidQuestion, DatabaseUnavailable, ModelUnavailable or ConfigurationError.
    """
    settings, clock = stages.settings, _Clock()
    writer = answerer or settings.answerer
    if writer not in ("record", "llm"):
        raise ConfigurationError(f"There is no answerer {writer!r}. Use record or llm.")
    parse(text, settings.max_question_characters)  # an unreadable question costs nothing further

    with stages.database.connection() as connection:
        summary = require_patient(connection, patient)
        with clock.stage("embed"):
            vector = stages.embedder.embed([text])[0]
        with clock.stage("retrieve"):
            concepts = search(connection, patient, text, vector)
            question = parse(text, settings.max_question_characters, quotable_names(concepts))
            topic = match(question, concepts)
            selection, found = gathering.gather(
                connection, patient, question, topic, concepts, settings.retrieve_limit
            )
        with clock.stage("resolve"):
            found = [
                *found,
                *follow(connection, patient, found[: gathering.FOLLOWED_FROM], settings.max_reference_hops),
            ]
        with clock.stage("context"):
            context = build_context(found, settings.context_tokens) if writer == "llm" else None
        with clock.stage("generate"):
            if context is None:
                draft = RecordAnswerer().draft(question, topic, selection, concepts)
            elif topic.outcome in (
                Outcome.ADVICE,
                Outcome.ABSENT,
            ):  # known to have no answer here: no model is asked
                draft = refusal(topic, selection, concepts)
            else:
                draft = write_with_model(settings, text, summary.line, context, on_draft)
        with clock.stage("verify"):
            cited = [i for bracket in citations.mask(draft.text)[1] for i in bracket]
            record = Record(
                patient, record_around(connection, patient, cited, [c.key for c in topic.concepts])
            )
            verdict = _verdict(draft, record, text)
        answer = Answer(
            id=question_id,
            patient=patient,
            question=text,
            answer=draft.text,
            verdict=verdict.verdict,
            refused=verdict.refused,
            answerer=draft.answerer,
            claims=verdict.claims,
            citations=_cited(verdict, record, found),
            retrieved=[e.facts.resource_id for e in found],
            timings_ms=clock.timings(),
        )
        write_audit(connection, settings.user, answer)
    return Result(answer, tuple(found), draft.finish_note)


def _verdict(draft: Draft, record: Record, question: str) -> Verdict:
    if draft.refused:
        return Verdict(verdict=VerdictStatus.UNGROUNDED, refused=True)
    return verify(draft.text, record, question=question)


def _cited(verdict: Verdict, record: Record, found: list[Evidence]) -> list[Citation]:
    """Every resource cited by a claim, in order of first citation; an id that is not in the record is not one."""
    texts = {e.facts.resource_id: e.text for e in found}
    ids = dict.fromkeys(i for claim in verdict.claims for i in claim.citations)
    known = [record.resources[i] for i in ids if i in record.resources]
    return [
        Citation(
            resource_id=f.resource_id,
            resource_type=f.resource_type,
            date=f.date.text if f.date else None,
            text=texts.get(f.resource_id) or headline(f),
        )
        for f in known
    ]


class _Clock:
    """Milliseconds per stage."""

    def __init__(self) -> None:
        self._started = time.perf_counter()
        self._spent: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        yield
        self._spent[name] = self._spent.get(name, 0.0) + 1000 * (time.perf_counter() - started)

    def timings(self) -> Timings:
        total = 1000 * (time.perf_counter() - self._started)
        return Timings(**{name: round(ms, 2) for name, ms in {**self._spent, "total": total}.items()})
