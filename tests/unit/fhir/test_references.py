"""References: urn:uuid, conditional, contained, absolute and versioned."""

from __future__ import annotations

import pytest

from core.fhir.references import outbound, resolve
from core.models import Reference

URLS = {"urn:uuid:1": "Patient/a", "https://ehr.example/fhir/Patient/9": "Patient/nine"}


@pytest.mark.parametrize(
    ("reference", "target"),
    [
        ("Patient/a", "Patient/a"),
        ("urn:uuid:1", "Patient/a"),
        ("urn:uuid:2", ""),
        ("https://server.example/r4/Patient/1", "Patient/1"),
        ("https://server.example/r4/Patient/1/_history/2", "Patient/1"),
        ("Patient/1/_history/2", "Patient/1"),
        ("https://ehr.example/fhir/Patient/9", "Patient/nine"),  # the bundle's own word comes first
        ("Practitioner?identifier=http://npi|123", ""),  # conditional: matched by identifier, not by id
        ("#med", ""),
        ("", ""),
        ("not a reference", ""),
    ],
)
def test_a_reference_resolves_to_type_and_id_or_to_nothing(reference: str, target: str) -> None:
    assert resolve(reference, URLS) == target


def test_every_reference_is_found_with_its_path_and_display() -> None:
    resource = {
        "resourceType": "Procedure",
        "subject": {"reference": "urn:uuid:1"},
        "performer": [{"actor": {"reference": "Practitioner?identifier=x|1", "display": "Dr. Diaz"}}],
    }
    assert outbound(resource, URLS) == (
        Reference("subject", "Patient/a", ""),
        Reference("performer[0].actor", "", "Dr. Diaz"),
    )


def test_contained_resources_are_read_inline_and_make_no_references_of_their_own() -> None:
    resource = {
        "resourceType": "MedicationRequest",
        "contained": [
            {"resourceType": "Medication", "id": "m", "manufacturer": {"reference": "Organization/o"}}
        ],
        "medicationReference": {"reference": "#m"},
        "subject": {"reference": "Patient/a"},
    }
    assert [r.target for r in outbound(resource, {})] == ["Patient/a"]


def test_depth_is_the_senders_to_choose() -> None:
    node: dict[str, object] = {"reference": "Patient/deep"}
    for _ in range(5000):
        node = {"x": node}
    assert [r.target for r in outbound(node, {})] == ["Patient/deep"]
