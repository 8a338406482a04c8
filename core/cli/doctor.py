"""`doctor`: is what is stored what would be computed now, does the patient filter use its index, is anything missing?"""

from __future__ import annotations

from contextlib import closing

import numpy as np
from pydantic import BaseModel, Field

from core.cli.output import note
from core.database.queries import query
from core.embedding import DIMENSIONS
from core.retrieval.search import or_query
from core.service import Service, open_service

_SAMPLE = 32
_NEAR_ENOUGH = 0.999  # halfvec rounds to 11 bits; anything below is another model or another text
_QUARANTINE_SHOWN = 1_000


class Findings(BaseModel):
    """What `doctor` found; `problems` say what to do about each."""

    ok: bool = True
    postgresql: str = ""
    pgvector: str = ""
    patients: int = 0
    resources: dict[str, int] = Field(default_factory=dict)
    concepts: int = 0
    search_plan: list[str] = Field(default_factory=list)
    index_used: bool | None = None
    vectors_checked: int = 0
    lowest_similarity: float | None = None
    quarantined: list[dict[str, str]] = Field(default_factory=list)
    problems: list[str] = Field(default_factory=list)


def examine() -> Findings:
    """Examine the configured database and the model."""
    with closing(open_service(on_wait=note, warm=False)) as service:
        return _examined(service)


def _examined(service: Service) -> Findings:
    findings = Findings(resources=service.counts())
    with service.stages.database.connection() as connection:
        row = connection.execute(query("server_versions")).fetchone()
        if row:
            findings.postgresql, findings.pgvector, findings.patients, findings.concepts = row
        rows = connection.execute(query("quarantined"), {"limit": _QUARANTINE_SHOWN})
        findings.quarantined = [{"source": s, "entry": e, "reason": r} for s, e, r in rows]
    _check_vectors(service, findings)
    if findings.patients:
        _check_plan(service, findings)
        if "Observation" not in findings.resources:
            findings.problems.append(
                "The database holds no Observation: there is no result to ask about. Ingest a corpus that has some "
                "(Synthea's option -m filters modules, not patients; generate without it)."
            )
    else:
        findings.problems.append("The database holds no patient. Load some: python -m core ingest PATH")
    findings.ok = not findings.problems
    return findings


def _check_vectors(service: Service, findings: Findings) -> None:
    """Embed a sample of stored texts again and compare with what is stored."""
    with service.stages.database.connection() as connection:
        rows = connection.execute(query("sample_concepts"), {"limit": _SAMPLE}).fetchall()
    fresh = service.stages.embedder.embed([text for text, _ in rows])
    findings.vectors_checked = len(rows)
    if rows:
        stored = np.array(
            [e.to_numpy() if hasattr(e, "to_numpy") else e.to_list() for _, e in rows], dtype=np.float32
        )
        findings.lowest_similarity = round(float((stored * fresh).sum(axis=1).min()), 5)
        if findings.lowest_similarity < _NEAR_ENOUGH:
            findings.problems.append(
                "Stored vectors differ from what the model gives now. Empty the database and ingest the records again."
            )


def _check_plan(service: Service, findings: Findings) -> None:
    """Whether the search reaches one patient's rows through an index, as the planner says."""
    with service.stages.database.connection() as connection:
        largest = connection.execute(query("largest_patient")).fetchone()
        patient, total = largest or ("", 0)
        parameters = {
            "patient": patient,
            "vector": "[" + ",".join(["0.05"] * DIMENSIONS) + "]",
            "words": or_query("hemoglobin"),
        }
        statement = "explain " + query("search").replace("%(vector)s", "%(vector)s::halfvec")
        findings.search_plan = [r[0] for r in connection.execute(statement, parameters)]
    scans = [line for line in findings.search_plan if "Scan" in line and " resources" in line]
    findings.index_used = bool(scans) and not any("Seq Scan" in line for line in scans)
    if not findings.index_used and total > 20_000 and findings.patients > 4:
        findings.problems.append(
            "Search reads the whole table instead of one patient's rows. Run ANALYZE on the database."
        )


def print_findings(findings: Findings) -> None:
    """The findings for a person."""
    print(f"PostgreSQL {findings.postgresql}, pgvector {findings.pgvector}")
    total = sum(findings.resources.values())
    print(f"{findings.patients:,} patients, {total:,} resources, {findings.concepts:,} concepts")
    print("By type: " + (", ".join(f"{n:,} {t}" for t, n in findings.resources.items()) or "none"))
    if findings.lowest_similarity is not None:
        print(
            f"Vectors: {findings.vectors_checked} embedded again, lowest similarity {findings.lowest_similarity}"
        )
    print(f"Search uses an index for one patient's rows: {'yes' if findings.index_used else 'no'}")
    for entry in findings.quarantined:
        note(f"quarantined: {entry['source']} {entry['entry']}: {entry['reason']}")
    for problem in findings.problems:
        note(f"problem: {problem}")
    print("All well." if findings.ok else f"{len(findings.problems)} problem(s).")
