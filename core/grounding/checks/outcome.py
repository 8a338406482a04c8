"""What one check found: agreed, contradicted by the record, or not to be found in what is cited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.models import Check, Facts


@dataclass(frozen=True, slots=True)
class Outcome:
    """`missing` tells a fact that the cited resources do not speak of from one that they contradict."""

    kind: str
    ok: bool
    expected: str
    found: str
    missing: bool = False

    def check(self) -> Check:
        return Check(kind=self.kind, ok=self.ok, expected=self.expected, found=self.found)


def agreed(kind: str, expected: str, found: str) -> Outcome:
    return Outcome(kind, True, expected, found)


def contradicted(kind: str, expected: str, found: str) -> Outcome:
    return Outcome(kind, False, expected, found)


def missing(kind: str, expected: str, found: str) -> Outcome:
    return Outcome(kind, False, expected, found, missing=True)


def named(facts: Facts) -> str:
    """A resource in words fit for a detail line: its name and date."""
    return f"{facts.label} ({facts.date.shown})" if facts.date else facts.label


def several(texts: Sequence[str], limit: int = 4) -> str:
    """A few texts, without repeats, the rest counted."""
    unique = list(dict.fromkeys(t for t in texts if t))
    shown = ", ".join(unique[:limit])
    return f"{shown} and {len(unique) - limit} more" if len(unique) > limit else shown
