"""One resource becomes one row: its text, its typed facts, its owner and the hash that recognises it unchanged."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime

import orjson
from pydantic import TypeAdapter

from core.fhir import facts as reading
from core.fhir import naming
from core.fhir.dates import parse_date
from core.fhir.read import Json, obj, objects, string, strings
from core.fhir.render import embedded_text, shown_text
from core.fhir.surroundings import Surroundings
from core.fhir.types import ADMINISTRATIVE
from core.models import Facts

FACTS: TypeAdapter[Facts] = TypeAdapter(Facts)


@dataclass(frozen=True, slots=True)
class Row:
    """What is stored of one resource; column by column as in db/queries/stage_resources.sql."""

    facts: Facts
    resource: Json
    embedded_text: str
    shown_text: str
    content_hash: bytes
    last_updated: datetime | None
    version_id: str
    source: str

    @property
    def text_hash(self) -> bytes:
        return hashlib.sha256(self.embedded_text.encode()).digest()

    def columns(self) -> tuple[object, ...]:
        """The values to copy, in the order of the staging table."""
        f = self.facts
        return (
            f.patient_ref,
            f.resource_id,
            f.resource_type,
            f.concept_key,
            self.text_hash,
            f.label,
            f.date.instant if f.date else None,
            f.status,
            f.void,
            f.resource_type in ADMINISTRATIVE,
            list(f.names),
            [f"{c.system}|{c.code}" for c in f.codings if c.code],
            sorted({r.target for r in f.references if r.target}),
            self.shown_text,
            FACTS.dump_json(f).decode(),
            _jsonb(self.resource),
            self.last_updated,
            self.version_id,
            self.content_hash,
            self.source,
        )


def content_hash(resource: Json) -> bytes:
    """Recognises an unchanged resource, as long as the code that reads it is unchanged too."""
    body = orjson.dumps(resource, option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(b"%d:" % reading.VERSION + body).digest()


def version(resource: Json) -> tuple[datetime | None, str]:
    """(meta.lastUpdated, meta.versionId): which of two versions of a resource is the later."""
    meta = obj(resource.get("meta"))
    updated = parse_date(meta.get("lastUpdated"))
    return (updated.instant if updated else None), string(meta.get("versionId"))


def row(resource: Json, owner: str, around: Surroundings, digest: bytes, source: str) -> Row:
    """Read, render and describe one resource."""
    found = reading.facts(resource, owner, around)
    updated, version_id = version(resource)
    return Row(
        found,
        resource,
        embedded_text(found, resource),
        shown_text(found, resource),
        digest,
        updated,
        version_id,
        source,
    )


def patient_columns(patient: Json) -> dict[str, str]:
    """The patients row of a Patient resource (FHIR R4 Patient; deceased[x], link.type replaced-by)."""
    names = [naming.human_name(n) for n in objects(patient.get("name"))]
    identifiers = [string(i.get("value")) for i in objects(patient.get("identifier"))]
    replaced = [
        string(obj(link.get("other")).get("reference"))
        for link in objects(patient.get("link"))
        if link.get("type") == "replaced-by"
    ]
    died = parse_date(patient.get("deceasedDateTime"))
    birth_date = string(patient.get("birthDate"))
    reference = f"Patient/{patient['id']}"
    return {
        "patient_ref": reference,
        "name": naming.patient_name(patient),
        "birth_date": birth_date,
        "gender": string(patient.get("gender")),
        "deceased": died.shown if died else "deceased" if patient.get("deceasedBoolean") is True else "",
        "merged_into": replaced[0] if replaced else "",
        "search": " ".join(
            [*names, *identifiers, birth_date, reference, *strings(patient.get("gender"))]
        ).lower(),
    }


def _jsonb(resource: Json) -> str:
    # PostgreSQL's jsonb has no NUL; it is no legal character of a FHIR string either.
    return orjson.dumps(resource).replace(b"\\u0000", b"").decode()
