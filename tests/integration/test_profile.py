"""What is kept of a record between questions: exact, one patient's alone, gone when the record changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pgvector import HalfVector

from core.config import Settings
from core.database.pool import Database
from core.embedding import Embedder
from core.ingestion.ingest import ingest
from core.pipeline import Stages, retrieve
from core.service import Service
from tests.integration.fhir_files import bundle, observation, patient, write

pytestmark = [pytest.mark.integration, pytest.mark.timeout(600)]
ASKED = "What is the latest HbA1c?"


@pytest.fixture
def stages(database: Database, embedder: Embedder) -> Stages:
    return Stages(Settings(), database, embedder)


def test_distances_are_those_the_database_computes(demo: Service) -> None:
    vector = demo.stages.embedder.embed_question(ASKED)
    ref = demo.search_patients()[0].patient
    exact = """
        select concept_key, min(embedding <=> %(vector)s)
        from record_rows(%(patient)s) join concepts using (concept_id)
        where not void and not administrative group by concept_key
    """
    with demo.stages.database.connection() as connection:
        profile = demo.stages.profiles.of(connection, ref)
        wanted = dict(connection.execute(exact, {"patient": ref, "vector": HalfVector(vector)}).fetchall())
    found = dict(zip((e.key for e in profile.entries), profile.distances(vector), strict=True))
    assert found.keys() == wanted.keys()
    assert np.allclose(
        [found[k] for k in wanted], list(wanted.values()), atol=1e-4
    )  # the database rounds to half precision


def test_an_ingest_that_touches_the_patient_is_seen_by_the_next_question(
    stages: Stages, tmp_path: Path
) -> None:
    def ids() -> list[str]:
        return retrieve(stages, "Patient/ada", ASKED).ids

    first = observation("old", effectiveDateTime="2020-01-01")
    ingest(stages.database, stages.embedder, [write(tmp_path / "a.json", bundle(patient(), first))])
    assert ids()[0] == "Observation/old"
    later = observation("new", effectiveDateTime="2021-01-01")
    ingest(stages.database, stages.embedder, [write(tmp_path / "b.json", bundle(patient(), later))])
    assert ids()[0] == "Observation/new"
    voided = observation("new", effectiveDateTime="2021-01-01", status="entered-in-error")
    ingest(stages.database, stages.embedder, [write(tmp_path / "c.json", bundle(patient(), voided))])
    assert ids()[0] == "Observation/old"


def test_a_profile_is_of_one_patient(stages: Stages, tmp_path: Path) -> None:
    ada = [patient(), observation("a", code={"text": "Ferritin"})]
    bob = [patient("bob"), observation("b", "Patient/bob", code={"text": "Zinc"})]
    ingest(stages.database, stages.embedder, [write(tmp_path / "a.json", bundle(*ada, *bob))])
    with stages.database.connection() as connection:
        labels = {
            ref: {e.label for e in stages.profiles.of(connection, ref).entries}
            for ref in ("Patient/ada", "Patient/bob", "Patient/ada")
        }
    assert "Ferritin" in labels["Patient/ada"]
    assert "Zinc" not in labels["Patient/ada"]
    assert "Ferritin" not in labels["Patient/bob"]


def test_a_record_of_nothing_has_an_empty_profile(stages: Stages) -> None:
    with stages.database.connection() as connection:
        profile = stages.profiles.of(connection, "Patient/nobody")
    assert profile.entries == ()
    assert profile.distances(np.zeros(384, dtype=np.float32)) == []
    assert profile.referring(["Condition/x"]) == []


def test_a_question_asked_again_has_the_vector_it_had(embedder: Embedder) -> None:
    again = [embedder.embed_question(ASKED) for _ in range(2)]
    assert np.array_equal(again[0], embedder.embed([ASKED])[0])
    assert again[0] is again[1]
    with pytest.raises(ValueError, match="read-only"):
        again[0][0] = 1.0
