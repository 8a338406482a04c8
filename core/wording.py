"""Words of an answer that say nothing about the patient, from data/terminology/wording.yaml, validated.

Which role lets a word in is said there, and why a whole kind of words is not among them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from core.errors import ConfigurationError
from core.terminology import ROOT


class Wording(BaseModel):
    """Words by their role, each role a text of words between spaces.

    `frame` may stand in a supported statement beside what the record says; `talk` only where nothing is stated.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str
    frame: dict[str, str]
    talk: dict[str, str]


@cache
def wording(path: Path = ROOT / "wording.yaml") -> Wording:
    """The words of the file. Raises ConfigurationError when it is not of this shape."""
    try:
        return Wording.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (ValidationError, yaml.YAMLError, OSError) as error:
        raise ConfigurationError(f"{path.name} cannot be read: {str(error).splitlines()[0]}") from None


def words_of(roles: dict[str, str]) -> frozenset[str]:
    """Every word of every role."""
    return frozenset(word for text in roles.values() for word in text.split())
