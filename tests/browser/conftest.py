"""A real dashboard for the browser tests: embedded PostgreSQL, demo records, Streamlit server, Chromium."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
SCREENSHOTS = ROOT / "docs" / "screenshots"
LAPTOP = {"width": 1280, "height": 800}
ANITA = "bdfe7dc5-0790-4c2b-868e-e7d75f45c072"  # type 2 diabetes, nine HbA1c results
KELVIN = "15609650-6670-47a5-b785-fcabb645385c"  # a child without a glucose result
MALLORY = "markup"  # every text of this record is markup
VICTOR = "odd"  # limits, two units, void entries
MARKUP = "<img src=x onerror=alert(1)> **bold** [link](http://example.org)"

# The first answer waits for the model, and two cores may be shared with other tests.
expect.set_options(timeout=60_000)


def markup_record() -> dict[str, object]:
    """A Bundle whose names, values and notes are HTML and Markdown."""
    name = f"{MARKUP} Mallory"
    observation = {
        "resourceType": "Observation",
        "id": "markup-weight",
        "status": "final",
        "subject": {"reference": f"Patient/{MALLORY}"},
        "code": {
            "text": f"Body weight {MARKUP}",
            "coding": [{"system": "http://loinc.org", "code": "29463-7", "display": "Body Weight"}],
        },
        "effectiveDateTime": "2024-03-01",
        "valueQuantity": {"value": 70, "unit": "kg", "code": "kg", "system": "http://unitsofmeasure.org"},
        "note": [{"text": MARKUP}],
    }
    patient = {"resourceType": "Patient", "id": MALLORY, "name": [{"text": name}], "birthDate": "1980-01-01"}
    entries = [{"resource": patient}, {"resource": observation}]
    return {"resourceType": "Bundle", "type": "collection", "entry": entries}


def odd_record() -> dict[str, object]:
    """A Bundle with what a chart and a list must not smooth over: limits, two units, a void result, a refuted problem."""

    def result(name: str, day: str, value: float, unit: str = "%", **more: object) -> dict[str, object]:
        quantity = {"value": value, "unit": unit, "code": unit, "system": "http://unitsofmeasure.org"}
        return {
            "resourceType": "Observation",
            "id": f"odd-{name}",
            "status": "final",
            "subject": {"reference": f"Patient/{VICTOR}"},
            "encounter": {"reference": "Encounter/odd-visit"},
            "code": {
                "coding": [{"system": "http://loinc.org", "code": "4548-4", "display": "Hemoglobin A1c"}]
            },
            "effectiveDateTime": day,
            "valueQuantity": quantity | dict(more.pop("quantity", {})),  # type: ignore[call-overload]
        } | more

    visit = {
        "resourceType": "Encounter",
        "id": "odd-visit",
        "status": "finished",
        "class": {"code": "AMB"},
        "subject": {"reference": f"Patient/{VICTOR}"},
        "period": {"start": "2024-02-01"},
        "type": [{"text": "Diabetes check"}],
    }
    refuted = {
        "resourceType": "Condition",
        "id": "odd-gout",
        "subject": {"reference": f"Patient/{VICTOR}"},
        "clinicalStatus": {"coding": [{"code": "active"}]},
        "verificationStatus": {"coding": [{"code": "refuted"}]},
        "code": {"text": "Gout"},
        "onsetDateTime": "2022-05-01",
    }
    patient = {
        "resourceType": "Patient",
        "id": VICTOR,
        "name": [{"given": ["Victor"], "family": "Oddly"}],
        "birthDate": "1960-02-02",
        "gender": "male",
    }
    entries = [
        patient,
        visit,
        refuted,
        result("a", "2022-01-10", 7.4),
        result("b", "2023-01-10", 7.9),
        result("c", "2024-02-01", 4, quantity={"comparator": "<"}),
        result("d", "2023-06-01", 58, "mmol/mol"),
        result("e", "2023-07-01", 70, status="entered-in-error"),
    ]
    return {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": r} for r in entries]}


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a fresh installation with four patients ingested, where records may be loaded in the browser."""
    home = tmp_path_factory.mktemp("chartcite")
    variables = {
        k: v for k, v in os.environ.items() if not k.startswith(("CHARTCITE_", "LLM_", "DATABASE_URL"))
    }
    variables |= {"CHARTCITE_HOME": str(home / "home"), "PYTHONPATH": str(ROOT)}
    variables["CHARTCITE_UPLOADS"] = "true"
    made = [home / "markup.json", home / "odd.json"]
    for path, record in zip(made, (markup_record(), odd_record()), strict=True):
        path.write_text(json.dumps(record))
    demo = [str(ROOT / "data" / "demo" / f"{patient}.json.gz") for patient in (ANITA, KELVIN)]
    done = subprocess.run(
        [sys.executable, "-m", "core", "ingest", "--json", *demo, *map(str, made)],
        cwd=ROOT,
        env=variables,
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0, done.stderr
    return variables


@pytest.fixture(scope="session")
def dashboard(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a running dashboard."""
    with serve(environment, tmp_path_factory.mktemp("server") / "log.txt") as url:
        yield url


class serve:
    """Run the Streamlit server on a free port of 127.0.0.1 until the block ends."""

    def __init__(self, environment: dict[str, str], log: Path) -> None:
        self.log = log
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        command = [sys.executable, "-m", "streamlit", "run", "app/main.py", "--server.headless=true"]
        command += [f"--server.port={self.port}", "--server.fileWatcherType=none"]
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT
            )

    def __enter__(self) -> str:
        url = f"http://127.0.0.1:{self.port}"
        deadline = monotonic() + 60
        while monotonic() < deadline and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"{url}/_stcore/health", timeout=5) as health:
                    if health.status == 200:
                        return url
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                continue
        self.__exit__()
        raise AssertionError(f"The dashboard did not start: {self.log.read_text()[-2000:]}")

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    path = next((found for name in names if (found := shutil.which(name))), None)
    if path is None:
        pytest.fail("No Chromium found. Install it (Debian: apt-get install chromium) and run again.")
    browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
    yield browser
    browser.close()


@pytest.fixture(params=["light", "dark"])
def scheme(request: pytest.FixtureRequest) -> str:
    """For tests of what is seen: once in light, once in dark."""
    return str(request.param)


@pytest.fixture
def page(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Page]:
    """A page of a fresh session; afterwards: nothing left this machine, no console error, no script error."""
    light = "scheme" not in request.fixturenames or request.getfixturevalue("scheme") == "light"
    context = chromium.new_context(viewport=LAPTOP, color_scheme="light" if light else "dark", locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(60_000)
    outside: list[str] = []
    problems: list[str] = []
    local = ("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:http://127.0.0.1:")
    page.on("request", lambda sent: None if sent.url.startswith(local) else outside.append(sent.url))
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("dialog", lambda dialog: (problems.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    yield page
    context.close()
    assert outside == []
    assert problems == []
