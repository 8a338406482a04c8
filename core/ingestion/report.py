"""What an ingestion did and how far it is: read = written + updated + unchanged + superseded + quarantined, always."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field

from pydantic import BaseModel, Field

from core.ingestion.document import Problem


class Report(BaseModel):
    """What an ingestion did. Counts are rows the database wrote, never attempts.

    `refreshed` counts rows that were read before and now show a name that this ingestion brought. `problems` are the
    first of the quarantined; the database keeps all of them.
    """

    files: int = 0
    read: int = 0
    written: int = 0
    updated: int = 0
    unchanged: int = 0
    superseded: int = 0
    quarantined: int = 0
    refreshed: int = 0
    texts_embedded: int = 0
    seconds: float = 0.0
    by_type: dict[str, int] = Field(default_factory=dict)
    problems: list[dict[str, str]] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)


@dataclass(slots=True)
class Progress:
    """How far an ingestion is: files done of all, resources read so far and in how many seconds, the file at hand.

    While texts are embedded, `embedded` of `to_embed` are done. `fraction` is 0 to 1 and never goes back.
    """

    done: int
    files: int
    resources: int
    source: str
    embedded: int = 0
    to_embed: int = 0
    fraction: float = 0.0
    seconds: float = 0.0


_PROBLEMS_KEPT = 1_000


@dataclass(slots=True)
class Tally:
    """Counts and types of what has been committed, and the first of its problems."""

    counts: Counter[str] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.counts.update(other.counts)
        self.types.update(other.types)
        self.problems += other.problems[: max(0, _PROBLEMS_KEPT - len(self.problems))]

    def withdraw(self, problems: Collection[Problem]) -> None:
        """Take back problems, and the resources read that they stand for."""
        self.counts.subtract({"read": len(problems), "quarantined": len(problems)})
        self.problems = [p for p in self.problems if p not in problems]

    def report(self, files: int, seconds: float, warnings: list[str]) -> Report:
        read = ("read", "written", "updated", "unchanged", "superseded", "quarantined")
        beside = ("refreshed", "texts_embedded")
        return Report(
            files=files,
            **{name: self.counts[name] for name in (*read, *beside)},
            seconds=round(seconds, 2),
            by_type=dict(self.types.most_common()),
            problems=[{"source": p.source, "entry": p.entry, "reason": p.reason} for p in self.problems],
            warnings=warnings,
        )
