"""Whether a Condition states a clinical problem, or a finding, circumstance or errand kept in the same list.

Decided by category and code first (US Core's SDOH category, ICD-10-CM Z55 to Z65), then by the semantic tag of SNOMED CT. A
Condition that says neither counts as clinical: a problem is not hidden for want of a tag.
"""

from __future__ import annotations

import re

from core.fhir.codes import plain, semantic_tag
from core.models import Facts

_CLINICAL_TAGS = frozenset({"disorder", "morphologic abnormality"})
_SOCIAL_CATEGORIES = frozenset({"sdoh", "social history", "social determinants of health"})
_DUE = re.compile(r"\b(?:over)?due$", re.IGNORECASE)
_SOCIAL_ICD10 = re.compile(r"Z(?:5[5-9]|6[0-5])(?:\.|$)")


def is_social(facts: Facts) -> bool:
    """Whether category or code marks a circumstance of living."""
    categories = {c.casefold().replace("-", " ") for c in facts.categories}
    return bool(categories & _SOCIAL_CATEGORIES) or any(
        "icd-10" in c.system and _SOCIAL_ICD10.match(c.code) for c in facts.codings
    )


def is_errand(facts: Facts) -> bool:
    """Whether it only reminds of something to be done ("Medication review due"): a situation, no state of the patient."""
    names = [n for n in facts.names if semantic_tag(n) == "situation"]
    return any(_DUE.search(plain(n)) for n in names)


def is_tagged_otherwise(facts: Facts) -> bool:
    """Whether its names carry SNOMED CT tags and none of them that of a disorder."""
    tags = {semantic_tag(name) for name in facts.names} - {""}
    return bool(tags) and not tags & _CLINICAL_TAGS
