"""How far an ingestion is, by the bytes of its sources: never back, and at the end only when all is stored."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from core.ingestion.files import Source
from core.ingestion.report import Progress

_EMBEDDING_SHARE = 0.9  # of the time a file takes, where it has texts to embed


class Meter:
    """Counts what has been read and what is done with, and tells `on_progress`."""

    def __init__(self, sources: Sequence[Source], on_progress: Callable[[Progress], None]) -> None:
        self.read = 0
        self._on_progress, self._sources = on_progress, len(sources)
        self._started = time.perf_counter()
        self._bytes, self._bytes_done = sum(s.size for s in sources), 0
        self._done = 0
        self._fraction = 0.0

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self._started

    def source_done(self, source: Source) -> None:
        self._done += 1
        self._bytes_done += source.size

    def reading(self, name: str, consumed: int = 0) -> None:
        """A source is read; `consumed` bytes of it are stored as well."""
        self._tell(name, float(consumed))

    def embedding(self, embedded: int, of: int, size: int) -> None:
        """So many texts are embedded of those that sources of `size` bytes bring."""
        self._tell("", _EMBEDDING_SHARE * size * embedded / of, embedded, of)

    def end(self) -> None:
        self._bytes_done = self._bytes
        self._fraction = 1.0
        self._tell("", 0.0)

    def _tell(self, name: str, share: float, embedded: int = 0, to_embed: int = 0) -> None:
        fraction = min(1.0, (self._bytes_done + share) / max(1, self._bytes))
        self._fraction = max(self._fraction, fraction)
        shown = name.rpartition("/")[2]
        self._on_progress(
            Progress(
                self._done, self._sources, self.read, shown, embedded, to_embed, self._fraction, self.seconds
            )
        )
