"""Which Conditions are clinical problems, by the record's own marks first, then by what the vocabulary knows."""

from __future__ import annotations

from functools import lru_cache

from core.fhir.problems import is_social, is_tagged_otherwise
from core.models import Facts
from core.terminology import TermKind, terms


def is_clinical(facts: Facts) -> bool:
    """A disorder, or a finding the vocabulary knows as a condition; not work, schooling, housing or paperwork."""
    if is_social(facts):
        return False
    if not is_tagged_otherwise(facts):
        return True
    return _is_known(facts.names, frozenset(f"{c.system}|{c.code}" for c in facts.codings))


@lru_cache(maxsize=4096)
def _is_known(names: tuple[str, ...], codes: frozenset[str]) -> bool:
    """Whether a condition of the vocabulary has one of these codes or names; a record repeats the same few."""
    conditions = [t for t in terms() if t.kind is TermKind.CONDITION]
    return any(t.codes & codes or any(t.is_named_by(n) for n in names) for t in conditions)
