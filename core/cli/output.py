"""Where words go: JSON alone on stdout, everything said to a person on stderr."""

from __future__ import annotations

import sys
from typing import Any

import orjson
from pydantic import BaseModel


def note(text: str) -> None:
    """One line for the person at the terminal."""
    print(text, file=sys.stderr, flush=True)


def print_json(value: BaseModel | Any) -> None:
    """One JSON document on one line."""
    body = value.model_dump_json().encode() if isinstance(value, BaseModel) else orjson.dumps(value)
    sys.stdout.write(body.decode() + "\n")
    sys.stdout.flush()
