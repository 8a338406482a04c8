"""A FHIR R4 document: a Composition with the answer, the cited resources as they were sent, who made it and from what.

FHIR R4 documents.html: the first entry is the Composition, everything it refers to is in the Bundle. The answer is
machine-made and nobody has attested it: its status is "preliminary".
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from datetime import UTC
from typing import Any
from uuid import uuid4

from core import __version__
from core.export.content import NOTICE, Content

Json = dict[str, Any]
# Every entry gets an address below this base, so that relative references resolve; the name is reserved to lead nowhere.
_BASE = "https://chartcite.invalid/fhir"
_XHTML = 'xmlns="http://www.w3.org/1999/xhtml"'


def document_bundle(content: Content, resources: Mapping[str, Json]) -> Json:
    """The document. `resources` holds the patient and every cited resource by "Type/id", as stored."""
    at = content.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    device, composition = _device(content), _composition(content, resources, at)
    patient_id = content.patient.patient.removeprefix("Patient/")
    patient = resources.get(content.patient.patient) or {"resourceType": "Patient", "id": patient_id}
    cited = [
        resources[s.citation.resource_id]
        for s in content.sources
        if s.citation.resource_id in resources and s.citation.resource_id != content.patient.patient
    ]
    return {
        "resourceType": "Bundle",
        "type": "document",
        "identifier": {"system": "urn:ietf:rfc:3986", "value": f"urn:uuid:{uuid4()}"},
        "timestamp": at,
        "entry": [
            {"fullUrl": f"{_BASE}/{r['resourceType']}/{r['id']}", "resource": r}
            for r in (composition, patient, device, *cited, _provenance(content, composition, device, at))
        ],
    }


def _composition(content: Content, resources: Mapping[str, Json], at: str) -> Json:
    cited = [s.citation.resource_id for s in content.sources if s.citation.resource_id in resources]
    answer: Json = {"title": content.question, "text": _narrative(_answer(content))}
    if cited:
        answer["entry"] = [{"reference": i} for i in cited]
    sections = [answer]
    if content.checks:
        sections.append({"title": "What was checked", "text": _narrative(_checks(content))})
    return {
        "resourceType": "Composition",
        "id": str(uuid4()),
        "text": _narrative(f"<p>{html.escape(content.question)}</p>{_answer(content)}"),
        "status": "preliminary",
        "type": {
            "coding": [{"system": "http://loinc.org", "code": "34109-9", "display": "Note"}],
            "text": "Answer from the record",
        },
        "subject": {"reference": content.patient.patient},
        "date": at,
        "author": [{"reference": f"Device/{_device_id(content)}", "display": content.answerer}],
        "title": "Answer from the record",
        "section": sections,
    }


def _device_id(content: Content) -> str:
    kept = "".join(c if c.isascii() and (c.isalnum() or c in "-.") else "-" for c in content.answer.answerer)
    return f"chartcite-{kept or 'answerer'}"[:64]


def _device(content: Content) -> Json:
    return {
        "resourceType": "Device",
        "id": _device_id(content),
        "status": "active",
        "deviceName": [{"name": content.answerer, "type": "user-friendly-name"}],
        "version": [{"value": __version__}],
    }


def _provenance(content: Content, composition: Json, device: Json, at: str) -> Json:
    who = {"reference": f"Device/{device['id']}", "display": content.answerer}
    on_behalf = {"display": content.user or "unknown"}
    found: Json = {
        "resourceType": "Provenance",
        "id": str(uuid4()),
        "target": [{"reference": f"Composition/{composition['id']}"}],
        "recorded": at,
        "agent": [
            {
                "type": {
                    "coding": [
                        {
                            "system": "http://terminology.hl7.org/CodeSystem/provenance-participant-type",
                            "code": "assembler",
                            "display": "Assembler",
                        }
                    ]
                },
                "who": who,
                "onBehalfOf": on_behalf,
            }
        ],
    }
    sources = [e["reference"] for e in composition["section"][0].get("entry", [])]
    if sources:
        found["entity"] = [{"role": "source", "what": {"reference": i}} for i in sources]
    return found


def _narrative(body: str) -> Json:
    return {"status": "generated", "div": f"<div {_XHTML}>{body}</div>"}


def _answer(content: Content) -> str:
    blocks = "".join(
        f"<ul><li>{html.escape(b.text)}</li></ul>" if b.item else f"<p>{html.escape(b.text)}</p>"
        for b in content.blocks
    )
    rows = "".join(
        f"<tr><td>[{s.number}]</td><td>{'<br/>'.join(html.escape(line) for line in s.lines)}</td>"
        f"<td>{html.escape(s.citation.resource_id)}</td></tr>"
        for s in content.sources
    )
    sources = f"<table><tbody>{rows}</tbody></table>" if rows else ""
    return f"<p><b>{html.escape(content.verdict)}</b></p>{blocks}{sources}<p>{html.escape(NOTICE)}</p>"


def _checks(content: Content) -> str:
    rows = "".join(
        f"<tr><td>{html.escape(text)}</td><td>{html.escape(status)}</td><td>{html.escape(differences)}</td></tr>"
        for text, status, differences in content.checks
    )
    return f"<table><tbody>{rows}</tbody></table>"
