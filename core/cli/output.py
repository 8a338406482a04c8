"""Where words go: JSON alone on stdout, everything said to a person on stderr."""

from __future__ import annotations

import re
import sys
from typing import Any

import orjson
from pydantic import BaseModel

from core.errors import InvalidQuestion

# Control characters other than tab and line ends, and halves of surrogate pairs (bytes that were not UTF-8).
_UNREADABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def note(text: str) -> None:
    """One line for the person at the terminal."""
    print(text, file=sys.stderr, flush=True)


def print_json(value: BaseModel | Any) -> None:
    """One JSON document on one line."""
    body = value.model_dump_json().encode() if isinstance(value, BaseModel) else orjson.dumps(value)
    sys.stdout.write(body.decode() + "\n")
    sys.stdout.flush()


def readable(text: str, what: str) -> str:
    """The text itself; raises InvalidQuestion where it holds what is no text."""
    if _UNREADABLE.search(text):
        raise InvalidQuestion(
            f"{what[:1].upper()}{what[1:]} holds a control character or is not UTF-8. Type it again."
        )
    return text
