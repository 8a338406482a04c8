"""Rows that show another resource's name are rendered again, in the transaction that brings or changes that name.

So a medication, a practitioner or a reason is named in whatever order the files come.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import psycopg

from core.database.queries import query
from core.embedding import Embedder
from core.fhir.read import Json, obj, string
from core.fhir.references import outbound
from core.ingestion import store
from core.ingestion.conditional import conditional_references, designated, resolved
from core.ingestion.document import Document
from core.ingestion.neighbours import Neighbours
from core.ingestion.owner import NOBODY, logical_subjects
from core.ingestion.rendering import Task, render
from core.ingestion.rows import FACTS, Candidate, Key, Row, Version

_AT_ONCE = 2_000


def resolve_conditional(connection: psycopg.Connection, document: Document) -> None:
    """Add the references by identifier that mean one resource, of the document or stored, to the urls it knows."""
    wanted = conditional_references(document.resources) if document.conditional else set()
    wanted |= logical_subjects(document.resources)
    if wanted:
        found = resolved(wanted, document.resources, lambda d: store.meant_by(connection, d))
        document.full_urls.update(found)


def look_up(
    connection: psycopg.Connection, neighbours: Neighbours, ids: Iterable[str], owners: Iterable[str]
) -> None:
    """Add stored resources with these ids, of these owners or of nobody, to what is known around."""
    parameters = {"ids": sorted(ids), "owners": sorted({NOBODY, *owners})}
    if not parameters["ids"]:
        return
    for owner, identity, digest, resource in connection.execute(query("neighbours"), parameters):
        neighbours.seen[owner, identity] = bytes(digest)
        neighbours.add(owner, identity, resource)


def outdated(connection: psycopg.Connection, rows: Sequence[Row], neighbours: Neighbours) -> set[Key]:
    """The rows whose names from outside have changed in the database since they were looked up."""
    asked = {(r.key[0], i) for r in rows for i in r.named_by}
    if not asked:
        return set()
    meant = store.meant_by(connection, sorted({i for _, i in asked if "?identifier=" in i}))
    before = {d: target for raw, target in neighbours.full_urls.items() if (d := designated(raw))}
    moved = {designation for designation in meant if meant[designation] != before.get(designation)}
    parameters = {"ids": sorted({i for _, i in asked}), "owners": sorted({NOBODY, *(o for o, _ in asked)})}
    now = {(o, i): bytes(d) for o, i, d in connection.execute(query("neighbour_hashes"), parameters)}
    changed = {
        (owner, identity)
        for owner, identity in asked
        if identity in moved
        or any(now.get((o, identity)) != neighbours.seen.get((o, identity)) for o in (owner, NOBODY))
    }
    return {r.key for r in rows if any((r.key[0], i) in changed for i in r.named_by)}


def dependents(connection: psycopg.Connection, changed: Sequence[Row], source: str) -> set[Key]:
    """The stored rows that show, or would show, the name of a resource changed by this source."""
    names = {r.key for r in changed} | {(r.key[0], d) for r in changed for d in r.identifiers}
    if not names:
        return set()
    rows = connection.execute(query("dependents"), {"ids": sorted({i for _, i in names}), "source": source})
    return {
        (o, i)
        for o, i, named_by in rows
        if any((whose, n) in names for n in named_by for whose in (o, NOBODY))
    }


def render_again(connection: psycopg.Connection, keys: Iterable[Key], embedder: Embedder) -> tuple[int, int]:
    """Render stored rows anew with the names the database has now; (rows refreshed, texts embedded)."""
    keys = sorted(keys)
    refreshed = embedded = 0
    for start in range(0, len(keys), _AT_ONCE):
        rows = _rendered(connection, keys[start : start + _AT_ONCE])
        embedded += store.embed_texts(connection, store.unknown_texts(connection, rows), embedder)
        refreshed += store.store_rows(connection, rows).refreshed
    return refreshed, embedded


def _rendered(connection: psycopg.Connection, keys: Sequence[Key]) -> list[Row]:
    parameters = {"patients": [k[0] for k in keys], "ids": [k[1] for k in keys]}
    stored = connection.execute(query("stored_resources"), parameters).fetchall()
    urls = [_urls(row[2], row[3]) for row in stored]
    for row, known in zip(stored, urls, strict=True):
        by_identifier = conditional_references([row[2]]) - known.keys()
        known.update(resolved(by_identifier, [], lambda d: store.meant_by(connection, d)))
    around = Neighbours()
    wanted = {
        r.target for row, known in zip(stored, urls, strict=True) for r in outbound(row[2], known) if r.target
    }
    look_up(connection, around, wanted, {row[0] for row in stored})
    rows: list[Row] = []
    for (owner, _, resource, _, digest, updated, version, source, here, number), known in zip(
        stored, urls, strict=True
    ):
        candidate = Candidate(owner, resource, "", number, bytes(digest), Version(updated, version))
        inside = set(here)
        task = Task(
            source, [candidate], Neighbours(known, around.names, around.medications, inside, conditional=True)
        )
        rows += [r for r in render(task) if isinstance(r, Row)]
    return rows


def _urls(resource: Json, facts: str) -> dict[str, str]:
    """The urls of the Bundle a stored resource came in, as far as it refers to them."""
    targets = {r.path: r.target for r in FACTS.validate_json(facts).references if r.target}
    return {
        string(raw): targets[path]
        for path, raw in _references(resource)
        if path in targets and not string(raw).startswith("#")
    }


def _references(resource: Json) -> Iterable[tuple[str, object]]:
    stack: list[tuple[str, object]] = [("", resource)]
    while stack:
        where, value = stack.pop()
        if isinstance(value, dict):
            yield where, obj(value).get("reference")
            stack.extend((f"{where}.{k}" if where else k, v) for k, v in value.items() if k != "contained")
        elif isinstance(value, list):
            stack.extend((f"{where}[{i}]", v) for i, v in enumerate(value))
