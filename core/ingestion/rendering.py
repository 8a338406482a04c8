"""Resources into rows, beside the embedding: in other processes when there are many, always with the same result.

A resource that cannot be rendered is refused by itself; a worker process that dies costs time, not rows.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import struct
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, cast

from core.ingestion.neighbours import Neighbours
from core.ingestion.rows import Candidate, Row, row

_FEW = 300  # resources rendered at once, before a process of 0.5 s pays
_SIZE = struct.Struct("!Q")
_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Task:
    """Resources of one source to render, with what is known around them."""

    source: str
    candidates: Sequence[Candidate]
    neighbours: Neighbours


@dataclass(frozen=True, slots=True)
class Refused:
    """A resource that could not be made a row, and why."""

    candidate: Candidate
    reason: str


def render(task: Task) -> list[Row | Refused]:
    """Every candidate as a row, or refused. Never raises on JSON."""
    return [_one(candidate, task) for candidate in task.candidates]


def _one(candidate: Candidate, task: Task) -> Row | Refused:
    try:
        return row(candidate, task.neighbours, task.source)
    except Exception as error:  # whatever a record holds, it costs itself only
        return Refused(candidate, f"cannot be rendered ({type(error).__name__})")


class Renderer:
    """Renders in `processes` worker processes, which start with the first large task and end with the block."""

    def __init__(self, processes: int | None = None) -> None:
        count = processes if processes is not None else max(1, min(4, (os.cpu_count() or 2) - 1))
        self._threads = ThreadPoolExecutor(max(1, count), thread_name_prefix="render")
        self._idle: queue.SimpleQueue[_Worker | None] = queue.SimpleQueue()
        for _ in range(count):
            self._idle.put(None)
        self._processes = count
        self._started: list[_Worker] = []
        self._closing = False

    def __enter__(self) -> Renderer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing = True
        for worker in self._started:
            worker.end()
        self._threads.shutdown(wait=kind is None, cancel_futures=True)

    def submit(self, task: Task) -> Future[list[Row | Refused]]:
        """Start rendering; the result comes in the order of the task's candidates."""
        if len(task.candidates) < _FEW or not self._processes:
            done: Future[list[Row | Refused]] = Future()
            done.set_result(render(task))
            return done
        return self._threads.submit(self._elsewhere, task)

    def _elsewhere(self, task: Task) -> list[Row | Refused]:
        worker = self._idle.get()
        try:
            if worker is None:
                worker = _Worker()
                self._started.append(worker)
            return worker.render(task)
        except (OSError, EOFError, pickle.PickleError, struct.error, RecursionError):
            return [] if self._closing else render(task)
        finally:
            self._idle.put(worker if worker and worker.alive else None)


class _Worker:
    """One process that renders what it is sent until its input ends."""

    def __init__(self) -> None:
        paths = os.pathsep.join(p for p in (str(_ROOT), os.environ.get("PYTHONPATH", "")) if p)
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from core.ingestion.rendering import serve; serve()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths},
        )

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def render(self, task: Task) -> list[Row | Refused]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        _send(self._process.stdin, task)
        return cast("list[Row | Refused]", _receive(self._process.stdout))

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def serve() -> None:
    """The worker process: tasks from standard input, rows to standard output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is the parent's to handle; its end closes our input
    tasks, rows = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing printed by accident gets among the rows
    with contextlib.suppress(EOFError, OSError):
        while True:
            _send(rows, render(cast(Task, _receive(tasks))))


def _send(stream: IO[bytes], value: object) -> None:
    body = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(_SIZE.pack(len(body)))
    stream.write(body)
    stream.flush()


def _receive(stream: IO[bytes]) -> object:
    size = stream.read(_SIZE.size)
    if len(size) < _SIZE.size:
        raise EOFError
    (length,) = _SIZE.unpack(size)
    return pickle.loads(stream.read(length))
