"""What a record links together: the encounter a resource is of, and what was diagnosed and done at an encounter.

A statement may say of a resource what its encounter was, and of an encounter what it was about; nothing further away.
"""

from __future__ import annotations

from core.grounding.record import Record
from core.models import Facts

_TOLD_OF = ("Condition", "Procedure")


def around(record: Record, facts: Facts) -> tuple[Facts, ...]:
    """The encounter of a resource, and for a result what was done there; of an encounter, the conditions and procedures."""
    if facts.resource_type == "Encounter":
        return _at(record).get(facts.resource_id, ())
    found = (
        record.resources.get(r.target)
        for r in facts.references
        if r.path.startswith(("encounter", "context"))
    )
    visits = tuple(f for f in found if f and not f.void and f.resource_type == "Encounter")
    if facts.resource_type != "Observation":
        return visits
    done = (f for v in visits for f in _at(record).get(v.resource_id, ()) if f.resource_type == "Procedure")
    return (*visits, *done)


def _at(record: Record) -> dict[str, tuple[Facts, ...]]:
    """What was diagnosed and done, by encounter; worked out once for a record."""
    found = record.memo.get("at encounters")
    if not isinstance(found, dict):
        gathered: dict[str, list[Facts]] = {}
        for facts in (f for kind in _TOLD_OF for f in record.of_type(kind)):
            for reference in facts.references:
                if reference.path.startswith(("encounter", "context")):
                    gathered.setdefault(reference.target, []).append(facts)
        found = record.memo["at encounters"] = {key: tuple(members) for key, members in gathered.items()}
    return found
