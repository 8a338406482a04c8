"""Every statement that serves a question or an ingestion reaches its rows through an index, as the planner says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from pgvector import HalfVector

from core.config import Settings
from core.database.pool import Database, open_database
from core.database.queries import ROOT, query
from core.embedding import DIMENSIONS

pytestmark = pytest.mark.integration
PATIENT, IDS = "Patient/p7", ["Observation/o7-1", "Observation/o7-2"]
MINE = {"patient": PATIENT}
ROWS = {"patients": [PATIENT, PATIENT], "ids": IDS}
USES: dict[str, dict[str, Any]] = {
    # a question
    "search": {**MINE, "vector": HalfVector([0.05] * DIMENSIONS), "words": "'glucose':*"},
    "instances": {**MINE, "concepts": ["Observation|1", "Observation|2"]},
    "latest_instances": {**MINE, "concepts": ["Observation|1", "Observation|2"]},
    "by_id": {**MINE, "ids": IDS},
    "referring": {**MINE, "ids": IDS, "limit": 60},
    "whole_record": MINE,
    "record_version": MINE,
    "directory_rows": {"ids": ["Practitioner/d1"]},
    "search_record": {**MINE, "text": "glucose", "patterns": ["%glucose%"], "limit": 50},
    "raw": {**MINE, "id": IDS[0]},
    "patient": MINE,
    "patients": {"patients": [PATIENT]},
    # an ingestion
    "known_rows": ROWS,
    "stored_resources": ROWS,
    "rows_elsewhere": ROWS,
    "owners_of": {"ids": IDS},
    "neighbours": {"ids": IDS, "owners": [PATIENT, ""]},
    "neighbour_hashes": {"ids": IDS, "owners": [PATIENT, ""]},
    "dependents": {"ids": ["Practitioner/d1"], "source": "a.json"},
    "by_identifier": {"meant": ["Practitioner?identifier=urn:npi|1"]},
    "forget_resources": {"patients": [PATIENT]},
    "person": MINE,
    "refresh_patients": {"owners": [PATIENT]},
    "remove_rows": ROWS,
    "known_concepts": {"hashes": [b"1", b"2"]},
    "file_taken": {"source": "file 1", "sha256": b"1"},
}
FILLED = """
insert into concepts (text_hash, embedded_text, embedding)
select sha256(n::text::bytea), 'text ' || n, array_fill(1 / sqrt(384)::real, array[384])::vector::halfvec
from generate_series(1, 20000) n;
insert into patients (patient_ref, name, birth_date, gender, deceased, merged_into, search, resources)
select 'Patient/p' || p, 'Name ' || p, '', '', '', '', 'name ' || p, 200 from generate_series(1, 150) p;
insert into resources (patient_ref, resource_id, resource_type, concept_key, concept_id, label, status, void,
    administrative, names, codes, refs, identifiers, named_by, named_here, text_content, facts, resource, version_id,
    content_hash, source)
select 'Patient/p' || p, 'Observation/o' || p || '-' || n, 'Observation', 'Observation|' || n % 40, 1 + (p * 40 + n) % 2000,
    'L', 'final', false, false, '{L}', '{}', array['Patient/p' || p], '{}',
    case when n % 100 = 0 then array['Practitioner/d' || n] else '{}' end,
    case when n % 50 = 0 then array['Encounter/e' || n] else '{}' end,
    'glucose ' || n, '{}', '{}', '', '\\x00', 'file ' || p
from generate_series(1, 150) p, generate_series(1, 200) n;
insert into resources (patient_ref, resource_id, resource_type, concept_key, concept_id, label, status, void,
    administrative, names, codes, refs, identifiers, text_content, facts, resource, version_id, content_hash, source)
select '', 'Practitioner/d' || n, 'Practitioner', 'Practitioner|' || n, 1 + n % 2000, 'L', '', false, false,
    '{L}', '{}', '{}',
    array['Practitioner?identifier=urn:npi|' || n], 'doctor', '{}', '{}', '', '\\x00', 'directory'
from generate_series(1, 2000) n;
insert into files (source, sha256, resources) select 'file ' || n, sha256(n::text::bytea), 9 from generate_series(1, 3000) n;
analyze;
"""


@pytest.fixture(scope="module")
def large(new_database: Any) -> Iterator[Database]:
    """32,000 rows of 150 patients."""
    database = open_database(Settings(database_url=new_database()))
    with database.connection() as connection:
        connection.execute(FILLED)
    yield database
    database.close()


def plan(database: Database, name: str, parameters: dict[str, Any]) -> str:
    with database.connection() as connection:
        rows = connection.execute(f"explain {query(name)}", parameters).fetchall()  # type: ignore[arg-type]
    return "\n".join(row[0] for row in rows)


@pytest.mark.parametrize("name", USES)
def test_it_reaches_its_rows_through_an_index(large: Database, name: str) -> None:
    found = plan(large, name, USES[name])
    assert "Seq Scan on" not in found.replace("Seq Scan on patients", ""), found
    assert "Function Scan on record_rows" not in found, "the planner must see into the record\n" + found


def test_the_search_reads_the_rows_of_one_patient_only(large: Database) -> None:
    assert "patient_ref = ANY (record_of(" in plan(large, "search", USES["search"])


def test_a_plan_that_reads_the_whole_table_would_be_seen(large: Database) -> None:
    with large.connection() as connection:
        rows = connection.execute("explain select from resources where label = 'x'").fetchall()
    assert "Seq Scan on resources" in rows[0][0]


def test_every_index_but_the_keys_serves_a_statement(large: Database) -> None:
    plans = "\n".join(plan(large, name, parameters) for name, parameters in USES.items())
    with large.connection() as connection:
        rows = connection.execute(
            "select indexname from pg_indexes where schemaname = 'public' and tablename = 'resources'"
        ).fetchall()
    elsewhere = {"resources_concept_id"}  # the foreign key's: without it, dropping concepts reads the table
    assert {name for (name,) in rows if name not in plans} <= elsewhere


def test_no_statement_over_resources_is_left_out() -> None:
    """What counts or joins the rows of everybody, outside any question, reads them all: it is named here."""
    of_everybody = {"counts", "drop_orphan_concepts", "forget_quarantine"}
    over = {
        path.stem
        for path in (ROOT / "queries").glob("*.sql")
        if re.search(r"\b(from|join)\s+(resources|record_rows)\b", path.read_text("utf-8"))
    }
    assert over - of_everybody == {name for name in USES if name in over}
    assert of_everybody <= over
