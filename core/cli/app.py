"""Every command of the measuring contract, and `run`. Commands only read arguments, call the service and print."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from core.cli import batch
from core.cli.output import note, print_json
from core.errors import ChartCiteError

app = typer.Typer(
    name="chartcite",
    help="Answers from a patient's FHIR R4 record, every claim cited and checked.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout and nothing else there.")]
Batch = Annotated[str, typer.Option("--batch", help="A file of JSON lines, or - for standard input.")]
Patient = Annotated[str, typer.Option("--patient", help="Patient/ID (or just the id).")]


def main() -> int:
    """Run the command line; returns the exit code. Expected failures print one line, never a traceback."""
    logging.basicConfig(
        level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s"
    )
    try:
        app()  # ends by SystemExit: 0, 2 on bad usage, or the code a command asked for
    except ChartCiteError as error:
        note(f"chartcite: {error}")
    except KeyboardInterrupt:
        note("chartcite: stopped.")
    except BrokenPipeError:  # the reader of our output went away: nothing left to say
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


@app.command()
def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders: .json .ndjson .gz .zip")],
    as_json: Json = False,
) -> None:
    """Read FHIR R4 records into the database. Prints a report of the rows actually written."""
    from core.cli.ingesting import ingest_paths, print_report

    report = ingest_paths(paths)
    print_json(report) if as_json else print_report(report)


@app.command()
def patients(
    search: Annotated[
        str, typer.Option("--search", help="Words of a name, identifier, birth date or id.")
    ] = "",
    limit: Annotated[int, typer.Option("--limit", min=1, help="At most so many.")] = 1000,
    as_json: Json = False,
) -> None:
    """List the patients in the database."""
    from core.service import open_service

    found = open_service(warm=False).search_patients(search, limit)
    if as_json:
        fields = {"patient", "name", "birth_date", "gender", "resources"}
        print_json([p.model_dump(include=fields) for p in found])
        return
    for p in found:
        typer.echo(f"{p.patient}  {p.name}  {p.birth_date}  {p.gender}  {p.resources} resources")
    if not found:
        note(
            "No patient matches."
            if search
            else "The database holds no patient. Load some: python -m core ingest PATH"
        )


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="The question.")] = "",
    patient: Patient = "",
    batch_file: Batch = "",
    answerer: Annotated[str, typer.Option("--answerer", help="record or llm.")] = "",
    as_json: Json = False,
) -> None:
    """Ask a question about one patient's record, or many from a file of {"id", "patient", "question"} lines."""
    from core.service import open_service

    if answerer not in ("", "record", "llm"):
        raise typer.BadParameter(f"--answerer is record or llm, not {answerer!r}.")
    if batch_file:
        service = open_service()
        batch.run(
            batch_file,
            lambda line: (
                service.ask(
                    batch.text(line, "patient"),
                    batch.text(line, "question"),
                    answerer or None,
                    question_id=line.get("id"),
                ).answer
            ),
        )
        return
    if not patient:
        raise typer.BadParameter("Say whose record: --patient Patient/ID.")
    found = open_service().ask(patient, question, answerer or None)
    answer = found.answer
    if found.note:
        note(found.note)
    if as_json:
        print_json(answer)
        return
    typer.echo(answer.answer)
    typer.echo(
        f"\n{'refused' if answer.refused else answer.verdict.value.replace('_', ' ')} · answered by {answer.answerer}"
    )


@app.command()
def verify(patient: Patient = "", batch_file: Batch = "", as_json: Json = False) -> None:
    """Check an answer (standard input) against a record, or many: {"id", "patient", "question", "answer"} a line."""
    from core.cli.verifying import Verifier

    if batch_file:
        batch.run(batch_file, Verifier().check)
        return
    if not patient:
        raise typer.BadParameter("Say whose record: --patient Patient/ID.")
    verdict = Verifier().check({"patient": patient, "answer": sys.stdin.read()})
    if as_json:
        print_json(verdict)
        return
    typer.echo(verdict.verdict.value.replace("_", " "))
    for claim in verdict.claims:
        typer.echo(f"- {claim.status.value}: {claim.text}")
        for check in claim.checks:
            if not check.ok:
                typer.echo(
                    f"    {check.kind}: the answer says {check.expected}; the record has {check.found}"
                )


@app.command()
def evaluate(
    questions: Annotated[
        Path | None, typer.Option("--questions", help="A question file; the shipped set by default.")
    ] = None,
    retrieval_only: Annotated[
        bool, typer.Option("--retrieval-only", help="Measure retrieval alone.")
    ] = False,
    answerer: Annotated[str, typer.Option("--answerer", help="record or llm.")] = "",
    gates: Annotated[
        Path | None,
        typer.Option(
            "--gates", help="A file of thresholds; exit 1 when a measure is on the wrong side of one."
        ),
    ] = None,
    compare: Annotated[
        tuple[Path, Path] | None,
        typer.Option("--compare", help="Compare two JSON reports, before and after; asks nothing."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure answers, retrieval, refusals and the verifier over a set of questions with known truth."""
    from core.evaluation import comparison
    from core.evaluation.gates import breaches, read_gates
    from core.evaluation.report import evaluate_file, print_report

    if answerer not in ("", "record", "llm"):
        raise typer.BadParameter(f"--answerer is record or llm, not {answerer!r}.")
    if gates and retrieval_only:
        raise typer.BadParameter("--gates needs whole answers: leave out --retrieval-only.")
    if compare:
        found = comparison.compare(*map(comparison.read_report, compare))
        print_json(found) if as_json else typer.echo(comparison.as_markdown(found), nl=False)
        return
    thresholds = read_gates(gates) if gates else None
    report = evaluate_file(questions, retrieval_only=retrieval_only, answerer=answerer or None)
    print_json(report) if as_json else print_report(report)
    broken = breaches(report, thresholds) if thresholds else []
    for breach in broken:
        note(f"chartcite: {breach}")
    if broken:
        raise typer.Exit(1)


@app.command()
def doctor(as_json: Json = False) -> None:
    """Check the database, the index use, the model and the stored vectors; exit 1 when something is wrong."""
    from core.cli.doctor import examine, print_findings

    findings = examine()
    print_json(findings) if as_json else print_findings(findings)
    if not findings.ok:
        raise typer.Exit(1)


@app.command()
def run(
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Port to listen on.")] = 8501,
    demo: Annotated[Path, typer.Option("--demo", help="What to load into an empty database.")] = Path(
        "data/demo"
    ),
) -> None:
    """Start the dashboard: the database, the demo records when it is empty, then Streamlit."""
    from core.cli.running import run_dashboard

    raise typer.Exit(run_dashboard(host, port, demo))
