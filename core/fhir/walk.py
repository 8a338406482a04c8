"""The generic reading of whatever no reader has read: any field as "field: words", bounded in size.

Structural fields, identifiers, narratives and unknown extensions are left out: they state nothing clinical
(an extension that may change the meaning is a modifierExtension, which makes the resource void).
"""

from __future__ import annotations

import re

from core.fhir import codes
from core.fhir.attachments import attachment_text
from core.fhir.dates import dated, parse_date
from core.fhir.naming import human_name
from core.fhir.quantities import decimal, quantity, shown_number, shown_quantity
from core.fhir.read import Json, obj, string, strings
from core.fhir.source import Source
from core.fhir.values import shown_period, shown_ratio, shown_span

_STRUCTURE = frozenset(
    {
        *("resourceType", "id", "meta", "implicitRules", "language", "text", "contained", "extension"),
        *(
            "modifierExtension",
            "identifier",
            "subject",
            "patient",
            "encounter",
            "context",
            "beneficiary",
            "url",
        ),
        *(
            "status",
            "clinicalStatus",
            "verificationStatus",
            "lifecycleStatus",
            "docStatus",
            "intent",
            "code",
            "type",
        ),
        *("category", "name", "title", "vaccineCode", "serviceType", "medicationCodeableConcept", "class"),
        *(
            "medicationReference",
            "presentedForm",
            "content",
            "basedOn",
            "partOf",
            "instantiatesCanonical",
            "active",
        ),
        *(
            "primarySource",
            "result",
            "specimen",
            "linkId",
            "sequence",
            "uid",
            "system",
            "userSelected",
            "use",
        ),
        *(
            "doNotPerform",
            "reference",
            "fullUrl",
            "position",
            "photo",
            "signature",
            "target",
            "rank",
            "definition",
        ),
    }
)
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PER_FIELD = 12
_LONGEST = 600
_DEEPEST = 4


def walk(source: Source, done: set[str]) -> None:
    """Add a detail for every field of the resource that is neither structure nor in `done`."""
    for field, value in source.resource.items():
        if field in done or field in _STRUCTURE or field.startswith("_") or dated(field, value):
            continue
        items = value if isinstance(value, list) else [value]
        texts = list(dict.fromkeys(text for item in items if (text := _worded(item, source, 0))))
        if len(texts) > _PER_FIELD:
            texts = [*texts[:_PER_FIELD], f"and {len(texts) - _PER_FIELD} more"]
        source.add(_words(field), field, *texts)


def _words(field: str) -> str:
    """A FHIR element name in words: "dispenseRequest" reads "dispense request"."""
    return _WORDS.sub(" ", field).lower()


def _worded(value: object, source: Source, depth: int) -> str:
    """Any FHIR value in words, "" for what says nothing or lies deeper than four levels."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        number = decimal(value)
        return shown_number(number) if number is not None else ""
    if isinstance(value, str):
        text = string(value)
        date = parse_date(text)
        return date.shown if date and "T" in text else "" if text.startswith("urn:") else text[:_LONGEST]
    if isinstance(value, dict):
        return (_datatype(value, source) or _parts(value, source, depth))[:_LONGEST]
    return ""


def _datatype(body: Json, source: Source) -> str:
    """A FHIR datatype recognised by its fields; "" for anything else."""
    keys = body.keys()
    if "coding" in keys or (
        "code" in keys and keys <= {"system", "version", "code", "display", "userSelected", "id"}
    ):
        return codes.plain(codes.label(body))
    if "reference" in keys or ("display" in keys and keys <= {"display", "type", "identifier", "id"}):
        return source.name(body)
    if "contentType" in keys:
        return attachment_text(body)
    if keys >= {"system", "value"} and isinstance(body["value"], str):  # ContactPoint, Identifier
        return string(body["value"])
    if "currency" in keys:
        return f"{string(body.get('value'))} {string(body.get('currency'))}".strip()
    if "value" in keys and isinstance(body["value"], (int, float)):
        found = quantity(body)
        return shown_quantity(found) if found else ""
    if keys & {"start", "end"} and keys <= {"start", "end", "id"}:
        return shown_period(body)
    if "numerator" in keys:
        return shown_ratio(body)
    if keys & {"low", "high"} and isinstance(body.get("low", body.get("high")), dict):
        return shown_span(body)
    if keys & {"family", "given"}:
        return human_name(body)
    if keys & {"line", "city", "postalCode"}:
        return _address(body)
    if keys & {"text", "div"} and keys <= {"text", "time", "authorString", "authorReference", "id"}:
        return string(body.get("text"))
    return ""


def _address(body: Json) -> str:
    places = (string(body.get(k)) for k in ("city", "district", "state", "postalCode", "country"))
    return string(body.get("text")) or ", ".join(p for p in (*strings(body.get("line")), *places) if p)


def _parts(body: Json, source: Source, depth: int) -> str:
    """A backbone element: "field: words" of each part, joined."""
    if depth >= _DEEPEST:
        return ""
    found = []
    for field, value in body.items():
        if field in ("extension", "modifierExtension", "id", "text") or field.startswith("_"):
            continue
        if field in _STRUCTURE and not isinstance(value, (dict, list)):
            continue
        items = value[:_PER_FIELD] if isinstance(value, list) else [value]
        if text := ", ".join(dict.fromkeys(t for i in items if (t := _worded(i, source, depth + 1)))):
            found.append(f"{_words(field)}: {text}")
    if text := string(body.get("text")):
        found.insert(0, text)
    return "; ".join(found) or string(obj(body).get("display"))
