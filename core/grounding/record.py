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
    def memo(self) -> dict[str, object]:
        """What readers of the record work out once and keep with it."""
        return {}

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
        cached = self._ordered.get(resource_type)
        if cached is None:
            found = (f for f in self._by_type.get(resource_type, ()) if not f.void and not f.not_done)
            cached = self._ordered[resource_type] = in_date_order(found)
        return cached

    def series(self, facts: Facts) -> tuple[Facts, ...]:
        """Every resource that is about the same concept, oldest first: same key, same code, same analyte."""
        keys = self.series_keys(facts)
        cached = self._series.get(keys)
        if cached is None:
            index = self._index(facts.resource_type)
            found = {f.resource_id: f for key in keys for f in index.get(key, ())}
            cached = self._series[keys] = in_date_order(found.values())
        return cached

    def same_series(self, one: Facts, other: Facts) -> bool:
        return one.resource_type == other.resource_type and bool(
            self.series_keys(one) & self.series_keys(other)
        )

    def series_keys(self, facts: Facts) -> frozenset[tuple[str, str]]:
        """The keys under which resources of one concept are found: its concept key, its codes, its analytes' codes."""
        cached = self._keys.get(facts.resource_id)
        if cached is None:
            pairs = {(c.system, c.code) for c in facts.codings if c.code}
            if facts.resource_type == "Observation":
                for analyte in terminology.analytes_of(f"{system}|{code}" for system, code in tuple(pairs)):
                    pairs |= {(code.rpartition("|")[0], code.rpartition("|")[2]) for code in analyte.codes}
            cached = self._keys[facts.resource_id] = frozenset(pairs | {("", facts.concept_key)})
        return cached

    def _index(self, resource_type: str) -> dict[tuple[str, str], list[Facts]]:
        """The resources of one type by concept key and by code."""
        cached = self._indexes.get(resource_type)
        if cached is None:
            cached = self._indexes[resource_type] = {}
            for facts in self.of_type(resource_type):
                cached.setdefault(("", facts.concept_key), []).append(facts)
                for coding in facts.codings:
                    cached.setdefault((coding.system, coding.code), []).append(facts)
        return cached

    @cached_property
    def _by_type(self) -> dict[str, list[Facts]]:
        found: dict[str, list[Facts]] = {}
        for facts in self.resources.values():
            found.setdefault(facts.resource_type, []).append(facts)
        return found

    @cached_property
    def _ordered(self) -> dict[str, tuple[Facts, ...]]:
        return {}

    @cached_property
    def _indexes(self) -> dict[str, dict[tuple[str, str], list[Facts]]]:
        return {}

    @cached_property
    def _series(self) -> dict[frozenset[tuple[str, str]], tuple[Facts, ...]]:
        return {}

    @cached_property
    def _keys(self) -> dict[str, frozenset[tuple[str, str]]]:
        return {}


def instant(facts: Facts) -> datetime:
    """When a resource is dated; an undated one sorts before all others."""
    return facts.date.instant if facts.date else _BEFORE_ALL


def in_date_order(found: Iterable[Facts]) -> tuple[Facts, ...]:
    return tuple(sorted(found, key=instant))
