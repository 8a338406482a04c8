"""Allergens by the words people use: soy is Glycine max, seafood is fish and shellfish. Codes first, words second."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from core.errors import ConfigurationError
from core.fhir.codes import SNOMED
from core.retrieval.search import Concept
from core.terminology import ROOT
from core.words import stems

Texts = Annotated[
    tuple[str, ...], BeforeValidator(lambda v: tuple(map(str, v)) if isinstance(v, list) else v)
]


class _Allergen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    words: Texts = Field(min_length=1)
    snomed: Texts = ()
    patterns: tuple[tuple[str, ...], ...] = ()
    within: Texts = ()


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    source: str
    allergens: tuple[_Allergen, ...]


@dataclass(frozen=True, slots=True)
class _Known:
    codes: frozenset[str]
    patterns: tuple[frozenset[str], ...]

    def is_it(self, concept: Concept) -> bool:
        if concept.codes & self.codes:
            return True
        names = [frozenset(stems(n)) for n in (concept.label, *concept.names)]
        return any(p <= n for p in self.patterns for n in names)


@cache
def _known() -> dict[tuple[str, ...], _Known]:
    """The stems of every word for an allergen -> how a record names it."""
    path = ROOT / "allergens.yaml"
    try:
        read = _File.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
        by_key = {a.key: a for a in read.allergens}
        found: dict[tuple[str, ...], _Known] = {}
        for allergen in read.allergens:
            parts = [allergen, *(by_key[key] for key in allergen.within)]
            codes = frozenset(f"{SNOMED}|{c}" for a in parts for c in a.snomed)
            patterns = tuple(frozenset(s for w in p for s in stems(w)) for a in parts for p in a.patterns)
            found |= {stems(word): _Known(codes, patterns) for word in allergen.words}
    except (OSError, yaml.YAMLError, ValidationError, KeyError) as error:
        raise ConfigurationError(
            f"{path} cannot be read ({str(error).splitlines()[0]}). Restore the file."
        ) from None
    return found


def allergies_to(words: Sequence[str], pool: Sequence[Concept]) -> list[Concept]:
    """The allergies of a record to what these stems name; [] where they name no allergen or none is recorded."""
    known = _known().get(tuple(words))
    if known is None:
        return []
    return [c for c in pool if c.resource_type == "AllergyIntolerance" and known.is_it(c)]
