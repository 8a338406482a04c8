"""What claims, coverages and provenance say that a reader of the record may look for."""

from __future__ import annotations

from core.fhir import codes
from core.fhir.read import objects, string
from core.fhir.readers.wording import plain, qualified
from core.fhir.source import Source


def claim(source: Source) -> None:
    """What was billed for; the money goes to the generic walk only as a total."""
    for i, item in enumerate(objects(source.resource.get("item"))):
        source.add("item", f"item[{i}].productOrService", plain(item.get("productOrService")))


CLAIM_READ = (
    *("item", "diagnosis", "procedure", "payee", "insurance", "priority", "provider", "insurer", "claim"),
    *("careTeam", "supportingInfo", "prescription", "facility"),
)


def coverage(source: Source) -> None:
    body = source.resource
    source.add("payor", "payor", *source.names("payor"))
    for i, part in enumerate(objects(body.get("class"))):
        kind = codes.label(part.get("type")) or "class"
        name, value = string(part.get("name")), string(part.get("value"))
        source.add(kind, f"class[{i}]", qualified(name, value) or value)


COVERAGE_READ = ("payor", "class")


def provenance(source: Source) -> None:
    agents = objects(source.resource.get("agent"))
    source.add(
        "agent", "agent", *(qualified(source.name(a.get("who")), plain(a.get("type"))) for a in agents)
    )
    about = len(objects(source.resource.get("target")))
    source.add("covers", "target", f"{about} resources" if about > 1 else "")
