"""The resources an answer cites, as the evidence panel and the published JSON show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core.fhir.render import headline
from core.grounding.citations import mask
from core.grounding.record import Record
from core.models import Answer, Citation, Claim, Facts, Span


def cited_resources(
    claims: Iterable[Claim], record: Record, texts: Mapping[str, str] | None = None
) -> list[Citation]:
    """Every resource a claim cites, in order of first citation; an id that is not in the record is not one.

    `texts` holds the card texts already at hand, by resource id; for the others the headline stands.
    """
    claims = list(claims)
    shown = texts or {}
    ids = dict.fromkeys(i for claim in claims for i in claim.citations)
    found = [record.resources[i] for i in ids if i in record.resources]
    return [
        Citation(
            resource_id=f.resource_id,
            resource_type=f.resource_type,
            date=f.date.text if f.date else None,
            text=shown.get(f.resource_id) or headline(f),
            spans=_spans(f, claims),
        )
        for f in found
    ]


def citation_numbers(answer: Answer) -> dict[str, int]:
    """Resource id -> its number: by first use in the text, then any citation the text does not show."""
    known = [c.resource_id for c in answer.citations]
    used = [i for group in mask(answer.answer)[1] for i in group if i in set(known)]
    return {identifier: number for number, identifier in enumerate(dict.fromkeys([*used, *known]), 1)}


def _spans(facts: Facts, claims: Iterable[Claim]) -> list[Span]:
    """The passages of a document in which the verifier found the words of the claims that cite it, in their order there."""
    lines = {
        check.found
        for claim in claims
        if facts.resource_id in claim.citations
        for check in claim.checks
        if check.kind == "document" and check.ok
    }
    found = [
        Span(path=detail.path, start=start, end=start + len(line), text=line)
        for detail in facts.details
        for line in lines
        if (start := detail.text.find(line)) >= 0
    ]
    return sorted(found, key=lambda s: (s.path, s.start))
