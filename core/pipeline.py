"""One question, seven stages, top to bottom: embed, retrieve, follow references, build context, generate, verify, audit.

Nothing leaves this module unverified: whatever an answerer writes is split into claims and checked against the record.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

from core.access.audit import close_audit, open_audit
from core.citing import cited_resources
from core.config import Settings
from core.database.pool import Database
from core.embedding import Embedder
from core.errors import ConfigurationError
from core.fhir.dates import parse_date
from core.generation.record import RecordAnswerer
from core.generation.refusal import refusal
from core.generation.writer import write_with_model
from core.grounding import citations
from core.grounding.record import Record
from core.grounding.verdict import verify
from core.models import Answer, Draft, Evidence, Result, Timings, Verdict, VerdictStatus
from core.patients import PatientSummary, answering_patient
from core.records import Records
from core.retrieval.context import Context, build_context
from core.retrieval.evidence import FOLLOWED_FROM, gather
from core.retrieval.parts import EVERY_PART, Parts
from core.retrieval.question import check_question
from core.retrieval.reading import Asked, Reader
from core.retrieval.references import follow
from core.retrieval.search import Concept, instances, search
from core.retrieval.topic import Outcome


@dataclass(frozen=True)
class Stages:
    """What the stages work with, opened once and shared by every question."""

    settings: Settings
    database: Database
    embedder: Embedder
    records: Records = field(default_factory=Records)


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Everything found for one question: what it asks, what that is about here, and the evidence in rank order."""

    patient: PatientSummary
    asked: list[Asked]
    concepts: list[Concept]
    evidence: list[Evidence]

    def as_read(self, text: str) -> str:
        """The question as it was read, its shorthand written out; as it stands where it holds several."""
        return self.asked[0].question.text if len(self.asked) == 1 else text

    @property
    def in_full(self) -> str:
        """The question it was read as where it leaned on the one before, else ""."""
        return self.asked[0].in_full

    @property
    def ids(self) -> list[str]:
        """The resource ids of the evidence, in rank order."""
        return [e.facts.resource_id for e in self.evidence]


def ask(
    stages: Stages,
    patient: str,
    text: str,
    answerer: str | None = None,
    on_draft: Callable[[str], None] | None = None,
    question_id: str | None = None,
    user: str = "",
    previous: str = "",
) -> Result:
    """Answer one question about one patient's record, verified. `user` is who asks, for the audit trail.

    `previous` is the question asked before, which this one may lean on ("and before that?"). `on_draft` receives a
    model's text while it is written; it is a draft until the Result is there. Raises UnknownPatient, InvalidQuestion,
    DatabaseUnavailable, ModelUnavailable or ConfigurationError.
    """
    settings, clock = stages.settings, Clock()
    writer = answerer or settings.answerer
    if writer not in ("record", "llm"):
        raise ConfigurationError(f"There is no answerer {writer!r}. Use record or llm.")

    found = retrieve(stages, patient, text, clock, previous=previous)
    patient = found.patient.patient
    with stages.database.connection() as connection:
        audit_id = open_audit(
            connection, user or settings.user, patient, found.in_full or text, found.ids, writer
        )
    # No connection is held while a model writes.
    with clock.stage("context"):
        context = build_context(found.evidence, settings.context_tokens) if writer == "llm" else None
    with clock.stage("generate"):
        draft = _draft(settings, found, context, text, on_draft)
    with stages.database.connection() as connection, clock.stage("verify"):
        cited = [i for bracket in citations.mask(draft.text)[1] for i in bracket]
        record = stages.records.whole(connection, patient, cited)
        verdict = _verdict(draft, record, found.as_read(text))
    answer = Answer(
        id=question_id,
        patient=patient,
        merged_from=found.patient.merged_from,
        question=text,
        read_as=found.in_full or None,
        answer=draft.text,
        verdict=verdict.verdict,
        refused=verdict.refused,
        answerer=draft.answerer,
        claims=verdict.claims,
        citations=cited_resources(
            verdict.claims, record, {e.facts.resource_id: e.text for e in found.evidence}
        ),
        retrieved=found.ids,
        retrieved_by={e.facts.resource_id: e.arms for e in found.evidence},
        timings_ms=clock.timings(),
    )
    with stages.database.connection() as connection:
        close_audit(connection, audit_id, answer)
    note = " ".join(n for n in (draft.finish_note, context.note if context else "") if n)
    return Result(answer, tuple(found.evidence), note)


def retrieve(
    stages: Stages,
    patient: str,
    text: str,
    clock: Clock | None = None,
    parts: Parts = EVERY_PART,
    previous: str = "",
) -> Retrieved:
    """The stages that find evidence: embed, retrieve, follow references. Nothing is generated, verified or audited.

    `parts` leaves out what an evaluation wants to see the worth of.
    """
    settings, clock = stages.settings, clock or Clock()
    check_question(text, settings.max_question_characters)
    with clock.stage("embed"):
        vector = stages.embedder.embed_question(text)
    with stages.database.connection() as connection:
        summary = answering_patient(connection, patient)
        patient = summary.patient
        with clock.stage("retrieve"):
            concepts = search(connection, patient, text, vector, parts)
            fetch, length = partial(instances, connection, patient), settings.max_question_characters
            asked = Reader(concepts, fetch, length, parts.vocabulary).read(text, previous)
            limit, hops = settings.retrieve_limit, settings.max_reference_hops * parts.references
            found = gather(connection, patient, asked, concepts, limit, parts)
        with clock.stage("resolve"):
            further = follow(connection, patient, found[:FOLLOWED_FROM], hops)
    return Retrieved(summary, asked, concepts, [*found, *further])


def _draft(
    settings: Settings,
    found: Retrieved,
    context: Context | None,
    text: str,
    on_draft: Callable[[str], None] | None,
) -> Draft:
    if context is None:
        return RecordAnswerer().draft(found.asked, found.concepts, parse_date(found.patient.birth_date))
    one = found.asked[0]
    if len(found.asked) == 1 and one.topic.outcome in (Outcome.ADVICE, Outcome.ABSENT):
        return refusal(one.topic, one.selection, found.concepts)  # known to have no answer: no model is asked
    return write_with_model(settings, found.in_full or text, found.patient.line, context, on_draft)


def _verdict(draft: Draft, record: Record, question: str) -> Verdict:
    if draft.refused:
        return Verdict(verdict=VerdictStatus.UNGROUNDED, refused=True)
    return verify(draft.text, record, question=question)


class Clock:
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
