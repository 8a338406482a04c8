"""Tiny records for the ingestion tests, and what the database then holds."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from core.database.pool import Database
from core.ingestion.ingest import Report

Json = dict[str, Any]


def patient(identity: str = "ada", **fields: Any) -> Json:
    return {"resourceType": "Patient", "id": identity, "name": [{"family": identity.title()}], **fields}


def observation(
    identity: str = "o1", whose: str | None = "Patient/ada", value: object = 7.1, **fields: Any
) -> Json:
    found: Json = {
        "resourceType": "Observation",
        "id": identity,
        "status": "final",
        "code": {"coding": [{"system": "http://loinc.org", "code": "4548-4", "display": "Hemoglobin A1c"}]},
        "effectiveDateTime": "2024-03-01",
        "valueQuantity": {"value": value, "unit": "%"},
        **fields,
    }
    return found if whose is None else {**found, "subject": {"reference": whose}}


def medication(name: str, identity: str = "m1", **fields: Any) -> Json:
    return {"resourceType": "Medication", "id": identity, "code": {"text": name}, **fields}


def prescription(identity: str = "rx", reference: str = "Medication/m1", whose: str = "Patient/ada") -> Json:
    return {
        "resourceType": "MedicationRequest",
        "id": identity,
        "status": "active",
        "intent": "order",
        "subject": {"reference": whose},
        "medicationReference": {"reference": reference},
    }


def bundle(*resources: Json, kind: str = "collection", urls: bool = False) -> Json:
    entries = [{"resource": r, **({"fullUrl": f"urn:uuid:{r['id']}"} if urls else {})} for r in resources]
    return {"resourceType": "Bundle", "type": kind, "entry": entries}


def versioned(resource: Json, updated: str, number: str = "") -> Json:
    meta = {"lastUpdated": updated} if updated else {}
    return {**resource, "meta": {**meta, **({"versionId": number} if number else {})}}


def write(path: Path, content: object) -> Path:
    """Write JSON (or lines of it for .ndjson), gzipped or zipped as the name says."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".zip":
        assert isinstance(content, dict)
        with zipfile.ZipFile(path, "w") as archive:
            for name, member in content.items():
                archive.writestr(name, encoded(name, member))
        return path
    path.write_bytes(encoded(path.name, content))
    return path


def encoded(name: str, content: object) -> bytes:
    if isinstance(content, bytes):
        body = content
    elif ".ndjson" in name and isinstance(content, Iterable):
        body = b"".join(json.dumps(line).encode() + b"\n" for line in content)
    else:
        body = json.dumps(content).encode()
    return gzip.compress(body) if name.endswith(".gz") else body


def balanced(report: Report) -> bool:
    """The promise of every report."""
    parts = report.written + report.updated + report.unchanged + report.superseded + report.quarantined
    return report.read == parts and report.quarantined == len(report.problems)


def table(database: Database) -> dict[tuple[str, str], str]:
    """(owner, id) -> the text shown, of every stored row."""
    with database.connection() as connection:
        rows = connection.execute("select patient_ref, resource_id, text_content from resources").fetchall()
    return {(owner, identity): text for owner, identity, text in rows}


def quarantine(database: Database) -> list[tuple[str, str, str]]:
    """(file name, entry, reason) of everything in quarantine."""
    with database.connection() as connection:
        rows = connection.execute("select source, entry, reason from quarantine order by 1, 2, 3").fetchall()
    return [(source.rpartition("/")[2], entry, reason) for source, entry, reason in rows]


def everything(database: Database) -> dict[str, list[tuple[object, ...]]]:
    """Every table but the audit trail, without the numbers and times a database makes up itself."""
    statements = {
        "concepts": "select text_hash, embedded_text, embedding::text from concepts order by 1",
        "resources": """
            select r.patient_ref, r.resource_id, r.resource_type, r.concept_key, c.text_hash, r.label, r.resource_date,
                r.status, r.void, r.administrative, r.names, r.codes, r.refs, r.identifiers, r.named_by, r.named_here,
                r.text_content, r.facts, r.resource::text, r.last_updated, r.version_id, r.content_hash, r.source
            from resources r join concepts c using (concept_id) order by 1, 2""",
        "patients": "select * from patients order by patient_ref",
        "quarantine": "select source, entry, reason from quarantine order by 1, 2, 3",
        "files": "select source, sha256, resources from files order by 1",
    }
    with database.connection() as connection:
        return {name: connection.execute(sql).fetchall() for name, sql in statements.items()}  # type: ignore[arg-type]
