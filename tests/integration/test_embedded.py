"""The embedded database keeps its data and stays usable, whatever is killed and whoever else uses it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from core.database.embedded import EmbeddedPostgres, ensure_running, stop
from core.database.host import is_postgres
from core.errors import DatabaseUnavailable

pytestmark = pytest.mark.integration

ROOT = Path(__file__).resolve().parents[2]
CLIENT = """
import pathlib, sys
from core.database.embedded import ensure_running
print(ensure_running(pathlib.Path(sys.argv[1])), flush=True)
sys.stdin.read()
"""


class Client:
    """Another process that uses the database until it is closed or killed."""

    def __init__(self, home: Path, **options: Any) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", CLIENT, str(home)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            **options,
        )

    def uri(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def close(self) -> int:
        self.process.communicate(timeout=120)
        return self.process.returncode

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=120)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "home"
    stop(tmp_path / "home")


def postmaster(home: Path) -> int:
    return int((home / "postgres" / "postmaster.pid").read_text().splitlines()[0])


def running(home: Path) -> bool:
    return (home / "postgres" / "postmaster.pid").exists() and is_postgres(postmaster(home))


def note(uri: str, text: str) -> None:
    with psycopg.connect(uri) as connection:
        connection.execute("create table if not exists notes (text text)")
        connection.execute("insert into notes values (%s)", [text])


def notes(uri: str) -> list[str]:
    with psycopg.connect(uri) as connection:
        return [row[0] for row in connection.execute("select text from notes order by text")]


def until(condition: Callable[[], bool], seconds: float = 30) -> bool:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


def test_a_new_database_has_pgvector_is_durable_and_compares_text_the_same_everywhere(home: Path) -> None:
    said: list[str] = []
    uri = ensure_running(home, on_wait=said.append)
    assert said == ["Creating the database"]
    with psycopg.connect(uri) as connection:
        connection.execute("create extension vector")
        assert connection.execute("select '[1,0]'::halfvec <=> '[0,1]'").fetchone() == (1.0,)
        shown = {
            name: connection.execute(f"show {name}").fetchone()[0]  # type: ignore[index]
            for name in (
                "fsync",
                "data_checksums",
                "jit",
                "shared_buffers",
                "max_wal_size",
                "listen_addresses",
            )
        }
        assert shown == {
            "fsync": "on",
            "data_checksums": "on",
            "jit": "off",
            "shared_buffers": "256MB",
            "max_wal_size": "1GB",
            "listen_addresses": "",
        }
        found = connection.execute("select to_tsvector('Allergies')::text, 'É' = upper('é')").fetchone()
        assert found == ("'allergi':1", True)


def test_the_data_folder_is_private(home: Path) -> None:
    ensure_running(home)
    assert (home / "postgres").stat().st_mode & 0o077 == 0
    assert home.stat().st_mode & 0o066 == 0, "others may pass through at most, neither list nor write"


def test_it_stops_with_its_last_user_and_keeps_the_data(home: Path) -> None:
    note(ensure_running(home), "kept")
    assert stop(home)
    assert not running(home)
    assert notes(ensure_running(home)) == ["kept"]


def test_asking_again_is_cheap_and_gives_the_same_server(home: Path) -> None:
    uri = ensure_running(home)
    pid = postmaster(home)
    began = time.monotonic()
    assert ensure_running(home) == uri
    assert time.monotonic() - began < 1
    assert postmaster(home) == pid


def test_it_runs_on_while_any_process_uses_it(home: Path) -> None:
    first, second = Client(home), Client(home)
    uri = first.uri()
    assert second.uri() == uri
    assert first.close() == 0
    note(uri, "the second goes on")
    assert second.close() == 0
    assert not running(home)


def test_processes_that_start_together_on_a_new_home_share_one_server(home: Path) -> None:
    clients = [Client(home) for _ in range(4)]
    uris = {client.uri() for client in clients}
    assert len(uris) == 1
    assert uris != {""}
    assert [client.close() for client in clients] == [0, 0, 0, 0]
    assert not running(home)


def test_a_killed_client_neither_stops_the_server_nor_keeps_it_for_ever(home: Path) -> None:
    client = Client(home)
    note(client.uri(), "before the kill")
    client.kill()
    assert running(home)
    assert notes(ensure_running(home)) == ["before the kill"]
    assert stop(home), "the killed client must not count as a user"


def test_a_killed_server_is_recovered_with_its_data(home: Path) -> None:
    note(ensure_running(home), "committed")
    pid = postmaster(home)
    os.kill(pid, signal.SIGKILL)
    assert until(lambda: not is_postgres(pid))
    assert notes(ensure_running(home)) == ["committed"]
    assert postmaster(home) != pid


def test_a_killed_server_is_recovered_for_every_process_that_uses_it(home: Path) -> None:
    other = Client(home)
    note(other.uri(), "committed")
    uri = ensure_running(home)
    os.kill(postmaster(home), signal.SIGKILL)
    assert until(lambda: not running(home))
    assert notes(ensure_running(home)) == ["committed"]
    assert not stop(home), "the other process still uses it"
    assert notes(uri) == ["committed"]
    assert other.close() == 0
    assert not running(home)


def test_a_pid_that_now_belongs_to_another_program_does_not_block_the_start(home: Path) -> None:
    """After a power cut: a stale postmaster.pid, whose pid the system has given to somebody else."""
    note(ensure_running(home), "committed")
    pid = postmaster(home)
    os.kill(pid, signal.SIGKILL)
    assert until(lambda: not is_postgres(pid))
    owner = (home / "postgres").stat()
    stranger = subprocess.Popen(["sleep", "600"], **({"user": owner.st_uid} if os.geteuid() == 0 else {}))
    try:
        file = home / "postgres" / "postmaster.pid"
        file.write_text("\n".join([str(stranger.pid), *file.read_text().splitlines()[1:], ""]))
        assert notes(ensure_running(home)) == ["committed"]
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_a_killed_creation_leaves_nothing_in_the_way(home: Path) -> None:
    half_made = home / "postgres.new-abandoned"
    half_made.mkdir(parents=True)
    (half_made / "PG_VERSION").write_text("18\n")
    note(ensure_running(home), "created")
    assert not half_made.exists()


def test_a_server_that_takes_long_is_waited_for_and_said_so(home: Path) -> None:
    note(ensure_running(home), "kept")
    pid = postmaster(home)
    os.kill(pid, signal.SIGSTOP)
    said: list[str] = []

    def wake(message: str) -> None:
        said.append(message)
        os.kill(pid, signal.SIGCONT)

    assert notes(EmbeddedPostgres(home).ensure_running(wake)) == ["kept"]
    assert said
    assert "PostgreSQL is starting" in said[0]


def test_patience_ends_with_one_clear_line(home: Path) -> None:
    ensure_running(home)
    pid = postmaster(home)
    os.kill(pid, signal.SIGSTOP)
    try:
        with pytest.raises(
            DatabaseUnavailable, match=r"did not become ready in 1 s; see .*server\.log"
        ) as raised:
            EmbeddedPostgres(home, patience_s=1).ensure_running()
        assert "\n" not in str(raised.value)
    finally:
        os.kill(pid, signal.SIGCONT)


@pytest.mark.parametrize("name", ["x" * 90, "a b, 'c' é"])
def test_a_path_no_socket_can_have_is_no_obstacle(tmp_path: Path, name: str) -> None:
    home = tmp_path / name
    uri = ensure_running(home)
    try:
        note(uri, "reached")
        assert str(home) not in uri
        client = Client(home, env={**os.environ, "TMPDIR": str(tmp_path)})
        assert client.uri() == uri, "the running server's socket is found whatever the environment says"
        client.close()
    finally:
        stop(home)


def test_a_path_the_shell_would_read_differently_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnavailable, match="set CHARTCITE_HOME to another folder"):
        ensure_running(tmp_path / "a$HOME")


def test_a_folder_with_something_else_in_it_is_left_alone(home: Path) -> None:
    (home / "postgres").mkdir(parents=True)
    (home / "postgres" / "thesis.txt").write_text("mine")
    with pytest.raises(DatabaseUnavailable, match="not a PostgreSQL data folder and not empty"):
        ensure_running(home)
    assert (home / "postgres" / "thesis.txt").read_text() == "mine"


def test_data_of_another_postgresql_are_named_as_such(home: Path) -> None:
    ensure_running(home)
    stop(home)
    (home / "postgres" / "PG_VERSION").write_text("16\n")
    with pytest.raises(DatabaseUnavailable, match="made by PostgreSQL 16, ChartCite runs 18"):
        ensure_running(home)


def test_a_damaged_configuration_is_reported_with_the_servers_own_words(home: Path) -> None:
    ensure_running(home)
    stop(home)
    (home / "postgres" / "postgresql.auto.conf").write_text("shared_buffers = 'plenty'\n")
    with pytest.raises(
        DatabaseUnavailable, match=r"did not start \(configuration file .*\); see .*server\.log"
    ):
        ensure_running(home)


def test_no_environment_variable_is_left_behind(home: Path) -> None:
    before = dict(os.environ)
    ensure_running(home)
    assert dict(os.environ) == before


def test_variables_for_another_postgresql_do_not_reach_the_server(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGDATA", "/nonexistent")
    monkeypatch.setenv("PGPORT", "1")
    monkeypatch.setenv("PGHOST", "192.0.2.1")
    note(ensure_running(home), "reached")


def as_another_user(action: Callable[[], None]) -> tuple[bool, str]:
    """Run in a forked child under an unprivileged user id; whether it succeeded, and what it raised."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
            action()
            os.write(writer, b"ok")
        except BaseException as error:
            os.write(writer, f"{type(error).__name__}: {error}".encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return said == "ok", said


needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


@needs_root
def test_two_users_of_one_machine_do_not_meet(home: Path, tmp_path: Path) -> None:
    note(ensure_running(home), "root's")
    theirs = tmp_path / "theirs"
    theirs.mkdir(mode=0o700)
    os.chown(theirs, 65534, 65534)
    tmp_path.chmod(0o711)

    def work() -> None:
        server = EmbeddedPostgres(theirs)
        note(server.ensure_running(), "theirs")
        assert notes(server.uri) == ["theirs"]
        assert server.stop()

    succeeded, said = as_another_user(work)
    assert succeeded, said
    assert notes(ensure_running(home)) == ["root's"]


@needs_root
def test_root_runs_an_ordinary_users_database_as_that_user_and_leaves_it_usable(tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir(mode=0o700)
    os.chown(theirs, 65534, 65534)
    note(ensure_running(theirs / "home"), "by root")
    stop(theirs / "home")
    assert {path.stat().st_uid for path in [theirs / "home", *(theirs / "home").rglob("*")]} == {65534}

    def work() -> None:
        server = EmbeddedPostgres(theirs / "home")
        assert notes(server.ensure_running()) == ["by root"]
        assert server.stop()

    succeeded, said = as_another_user(work)
    assert succeeded, said


@needs_root
def test_another_users_database_is_one_clear_line(home: Path) -> None:
    ensure_running(home)
    succeeded, said = as_another_user(lambda: note(ensure_running(home), "intruder"))
    assert not succeeded
    assert said.startswith("DatabaseUnavailable: The database folder")
    assert "set CHARTCITE_HOME to a folder of your own" in said


@needs_root
def test_root_opens_the_way_to_the_data_by_the_least_that_works(tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    ensure_running(private / "home")
    stop(private / "home")
    assert private.stat().st_mode & 0o777 == 0o701


@pytest.mark.skipif(
    os.geteuid() == 0, reason="root may write anywhere; test_another_users_database covers root"
)
def test_a_folder_that_may_not_be_written_is_one_clear_line(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(DatabaseUnavailable, match="set CHARTCITE_HOME to a folder of your own"):
        ensure_running(tmp_path / "home")
    tmp_path.chmod(0o700)
