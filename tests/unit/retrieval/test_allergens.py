"""Allergens by lay words: codes first, the words of a name second, never a neighbour."""

import pytest

from core.fhir.codes import SNOMED
from core.retrieval.allergens import allergies_to
from core.retrieval.search import Concept
from core.words import stems


def allergy(label: str, code: str) -> Concept:
    return Concept(
        f"AllergyIntolerance|{SNOMED}|{code}", "AllergyIntolerance", label, (label,), frozenset({f"{SNOMED}|{code}"}),
        1, None, None, 0.5, 1, None,
    )  # fmt: skip


RECORD = [
    allergy("Glycine max (substance)", "256355007"),
    allergy("Peanut (substance)", "762952008"),
    allergy("Shellfish (substance)", "735029006"),
    allergy("Tree pollen (substance)", "782576004"),
]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("soy", ["Glycine max (substance)"]),
        ("soybeans", ["Glycine max (substance)"]),
        ("nuts", ["Peanut (substance)"]),
        ("seafood", ["Shellfish (substance)"]),
        ("pollen", ["Tree pollen (substance)"]),
        ("egg", []),
        ("tree nuts", []),
        ("grass pollen", []),
        ("metformin", []),
    ],
)
def test_what_a_word_for_an_allergen_finds(said: str, found: list[str]) -> None:
    assert [c.label for c in allergies_to(stems(said), RECORD)] == found
