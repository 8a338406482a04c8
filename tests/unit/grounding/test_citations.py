"""Citations as people and models write them, and brackets that are none."""

from __future__ import annotations

import pytest

from core.grounding.citations import MARK, mask, parse


@pytest.mark.parametrize(
    ("bracket", "cited"),
    [
        ("Observation/a1c-2020", ("Observation/a1c-2020",)),
        ("Observation/1, Observation/2", ("Observation/1", "Observation/2")),
        ("Observation/1; Observation/2", ("Observation/1", "Observation/2")),
        ("Observation/1 and Condition/2", ("Observation/1", "Condition/2")),
        (" Observation/1 ", ("Observation/1",)),
        ("Observation/1, Observation/1", ("Observation/1",)),
        ("https://example.org/fhir/Observation/1", ("Observation/1",)),
        ("Observation/1/_history/3", ("Observation/1",)),
        ("1", ()),
        ("see above", ()),
        ("Mass/volume", ()),  # LOINC: "Glucose [Mass/volume] in Blood"
        ("Observation/1, see above", ()),
        ("observation/1", ()),
    ],
)
def test_a_bracket_is_a_citation_only_when_all_of_it_is(bracket: str, cited: tuple[str, ...]) -> None:
    assert parse(bracket) == cited


def test_masking_leaves_other_brackets_as_text() -> None:
    text, cited = mask("Glucose [Mass/volume] in Blood was 104 [Observation/g] [1].")
    assert text == f"Glucose [Mass/volume] in Blood was 104 {MARK} [1]."
    assert cited == (("Observation/g",),)


def test_a_link_target_belongs_to_the_citation() -> None:
    assert mask("7.1 % [Observation/a](https://example.org/Observation/a).")[0] == f"7.1 % {MARK}."
