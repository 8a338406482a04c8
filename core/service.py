"""ChartCite as one object: what the dashboard and the command line call. Opened once, safe to share between threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import psycopg

from core import patients
from core.access.audit import AuditRow, audit_trail, audit_users
from core.browse import search_record
from core.config import Settings, load_settings
from core.database.pool import open_database
from core.database.queries import query
from core.embedding import Embedder
from core.errors import InvalidQuestion, UnknownPatient
from core.export.bundle import document_bundle
from core.export.content import Content
from core.feedback import Rating, give_feedback
from core.grounding.record import Record
from core.ingestion.report import Progress, Report
from core.models import Answer, Evidence, Result
from core.patients import PatientSummary
from core.pipeline import Stages, ask
from core.quarantine import Quarantined, quarantined
from core.retrieval.follow_up import leans
from core.retrieval.search import by_id
from core.suggestions import Suggestion, suggestions
from core.uploads import take_upload


class Service:
    """A migrated database, an embedding model and the pipeline over them."""

    def __init__(self, stages: Stages) -> None:
        self.stages = stages

    def search_patients(self, text: str = "", limit: int = 20) -> list[PatientSummary]:
        """Patients that match every word of `text`, at most `limit`."""
        with self.stages.database.connection() as connection:
            return patients.search_patients(connection, text, limit)

    def patient(self, ref: str) -> PatientSummary:
        """One patient, or the one whose record replaced theirs (`merged_from` says so); raises UnknownPatient."""
        with self.stages.database.connection() as connection:
            return patients.answering_patient(connection, ref)

    def patients(self, refs: Sequence[str]) -> list[PatientSummary]:
        """These patients, in this order; those that are not there any more are left out."""
        with self.stages.database.connection() as connection:
            return patients.patients_of(connection, refs) if refs else []

    def record_version(self, ref: str) -> str:
        """Changes whenever an ingest touches the patient; raises UnknownPatient."""
        with self.stages.database.connection() as connection:
            row = connection.execute(query("record_version"), {"patient": ref}).fetchone()
        return str(row[0] or "") if row else ""

    def suggestions(self, ref: str) -> list[Suggestion]:
        """Questions this patient's record can answer, grouped."""
        with self.stages.database.connection() as connection:
            return suggestions(connection, patients.answering_patient(connection, ref).patient)

    def ask(
        self,
        ref: str,
        question: str,
        answerer: str | None = None,
        on_draft: Callable[[str], None] | None = None,
        question_id: str | None = None,
        user: str = "",
        previous: str = "",
    ) -> Result:
        """Answer a question about one patient, verified; see core.pipeline.ask for what it raises."""
        return ask(self.stages, ref, question, answerer, on_draft, question_id, user, previous)

    def leans(self, question: str, previous: str) -> bool:
        """Whether a question may lean on the one before it; one that is empty or too long leans on nothing."""
        try:
            return leans(question, previous, self.stages.settings.max_question_characters)
        except InvalidQuestion:
            return False

    def record(self, ref: str, cited: Iterable[str] = ()) -> Record:
        """The whole record of one patient, typed, with the shared directory rows cited; what the verifier checks against."""
        with self.stages.database.connection() as connection:
            patient = patients.answering_patient(connection, ref).patient
            return self.stages.records.whole(connection, patient, cited)

    def evidence(self, ref: str, ids: Sequence[str]) -> dict[str, Evidence]:
        """Resources of the patient (or shared directory rows) as cards show them; others are left out."""
        with self.stages.database.connection() as connection:
            found = by_id(connection, patients.answering_patient(connection, ref).patient, ids)
        return {i: Evidence(found[i].facts, found[i].text, ("record",)) for i in ids if i in found}

    def search_record(self, ref: str, text: str) -> Sequence[str]:
        """Ids of the patient's resources that hold every word of the text, the nearest first."""
        with self.stages.database.connection() as connection:
            return search_record(connection, patients.answering_patient(connection, ref).patient, text)

    def resource(self, ref: str, resource_id: str) -> dict[str, Any]:
        """The JSON of one resource of the patient (or a shared directory row); raises UnknownPatient for any other."""
        with self.stages.database.connection() as connection:
            found = self._raw(connection, ref, resource_id)
        if found is None:
            raise UnknownPatient(f"{resource_id} is not in the record of {ref}.")
        return found

    def _raw(self, connection: psycopg.Connection, ref: str, resource_id: str) -> dict[str, Any] | None:
        patient = patients.answering_patient(connection, ref).patient
        row = connection.execute(query("raw"), {"patient": patient, "id": resource_id}).fetchone()
        return row[0] if row else None

    def totals(self) -> tuple[int, int, str]:
        """How many patients and resources of patients there are, and a mark that changes when what is loaded changes."""
        with self.stages.database.connection() as connection:
            row = connection.execute(query("totals")).fetchone()
        return (int(row[0]), int(row[1]), str(row[2])) if row else (0, 0, "")

    def counts(self) -> dict[str, int]:
        """Resources in the database by type; {} when it is empty."""
        with self.stages.database.connection() as connection:
            return dict(connection.execute(query("counts")))

    def document(self, content: Content) -> dict[str, Any]:
        """An answer as a FHIR document, with the resources it cites as they are stored."""
        ids = [content.patient.patient, *(c.resource_id for c in content.answer.citations)]
        with self.stages.database.connection() as connection:
            found = {i: self._raw(connection, content.patient.patient, i) for i in ids}
        return document_bundle(content, {i: r for i, r in found.items() if r})

    def give_feedback(self, user: str, answer: Answer, rating: Rating, comment: str = "") -> None:
        """Keep what a reader says of an answer."""
        with self.stages.database.connection() as connection:
            give_feedback(connection, user, answer, rating, comment)

    def audit_trail(self, user: str, patient: str, before: int | None, limit: int) -> list[AuditRow]:
        """Who asked what about whom, newest first."""
        with self.stages.database.connection() as connection:
            return audit_trail(connection, user, patient, before, limit)

    def audit_users(self) -> list[str]:
        with self.stages.database.connection() as connection:
            return audit_users(connection)

    def quarantined(self, offset: int, limit: int) -> tuple[list[Quarantined], int]:
        """What could not be taken, and how much there is of it."""
        with self.stages.database.connection() as connection:
            return quarantined(connection, offset, limit)

    def upload(self, name: str, body: bytes, on_progress: Callable[[Progress], None]) -> Report:
        """Ingest a file loaded in the browser; raises IngestError where that is not allowed."""
        stages = self.stages
        return take_upload(stages.settings, stages.database, stages.embedder, name, body, on_progress)

    def close(self) -> None:
        self.stages.database.close()


def open_service(
    settings: Settings | None = None, on_wait: Callable[[str], None] | None = None, warm: bool = True
) -> Service:
    """Open the database (the embedded one when DATABASE_URL is unset) and, when `warm`, load the model beside it."""
    settings = settings or load_settings()
    embedder = Embedder(settings.model_path)
    if warm:
        embedder.warm()
    return Service(Stages(settings, open_database(settings, on_wait), embedder))
