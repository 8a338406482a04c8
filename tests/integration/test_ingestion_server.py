"""A record from a FHIR server: all of it or nothing, the token to nobody else. Over real HTTP."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from core.database.pool import Database
from core.embedding import Embedder
from core.errors import IngestError
from core.ingestion.ingest import Report, ingest
from core.ingestion.server import download
from tests.integration.fhir_files import Json, balanced, bundle, observation, patient, table

pytestmark = pytest.mark.integration


@dataclass
class Answer:
    """What the server says to one request."""

    body: object = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False


@dataclass
class Server:
    """A FHIR server that says, for each path, what it was told to say, in order; the last answer stays."""

    base: str
    answers: dict[str, list[Answer]] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)

    def says(self, path: str, *answers: Answer) -> None:
        self.answers[path] = list(answers)


@contextmanager
def serving() -> Iterator[Server]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            server.asked.append((self.path, self.headers.get("Authorization", "")))
            left = server.answers.get(self.path.partition("?")[0]) or [Answer(status=404)]
            answer = left.pop(0) if len(left) > 1 else left[0]
            body = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body) + (10 if answer.cut else 0)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server = Server(f"http://127.0.0.1:{http.server_port}")
    Thread(target=http.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


Fetch = Callable[..., Report]
EVERYTHING = "/fhir/Patient/ada/$everything"


@pytest.fixture
def fetch(database: Database, embedder: Embedder, tmp_path: Path, server: Server) -> Fetch:
    """Download a record and ingest it; the report must add up."""

    def run(path: str = "/fhir/Patient/ada", token: str = "") -> Report:
        into = tmp_path / str(len(server.asked))
        try:
            source = download(server.base + path, into, token, timeout=5)
        finally:
            server.asked.append(("", ""))
        report = ingest(database, embedder, [], downloads=[source])
        assert balanced(report), report
        return report

    return run


def page(*resources: Json, after: str = "") -> Json:
    found = bundle(*resources, kind="searchset")
    return {**found, "link": [{"relation": "next", "url": after}]} if after else found


def test_every_page_of_everything_is_read(fetch: Fetch, server: Server, database: Database) -> None:
    first = page(patient(), observation("o1"), after="?page=2")
    second = page(observation("o2", None), after=f"{server.base}/fhir?page=3")
    server.says(EVERYTHING, *[Answer(first), Answer(second)] * 2)
    server.says("/fhir", Answer(page(observation("o3"))))
    report = fetch(token="s3cret")
    assert (report.files, report.read, report.written) == (1, 4, 4)
    assert {i for _, i in table(database)} == {"Patient/ada", *(f"Observation/o{n}" for n in (1, 2, 3))}
    assert [path for path, _ in server.asked[:3]] == [
        f"{EVERYTHING}?_count=500",
        f"{EVERYTHING}?page=2",
        "/fhir?page=3",
    ]
    assert {token for _, token in server.asked[:3]} == {"Bearer s3cret"}
    again = fetch(token="s3cret")
    assert (again.written, again.unchanged) == (0, 4)


@pytest.mark.parametrize("path", ["/fhir/Observation?patient=ada", "/fhir/Bundle/7"])
def test_any_other_url_is_read_as_it_stands(fetch: Fetch, server: Server, path: str) -> None:
    server.says(path.partition("?")[0], Answer(page(patient(), observation())))
    assert fetch(path).written == 2
    assert server.asked[0] == (path, "")


def test_a_message_of_the_server_is_no_record(fetch: Fetch, server: Server) -> None:
    found = page(patient())
    outcome = {"resourceType": "OperationOutcome", "issue": [{"severity": "warning", "code": "incomplete"}]}
    found["entry"].append({"search": {"mode": "outcome"}, "resource": outcome})
    server.says(EVERYTHING, Answer(found))
    report = fetch()
    assert (report.written, report.quarantined) == (1, 1)
    assert report.problems[0]["reason"] == "is a message of the server, no record (incomplete)"
    assert report.problems[0]["entry"] == "page 1, entry 1"


@pytest.mark.parametrize(
    "passing",
    [Answer(status=503, headers={"Retry-After": "0"}), Answer(status=429, headers={"Retry-After": "0"})],
)
def test_what_may_pass_is_tried_again(fetch: Fetch, server: Server, passing: Answer) -> None:
    server.says(EVERYTHING, passing, passing, Answer(page(patient())))
    assert fetch().written == 1


def test_an_answer_cut_off_is_asked_for_again(fetch: Fetch, server: Server) -> None:
    server.says(EVERYTHING, Answer(page(patient()), cut=True), Answer(page(patient())))
    assert fetch().written == 1


LAST = {
    "page gone": (Answer(status=404), "answered 404"),
    "never again": (Answer(status=503, headers={"Retry-After": "0"}), "answered 503, 4 times"),
    "refused": (Answer(status=403), "Set CHARTCITE_FHIR_TOKEN"),
    "not FHIR": (Answer(b"<html>"), "no FHIR JSON"),
    "an error": (Answer({"resourceType": "OperationOutcome"}), "with an error"),
    "elsewhere": (Answer(page(after="http://example.invalid/next")), "another server"),
    "in a circle": (Answer(page(after="?page=2")), "circle"),
    "no address": (
        Answer({**page(), "link": [{"relation": "Next"}]}),
        "names a next page without its address",
    ),
    "no url": (Answer(page(after="http://h:x/")), "no URL"),
}


@pytest.mark.parametrize(("last", "said"), LAST.values(), ids=list(LAST))
def test_a_record_with_a_page_missing_is_not_taken_at_all(
    fetch: Fetch, server: Server, database: Database, last: Answer, said: str
) -> None:
    server.says(EVERYTHING, Answer(page(patient(), after="?page=2")), last)
    with pytest.raises(IngestError) as told:
        fetch()
    assert said in str(told.value)
    assert str(told.value).endswith("Nothing was ingested.")
    assert "\n" not in str(told.value)
    assert table(database) == {}


def test_the_token_goes_to_no_other_server(fetch: Fetch, server: Server) -> None:
    with serving() as other:
        first = page(patient(), after=f"{other.base}/fhir?page=2")
        other.says("/fhir", Answer(first), Answer(page(observation())))
        server.says(EVERYTHING, Answer(status=302, headers={"Location": f"{other.base}/fhir"}))
        assert fetch(token="s3cret").written == 2
        assert other.asked == [("/fhir", ""), ("/fhir?page=2", "")]


def test_a_server_that_sends_less_than_it_counts_is_not_believed(fetch: Fetch, server: Server) -> None:
    server.says(EVERYTHING, Answer({**page(patient()), "total": 3}))
    with pytest.raises(IngestError, match="counts 3 resources and sent 1"):
        fetch()


def test_the_record_of_another_patient_than_asked_for_is_not_taken(
    fetch: Fetch, server: Server, database: Database
) -> None:
    server.says(EVERYTHING, Answer(page(patient("eve"), observation("o", "Patient/eve"))))
    with pytest.raises(IngestError, match="another patient"):
        fetch()
    assert table(database) == {}


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://example.invalid/Patient/1", "unencrypted"),
        ("https://user:pw@example.invalid/Patient/1", "CHARTCITE_FHIR_TOKEN"),
        ("https://h:x/Patient/1", "not valid"),
        ("https:///Patient/1", "names no server"),
    ],
)
def test_a_url_that_must_not_be_asked(tmp_path: Path, url: str, said: str) -> None:
    with pytest.raises(IngestError, match=said) as told:
        download(url, tmp_path / "page", "s3cret")
    assert "pw" not in str(told.value)
    assert "s3cret" not in str(told.value)


def test_the_command_reads_a_server_and_says_in_one_line_why_it_cannot(
    server: Server, new_database: str
) -> None:
    server.says(EVERYTHING, Answer(page(patient(), observation())))
    environment = {**os.environ, "DATABASE_URL": new_database(), "CHARTCITE_FHIR_TOKEN": "s3cret"}

    def run(url: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "core", "ingest", url, "--json"]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    taken = run(f"{server.base}/fhir/Patient/ada")
    assert taken.returncode == 0, taken.stderr
    assert json.loads(taken.stdout)["written"] == 2
    assert server.asked[0][1] == "Bearer s3cret"
    failed = run(f"{server.base}/fhir/Patient/eve")
    assert failed.returncode == 1
    assert failed.stdout == ""
    assert len(failed.stderr.splitlines()) == 1
    assert "Check the server's base URL and the patient's id" in failed.stderr
