"""Clinical vocabulary from data/terminology: codes decide first, words second, and every file names its source.

A term that is malformed, or a word two terms of one kind claim, stops the program at start with the file and the term.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from core.errors import ConfigurationError
from core.fhir.codes import CVX, LOINC, SNOMED
from core.words import stems

ROOT = Path(__file__).resolve().parents[1] / "data" / "terminology"


def _as_text(value: object) -> object:
    """YAML reads an all-digit code as a number; bool stays wrong (an unquoted yes/no is a mistake in the file)."""
    if isinstance(value, list):
        return tuple(str(v) if isinstance(v, int) and not isinstance(v, bool) else v for v in value)
    return value


Texts = Annotated[tuple[str, ...], BeforeValidator(_as_text)]


class TermKind(StrEnum):
    ANALYTE = "analytes"
    DRUG_CLASS = "drug_classes"
    CONDITION = "conditions"
    VACCINE = "vaccines"
    PROCEDURE = "procedures"


class Term(BaseModel):
    """A clinical idea: how people name it and how a record codes it.

    `loinc`/`snomed`/`cvx` codes are it; `within` are panels that hold it as a component; `condition` are diagnoses
    that speak of it.
    `stems`/`prefixes`/`ingredients` recognise a drug by a word of its name, `exceptions` are words that only look so.
    `treated_as` is the condition that a drug "for" an analyte is for: for blood pressure, hypertension.
    `mg_per_mmol` is the molar mass of an analyte that is printed both as mass and as substance.
    `narrower` are those of the words that say more than the term does, each with the codes that it is.
    `patterns` recognise a condition, vaccine or procedure by all the words of one pattern, unless one of `not` is there.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ignored_types=(cached_property,))

    kind: TermKind
    key: str = Field(min_length=1)
    label: str = Field(min_length=1)
    words: Texts = Field(min_length=1)
    loinc: Texts = ()
    snomed: Texts = ()
    cvx: Texts = ()
    condition: Texts = ()
    within: Texts = ()
    stems: Texts = ()
    prefixes: Texts = ()
    ingredients: Texts = ()
    exceptions: Texts = ()
    patterns: tuple[tuple[str, ...], ...] = ()
    treated_as: str = ""
    excluded: Texts = Field(default=(), alias="not")
    narrower: dict[str, Texts] = Field(default_factory=dict)
    mg_per_mmol: Decimal | None = Field(default=None, gt=0)

    def __hash__(self) -> int:
        return hash((self.kind, self.key))

    @cached_property
    def codes(self) -> frozenset[str]:
        """Every code that is this term, as "system|code"."""
        systems = ((LOINC, self.loinc), (SNOMED, self.snomed), (CVX, self.cvx))
        return frozenset(f"{system}|{code}" for system, codes in systems for code in codes)

    @cached_property
    def panels(self) -> frozenset[str]:
        return frozenset(f"{LOINC}|{c}" for c in self.within)

    @cached_property
    def diagnoses(self) -> frozenset[str]:
        return frozenset(f"{SNOMED}|{c}" for c in self.condition)

    @cached_property
    def _patterns(self) -> tuple[frozenset[str], ...]:
        return tuple(frozenset(s for word in p for s in stems(word)) for p in self.patterns)

    @cached_property
    def _excluded(self) -> frozenset[str]:
        return frozenset(s for word in self.excluded for s in stems(word))

    @cached_property
    def _narrower(self) -> dict[tuple[str, ...], frozenset[str]]:
        return {
            stems(word): frozenset(f"{system}|{code}" for system in (LOINC, SNOMED, CVX) for code in codes)
            for word, codes in self.narrower.items()
        }

    @cached_property
    def broad(self) -> tuple[str, ...]:
        """The words that say no more than the term."""
        return tuple(w for w in self.words if stems(w) not in self._narrower)

    def narrower_codes(self, word: str) -> frozenset[str] | None:
        """The codes that a narrower word of the term stands for; None for a word that says no more than the term."""
        return self._narrower.get(stems(word))

    def is_named_by(self, name: str) -> bool:
        """Whether a record's own name for a drug or a condition makes it one of these."""
        words = stems(name)
        if self.kind is not TermKind.DRUG_CLASS:
            found = frozenset(words)
            return any(p <= found for p in self._patterns) and not self._excluded & found
        raw = [w.lower() for w in _plain_words(name)]
        return any(self._is_drug(word) for word in raw)

    def _is_drug(self, word: str) -> bool:
        if word in self.exceptions:
            return False
        return (
            word in self.ingredients
            or any(len(word) > len(s) + 1 and word.endswith(s) for s in self.stems)
            or any(word.startswith(p) and len(word) > len(p) + 2 for p in self.prefixes)
        )


def _plain_words(name: str) -> list[str]:
    return "".join(c if c.isalpha() else " " for c in name).split()


@dataclass(frozen=True, slots=True)
class TermMatch:
    """A term found in a text: the tokens `first`..`last` (inclusive) name it."""

    term: Term
    first: int
    last: int


@cache
def terms() -> tuple[Term, ...]:
    """Every term of data/terminology, validated. Raises ConfigurationError naming the file and the term."""
    found: list[Term] = []
    for kind in TermKind:
        path = ROOT / f"{kind}.yaml"
        body = _load(path)
        if not body.get("source"):
            raise ConfigurationError(f"{path} does not say its source. Add a `source:` line.")
        for number, raw in enumerate(body.get("terms") or [], 1):
            try:
                found.append(Term.model_validate({"kind": kind, **raw}))
            except (ValidationError, TypeError) as error:
                name = raw.get("key", number) if isinstance(raw, dict) else number
                raise ConfigurationError(
                    f"{path}, term {name}: {_first(error)}. Correct the entry."
                ) from None
    _reject_shared_words(found)
    return tuple(found)


class Topic(BaseModel):
    """What a heading may call a group of results or drugs: its words, and the keys of the terms that belong under it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    words: Texts = Field(min_length=1)
    terms: Texts = Field(min_length=1)


@cache
def topics() -> tuple[tuple[tuple[str, ...], frozenset[str]], ...]:
    """(stems of a heading's words, keys of the terms under it), longest first. Raises ConfigurationError."""
    path = ROOT / "topics.yaml"
    known = {t.key for t in terms()}
    found = []
    for raw in _load(path).get("topics") or []:
        try:
            topic = Topic.model_validate(raw)
        except ValidationError as error:
            raise ConfigurationError(f"{path}, topic {raw}: {_first(error)}. Correct the entry.") from None
        if unknown := sorted(set(topic.terms) - known):
            raise ConfigurationError(f"{path}: no term has the key {unknown[0]!r}. Correct the entry.")
        found += [(stems(word), frozenset(topic.terms)) for word in topic.words]
    return tuple(sorted(found, key=lambda pair: -len(pair[0])))


def _load(path: Path) -> dict[str, Any]:
    try:
        body = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise ConfigurationError(
            f"{path} cannot be read ({str(error).splitlines()[0]}). Restore the file."
        ) from None
    if not isinstance(body, dict):
        raise ConfigurationError(f"{path} is not a mapping. Restore the file.")
    return body


def _first(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(str(p) for p in first['loc'])}: {first['msg']}"
    return str(error)


def _reject_shared_words(found: Sequence[Term]) -> None:
    owner: dict[tuple[TermKind, tuple[str, ...]], str] = {}
    for term in found:
        for word in term.words:
            other = owner.setdefault((term.kind, stems(word)), term.key)
            if other != term.key:
                raise ConfigurationError(
                    f"{ROOT / term.kind}.yaml: {word!r} is claimed by {other} and by {term.key}. Keep it in one."
                )


@cache
def _phrases() -> dict[str, tuple[tuple[tuple[str, ...], Term], ...]]:
    """First stem -> (phrase, term), longest phrase first."""
    index: dict[str, list[tuple[tuple[str, ...], Term]]] = {}
    for term in terms():
        for word in dict.fromkeys(stems(w) for w in term.words):
            if word:
                index.setdefault(word[0], []).append((word, term))
    return {first: tuple(sorted(found, key=lambda p: -len(p[0]))) for first, found in index.items()}


def matches(words: Sequence[str]) -> list[TermMatch]:
    """Every term named in a sequence of stems, longest first at each place, without overlaps of unequal length."""
    found: list[TermMatch] = []
    position = 0
    while position < len(words):
        here = [
            (len(phrase), term)
            for phrase, term in _phrases().get(words[position], ())
            if tuple(words[position : position + len(phrase)]) == phrase
        ]
        longest = max((n for n, _ in here), default=0)
        found += [TermMatch(term, position, position + n - 1) for n, term in here if n == longest]
        position += max(longest, 1)
    return found


def terms_in(text: str) -> list[TermMatch]:
    """Every term named in a text."""
    return matches(stems(text))


@cache
def vocabulary() -> frozenset[str]:
    """The stems of every word of six letters or more that names a term: what a misspelling may have meant."""
    return frozenset(s for t in terms() for w in t.words for s in stems(w) if len(s) >= 6 and s.isalpha())


def analytes_of(codes: Iterable[str]) -> list[Term]:
    """The analytes that any of these "system|code" strings are."""
    wanted = set(codes)
    return [t for t in terms() if t.kind is TermKind.ANALYTE and t.codes & wanted]
