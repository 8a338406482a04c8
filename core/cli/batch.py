"""Batches: one JSON object in and one out a line; a line that fails says so in its place and the rest go on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import orjson
from pydantic import BaseModel

from core.cli.output import print_json
from core.errors import ChartCiteError, EvaluationError, InvalidQuestion

Line = dict[str, Any]


def run(source: str, answer: Callable[[Line], BaseModel]) -> None:
    """Answer each line of a file (or of standard input for "-"); raises EvaluationError when the file cannot be read."""
    with _opened(source) as stream:
        for number, raw in enumerate(stream, 1):
            if raw.strip():
                _one(raw, number, answer)


def _one(raw: str, number: int, answer: Callable[[Line], BaseModel]) -> None:
    identity: Any = None
    try:
        line = orjson.loads(raw)
        if not isinstance(line, dict):
            raise InvalidQuestion(f"Line {number} is not a JSON object.")
        identity = line.get("id")
        found = answer(line).model_dump(mode="json")
        print_json({**found, "id": identity})
    except orjson.JSONDecodeError as error:
        print_json({"id": identity, "error": f"Line {number} is not JSON ({error})."})
    except ChartCiteError as error:
        print_json({"id": identity, "error": str(error)})


def text(line: Line, name: str) -> str:
    """A text field of a line; raises InvalidQuestion naming it when it is missing or something else."""
    value = line.get(name)
    if not isinstance(value, str) or not value.strip():
        raise InvalidQuestion(f'The line has no "{name}" text.')
    return value


@contextmanager
def _opened(source: str) -> Iterator[TextIO]:
    if source == "-":
        yield sys.stdin
        return
    try:
        stream = Path(source).open(encoding="utf-8")
    except OSError as error:
        raise EvaluationError(f"{source} cannot be read ({error.strerror}). Check the path.") from None
    with stream:
        yield stream
