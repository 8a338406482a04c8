"""One resource becomes one row: its text, its typed facts, its owner and the hash that recognises it unchanged."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

import orjson
from pydantic import TypeAdapter

from core.fhir import facts as reading
from core.fhir import naming
from core.fhir.dates import parse_date
from core.fhir.identity import replaced_by
from core.fhir.read import Json, obj, objects, string, strings
from core.fhir.render import embedded_text, shown_text
from core.fhir.types import ADMINISTRATIVE
from core.ingestion.conditional import conditional_references, designated, stored_designations
from core.ingestion.neighbours import Neighbours
from core.models import Facts

FACTS: TypeAdapter[Facts] = TypeAdapter(Facts)
Key = tuple[str, str]
"""(patient_ref, resource_id): what a row is known by."""

_LONGEST_KEY = 800  # characters of a concept_key: a btree entry may have 2,704 bytes
_EMBEDDED_WORDS, _EMBEDDED_CHARACTERS = 256, 4_000  # a word is at least one of the 256 tokens the model reads
_NUL = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")


@dataclass(frozen=True, slots=True)
class Version:
    """meta.lastUpdated, meta.versionId (FHIR R4 Meta): which of two versions of a resource is the later."""

    updated: datetime | None = None
    number: str = ""

    def is_before(self, other: Version) -> bool:
        """Whether this version is known to be the earlier one."""
        if self.updated and other.updated and self.updated != other.updated:
            return self.updated < other.updated
        numbered = self.number.isdecimal() and other.number.isdecimal()
        return numbered and int(self.number) < int(other.number)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A resource that may become a row: whose it is, where it stands in its source, its content and its version.

    `place` says where in words, `number` is how many resources of the source stand before it.
    """

    owner: str
    resource: Json
    place: str
    number: int
    digest: bytes
    version: Version

    @property
    def key(self) -> Key:
        return self.owner, f"{self.resource['resourceType']}/{self.resource['id']}"


@dataclass(frozen=True, slots=True)
class Row:
    """What is stored of one resource; `columns` as in db/queries/stage_resources.sql.

    `named_by` are the resources outside its document whose names it shows, or would show; `identifiers` what others
    may mean it by.
    """

    key: Key
    kind: str
    place: str
    digest: bytes
    version: Version
    text_hash: bytes
    embedded_text: str
    named_by: tuple[str, ...]
    identifiers: tuple[str, ...]
    columns: tuple[object, ...]
    patient: dict[str, str] | None


def content_hash(resource: Json) -> bytes:
    """Recognises an unchanged resource, as long as the code that reads it is unchanged too."""
    body = orjson.dumps(resource, option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(b"%d:" % reading.VERSION + body).digest()


def version(resource: Json) -> Version:
    """The version a resource says it is."""
    meta = obj(resource.get("meta"))
    updated = parse_date(meta.get("lastUpdated"))
    return Version(updated.instant if updated else None, string(meta.get("versionId"))[:64])


def row(candidate: Candidate, neighbours: Neighbours, source: str) -> Row:
    """Read, render and describe one resource."""
    resource = candidate.resource
    around, asked = neighbours.around(candidate.owner)
    found = reading.facts(resource, candidate.owner, around)
    found = replace(found, concept_key=_bounded(found.concept_key))
    embedded = _beginning(embedded_text(found))
    text_hash = hashlib.sha256(embedded.encode()).digest()
    named_here = sorted(asked & neighbours.here)
    named_by = sorted((asked | _designated(resource, neighbours)) - neighbours.here)
    identifiers = stored_designations(resource)
    columns = (
        found.patient_ref,
        found.resource_id,
        found.resource_type,
        found.concept_key,
        text_hash,
        found.label,
        found.date.instant if found.date else None,
        found.status,
        found.void,
        found.resource_type in ADMINISTRATIVE,
        list(found.names),
        [f"{c.system}|{c.code}" for c in found.codings if c.code],
        sorted({r.target for r in found.references if r.target}),
        identifiers,
        named_by,
        named_here,
        shown_text(found, resource),
        FACTS.dump_json(found).decode(),
        _json(resource),
        candidate.version.updated,
        candidate.version.number,
        candidate.digest,
        source,
        candidate.number,
    )
    return Row(
        candidate.key,
        found.resource_type,
        candidate.place,
        candidate.digest,
        candidate.version,
        text_hash,
        embedded,
        tuple(named_by),
        tuple(identifiers),
        columns,
        patient_columns(resource, neighbours.full_urls) if found.resource_type == "Patient" else None,
    )


def _designated(resource: Json, neighbours: Neighbours) -> set[str]:
    """What the resource means by identifier, but for what its own document holds."""
    if not neighbours.conditional:
        return set()
    raw = conditional_references([resource])
    return {d for r in raw if (d := designated(r)) and neighbours.full_urls.get(r) not in neighbours.here}


def patient_columns(patient: Json, full_urls: Mapping[str, str]) -> dict[str, str]:
    """The patients row of a Patient resource (FHIR R4 Patient; deceased[x], link.type replaced-by)."""
    names = [naming.human_name(n) for n in objects(patient.get("name"))]
    identifiers = [string(i.get("value")) for i in objects(patient.get("identifier"))]
    died = parse_date(patient.get("deceasedDateTime"))
    birth_date = string(patient.get("birthDate"))
    reference = f"Patient/{patient['id']}"
    return {
        "patient_ref": reference,
        "name": naming.patient_name(patient),
        "birth_date": birth_date,
        "gender": string(patient.get("gender")),
        "deceased": died.shown if died else "deceased" if patient.get("deceasedBoolean") is True else "",
        "merged_into": replaced_by(patient, full_urls),
        "search": " ".join(
            [*names, *identifiers, birth_date, reference, *strings(patient.get("gender"))]
        ).lower(),
    }


def _bounded(key: str) -> str:
    """The key itself, or its beginning and its hash where it is longer than an index takes."""
    if len(key) <= _LONGEST_KEY // 2 or len(key.encode()) <= _LONGEST_KEY:
        return key
    return f"{key[:200]}…{hashlib.sha256(key.encode()).hexdigest()}"


def _beginning(text: str) -> str:
    """As much of a text as the model reads: what follows changes nothing and would only be tokenised."""
    if len(text) <= _EMBEDDED_WORDS:
        return text.replace("\0", "")
    return " ".join(text.split(maxsplit=_EMBEDDED_WORDS)[:_EMBEDDED_WORDS])[:_EMBEDDED_CHARACTERS].replace(
        "\0", ""
    )


def _json(resource: Json) -> str:
    # PostgreSQL's text has no NUL, and it is no legal character of a FHIR string either.
    return _NUL.sub(r"\1", orjson.dumps(resource).decode())
