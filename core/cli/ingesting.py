"""`ingest` at the terminal: a progress bar on stderr, a report of what the database wrote."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from core.cli.output import note
from core.ingestion.ingest import Progress as Step
from core.ingestion.ingest import Report, ingest
from core.service import Service, open_service

_PROBLEMS_SHOWN = 20


def ingest_paths(paths: list[Path]) -> Report:
    """Ingest into the configured database, with progress."""
    with closing(open_service(on_wait=note, warm=False)) as service:
        return ingest_into(service, paths)


def ingest_into(service: Service, paths: list[Path]) -> Report:
    """Ingest through an opened service, with progress on stderr."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("Reading", total=None)

        def show(step: Step) -> None:
            doing = f", {step.embedded:,} of {step.to_embed:,} texts embedded" if step.to_embed else ""
            said = f"{step.done} of {step.files} files, {step.resources:,} resources read{doing}"
            bar.update(task, completed=step.fraction, total=1.0, description=said)

        return ingest(service.stages.database, service.stages.embedder, paths, show)


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
