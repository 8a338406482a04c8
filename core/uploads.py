"""Records loaded in the browser: written to a private file for as long as they are read, known by their own name.

What is in them passes the same ingestion as any file; a setting allows it, and it is off unless set.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from core.config import Settings
from core.database.pool import Database
from core.embedding import Embedder
from core.errors import IngestError
from core.ingestion.files import Source
from core.ingestion.ingest import ingest
from core.ingestion.report import Progress, Report

__all__ = ["SUFFIXES", "Progress", "Report", "take_upload"]

SUFFIXES = ("json", "ndjson", "gz", "zip")


def take_upload(
    settings: Settings,
    database: Database,
    embedder: Embedder,
    name: str,
    body: bytes,
    on_progress: Callable[[Progress], None],
) -> Report:
    """Ingest one uploaded file; raises IngestError where uploads are not allowed or the name is of no known kind."""
    if not settings.uploads:
        raise IngestError(
            "Loading records in the browser is not allowed here. Set CHARTCITE_UPLOADS=true to allow it."
        )
    plain = Path(name.replace("\\", "/")).name
    suffixes = "".join(Path(plain).suffixes[-2:]).lower()
    if not suffixes.endswith(tuple(f".{s}" for s in SUFFIXES)):
        raise IngestError(f"{plain or 'The file'} is none of {', '.join('.' + s for s in SUFFIXES)}.")
    with tempfile.TemporaryDirectory(prefix="chartcite-") as folder:
        # Only the ending of the name reaches the file system.
        path = Path(folder) / f"upload{suffixes}"
        path.write_bytes(body)
        return ingest(database, embedder, [], on_progress, [Source(f"uploaded {plain}", path, len(body))])
