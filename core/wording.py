"""The words that answers are written in, from data/terminology: those that say nothing, and other words for a name.

Which role lets a word in is said in wording.yaml, and why a whole kind of words is not among them; synonyms.yaml says
what bears another word out.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from core.errors import ConfigurationError
from core.terminology import ROOT


class Wording(BaseModel):
    """Words by their role, each role a text of words between spaces.

    `frame` may stand in a supported statement beside what the record says; `talk` only where nothing is stated; `types`
    stand with a resource of their type.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str
    frame: dict[str, str]
    talk: dict[str, str]
    types: dict[str, str]


@cache
def wording(path: Path = ROOT / "wording.yaml") -> Wording:
    """The words of the file. Raises ConfigurationError when it is not of this shape."""
    return _read(path, Wording)


Shape = TypeVar("Shape", bound=BaseModel)


def _read(path: Path, shape: type[Shape]) -> Shape:
    try:
        return shape.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (ValidationError, yaml.YAMLError, OSError) as error:
        raise ConfigurationError(f"{path.name} cannot be read: {str(error).splitlines()[0]}") from None


def words_of(roles: dict[str, str]) -> frozenset[str]:
    """Every word of every role."""
    return frozenset(word for text in roles.values() for word in text.split())


class Synonyms(BaseModel):
    """What an answer says in other words: `words` each with the ways a name bears it out, `phrases` as records "
    "write them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str
    words: dict[str, str]
    phrases: dict[str, str]


@cache
def synonyms(path: Path = ROOT / "synonyms.yaml") -> Synonyms:
    """The synonyms of the file. Raises ConfigurationError when it is not of this shape."""
    return _read(path, Synonyms)
