"""What the embedded database needs from the operating system: locks, processes, accounts, permissions, space.

Run as root, it widens permissions by the least that works and says so; it never follows what another user put
in a shared folder.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import pwd
import shutil
import stat
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from core.errors import DatabaseUnavailable

OnWait = Callable[[str], None]

ACCOUNT = "chartcite"
"""The system account PostgreSQL runs under when ChartCite runs as root; PostgreSQL refuses to be root."""

SPACE_TO_CREATE = 500 * 1024**2
SPACE_TO_START = 64 * 1024**2

_log = logging.getLogger(__name__)


class Waiting:
    """Says what is being waited for, after 2 s and then every 5 s."""

    def __init__(self, say: OnWait, what: str) -> None:
        self._say, self._what = say, what
        self._began = time.monotonic()
        self._next = 2.0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    def pause(self) -> None:
        if self.seconds > self._next:
            self._next += 5.0
            self._say(f"{self._what} ({self.seconds:.0f} s)")
        time.sleep(0.05 if self.seconds < 2 else 0.25)


def try_lock(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextlib.contextmanager
def locked(descriptor: int, kind: int) -> Iterator[bool]:
    try:
        yield try_lock(descriptor, kind)
    finally:
        os.close(descriptor)


def is_postgres(pid: int) -> bool:
    """Whether the process lives and is PostgreSQL: a pid may have been given to another program since."""
    status = Path(f"/proc/{pid}/stat")
    try:
        if Path("/proc/self/stat").exists():
            name, _, rest = status.read_text().partition("(")[2].rpartition(")")
            return name == "postgres" and rest.split()[0] not in ("Z", "X")
    except (FileNotFoundError, ProcessLookupError):
        return False
    except PermissionError:
        return True  # hidden by hidepid: somebody's process, assume the server
    shown = subprocess.run(
        ["ps", "-p", str(pid), "-o", "stat=,comm="], capture_output=True, text=True, check=False
    ).stdout.split(maxsplit=1)
    return len(shown) == 2 and not shown[0].startswith("Z") and shown[1].strip().endswith("postgres")


def account_for(home: Path, data: Path) -> pwd.struct_passwd | None:
    """As root, whom to run PostgreSQL as: the owner of the data, else of the home, else an own account."""
    if os.geteuid() != 0:
        return None
    for folder in (data, home):
        if folder.exists() and (owner := folder.stat().st_uid) != 0:
            try:
                return pwd.getpwuid(owner)
            except KeyError:
                raise DatabaseUnavailable(
                    f"{folder} belongs to the user id {owner}, which this system does not know; "
                    "give it to an existing user with chown."
                ) from None
    try:
        return pwd.getpwnam(ACCOUNT)
    except KeyError:
        pass
    try:
        subprocess.run(
            ["useradd", "--system", "--no-create-home", "--home-dir", "/nonexistent",
             "--shell", "/usr/sbin/nologin", ACCOUNT],
            check=True, capture_output=True,
        )  # fmt: skip
        return pwd.getpwnam(ACCOUNT)
    except (OSError, subprocess.CalledProcessError, KeyError):
        raise DatabaseUnavailable(
            "PostgreSQL does not run as root and the system account for it could not be made; "
            f"run ChartCite as an ordinary user, or create one with `useradd --system {ACCOUNT}`."
        ) from None


def let_in(account: pwd.struct_passwd, home: Path, binaries: Path) -> None:
    """As root, let the account pass through (not list) the folders above the data and the programs.

    The least that works: the execute bit for others, only on the folders that need it, and said in the log.
    """
    for folder in {*home.resolve().parents, home.resolve(), *binaries.parents}:
        found = folder.stat()
        if found.st_uid != account.pw_uid and not found.st_mode & stat.S_IXOTH:
            folder.chmod(stat.S_IMODE(found.st_mode) | stat.S_IXOTH)
            _log.warning(
                "Let other users pass through %s (not list it): PostgreSQL runs as %s",
                folder,
                account.pw_name,
            )
    program = (binaries / "postgres").stat()
    if program.st_mode & 0o005 != 0o005:  # installed under a strict umask
        for path in [binaries.parent, *binaries.parent.rglob("*")]:
            if not path.is_symlink():
                mode = stat.S_IMODE(path.stat().st_mode)
                path.chmod(mode | 0o044 | (0o011 if mode & 0o100 else 0))


def make_home(home: Path) -> None:
    """Create the folder, private to its owner.

    Made by root, each folder goes to the owner of the one above it, so that `sudo` in an ordinary user's home
    does not lock that user out; one that stays root's lets others through, not in, for PostgreSQL's account.
    """
    missing = [folder for folder in (home, *home.parents) if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(mode=0o700, exist_ok=True)
        if os.geteuid() == 0:
            above = folder.parent.stat()
            os.chown(folder, above.st_uid, above.st_gid)
            if above.st_uid == 0:
                folder.chmod(0o711)


def require_space(folder: Path, needed: int) -> None:
    if shutil.disk_usage(folder).free < needed:
        raise DatabaseUnavailable(no_space(folder))


def no_space(folder: Path) -> str:
    free = shutil.disk_usage(folder).free // 1024**2
    return (
        f"No disk space for the database: {folder} has {free} MB free and "
        f"{SPACE_TO_CREATE // 1024**2} MB are needed; "
        "free some, or set CHARTCITE_HOME to a folder on another disk."
    )
