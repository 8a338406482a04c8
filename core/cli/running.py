"""`run`: port checked, database started, demo records loaded when it is empty, then the dashboard. One line a failure."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

from core.cli.ingesting import ingest_into, print_report
from core.cli.output import note
from core.config import load_settings
from core.errors import ConfigurationError
from core.service import open_service

_APP = Path(__file__).resolve().parents[2] / "app" / "main.py"


def run_dashboard(host: str, port: int, demo: Path) -> int:
    """Start the dashboard and stay with it; returns its exit code. Raises ChartCiteError with the next step."""
    _require_free(host, port)
    settings = load_settings()
    note("Starting the database …")
    service = open_service(settings, on_wait=note, warm=False)
    try:
        if not service.counts():
            if demo.exists():
                note(f"The database is empty: loading the demo records of {demo} (once) …")
                print_report(ingest_into(service, [demo]))
            else:
                note(
                    f"The database is empty and {demo} does not exist. Load records: python -m core ingest PATH"
                )
        note(f"ChartCite is at http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port} (Ctrl+C stops it).")
        sys.argv = ["streamlit", "run", str(_APP), f"--server.address={host}", f"--server.port={port}"]
        os.chdir(_APP.parents[1])  # .streamlit/config.toml is read from the working directory
        from streamlit.web import cli as streamlit

        return int(streamlit.main(standalone_mode=False) or 0)
    finally:
        service.close()


def _require_free(host: str, port: int) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise ConfigurationError(
                f"Port {port} on {host} cannot be used ({error.strerror}). "
                f"Stop what uses it, or choose another: make run PORT={port + 1 if port < 65535 else 8600}"
            ) from None
