"""Makes and repairs `.venv` by the standard library alone: `python -I core/bootstrap.py install|dev|browser`.

A half-made environment is never used: an interrupted install is made again from the start, because pip may
have left a package that looks installed and is not. A second run with the same requirements does nothing.
Every failure is one clear line on stderr that says what to do, and exit status 1.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
INSTALLING = VENV / ".installing"
"""Exists from before the first file is made until the last package is in."""

GIGABYTE = 1024**3
SPACE_FOR_ALL = 4 * GIGABYTE
SPACE_FOR_GPU_TORCH = 8 * GIGABYTE
SPACE_FOR_SOME = GIGABYTE
CPU_INDEX = "https://download.pytorch.org/whl/cpu"


def main(arguments: list[str]) -> int:
    match arguments:
        case ["install"]:
            install("requirements.txt")
        case ["dev"]:
            install("requirements.txt", "requirements-dev.txt")
        case ["browser"]:
            browser()
        case _:
            print("usage: python -I core/bootstrap.py install|dev|browser", file=sys.stderr)
            return 2
    return 0


def install(*requirements: str) -> None:
    """Bring `.venv` to the pinned requirements, unless it is there already."""
    wanted = {name: _fingerprint(name) for name in requirements}
    if _installed(wanted):
        return
    with _alone():
        if _installed(wanted):
            return
        _check_venv_module()
        fresh = _prepare()
        _check_space(fresh)
        VENV.mkdir(exist_ok=True)
        INSTALLING.touch()
        if fresh:
            _make_venv()
        _pip_install(list(requirements))
        for name, fingerprint in wanted.items():
            _stamp(name).write_text(fingerprint)
        INSTALLING.unlink()
        say(f"Installed in {VENV}.")


def _installed(wanted: dict[str, str]) -> bool:
    if INSTALLING.exists() or not PYTHON.exists():
        return False
    stamps = {name: _stamp(name) for name in wanted}
    return all(stamp.exists() and stamp.read_text() == wanted[name] for name, stamp in stamps.items())


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Two installs at once would ruin each other's; the second waits."""
    with (ROOT / "requirements.txt").open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another install is under way here; waiting for it.")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def browser() -> None:
    """Have a Chromium for the browser tests: the system's, or install it where that is possible."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    if any(shutil.which(name) for name in names):
        return
    if os.geteuid() == 0 and shutil.which("apt-get"):
        say("Installing Chromium for the browser tests")
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (["apt-get", "update", "-q"], ["apt-get", "install", "-y", "-q", "chromium"]):
            subprocess.run(command, check=False, stdin=subprocess.DEVNULL, stdout=sys.stderr, env=environment)
        if any(shutil.which(name) for name in names):
            return
        stop("Chromium could not be installed with apt-get (see above); install it and run again.")
    stop(
        "The browser tests need Chromium and none was found; install it with the system's package manager, "
        "for example `sudo apt-get install chromium`, and run again."
    )


def _prepare() -> bool:
    """Clear away what cannot be used; True if the environment is to be made from nothing."""
    if not VENV.exists() and not VENV.is_symlink():
        return True
    if INSTALLING.exists():
        say(f"{VENV} is half-made (an install was interrupted); making it again.")
    elif not VENV.is_dir() or not ((VENV / "pyvenv.cfg").exists() or not any(VENV.iterdir())):
        stop(f"{VENV} is not a Python environment; move it away and run again.")
    elif not _works():
        say(f"{VENV} does not work any more (its Python is gone or too old); making it again.")
    else:
        return False
    shutil.rmtree(VENV)
    return True


def _works() -> bool:
    """Whether the environment's Python starts, is recent enough and has pip."""
    probe = "import sys, pip; sys.exit(sys.version_info < (3, 11))"
    try:
        return (
            subprocess.run([str(PYTHON), "-I", "-c", probe], capture_output=True, check=False).returncode == 0
        )
    except OSError:
        return False


def _make_venv() -> None:
    say(f"Making {VENV} with Python {platform.python_version()}")
    made = subprocess.run(
        [sys.executable, "-I", "-m", "venv", str(VENV)], capture_output=True, text=True, check=False
    )
    said = (made.stdout + made.stderr).strip().splitlines() or ["no reason given"]
    if made.returncode != 0 and any("ensurepip" in line for line in said):
        _lacks_venv_module()
    if made.returncode != 0:
        stop(f"{VENV} could not be made: {said[-1]}")


def _pip_install(requirements: list[str]) -> None:
    command = [str(PYTHON), "-I", "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    command += ["--progress-bar", "off"]
    if index := os.environ.get("TORCH_INDEX_URL", "").strip():
        command += ["--extra-index-url", index]
    for name in requirements:
        command += ["-r", str(ROOT / name)]
    say(f"Installing {' and '.join(requirements)}; the first time this takes a few minutes")
    pip = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=ROOT,
    )
    assert pip.stdout is not None
    errors: list[str] = []
    for line in pip.stdout:
        if re.match(r"ERROR|error:", line):
            errors.append(line.strip().removeprefix("ERROR: "))
        _progress(line)
    _progress("")
    if pip.wait() == 0:
        return
    if any("No space left on device" in error or "Errno 28" in error for error in errors):
        stop(
            f"The disk filled up while installing into {VENV} (or into pip's temporary folder, TMPDIR); "
            "free 4 GB and run again: the environment will be made anew."
        )
    if pip.returncode > 0:
        INSTALLING.unlink(missing_ok=True)  # pip undid what it had begun
    for error in errors[:-1]:
        say(f"pip: {error}")
    reason = errors[-1] if errors else f"exit status {pip.returncode}"
    stop(f"pip could not install the packages ({reason}); correct that and run again.")


def _progress(line: str) -> None:
    """What pip is doing, on one line of the terminal; in a log, only its longest steps."""
    doing = re.match(
        r" *(Collecting|Downloading|Processing|Building|Installing collected packages)\b(.*)", line
    )
    what = doing[1] + (f" {Path(doing[2].split()[0]).name}" if doing[2].split() else "") if doing else ""
    if what.startswith("Installing"):
        what = "Copying the packages into place"
    if sys.stderr.isatty():
        if what or not line:
            sys.stderr.write(f"\r\033[K{what[:78]}")
            sys.stderr.flush()
    elif what.startswith("Copying"):
        say(what)


def _check_venv_module() -> None:
    found = (importlib.util.find_spec(name) for name in ("venv", "ensurepip"))
    if not all(spec is not None and spec.origin for spec in found):
        _lacks_venv_module()


def _lacks_venv_module() -> NoReturn:
    package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
    stop(
        f"{sys.executable} lacks the modules that make environments; install them, "
        f"for example with `sudo apt-get install {package}`, and run again."
    )


def _check_space(fresh: bool) -> None:
    free = shutil.disk_usage(ROOT).free
    needed = SPACE_FOR_ALL if fresh else SPACE_FOR_SOME
    if free < needed:
        stop(
            f"Not enough disk space in {ROOT}: {free / GIGABYTE:.1f} GB free, "
            f"about {needed / GIGABYTE:.0f} GB needed; free some or move the folder to another disk."
        )
    gpu_build = platform.system() == "Linux" and not os.environ.get("TORCH_INDEX_URL")
    if fresh and gpu_build and free < SPACE_FOR_GPU_TORCH:
        say(
            f"{free / GIGABYTE:.1f} GB free; the GPU build of torch, the default on Linux, may need 8 GB. "
            f"The CPU build is smaller: make install TORCH_INDEX_URL={CPU_INDEX}"
        )


def _fingerprint(name: str) -> str:
    content = (ROOT / name).read_bytes()
    return hashlib.sha256(content).hexdigest()


def _stamp(name: str) -> Path:
    return VENV / f".installed-{name}.sha256"


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def stop(line: str) -> NoReturn:
    say(line)
    sys.exit(1)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        with contextlib.suppress(OSError):
            say("Interrupted; run again to go on.")
        sys.exit(130)
    except OSError as error:
        stop(f"{error.filename or ROOT}: {error.strerror}; correct that and run again.")
