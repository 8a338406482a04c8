"""The resources an answer cites, as the evidence panel and the published JSON show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core.fhir.render import headline
from core.grounding.record import Record
from core.models import Citation, Claim


def cited_resources(
    claims: Iterable[Claim], record: Record, texts: Mapping[str, str] | None = None
) -> list[Citation]:
    """Every resource a claim cites, in order of first citation; an id that is not in the record is not one.

    `texts` holds the card texts already at hand, by resource id; for the others the headline stands.
    """
    shown = texts or {}
    ids = dict.fromkeys(i for claim in claims for i in claim.citations)
    found = [record.resources[i] for i in ids if i in record.resources]
    return [
        Citation(
            resource_id=f.resource_id,
            resource_type=f.resource_type,
            date=f.date.text if f.date else None,
            text=shown.get(f.resource_id) or headline(f),
        )
        for f in found
    ]
