"""`evaluate` at the terminal: progress on stderr, the report on stdout, exit 1 when a gate is broken."""

from __future__ import annotations

from pathlib import Path

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from core.cli.output import note, print_json
from core.evaluation import comparison
from core.evaluation.gates import breaches, read_gates
from core.evaluation.readme import write
from core.evaluation.report import Report
from core.evaluation.run import Plan, Step, evaluate_file
from core.evaluation.text import as_markdown


def compare(before: Path, after: Path, as_json: bool) -> None:
    """Print two reports compared."""
    found = comparison.compare(comparison.read_report(before), comparison.read_report(after))
    print_json(found) if as_json else typer.echo(comparison.as_markdown(found), nl=False)


def measure(
    questions: Path | None, plan: Plan, gates: Path | None, readme: Path | None, as_json: bool
) -> None:
    """Evaluate, print the report, write the README's tables where asked to, and hold the report against the gates."""
    thresholds = read_gates(gates) if gates else None
    report = _with_progress(questions, plan)
    print_json(report) if as_json else typer.echo(as_markdown(report), nl=False)
    if readme:
        write(readme, report)
        note(f"The tables of {readme} are written.")
    broken = breaches(report, thresholds) if thresholds else []
    for breach in broken:
        note(f"chartcite: {breach}")
    if broken:
        raise typer.Exit(1)


def _with_progress(questions: Path | None, plan: Plan) -> Report:
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("Checking the questions against the records", total=None)

        def show(step: Step) -> None:
            bar.update(task, description=step.doing, completed=step.done, total=step.total)

        return evaluate_file(questions, plan, show)
