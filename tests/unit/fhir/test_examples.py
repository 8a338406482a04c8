"""Each resource type in its own words: an example's exact text, nothing it states lost, nothing stated without a fact."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from core.fhir.facts import VERSION, facts
from core.fhir.render import HAND_WRITTEN, embedded_text, shown_text
from core.fhir.types import RESOURCE_TYPES
from core.models import Facts
from tests.unit.fhir.examples import GOLDEN, Example, digest, examples, read

# ChartCite reads these types in words of its own.
REQUIRED = {
    *("Patient", "Condition", "Observation", "MedicationRequest", "MedicationStatement"),
    *("MedicationAdministration", "MedicationDispense", "Medication", "AllergyIntolerance", "Procedure"),
    *("Immunization", "Encounter", "DiagnosticReport", "CarePlan", "CareTeam", "Goal", "DocumentReference"),
    *("Composition", "FamilyMemberHistory", "Device", "ImagingStudy", "ServiceRequest", "Specimen"),
    *("QuestionnaireResponse", "Coverage", "Flag", "ClinicalImpression", "Appointment"),
}
_DATE = re.compile(r"\b\d{4}-\d{2}(?:-\d{2})?\b")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
# What an example holds that no reader needs to see: plumbing, codes beside a display, billing and image internals.
_UNSAID = {
    *("resourceType", "id", "reference", "system", "url", "uid", "linkId", "data", "code", "use", "type"),
    *("div", "sopClass", "instance", "statusHistory", "identifier", "required", "time", "kind"),
    *("subject", "patient", "beneficiary", "clinicalStatus", "verificationStatus", "docStatus"),
    *("distinctIdentifier", "rank", "meta", "confidentiality", "extension", "status"),
    *(
        "instantiatesCanonical",
        "contentType",
        "intent",
        "comparator",
        "questionnaire",
        "when",
        "unit",
        "priority",
    ),
}
_PATIENT = "Ada Diaz"  # whose record it is: not repeated on every card

EXAMPLES = examples()


def name(example: Example) -> str:
    return example.path.stem


@pytest.mark.parametrize("example", EXAMPLES, ids=name)
def test_a_resource_reads_as_recorded(example: Example) -> None:
    lines, embedded = read(example)
    assert lines == example.text
    assert embedded == example.embedded


def test_every_type_of_its_own_words_has_an_example() -> None:
    assert REQUIRED <= HAND_WRITTEN
    assert HAND_WRITTEN <= {e.path.stem for e in EXAMPLES} <= RESOURCE_TYPES


def test_a_change_of_meaning_raises_the_version() -> None:
    """A stored row is read again only when VERSION rises: without that, old and new readings stand side by side."""
    recorded = json.loads(GOLDEN.read_text())
    assert recorded == {"version": VERSION, "sha256": digest()}, (
        "The facts or texts of the examples are not those recorded. If that is meant: raise VERSION in "
        "core/fhir/facts.py (every row is then read again by the next ingest), read what changed in "
        "tests/unit/fhir/examples, and record it with `python -m tests.unit.fhir.examples`."
    )


@pytest.mark.parametrize("example", EXAMPLES, ids=name)
def test_nothing_the_sender_wrote_is_lost(example: Example) -> None:
    text = " ".join("\n".join(read(example)[0]).split()).casefold()
    lost = [said for said in _said(example.resource) if said.casefold() not in text and said != _PATIENT]
    assert not lost


def _said(node: object) -> Iterator[str]:
    """Every display, text and name of a resource, as far as a reader is to see it; dates at the day."""
    if isinstance(node, dict):
        if "text" in node and "coding" in node:  # a text stands for its codings
            node = {"text": node["text"]}
        for key, value in node.items():
            if key not in _UNSAID:
                yield from _said(value)
    elif isinstance(node, list):
        for value in node:
            yield from _said(value)
    elif isinstance(node, str) and not node.startswith("#"):
        said = re.sub(r"T\d\d:.*$", "", node) if _DATE.match(node) else node
        yield re.sub(r" \((?:disorder|procedure|finding|physical object)\)$", "", " ".join(said.split()))


@pytest.mark.parametrize("example", EXAMPLES, ids=name)
def test_every_number_and_date_of_a_text_comes_from_a_fact(example: Example) -> None:
    found, text = example.facts, "\n".join(read(example)[0])
    written = " ".join(_written(example.resource))
    for date in _DATE.findall(text):
        assert date in _dates(found) or date in written, date
    held = _numbers(found) | set(_NUMBER.findall(" ".join(d.text for d in found.details)))
    for number in _NUMBER.findall(_DATE.sub(" ", text)):
        assert number in held, number


def _written(node: object) -> Iterator[str]:
    """The texts a sender wrote as prose: a date within one is quoted, not read."""
    if isinstance(node, dict):
        for value in node.values():
            yield from _written(value)
    elif isinstance(node, list):
        for value in node:
            yield from _written(value)
    elif isinstance(node, str) and not _DATE.match(node):
        yield node


def _dates(found: Facts) -> set[str]:
    every = [d.date for d in found.dates] + [d for v in found.values for d in (v.when, v.until) if d]
    return {d.shown for d in every}


def _numbers(found: Facts) -> set[str]:
    """The numbers of typed values, names and codes, and the parts of dates."""
    texts = [found.label, *found.names, *(c.code for c in found.codings), *(d.date.text for d in found.dates)]
    texts += [f"{c.display} {c.system}" for c in found.codings]
    for value in found.values:
        texts += [value.text, value.label, *value.words]
        limits = [q for r in value.ranges for q in (r.low, r.high)]
        for amount in (value.quantity, value.denominator, value.low, value.high, *limits):
            texts.append(f"{amount.value} {amount.unit}" if amount else "")
        texts += [d.text for d in (value.when, value.until) if d]
    return set(_NUMBER.findall(" ".join(texts)))


@pytest.mark.parametrize("kind", sorted(RESOURCE_TYPES))
def test_any_type_reads_sensibly(kind: str) -> None:
    """Whatever the type: its name or its type first, no id as a name, no structure printed, nothing of it lost."""
    resource = {
        "resourceType": kind,
        "id": "4f830f8a",
        "subject": {"reference": "Patient/p1"},
        "code": {"coding": [{"system": "http://x", "code": "c1", "display": "Wound care"}]},
        "status": "active",
        "recorded": "2021-03-14",
        "supportingInformation": [{"reference": "Observation/9b1d", "display": "Wound photo"}],
        "thing": {"kindOf": {"text": "Foam"}, "amountQuantity": {"value": 3, "unit": "cm"}},
    }
    found = facts(resource, "Patient/p1")
    text = shown_text(found, resource)
    assert found.label
    assert "4f830f8a" not in text
    assert "9b1d" not in text
    assert not set("{}") & set(text)
    assert all(said in text for said in ("Wound care", "Wound photo", "Foam", "3 cm", "2021-03-14"))
    assert "Foam" not in embedded_text(found)
