"""Names of coded things: text, preferred system, any display, code; "unknown" is never invented."""

from __future__ import annotations

import pytest

from core.fhir.codes import codings, label, labels, names, plain, semantic_tag

SNOMED, LOINC = "http://snomed.info/sct", "http://loinc.org"


@pytest.mark.parametrize(
    ("concept", "name"),
    [
        ({"text": "Sugar", "coding": [{"system": LOINC, "code": "2339-0", "display": "Glucose"}]}, "Sugar"),
        (
            {
                "coding": [
                    {"system": "urn:local", "code": "x", "display": "Zucker"},
                    {"system": LOINC, "display": "Glucose"},
                ]
            },
            "Glucose",
        ),
        ({"coding": [{"system": "urn:local", "code": "x", "display": "Zucker"}]}, "Zucker"),
        ({"coding": [{"system": "urn:local", "code": "GLU"}]}, "GLU"),
        ({"coding": [{"system": "urn:local", "code": "GLU"}, {"display": "Glucose"}]}, "Glucose"),
        ({"system": SNOMED, "code": "AMB", "display": "ambulatory"}, "ambulatory"),
        ("Free text", "Free text"),
        ({}, ""),
        ({"coding": [{}]}, ""),
        ({"text": "", "coding": "broken"}, ""),
    ],
)
def test_a_label_is_found_while_anything_names_the_thing(concept: object, name: str) -> None:
    assert label(concept) == name


def test_every_name_is_kept_for_searching() -> None:
    concept = {
        "text": "HbA1c",
        "coding": [{"code": "4548-4", "display": "Hemoglobin A1c"}, {"display": "HbA1c"}],
    }
    assert names(concept) == ("HbA1c", "Hemoglobin A1c")


def test_empty_codings_are_dropped() -> None:
    assert codings({"coding": [{}, {"system": SNOMED}, {"code": "1"}, None, "x"]}) == codings(
        {"coding": [{"code": "1"}]}
    )


def test_labels_of_a_list_or_of_a_lone_concept() -> None:
    assert labels([{"text": "a"}, {"text": "b"}, {"text": "a"}, {}]) == ["a", "b"]
    assert labels({"text": "a"}) == ["a"]
    assert labels(None) == []


@pytest.mark.parametrize(
    ("name", "bare", "tag"),
    [
        ("Essential hypertension (disorder)", "Essential hypertension", "disorder"),
        ("Fracture care (regime/therapy)", "Fracture care", "regime/therapy"),
        ("Hib (PRP-OMP)", "Hib (PRP-OMP)", ""),
        ("(disorder)", "(disorder)", "disorder"),
    ],
)
def test_a_snomed_tag_is_no_part_of_the_name(name: str, bare: str, tag: str) -> None:
    assert (plain(name), semantic_tag(name)) == (bare, tag)
