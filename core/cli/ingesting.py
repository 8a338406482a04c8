"""`ingest` at the terminal: a progress bar on stderr, a report of what the database wrote."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from core.cli.output import note
from core.config import Settings, load_settings
from core.ingestion.files import Source
from core.ingestion.ingest import Progress as Step
from core.ingestion.ingest import Report, ingest
from core.ingestion.server import download, is_url
from core.service import Service, open_service

_PROBLEMS_SHOWN = 20


def ingest_named(names: list[str]) -> Report:
    """Ingest paths and URLs into the configured database, with progress; every URL is fetched whole before anything."""
    settings = load_settings()
    with TemporaryDirectory(prefix="chartcite-download-") as folder:
        urls = [name for name in names if is_url(name)]
        fetched = [_fetched(url, Path(folder) / str(n), settings) for n, url in enumerate(urls)]
        with closing(open_service(settings, on_wait=note, warm=False)) as service:
            return ingest_into(service, [Path(name) for name in names if not is_url(name)], fetched)


def _fetched(url: str, into: Path, settings: Settings) -> Source:
    console = Console(stderr=True)
    silent = not console.is_terminal
    with Progress(TextColumn("{task.description}"), console=console, transient=True, disable=silent) as bar:
        task = bar.add_task("Asking the FHIR server", total=None)
        return download(
            url,
            into,
            settings.fhir_token.get_secret_value(),
            settings.fhir_timeout_seconds,
            lambda pages: bar.update(task, description=f"{pages:,} pages fetched"),
        )


def ingest_into(service: Service, paths: list[Path], downloads: Sequence[Source] = ()) -> Report:
    """Ingest through an opened service, with progress on stderr."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("Reading", total=None)

        def show(step: Step) -> None:
            doing = f", {step.embedded:,} of {step.to_embed:,} texts embedded" if step.to_embed else ""
            rate = f" ({step.resources / step.seconds:,.0f}/s)" if step.seconds >= 1 else ""
            said = f"{step.done} of {step.files} files, {step.resources:,} resources read{rate}{doing}"
            bar.update(task, completed=step.fraction, total=1.0, description=said)

        return ingest(service.stages.database, service.stages.embedder, paths, show, downloads)


def print_report(report: Report) -> None:
    """The report for a person: counts first, then what could not be taken and why."""
    print(
        f"{report.files} files, {report.read:,} resources read: {report.written:,} written, {report.updated:,} updated, "
        f"{report.unchanged:,} unchanged, {report.superseded:,} superseded, {report.quarantined:,} quarantined "
        f"({report.seconds:.1f} s, {report.texts_embedded:,} texts embedded)."
    )
    if report.by_type:
        print("Written or updated: " + ", ".join(f"{n:,} {t}" for t, n in report.by_type.items()))
    for problem in report.problems[:_PROBLEMS_SHOWN]:
        where = f"{problem['source']}, {problem['entry']}" if problem["entry"] else problem["source"]
        note(f"quarantined: {where}: {problem['reason']}")
    if len(report.problems) > _PROBLEMS_SHOWN:
        note(f"… and {len(report.problems) - _PROBLEMS_SHOWN} more; `python -m core doctor` lists them all.")
    for warning in report.warnings:
        note(f"warning: {warning}")
