"""The command line as a real process: exit codes, JSON alone on stdout, one clear line on stderr, no secret anywhere."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest

from core.config import Settings
from core.database.pool import Database, open_database
from core.embedding import Embedder
from core.ingestion.ingest import ingest
from tests.integration.fhir_files import bundle, observation, patient, write

pytestmark = pytest.mark.integration
ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "s3cr3t-Pa55"
QUESTION = "What is the latest HbA1c?"
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def url(new_database: Callable[[], str], embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database with one patient, one HbA1c and something in quarantine."""
    found = new_database()
    database = open_database(Settings(database_url=found, pool_size=2))
    folder = tmp_path_factory.mktemp("cli")
    write(folder / "a.json", bundle(patient(birthDate="1950-01-02", gender="female"), observation()))
    write(folder / "b.json", b"{")
    ingest(database, embedder, [folder])
    database.close()
    return found


@pytest.fixture(scope="module")
def environment(url: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    ours = ("CHARTCITE_", "LLM_", "DATABASE_URL", "PG")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(ours)}
    home = str(tmp_path_factory.mktemp("home") / "unused")
    return {**kept, "DATABASE_URL": url, "CHARTCITE_HOME": home, "PYTHONPATH": str(ROOT)}


@pytest.fixture
def run(environment: dict[str, str], tmp_path: Path) -> Run:
    """Run a command to its end, in an empty folder."""

    def go(*arguments: str, stdin: str | bytes = b"", **variables: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", "core", *arguments],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            cwd=tmp_path,
            env={**environment, **variables},
            timeout=120,
        )
        stdout, stderr = done.stdout.decode(), done.stderr.decode(errors="replace")
        assert "Traceback" not in stderr
        assert PASSWORD not in stdout + stderr
        return subprocess.CompletedProcess(done.args, done.returncode, stdout, stderr)

    return go


def fails(done: subprocess.CompletedProcess[str], *words: str) -> None:
    """Exit 1, nothing on stdout, one line on stderr that says these words."""
    lines = done.stderr.splitlines()
    assert (done.returncode, done.stdout, len(lines)) == (1, "", 1), done
    assert lines[0].startswith("chartcite: ")
    for word in words:
        assert word in lines[0]


# --- what works -----------------------------------------------------------------------------------


def test_json_is_alone_on_stdout_and_stderr_is_silent(run: Run) -> None:
    ask = run("ask", "--patient", "Patient/ada", QUESTION, "--json")
    answer = json.loads(ask.stdout)
    assert answer["citations"][0]["resource_id"] == "Observation/o1"
    assert answer["verdict"] == "grounded"
    assert set(answer["timings_ms"]) >= {
        "embed",
        "retrieve",
        "resolve",
        "context",
        "generate",
        "verify",
        "total",
    }
    verify = run("verify", "--patient", "ada", "--json", stdin=answer["answer"])
    assert json.loads(verify.stdout)["verdict"] == "grounded"
    listed = run("patients", "--json")
    assert json.loads(listed.stdout) == [
        {
            "patient": "Patient/ada",
            "name": "Ada",
            "birth_date": "1950-01-02",
            "gender": "female",
            "resources": 2,
        }
    ]
    for done in (ask, verify, listed):
        assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)


def test_doctor_reports_what_is_there_and_lists_the_quarantine(run: Run) -> None:
    done = run("doctor", "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["ok"], found["patients"]) == (0, True, 1)
    assert found["vectors_checked"] == 2
    assert found["lowest_similarity"] > 0.999
    assert found["quarantined"][0]["source"].endswith("b.json")


def test_ingest_as_json_and_a_missing_path(run: Run, tmp_path: Path, new_database: Callable[[], str]) -> None:
    database = new_database()
    write(tmp_path / "in" / "a.json", bundle(patient("bob"), observation("o", "Patient/bob")))
    write(tmp_path / "in" / "b.json.gz", b"not gzip")
    done = run("ingest", str(tmp_path / "in"), "--json", DATABASE_URL=database)
    report = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert (report["read"], report["written"], report["quarantined"]) == (3, 2, 1)
    shown = run("ingest", str(tmp_path / "in"), DATABASE_URL=database)
    assert "2 unchanged" in shown.stdout
    assert shown.stderr.startswith("quarantined: ")
    fails(run("ingest", str(tmp_path / "absent"), "--json", DATABASE_URL=database), "absent does not exist")


def test_forget_says_what_went_and_leaves_nothing(
    run: Run, tmp_path: Path, database_url: str, database: Database, embedder: Embedder
) -> None:
    sodium = observation("o2", "Patient/bob", code={"text": "Sodium"})
    path = write(tmp_path / "a.json", bundle(patient("ada"), observation(), patient("bob"), sodium))
    ingest(database, embedder, [path])
    gone = json.loads(run("forget", "--patient", "bob", "--json", DATABASE_URL=database_url).stdout)
    assert (gone["patient"], gone["resources"]) == ("Patient/bob", 2)
    assert gone["by_type"] == {"Observation": 1, "Patient": 1}
    with database.connection() as connection:
        left = connection.execute(
            "select (select count(*) from resources where patient_ref = 'Patient/bob'),"
            " (select count(*) from patients where patient_ref = 'Patient/bob'),"
            " (select count(*) from concepts where embedded_text ilike '%sodium%'),"
            " (select count(*) from resources)"
        ).fetchone()
    assert left == (0, 0, 0, 2)
    again = ingest(database, embedder, [path])
    assert (again.written, again.unchanged) == (2, 2)


# --- what is asked wrongly ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ask", "--patient", "Patient/nobody", QUESTION], ["no Patient/nobody", "python -m core patients"]),
        (["ask", "--patient", "ada", ""], ["question is empty"]),
        (["ask", "--patient", "ada", " \t\n "], ["question is empty"]),
        (["ask", "--patient", "ada", "sugar? " * 1_429], ["characters", "2000"]),
        (["ask", "--patient", "ada", "sugar \x07?"], ["control character"]),
        (["ask", "--patient", "ada\x1b[31m", QUESTION], ["control character"]),
        (["ask", "--patient", "ada", b"caf\xe9?"], ["not UTF-8"]),
        (["patients", "--search", b"\xff"], ["not UTF-8"]),
        (["ask", "--batch", "absent.jsonl"], ["absent.jsonl cannot be read"]),
        (["ask", "--batch", "."], ["cannot be read"]),
        (["verify", "--patient", "ada"], ["no answer to check"]),
        (["verify", "--batch", "absent.jsonl"], ["absent.jsonl cannot be read"]),
        (["forget", "--patient", "nobody"], ["no Patient/nobody"]),
    ],
)
def test_a_wrong_request_is_one_line_and_exit_1(run: Run, arguments: list[Any], words: list[str]) -> None:
    fails(run(*arguments), *words)


@pytest.mark.parametrize(
    "arguments",
    [
        ["ask", QUESTION],
        ["ask", "--patient", "ada", QUESTION, "--answerer", "oracle"],
        ["verify"],
        ["forget"],
        ["ingest"],
        ["patients", "--limit", "0"],
        ["run", "--port", "70000"],
        ["frobnicate"],
    ],
)
def test_bad_usage_is_exit_2_and_says_so(run: Run, arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Error: " in done.stderr.splitlines()[-1]


def test_a_question_may_lean_on_the_one_before(run: Run) -> None:
    alone = run("ask", "--patient", "Patient/ada", "and in 2024?", "--json")
    assert json.loads(alone.stdout)["read_as"] is None
    leaning = run("ask", "--patient", "Patient/ada", "and in 2024?", "--previous", QUESTION)
    assert "[Observation/" in leaning.stdout
    assert leaning.stderr.startswith("Read as: ")
    assert "2024" in leaning.stderr
    line = {"patient": "Patient/ada", "question": "and in 2024?", "previous": QUESTION}
    batch = run("ask", "--batch", "-", stdin=json.dumps(line))
    assert json.loads(batch.stdout)["read_as"] == leaning.stderr.removeprefix("Read as: ").strip()


def test_a_batch_answers_every_line_in_its_place(run: Run, tmp_path: Path) -> None:
    good = json.dumps(
        {"id": 1, "patient": "Patient/ada", "question": QUESTION, "answer": "The HbA1c is 9 %."}
    )
    lines = [
        good.encode(),
        b"not json",
        b'["a", "list"]',
        b'{"id": "x", "patient": "Patient/ada"}',
        b'{"id": {"any": 1}, "patient": "Patient/nobody", "question": "Why?", "answer": "So."}',
        b'{"id": 5, "patient": 7, "question": [], "answer": null}',
        b'{"id": 6, "patient": "Patient/ada", "question": "a\\u0000b?", "answer": "a\\u0000b."}',
        b"\xff\xfe",
        b"[" * 5_000,
        b"",
        good.replace('"id": 1', '"id": "last"').encode(),
    ]
    (tmp_path / "lines.jsonl").write_bytes(b"\n".join(lines))
    from_file = run("ask", "--batch", "lines.jsonl")
    from_stdin = run("verify", "--batch", "-", stdin=b"\n".join(lines))
    for done in (from_file, from_stdin):
        assert (done.returncode, done.stderr) == (0, "")
        found = [json.loads(line) for line in done.stdout.splitlines()]
        assert [f["id"] for f in found] == [1, None, None, "x", {"any": 1}, 5, 6, None, None, "last"]
        assert ["error" in f for f in found] == [False, *[True] * 8, False], found
        assert found[0]["verdict"] == found[-1]["verdict"]


# --- what is out of order -------------------------------------------------------------------------


def test_a_database_that_cannot_be_reached(run: Run) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        address = f"postgresql://ada:{PASSWORD}@127.0.0.1:{port}/chart"
        for command in (["patients"], ["ask", "--patient", "ada", QUESTION], ["doctor", "--json"]):
            done = run(*command, DATABASE_URL=address)
            fails(done, f"127.0.0.1:{port}", "cannot be reached", "DATABASE_URL")


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://ada:{PASSWORD}@ss@127.0.0.1/chart",
        f"postgresql://ada:{PASSWORD}@[::1/chart",
        f"postgresql://ada:{PASSWORD}%@127.0.0.1/chart",
        f"postgresql+psycopg://ada:{PASSWORD}@127.0.0.1/chart",
        f"host=127.0.0.1 password='{PASSWORD} dbname=x",
        f"mysql://ada:{PASSWORD}@127.0.0.1/chart",
        f"password={PASSWORD} what=ever",
    ],
)
def test_an_address_that_is_none_is_said_to_be_none_and_not_repeated(run: Run, address: str) -> None:
    fails(run("patients", DATABASE_URL=address), "DATABASE_URL", "postgresql://")


def test_a_wrong_password_or_database_is_named_without_the_password(run: Run, url: str) -> None:
    absent = url.replace(urlsplit(url).path, "/absent")
    fails(run("patients", DATABASE_URL=absent), "absent", "does not exist")
    host = urlsplit(url).query
    fails(run("patients", DATABASE_URL=f"postgresql://nobody:{PASSWORD}@/x?{host}"), "nobody")


def test_a_database_without_pgvector_or_rights_is_said_to_lack_them(run: Run, postgres: str) -> None:
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("create database bare")
        connection.execute(f"create role limited login password '{PASSWORD}'")  # type: ignore[arg-type]
    url = f"postgresql://limited:{PASSWORD}@/bare?{urlsplit(postgres).query}"
    fails(run("patients", DATABASE_URL=url), "cannot be prepared", "permission denied", "pgvector")


def test_a_user_without_rights_to_the_tables(run: Run, url: str, postgres: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("create role reader login")
        connection.execute("grant select on migrations to reader")
    limited = url.replace("postgres@", "reader@")
    fails(run("patients", DATABASE_URL=limited), "permission denied")


def test_a_server_that_goes_away_fails_the_line_not_the_batch(
    environment: dict[str, str], url: str, postgres: str
) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "core", "verify", "--batch", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        cwd=ROOT,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    line = (
        json.dumps({"id": 1, "patient": "ada", "answer": "HbA1c was 7.1 % [Observation/o1]."}).encode()
        + b"\n"
    )
    child.stdin.write(line)
    child.stdin.flush()
    assert b"verdict" in child.stdout.readline()
    name = urlsplit(url).path[1:]
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = %s", [name]
        )
    output, errors = child.communicate(line, timeout=60)
    assert b"verdict" in output, "a new connection is made"
    assert (child.returncode, errors) == (0, b"")


def test_a_port_in_use_is_said_before_anything_starts(run: Run) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        fails(
            run("run", "--port", str(port), DATABASE_URL="postgresql://127.0.0.1:1/x"),
            str(port),
            "make run PORT=",
        )


def test_a_setting_that_cannot_be_read_is_named(run: Run) -> None:
    fails(run("patients", CHARTCITE_POOL_SIZE="many"), "pool_size")


def test_interrupted_it_ends_at_once_with_one_line(environment: dict[str, str]) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "core", "verify", "--batch", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        cwd=ROOT,
        start_new_session=True,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(b"not json\n")
    child.stdin.flush()
    child.stdout.readline()
    os.killpg(child.pid, signal.SIGINT)
    _, errors = child.communicate(timeout=20)
    assert (child.returncode, errors) == (130, b"chartcite: stopped.\n")


@pytest.fixture
def closed_pipe() -> Iterator[int]:
    reader, writer = os.pipe()
    os.close(reader)
    yield writer
    os.close(writer)


@pytest.mark.parametrize("command", [["patients", "--json"], ["patients"], ["verify", "--batch", "-"]])
def test_a_reader_that_went_away_is_no_complaint(
    environment: dict[str, str], closed_pipe: int, command: list[str]
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "core", *command],
        input=b"not json\n" * 3,
        stdout=closed_pipe,
        stderr=subprocess.PIPE,
        env=environment,
        cwd=ROOT,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (1, b"")
