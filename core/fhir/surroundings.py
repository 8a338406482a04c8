"""What a bundle and the database know of a resource's neighbours; a name is resolved or absent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.fhir import references
from core.fhir.read import Json, objects, string


@dataclass(frozen=True)
class Surroundings:
    """What a resource's bundle (and the database) knows that the resource itself does not say.

    `full_urls`: entry.fullUrl -> "Type/id". `labels`: "Type/id" -> name of that resource.
    `medications`: "Medication/id" -> the Medication resource.
    """

    full_urls: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    medications: Mapping[str, Json] = field(default_factory=dict)

    def name_of(self, reference: Json) -> str:
        """The name a Reference goes by: its display, else the label of its target; "" if neither is known."""
        display = string(reference.get("display"))
        return display or self.labels.get(
            references.resolve(string(reference.get("reference")), self.full_urls), ""
        )


def contained(resource: Json) -> dict[str, Json]:
    """The contained resources by their local reference ("#id"); they have no life outside their parent."""
    return {f"#{string(c.get('id'))}": c for c in objects(resource.get("contained")) if string(c.get("id"))}
