"""Shorthand written out before a question is read: "pt", "hx", "HCTZ", brand names. A name of the record stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from core.errors import ConfigurationError
from core.terminology import ROOT
from core.words import fold, stem


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    source: str
    short: dict[str, str]
    names: dict[str, str]


@cache
def _shorthand() -> _File:
    path = ROOT / "shorthand.yaml"
    try:
        return _File.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (OSError, yaml.YAMLError, ValidationError) as error:
        raise ConfigurationError(
            f"{path} cannot be read ({str(error).splitlines()[0]}). Restore the file."
        ) from None


@cache
def _pattern() -> re.Pattern[str]:
    known = _shorthand()
    forms = sorted({*known.short, *known.names}, key=len, reverse=True)
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, forms))})(?![^\W_])")


def written_out(text: str, names: Iterable[tuple[str, ...]]) -> str:
    """The text with its shorthand in full. `names` are the names of the record as stems.

    "PT" in capitals is a laboratory test; a short form that a name of the record holds beside the same word is that name.
    """
    known = _shorthand()
    folded = fold(text)
    if not _pattern().search(folded):
        return text
    held = {s for name in names for s in name}

    def full(match: re.Match[str]) -> str:
        said = match.group()
        if said in known.names:
            return match.group() if stem(said) in held else known.names[said]
        if said == "pt" and text[match.start() : match.end()].isupper():
            return text[match.start() : match.end()]
        return known.short[said]

    out, end = [], 0
    for match in _pattern().finditer(folded):
        out += [text[end : match.start()], full(match)]
        end = match.end()
    return "".join([*out, text[end:]])
