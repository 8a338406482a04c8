"""What the verifier may look at: one patient's typed facts, void ones marked, indexed by series and by type.

A void resource is never counted, ranked or compared; it is only ever named as the reason a citation does not hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property

from core import terminology
from core.models import Facts

_BEFORE_ALL = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Record:
    """The typed facts of one patient's resources, "Type/id" -> Facts, void ones included.

    It has to be complete for every series and type a cited resource belongs to: "latest" and counts are read from it.
    """

    patient_ref: str
    resources: Mapping[str, Facts]

    @cached_property
    def patient(self) -> Facts | None:
        """The Patient resource itself, where the record holds it."""
        return self.resources.get(self.patient_ref)

    @cached_property
    def clock(self) -> date | None:
        """The day of the record's latest entry: "the last 6 months" and "3 years ago" count back from it."""
        days = [
            f.date.start
            for f in self.resources.values()
            if f.date and not f.void and f.resource_type != "Patient"
        ]
        return max(days, default=None)

    def of_type(self, resource_type: str) -> tuple[Facts, ...]:
        """Every resource of one type that is evidence (not void, not "not done"), oldest first."""
        return self._by_type.get(resource_type, ())

    def series(self, facts: Facts) -> tuple[Facts, ...]:
        """Every resource that is about the same concept, oldest first: same key, same code, same analyte."""
        found = {f.resource_id: f for key in self.series_keys(facts) for f in self._by_key.get(key, ())}
        return in_date_order(found.values())

    def same_series(self, one: Facts, other: Facts) -> bool:
        return one.resource_type == other.resource_type and bool(
            self.series_keys(one) & self.series_keys(other)
        )

    def series_keys(self, facts: Facts) -> frozenset[str]:
        """The keys under which resources of one concept are found: its concept key, its codes, its analytes' codes."""
        return self._keys_of(facts)

    @cached_property
    def _key_cache(self) -> dict[str, frozenset[str]]:
        return {}

    def _keys_of(self, facts: Facts) -> frozenset[str]:
        cached = self._key_cache.get(facts.resource_id)
        if cached is None:
            codes = {f"{c.system}|{c.code}" for c in facts.codings if c.code}
            if facts.resource_type == "Observation":
                for analyte in terminology.analytes_of(codes):
                    codes |= analyte.codes
            cached = frozenset({facts.concept_key} | {f"{facts.resource_type}|{c}" for c in codes})
            self._key_cache[facts.resource_id] = cached
        return cached

    @cached_property
    def _by_type(self) -> dict[str, tuple[Facts, ...]]:
        found: dict[str, list[Facts]] = {}
        for facts in self.resources.values():
            if not facts.void and not facts.not_done:
                found.setdefault(facts.resource_type, []).append(facts)
        return {kind: in_date_order(members) for kind, members in found.items()}

    @cached_property
    def _by_key(self) -> dict[str, list[Facts]]:
        found: dict[str, list[Facts]] = {}
        for members in self._by_type.values():
            for facts in members:
                keys = {f"{facts.resource_type}|{c.system}|{c.code}" for c in facts.codings if c.code}
                for key in keys | {facts.concept_key}:
                    found.setdefault(key, []).append(facts)
        return found


def instant(facts: Facts) -> datetime:
    """When a resource is dated; an undated one sorts before all others."""
    return facts.date.instant if facts.date else _BEFORE_ALL


def in_date_order(found: Iterable[Facts]) -> tuple[Facts, ...]:
    return tuple(sorted(found, key=instant))
