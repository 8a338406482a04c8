"""The vocabulary questions are put in, from data/terminology/language.yaml, validated and indexed by stem."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from core.errors import ConfigurationError
from core.terminology import ROOT
from core.words import stems


class RecordKind(BaseModel):
    """A noun for a kind of record ("medications", "ED visits") and the resources it means.

    A `weak` one ("doses") gives way to a clinical term of another kind ("doses of MMR"). `counted` names them where they
    are counted, in the record's own class. Of `named`, a name has to hold all words of one ("check up").
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    types: tuple[str, ...]
    label: str
    words: tuple[str, ...]
    encounter_class: str = ""
    category: str = ""
    weak: bool = False
    counted: str = ""
    named: tuple[tuple[str, ...], ...] = ()


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    source: str
    elsewhere: tuple[str, ...]
    begun: tuple[str, ...]
    how_long: tuple[str, ...]
    ordered: tuple[str, ...]
    administered: tuple[str, ...]
    aggregates: dict[str, tuple[str, ...]]
    status: dict[str, tuple[str, ...]]
    types: tuple[RecordKind, ...]
    advice: tuple[str, ...]
    summary: tuple[str, ...]
    occasion: tuple[str, ...]
    age: tuple[str, ...]
    death: tuple[str, ...]
    frame: tuple[str, ...]
    judged: tuple[str, ...]
    ranges: tuple[str, ...]
    qualifiers: tuple[str, ...]


Phrase = tuple[str, ...]


@dataclass(frozen=True)
class Language:
    """Every phrase as stems; `kinds` and `aggregates` map a phrase to what it means.

    `elsewhere` are phrases of questions that no record answers, `begun` ask for what began and not for what went on.
    """

    elsewhere: frozenset[Phrase]
    begun: frozenset[Phrase]
    how_long: frozenset[Phrase]
    ordered: frozenset[Phrase]
    administered: frozenset[Phrase]
    aggregates: dict[str, frozenset[Phrase]]
    status: dict[str, frozenset[Phrase]]
    kinds: dict[Phrase, RecordKind]
    advice: frozenset[Phrase]
    summary: frozenset[Phrase]
    occasion: frozenset[str]
    age: frozenset[Phrase]
    death: frozenset[Phrase]
    frame: frozenset[str]
    judged: frozenset[str]
    ranges: frozenset[str]
    qualifiers: frozenset[str]


@cache
def language() -> Language:
    """Load and index the file; raises ConfigurationError naming the field that is wrong."""
    path = ROOT / "language.yaml"
    try:
        read = _File.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (OSError, yaml.YAMLError) as error:
        raise ConfigurationError(
            f"{path} cannot be read ({str(error).splitlines()[0]}). Restore the file."
        ) from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(p) for p in first["loc"])
        raise ConfigurationError(f"{path}, {where}: {first['msg']}. Correct the entry.") from None
    return Language(
        elsewhere=frozenset(map(stems, read.elsewhere)),
        begun=frozenset(map(stems, read.begun)),
        how_long=frozenset(map(stems, read.how_long)),
        ordered=frozenset(map(stems, read.ordered)),
        administered=frozenset(map(stems, read.administered)),
        aggregates={name: frozenset(map(stems, words)) for name, words in read.aggregates.items()},
        status={name: frozenset(map(stems, words)) for name, words in read.status.items()},
        kinds={stems(word): kind for kind in read.types for word in kind.words},
        advice=frozenset(map(stems, read.advice)),
        summary=frozenset(map(stems, read.summary)),
        occasion=frozenset(s for word in read.occasion for s in stems(word)),
        age=frozenset(map(stems, read.age)),
        death=frozenset(map(stems, read.death)),
        frame=frozenset(s for word in read.frame for s in stems(word)),
        judged=frozenset(s for word in read.judged for s in stems(word)),
        ranges=frozenset(s for word in read.ranges for s in stems(word)),
        qualifiers=frozenset(s for word in read.qualifiers for s in stems(word)),
    )


def contains(words: Sequence[str], phrase: Phrase) -> bool:
    """Whether a phrase stands in a sequence of stems, word after word."""
    return first_place(words, phrase) >= 0


def first_place(words: Sequence[str], phrase: Phrase) -> int:
    """Where a phrase starts in a sequence of stems, or -1."""
    n = len(phrase)
    return next((i for i in range(len(words) - n + 1) if tuple(words[i : i + n]) == phrase), -1)
