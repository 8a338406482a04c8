"""How fast the dashboard answers an interaction, alone and with twenty sessions at once, over the configured database.

Measured from the request to the last element of the page, without a browser's drawing. A question is one of them;
no language model is asked.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

from benchmarks.wire import Session
from core.service import open_service

ROOT = Path(__file__).resolve().parents[1]
_SESSIONS, _ROUNDS = 20, 5
_QUESTIONS = (
    "What are the active problems?",
    "What was the last body weight?",
    "Which allergies are documented?",
)


def main() -> None:
    with closing(open_service(warm=False)) as service:
        patients = [p.patient.removeprefix("Patient/") for p in service.search_patients("", 200)]
    if not patients:
        print("No records are loaded: nothing to measure. Run: python -m core ingest data/demo")
        return
    with _dashboard() as url:
        _walk(url, patients[0], 1)  # opens the service and loads the model
        alone = _walk(url, patients[0], _ROUNDS)
        with ThreadPoolExecutor(_SESSIONS) as pool:
            chosen = [patients[n % len(patients)] for n in range(_SESSIONS)]
            together = [t for ts in pool.map(lambda p: _walk(url, p, _ROUNDS), chosen) for t in ts]
    print(_row("one session", alone))
    print(_row(f"{_SESSIONS} sessions at once, each pausing 1 to 3 s as a reader does", together))


def _walk(url: str, patient: str, rounds: int) -> list[float]:
    """Seconds of each view of some rounds through one patient's pages."""
    pause, taken = Random(patient), []
    with Session(url) as session:
        for number in range(rounds):
            views: list[dict[str, str]] = [
                {"question": _QUESTIONS[number % len(_QUESTIONS)]},
                {"page": "trends"},
                {"page": "record"},
                {"page": "record", "type": "all"},
            ]
            for view in views:
                if rounds > 1:
                    time.sleep(pause.uniform(1, 3))
                started = time.perf_counter()
                session.run(patient=patient, **view)
                taken.append(time.perf_counter() - started)
    return taken


def _row(name: str, seconds: list[float]) -> str:
    ordered = sorted(seconds)
    p50, p95 = (1000 * ordered[int(len(ordered) * q)] for q in (0.5, 0.95))
    return f"dashboard, {name}: p50 {p50:.0f} ms, p95 {p95:.0f} ms ({len(ordered)} interactions)"


@contextmanager
def _dashboard() -> Iterator[str]:
    """The dashboard on a free port of this machine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app/main.py", f"--server.port={port}"]
    server = subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        while server.poll() is None:
            try:
                with urllib.request.urlopen(f"{url}/_stcore/health", timeout=5):
                    break
            except (urllib.error.URLError, OSError):
                time.sleep(0.2)
        yield url
    finally:
        server.terminate()
        server.wait(20)


if __name__ == "__main__":
    main()
