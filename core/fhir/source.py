"""One resource being read into details: the resource, its neighbours and what was found so far."""

from __future__ import annotations

from functools import cached_property

from core.fhir import codes
from core.fhir.naming import label_of
from core.fhir.read import Json, obj, objects, string
from core.fhir.surroundings import Surroundings, contained
from core.models import Detail


class Source:
    """A resource under reading; `found` grows by `add`, empty texts are left out."""

    def __init__(self, resource: Json, around: Surroundings, named: Json) -> None:
        """`named` is the CodeableConcept that names the resource."""
        self.resource = resource
        self.around = around
        self.known_as = frozenset(codes.plain(n) for n in (*codes.names(named), codes.label(named)))
        self.found: list[Detail] = []

    def add(self, kind: str, path: str, *texts: str) -> None:
        self.found.extend(Detail(kind, text, path) for text in texts if text)

    def name(self, reference: object) -> str:
        """The name of a Reference, contained resources included, of an R5 CodeableReference, or of a CodeableConcept."""
        for body in objects(reference):
            target = obj(body.get("reference")) or body
            local = self._contained.get(string(target.get("reference")))
            return (
                codes.plain(codes.label(body.get("concept")))
                or string(target.get("display"))
                or (label_of(local) if local else self.around.name_of(target))
                or ("" if "reference" in body else codes.plain(codes.label(body)))
            )
        return ""

    def names(self, path: str) -> list[str]:
        """The names of the references at a field, in record order."""
        return [self.name(body) for body in objects(self.resource.get(path))]

    @cached_property
    def _contained(self) -> dict[str, Json]:
        return contained(self.resource)
