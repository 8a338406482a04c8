"""SQL by name from db/queries: one statement a file, read once, never built from strings."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import LiteralString

from core.errors import ConfigurationError

ROOT = Path(__file__).resolve().parents[2] / "db"


@cache
def query(name: str) -> LiteralString:
    """The statement in db/queries/<name>.sql; raises ConfigurationError when the file is missing."""
    path = ROOT / "queries" / f"{name}.sql"
    try:
        # The files ship with the code; nothing a user types ever becomes part of one.
        return path.read_text(encoding="utf-8")
    except OSError:
        raise ConfigurationError(
            f"{path} is missing. Install ChartCite again from a complete copy."
        ) from None
