"""Names for coded things: a label is found while any text, display or code exists, none is invented.

Order (FHIR R4 CodeableConcept): `text`, a display in a preferred system, any display, the bare code.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.fhir.read import Json, obj, objects, string
from core.models import Coding

LOINC = "http://loinc.org"
SNOMED = "http://snomed.info/sct"
RXNORM = "http://www.nlm.nih.gov/research/umls/rxnorm"
CVX = "http://hl7.org/fhir/sid/cvx"
# LOINC first: where a result has both, its SNOMED CT concept is often the broader ("Intraocular pressure" of either eye).
_PREFERRED = (LOINC, SNOMED, RXNORM, CVX)
# SNOMED CT fully specified names end in their hierarchy: "Anemia (disorder)".
_TAGS = (
    *(
        "disorder",
        "finding",
        "situation",
        "procedure",
        "regime/therapy",
        "record artifact",
        "event",
        "person",
    ),
    *(
        "morphologic abnormality",
        "substance",
        "organism",
        "observable entity",
        "product",
        "medicinal product",
    ),
    *(
        "clinical drug",
        "physical object",
        "environment",
        "qualifier value",
        "body structure",
        "social concept",
    ),
    *("navigational concept", "context-dependent category", "physical force", "specimen", "occupation"),
    *("assessment scale", "cell structure", "geographic location", "dose form"),
)
_SEMANTIC_TAG = re.compile(rf"\s*\(({'|'.join(_TAGS)})\)\s*$")


def codings(concept: object) -> tuple[Coding, ...]:
    """Every Coding of a CodeableConcept (or of a bare Coding), in record order, empty ones dropped."""
    body = obj(concept)
    found = objects(body.get("coding")) or ([body] if "code" in body or "display" in body else [])
    read = (Coding(string(c.get("system")), string(c.get("code")), string(c.get("display"))) for c in found)
    return tuple(c for c in read if c.code or c.display)


def label(concept: object) -> str:
    """The name to show for a CodeableConcept, Coding or text; "" only when it holds nothing at all."""
    if isinstance(concept, str):
        return string(concept)
    text = string(obj(concept).get("text"))
    if text:
        return text
    found = codings(concept)
    named = preferred([c for c in found if c.display])
    return named.display if named else next((c.code for c in found), "")


def preferred(found: Sequence[Coding]) -> Coding | None:
    """The coding that names a concept best: of a preferred system, else the first."""
    by_system = (c for system in _PREFERRED for c in found if c.system == system)
    return next(by_system, found[0] if found else None)


def labels(concepts: object) -> list[str]:
    """The labels of a list of CodeableConcepts, without repeats."""
    return list(dict.fromkeys(name for c in objects(concepts) if (name := label(c))))


def names(concept: Json) -> tuple[str, ...]:
    """Every name a CodeableConcept goes by: its text and each display, without repeats."""
    every = [string(concept.get("text")), *(c.display for c in codings(concept))]
    return tuple(dict.fromkeys(name for name in every if name))


def plain(name: str) -> str:
    """A name without its SNOMED CT semantic tag: "Anemia (disorder)" reads "Anemia"."""
    return _SEMANTIC_TAG.sub("", name) or name


def semantic_tag(name: str) -> str:
    """The SNOMED CT semantic tag of a fully specified name, or ""."""
    match = _SEMANTIC_TAG.search(name)
    return match.group(1) if match else ""
