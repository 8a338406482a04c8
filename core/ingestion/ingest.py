"""Ingestion: read = written + updated + unchanged + superseded + quarantined, always; a file is one transaction.

Killed at any point, the same command again completes the same tables. An unchanged resource is recognised by its
hash and costs neither rendering nor embedding. Rendering runs in other processes beside the embedding.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import psycopg

from core.database.pool import Database
from core.database.queries import query
from core.embedding import Embedder
from core.ingestion import names, store
from core.ingestion.candidates import Orphan, Sorted, drop_known, drop_moved, sort_out
from core.ingestion.document import Document, Problem
from core.ingestion.files import Source, digest_of, find_files
from core.ingestion.meter import Meter
from core.ingestion.neighbours import Neighbours, referred_to
from core.ingestion.read import read_source
from core.ingestion.rendering import Refused, Renderer, Task
from core.ingestion.report import Progress, Report, Tally
from core.ingestion.rows import Row

__all__ = ["Progress", "Report", "ingest"]

_ROWS_AHEAD = 20_000  # resources of usual size, read ahead and being rendered while others are embedded
_ROWS_TOGETHER = 5_000  # of them, embedded together: enough to fill the batches of each length
_ORPHANS_KEPT = 20_000
_ANALYZE_FROM = 500  # rows written, from which the planner should look at the tables again


def ingest(
    database: Database,
    embedder: Embedder,
    paths: list[Path],
    on_progress: Callable[[Progress], None] = lambda _: None,
    downloads: Sequence[Source] = (),
) -> Report:
    """Ingest the downloads and every file under the paths; raises IngestError only when a path does not exist at all."""
    sources = [*downloads, *find_files(paths)]
    meter = Meter(sources, on_progress)
    with Renderer() as renderer:
        run = _Run(database, embedder, renderer, meter)
        for source in sources:
            run.take(source)
        run.finish()
    meter.end()
    return run.tally.report(len(sources), meter.seconds, _warnings(sources, run.tally))


def _warnings(sources: Sequence[Source], tally: Tally) -> list[str]:
    if not sources:
        return ["No .json, .ndjson, .gz or .zip file was found under the given paths."]
    if tally.types and not tally.types["Observation"] and not tally.counts["unchanged"]:
        return [
            "No Observation was found: there is no result to ask about or to chart. "
            "(Synthea's option -m filters modules, not patients; generate without it.)"
        ]
    return []


@dataclass(slots=True)
class _Prepared:
    """A document on its way: sorted out, its new resources being rendered."""

    document: Document
    sorted: Sorted
    neighbours: Neighbours
    rendering: Future[list[Row | Refused]]
    unchanged: int
    superseded: int
    file: _File
    ends_file: bool = False


@dataclass(slots=True)
class _File:
    """A source on its way. Its old problems go with its first document, and it is remembered with its last one.

    One whose very bytes were `seen` before brings nothing later than what is stored.
    """

    source: Source
    digest: bytes | None
    seen: bool = False
    cleared: bool = False
    resources: int = 0
    problems: int = 0


class _Run:
    """One ingestion: documents are prepared ahead, embedded together and stored file by file."""

    def __init__(
        self,
        database: Database,
        embedder: Embedder,
        renderer: Renderer,
        meter: Meter,
    ) -> None:
        self._database, self._embedder, self._renderer = database, embedder, renderer
        self._meter = meter
        self._waiting = 0
        self._ahead: deque[_Prepared] = deque()
        self._orphans: list[Orphan] = []
        self.tally = Tally()

    def take(self, source: Source) -> None:
        """Read a source; a small one is stored with those beside it, a long one as it is read, both in one transaction."""
        self._meter.reading(source.name)
        file = _File(source, digest_of(source) if source.lasting else None)
        if self._is_known(file):
            return
        documents = read_source(source)
        for document in documents:
            if document.last:
                with self._database.connection() as connection:
                    self._ahead.append(self._prepare(connection, document, file))
                self._waiting += document.weight
            else:
                self.flush()
                self._stream(chain([document], documents), file)
        if self._ahead and self._ahead[-1].file is file:
            self._ahead[-1].ends_file = True
        else:
            self._meter.source_done(source)
        if self._waiting >= _ROWS_AHEAD:
            self.flush(_ROWS_AHEAD // 2)

    def _is_known(self, file: _File) -> bool:
        """Whether these very bytes were taken whole before; they are counted as unchanged."""
        if file.digest is None:
            return False
        with self._database.connection() as connection:
            resources = store.resources_of(connection, file.source.name, file.digest)
        file.seen = resources is not None
        if resources is None or resources < 0:
            return False
        self.tally.counts.update(read=resources, unchanged=resources)
        self._meter.read += resources
        self._meter.source_done(file.source)
        return True

    def finish(self) -> None:
        """Store what is left, give orphans whose patient came later their place, and tidy up."""
        self.flush()
        self._adopt()
        with self._database.connection() as connection:
            store.lock(connection)
            connection.execute(query("drop_orphan_concepts"))
            if self.tally.counts["written"] + self.tally.counts["updated"] >= _ANALYZE_FROM:
                connection.execute("analyze resources, concepts, patients")

    def flush(self, keep: int = 0) -> None:
        """Embed and store prepared documents, the oldest first, until about `keep` (of usual size) are left waiting."""
        while self._ahead and (self._waiting > keep or not keep):
            together, size = [], 0
            while self._ahead and size < _ROWS_TOGETHER:
                together.append(self._ahead.popleft())
                size += together[-1].document.weight
            self._waiting -= size
            self._embed_and_store(together)

    def _embed_and_store(self, ahead: Sequence[_Prepared]) -> None:
        """Embed what these documents bring, together; store each in its own transaction."""
        with self._database.connection() as connection:
            rows = [r for p in ahead for r in _rows(p.rendering.result())]
            texts = store.unknown_texts(connection, rows)
        size = sum(p.file.source.size for p in ahead if p.ends_file)
        hashes = sorted(texts, key=lambda h: (len(texts[h]), h))
        for start in range(0, len(hashes), store.TEXTS_AT_ONCE):
            part = {h: texts[h] for h in hashes[start : start + store.TEXTS_AT_ONCE]}
            # Committed by themselves: a run that is killed and started again does not embed them twice.
            with self._database.connection() as connection:
                self.tally.counts["texts_embedded"] += store.embed_texts(
                    connection,
                    part,
                    self._embedder,
                    lambda n, before=start: self._meter.embedding(before + n, len(hashes), size),  # type: ignore[misc]
                )
        for prepared in ahead:
            with self._database.connection() as connection:
                store.lock(connection)
                tally = self._store(connection, prepared)
            self._committed(prepared, tally)

    def _stream(self, documents: Iterator[Document], file: _File) -> None:
        """A source of many documents: one transaction, one document in memory while the next is rendered."""
        tally, held = Tally(), None
        with self._database.connection() as connection:
            store.lock(connection)
            for document in documents:
                prepared = self._prepare(connection, document, file)
                if held is not None:
                    tally.add(self._store(connection, held))
                    self._meter.reading(document.source, held.document.consumed)
                held = prepared
                if document.last:
                    break
            if held is not None:
                held.ends_file = not file.source.archive
                tally.add(self._store(connection, held))
        self.tally.add(tally)

    def _prepare(self, connection: psycopg.Connection, document: Document, file: _File) -> _Prepared:
        """Sort a document out and start rendering what it has to say."""
        names.resolve_conditional(connection, document)
        found = sort_out(document, lambda ids: store.owners_of(connection, ids))
        known = store.known_rows(connection, found.latest)
        fresh, unchanged, superseded = drop_known(list(found.latest.values()), known, file.seen)
        neighbours = Neighbours(document.full_urls, conditional=document.conditional)
        if fresh:
            self._embedder.warm()
            for candidate in found.latest.values():
                stored = known.get(candidate.key)
                if not stored or not candidate.version.is_before(stored[1]):
                    neighbours.add(*candidate.key, candidate.resource)
                    neighbours.here.add(candidate.key[1])
            outside = referred_to([c.resource for c in fresh], document.full_urls) - neighbours.here
            names.look_up(connection, neighbours, outside, {c.owner for c in fresh})
        self._meter.read += document.read
        self._orphans += found.orphans[: max(0, _ORPHANS_KEPT - len(self._orphans))]
        rendering = self._renderer.submit(Task(document.source, fresh, neighbours))
        return _Prepared(document, found, neighbours, rendering, unchanged, superseded, file)

    def _store(self, connection: psycopg.Connection, prepared: _Prepared) -> Tally:
        """One document into the database, under the lock; what came between preparing and storing is looked at again."""
        document, found = prepared.document, prepared.sorted
        rendered = prepared.rendering.result()
        refused = [r for r in rendered if isinstance(r, Refused)]
        problems = [
            *found.problems,
            *(Problem(document.source, r.candidate.place, r.reason) for r in refused),
        ]
        offered = _rows(rendered)
        known = store.known_rows(connection, [r.key for r in offered])
        rows, unchanged, superseded = drop_known(offered, known, prepared.file.seen)
        kept, moved = drop_moved(rows, store.rows_elsewhere(connection, rows))
        superseded += len(rows) - len(kept)
        rows = kept
        embedded = store.embed_texts(connection, store.unknown_texts(connection, rows), self._embedder)
        stored = store.store_rows(connection, rows)
        store.remove(connection, moved)
        problems += [Problem(document.source, row.place, reason) for row, reason in stored.refused]
        store.store_patients(connection, stored.taken)
        again = names.dependents(connection, stored.taken, document.source) - {r.key for r in stored.taken}
        again |= names.outdated(connection, stored.taken, prepared.neighbours)
        refreshed, embedded_again = names.render_again(connection, again, self._embedder)
        self._keep_problems(connection, prepared, problems)
        return Tally(
            Counter(
                read=document.read,
                written=stored.inserted,
                updated=stored.refreshed,
                unchanged=found.unchanged + prepared.unchanged + unchanged,
                superseded=found.superseded + prepared.superseded + superseded,
                refreshed=refreshed,
                texts_embedded=embedded + embedded_again,
                quarantined=len(problems),
            ),
            Counter(r.kind for r in stored.taken),
            problems,
        )

    def _keep_problems(
        self, connection: psycopg.Connection, prepared: _Prepared, problems: Sequence[Problem]
    ) -> None:
        """Replace what was wrong with a file by what is wrong with it now; one without a problem is remembered."""
        file = prepared.file
        if not file.cleared:
            store.clear_problems(connection, file.source.name)
            file.cleared = True
        store.store_problems(connection, problems)
        file.resources += prepared.document.read
        file.problems += len(problems)
        if prepared.ends_file and file.digest:
            resources = -1 - file.resources if file.problems else file.resources
            store.record_file(connection, file.source.name, file.digest, resources)

    def _adopt(self) -> None:
        """Resources whose patient can be told only now that later files are stored, one transaction a source."""
        orphans, self._orphans = self._orphans, []
        together: dict[tuple[str, int], list[Orphan]] = {}
        for orphan in orphans:  # urls mean something within their Bundle only
            together.setdefault((orphan.problem.source, id(orphan.full_urls)), []).append(orphan)
        for (source, _), lost in together.items():
            document = Document(
                source,
                [o.resource for o in lost],
                [o.place for o in lost],
                [o.number for o in lost],
                first=False,
            )
            document.full_urls.update(lost[0].full_urls)
            document.conditional = True
            with self._database.connection() as connection:
                store.lock(connection)
                file = _File(Source(source, Path(), 0), None, cleared=True)
                prepared = self._prepare(connection, document, file)
                store.drop_problems(connection, [o.problem for o in lost])
                tally = self._store(connection, prepared)
            self.tally.withdraw({o.problem for o in lost})
            self._meter.read -= len(lost)
            self.tally.add(tally)

    def _committed(self, prepared: _Prepared, tally: Tally) -> None:
        self.tally.add(tally)
        if prepared.ends_file:
            self._meter.source_done(prepared.file.source)
        self._meter.reading(prepared.document.source)


def _rows(rendered: Sequence[Row | Refused]) -> list[Row]:
    return [r for r in rendered if isinstance(r, Row)]
