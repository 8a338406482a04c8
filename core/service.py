"""ChartCite as one object: what the dashboard and the command line call. Opened once, safe to share between threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from core import patients
from core.browse import search_record
from core.config import Settings, load_settings
from core.database.pool import open_database
from core.database.queries import query
from core.embedding import Embedder
from core.errors import UnknownPatient
from core.grounding.record import Record
from core.models import Evidence, Result
from core.patients import PatientSummary
from core.pipeline import Stages, ask
from core.retrieval.search import by_id
from core.suggestions import Suggestion, suggestions


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
        """Changes whenever an ingest touches the patient; "" when there is no such patient."""
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
        previous: str = "",
    ) -> Result:
        """Answer a question about one patient, verified; see core.pipeline.ask for what it raises."""
        return ask(self.stages, ref, question, answerer, on_draft, question_id, previous)

    def record(self, ref: str, cited: Iterable[str] = ()) -> Record:
        """The whole record of one patient, typed, with the shared directory rows cited; what the verifier checks against."""
        with self.stages.database.connection() as connection:
            patient = patients.answering_patient(connection, ref).patient
            return self.stages.records.whole(connection, patient, cited)

    def evidence(self, ref: str, ids: Sequence[str]) -> dict[str, Evidence]:
        """Resources of the patient (or shared directory rows) as cards show them; others are left out."""
        with self.stages.database.connection() as connection:
            found = by_id(connection, ref, ids)
        return {i: Evidence(found[i].facts, found[i].text, ("record",)) for i in ids if i in found}

    def search_record(self, ref: str, text: str) -> Sequence[str]:
        """Ids of the patient's resources that hold every word of the text, the nearest first."""
        with self.stages.database.connection() as connection:
            return search_record(connection, ref, text)

    def resource(self, ref: str, resource_id: str) -> dict[str, Any]:
        """The JSON of one resource of the patient (or a shared directory row); raises UnknownPatient for any other."""
        with self.stages.database.connection() as connection:
            patient = patients.answering_patient(connection, ref).patient
            row = connection.execute(query("raw"), {"patient": patient, "id": resource_id}).fetchone()
        if row is None:
            raise UnknownPatient(f"{resource_id} is not in the record of {ref}.")
        found: dict[str, Any] = row[0]
        return found

    def counts(self) -> dict[str, int]:
        """Resources in the database by type; {} when it is empty."""
        with self.stages.database.connection() as connection:
            return dict(connection.execute(query("counts")))

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
