"""The generic reading of whatever no reader has read: any field as "field: words", bounded in size.

Structural fields, identifiers, narratives and unknown extensions are left out: they state nothing clinical
(an extension that may change the meaning is a modifierExtension, which makes the resource void).
"""

from __future__ import annotations

import re

from core.fhir import codes
from core.fhir.attachments import attachment_text
from core.fhir.dates import dated, parse_date
from core.fhir.dosage import timing
from core.fhir.naming import human_name
from core.fhir.quantities import decimal, quantity, shown_number, shown_quantity
from core.fhir.read import Json, obj, string, strings
from core.fhir.source import Source
from core.fhir.values import shown_period, shown_ratio, shown_span

# Of a resource: what says whose, where and which it is, and what Facts hold in fields of their own.
_STRUCTURE_NAMES = """
resourceType id meta implicitRules language text contained extension modifierExtension identifier subject
patient encounter context beneficiary url status clinicalStatus verificationStatus lifecycleStatus docStatus
intent category basedOn partOf instantiatesCanonical instantiatesUri active doNotPerform photo signature
userSelected use position
"""
# Of an element within it: the plumbing alone, since a provision's type may be "deny".
_PLUMBING_NAMES = "id extension modifierExtension linkId uid sequence userSelected rank url position sopClass"
# What may name the resource: read as a detail only where another field names it.
_NAMING_NAMES = """
code type name title class vaccineCode serviceType description event topic scope location device study
codeCodeableConcept codeReference itemCodeableConcept itemReference appointment appointmentType targetDisease
questionnaire procedureCode relationship morphology
"""
_STRUCTURE = frozenset(_STRUCTURE_NAMES.split())
_PLUMBING = frozenset(_PLUMBING_NAMES.split())
_NAMING = frozenset(_NAMING_NAMES.split())
# Elements whose type is a choice (value[x]); FHIR R4. Of any other, CodeableConcept and its like are no words either.
_CHOICE = re.compile(
    r"^(abatement|accident|actor|age|allowed|amount|asNeeded|author|born|collected|cost|date|deceased|definition"
    r"|detail|diagnosis|doseNumber|dose|due|effective|entity|event|fastingStatus|identified|item|legallyBinding"
    r"|location|medication|multipleBirth|occurrence|offset|onset|performed|probability|procedure|product|quantity"
    r"|rate|reason|reported|scheduled|schedule|seriesDoses|serviced|source|start|statusReason|subject|substance"
    r"|target|time|timing|topic|unit|value|when)"
    r"(Range|Ratio|Period|DateTime|Date|Time|Age|Money|Timing|Duration|Coding|Attachment|Identifier|Instant|Uri)$"
)
_TYPE = re.compile(
    r"(?<=[a-z])(CodeableConcept|Quantity|String|Boolean|PositiveInt|UnsignedInt|Integer|Decimal|Reference)$"
)
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PER_FIELD = 12
_LONGEST = 600
_DEEPEST = 4


def walk(source: Source, done: set[str]) -> None:
    """Add a detail for every field of the resource that is neither structure nor in `done` nor its own name."""
    for field, value in source.resource.items():
        if field in done or field in _STRUCTURE or field.startswith("_") or dated(field, value):
            continue
        items = value if isinstance(value, list) else [value]
        texts = list(dict.fromkeys(text for item in items if (text := worded(item, source))))
        if field in _NAMING:
            texts = [text for text in texts if codes.plain(text) not in source.known_as]
        if len(texts) > _PER_FIELD:
            texts = [*texts[:_PER_FIELD], f"and {len(texts) - _PER_FIELD} more"]
        source.add(_words(field), field, *texts)


def _words(field: str) -> str:
    """A FHIR element name in words, without its datatype: "contentString" reads "content"."""
    bare = _CHOICE.sub(r"\1", _TYPE.sub("", field))
    return _WORDS.sub(" ", bare).lower()


def worded(value: object, source: Source, depth: int = 0) -> str:
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


_REFERENCE = frozenset({"reference", "concept", "display", "type", "identifier", "id", "extension"})


def _datatype(body: Json, source: Source) -> str:
    """A FHIR datatype recognised by its fields; "" for anything else."""
    keys = body.keys()
    if "coding" in keys or (
        "code" in keys and keys <= {"system", "version", "code", "display", "userSelected", "id"}
    ):
        return codes.plain(codes.label(body))
    if keys & {"reference", "display", "concept"} and keys <= _REFERENCE:
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
    if keys & {"repeat", "event"} and keys <= {"repeat", "event", "code", "id"}:
        return timing(body)
    if "text" in keys and keys <= {"text", "div", "time", "authorString", "authorReference", "id"}:
        return string(body.get("text"))
    return ""


def _address(body: Json) -> str:
    places = (string(body.get(k)) for k in ("city", "district", "state", "postalCode", "country"))
    return string(body.get("text")) or ", ".join(p for p in (*strings(body.get("line")), *places) if p)


def _parts(body: Json, source: Source, depth: int) -> str:
    """A backbone element: "field: words" of each part; a part that has parts of its own stands in parentheses."""
    if depth >= _DEEPEST:
        return ""
    found = []
    for field, value in body.items():
        if field in _PLUMBING or field.startswith("_") or field == "text":
            continue
        if field == "reference" and isinstance(value, str):
            continue
        items = value[:_PER_FIELD] if isinstance(value, list) else [value]
        texts = dict.fromkeys(t for i in items if (t := worded(i, source, depth + 1)))
        if not texts:
            continue
        nested = any(isinstance(i, dict) and not _datatype(i, source) for i in items)
        found.append(
            f"{_words(field)} ({'; '.join(texts)})" if nested else f"{_words(field)}: {' / '.join(texts)}"
        )
    if text := string(body.get("text")):
        found.insert(0, text)
    return ", ".join(found) or string(obj(body).get("display"))
