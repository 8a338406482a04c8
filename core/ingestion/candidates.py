"""Which resources of a document are worth rendering: the latest version of each, where it says something new.

Every resource of the document is counted once: to be rendered, unchanged, superseded, orphaned or refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from core.fhir.read import Json
from core.ingestion.document import Document, Problem
from core.ingestion.owner import Lookup, owners
from core.ingestion.rows import Candidate, Key, Row, Version, content_hash, version

Offered = TypeVar("Offered", Candidate, Row)
Known = Mapping[Key, tuple[bytes, Version]]
_ORPHAN = "belongs to no patient that can be told from its references"
_CONFLICT = (
    "differs from another copy of itself in the same file, and no meta.lastUpdated or meta.versionId says which "
    "is later: the last one was kept"
)


@dataclass(slots=True)
class Sorted:
    """The resources of one document, sorted by what is to be done with them. `orphans` are among the problems too."""

    latest: dict[Key, Candidate] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    orphans: list[Orphan] = field(default_factory=list)
    unchanged: int = 0
    superseded: int = 0


@dataclass(frozen=True, slots=True)
class Orphan:
    """A resource without an owner so far: where it stands in which Bundle, and the problem that says so."""

    resource: Json
    place: str
    number: int
    full_urls: Mapping[str, str]
    problem: Problem


def sort_out(document: Document, elsewhere: Lookup) -> Sorted:
    """The latest version of each resource of a document; `elsewhere` gives owners of stored resources."""
    found = Sorted(problems=list(document.problems))
    whole = document.first and document.last
    claimed = owners(document.resources, document.full_urls, elsewhere, whole, document.only_patient)
    together = zip(document.resources, document.places, document.numbers, claimed, strict=True)
    for resource, place, number, owner in together:
        where = ", ".join(p for p in (place, f"{resource['resourceType']}/{resource['id']}") if p)
        if owner is None:
            problem = Problem(document.source, where, _ORPHAN)
            found.problems.append(problem)
            found.orphans.append(Orphan(resource, place, number, document.full_urls, problem))
            continue
        try:
            candidate = Candidate(owner, resource, where, number, content_hash(resource), version(resource))
        except (TypeError, ValueError, RecursionError):  # orjson writes 254 levels, reads 1,024
            found.problems.append(Problem(document.source, where, "is nested more than 250 levels deep"))
            continue
        _keep_latest(found, candidate, document.source)
    _settle_owners(found)
    return found


def _keep_latest(found: Sorted, one: Candidate, source: str) -> None:
    other = found.latest.setdefault(one.key, one)
    if other is one:
        return
    if other.digest == one.digest:
        found.unchanged += 1
        return
    earlier, later = (one, other) if one.version.is_before(other.version) else (other, one)
    found.latest[one.key] = later
    if earlier.version.is_before(later.version):
        found.superseded += 1
    else:
        found.problems.append(Problem(source, earlier.place, _CONFLICT))


def _settle_owners(found: Sorted) -> None:
    """A resource whose later version is another patient's is no longer this one's."""
    versions: dict[str, list[Candidate]] = {}
    for candidate in found.latest.values():
        versions.setdefault(candidate.key[1], []).append(candidate)
    for several in versions.values():
        for one in several if len(several) > 1 else ():
            if any(one.version.is_before(other.version) for other in several):
                del found.latest[one.key]
                found.superseded += 1


def drop_moved(rows: Sequence[Row], elsewhere: Known) -> tuple[list[Row], list[Key]]:
    """(the rows that no other patient has in a later version, the stored rows of which these are later versions)."""
    stored: dict[str, list[tuple[Key, Version]]] = {}
    for key, (_, at) in elsewhere.items():
        stored.setdefault(key[1], []).append((key, at))
    kept, outdated = [], []
    for row in rows:
        others = stored.get(row.key[1], [])
        if any(row.version.is_before(at) for _, at in others):
            continue
        kept.append(row)
        outdated += [key for key, at in others if at.is_before(row.version)]
    return kept, outdated


def drop_known(
    candidates: Sequence[Offered], known: Known, seen: bool = False
) -> tuple[list[Offered], int, int]:
    """(those that say something new, how many are unchanged, how many are older than what is stored).

    Candidates that were `seen` before are new only as a later version: else two files that differ without saying which
    is the later would take turns.
    """
    verdicts = [_compare(c.digest, c.version, known.get(c.key), seen) for c in candidates]
    fresh = [c for c, verdict in zip(candidates, verdicts, strict=True) if verdict == "new"]
    return fresh, verdicts.count("unchanged"), verdicts.count("superseded")


def _compare(digest: bytes, version: Version, stored: tuple[bytes, Version] | None, seen: bool) -> str:
    if stored is None:
        return "new"
    if stored[0] == digest:
        return "unchanged"
    later = stored[1].is_before(version) if seen else not version.is_before(stored[1])
    return "new" if later else "superseded"
