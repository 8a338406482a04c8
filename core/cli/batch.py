"""Batches: one JSON object in and one out a line; a line that fails says so in its place and the rest go on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import orjson
from pydantic import BaseModel

from core.cli.output import print_json, readable
from core.errors import ChartCiteError, EvaluationError, InvalidQuestion

Line = dict[str, Any]


def run(source: str, opened: Callable[[], Callable[[Line], BaseModel]]) -> None:
    """Answer each line of a file (or of standard input for "-") by what `opened` returns.

    The file is opened first: a wrong name costs no model. Raises EvaluationError when it cannot be read.
    """
    with _opened(source) as stream:
        answer = opened()
        for number, raw in enumerate(stream, 1):
            if raw.strip():
                print_json(_one(raw, number, answer))


def _one(raw: bytes, number: int, answer: Callable[[Line], BaseModel]) -> dict[str, Any]:
    identity: Any = None
    try:
        line = orjson.loads(raw)
        if not isinstance(line, dict):
            raise InvalidQuestion(f"Line {number} is not a JSON object.")
        identity = line.get("id")
        return {**answer(line).model_dump(mode="json"), "id": identity}
    except orjson.JSONDecodeError as error:
        return {"id": identity, "error": f"Line {number} is not JSON ({error})."}
    except ChartCiteError as error:
        return {"id": identity, "error": str(error)}
    except Exception as error:  # one line in a thousand must not cost the others
        return {"id": identity, "error": f"Line {number} could not be answered ({type(error).__name__})."}


def text(line: Line, name: str) -> str:
    """A text field of a line; raises InvalidQuestion naming it when it is missing or something else."""
    value = line.get(name)
    if not isinstance(value, str) or not value.strip():
        raise InvalidQuestion(f'The line has no "{name}" text.')
    return readable(value, f'"{name}"')


@contextmanager
def _opened(source: str) -> Iterator[BinaryIO]:
    if source == "-":
        yield sys.stdin.buffer
        return
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(Path(source).open("rb"))
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "not a file name"
            raise EvaluationError(f"{source} cannot be read ({reason}). Check the path.") from None
        yield stream
