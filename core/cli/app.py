"""Every command of the measuring contract, and `run`. Commands only read arguments, call the service and print."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli import batch
from core.cli.output import note, print_json, readable
from core.errors import ChartCiteError, InvalidQuestion

if TYPE_CHECKING:
    from core.models import Answer
    from core.service import Service

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

_INTERRUPTED = 130  # 128 + SIGINT, as shells say it


def main() -> int:
    """Run the command line; returns the exit code. A failure prints one line; its traceback only under `python -X dev`."""
    logging.basicConfig(
        level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s"
    )
    try:
        app()  # ends by SystemExit: 0, 2 on bad usage, or the code a command asked for
    except ChartCiteError as error:
        note(f"chartcite: {error}")
    except SystemExit as ended:
        if ended.code == _INTERRUPTED:
            note("chartcite: stopped.")
        raise
    except BrokenPipeError:  # the reader of our output went away: nothing left to say
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        # The message of an unforeseen error can hold what a record holds: only its kind is said.
        note(f"chartcite: unforeseen {type(error).__name__}. `python -X dev -m core …` shows where it arose.")
    return 1


@app.command()
def ingest(
    paths: Annotated[
        list[str],
        typer.Argument(
            help="Files and folders: .json .ndjson .gz .zip; or https://server/base/Patient/ID of a FHIR server"
        ),
    ],
    as_json: Json = False,
) -> None:
    """Read FHIR R4 records into the database. Prints a report of the rows actually written."""
    from core.cli.ingesting import ingest_named, print_report

    report = ingest_named(paths)
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

    with closing(open_service(warm=False)) as service:
        found = service.search_patients(readable(search, "--search"), limit)
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
    previous: Annotated[
        str, typer.Option("--previous", help="The question before, which this one may lean on.")
    ] = "",
    as_json: Json = False,
) -> None:
    """Ask a question about one patient's record, or many from a file of {"id", "patient", "question"} lines."""
    from core.service import open_service

    if answerer not in ("", "record", "llm"):
        raise typer.BadParameter(f"--answerer is record or llm, not {answerer!r}.")
    with ExitStack() as stack:
        if batch_file:
            batch.run(batch_file, lambda: _asking(stack.enter_context(closing(open_service())), answerer))
            return
        if not patient:
            raise typer.BadParameter("Say whose record: --patient Patient/ID.")
        readable(patient, "--patient")
        readable(question, "the question")
        readable(previous, "--previous")
        service = stack.enter_context(closing(open_service(warm=False)))
        service.patient(patient)  # a wrong patient is said at once, not after the model is loaded
        found = service.ask(patient, question, answerer or None, previous=previous)
    answer = found.answer
    if answer.merged_from:
        note(f"{answer.merged_from} was merged into {answer.patient}: answered from that record.")
    if answer.read_as:
        note(f"Read as: {answer.read_as}")
    if found.note:
        note(found.note)
    if as_json:
        print_json(answer)
        return
    typer.echo(answer.answer)
    typer.echo(
        f"\n{'refused' if answer.refused else answer.verdict.value.replace('_', ' ')} · answered by {answer.answerer}"
    )


def _asking(service: Service, answerer: str) -> Callable[[batch.Line], Answer]:
    def answer(line: batch.Line) -> Answer:
        patient, question = batch.text(line, "patient"), batch.text(line, "question")
        previous = batch.text(line, "previous") if line.get("previous") else ""
        return service.ask(patient, question, answerer or None, previous=previous).answer

    return answer


@app.command()
def verify(patient: Patient = "", batch_file: Batch = "", as_json: Json = False) -> None:
    """Check an answer (standard input), or many from {"id", "patient", "question", "answer"} lines, against records."""
    from core.cli.verifying import opened_verifier

    with ExitStack() as stack:
        if batch_file:
            batch.run(batch_file, lambda: stack.enter_context(opened_verifier()).check)
            return
        if not patient:
            raise typer.BadParameter("Say whose record: --patient Patient/ID.")
        answer = sys.stdin.buffer.read().decode("utf-8", errors="replace")
        if not answer.strip():
            raise InvalidQuestion("There is no answer to check. Give it on standard input.")
        verdict = stack.enter_context(opened_verifier()).check({"patient": patient, "answer": answer})
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
def forget(patient: Patient = "", as_json: Json = False) -> None:
    """Remove a patient and everything derived from the record; say what went."""
    from core.ingestion.forget import forget
    from core.service import open_service

    if not patient:
        raise typer.BadParameter("Say whose record: --patient Patient/ID.")
    readable(patient, "--patient")
    with closing(open_service(warm=False)) as service:
        gone = forget(service.stages.database, patient)
    if as_json:
        print_json(gone)
        return
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in gone.by_type.items())
    person = " and ".join([gone.patient, *gone.merged])
    typer.echo(
        f"{person} is forgotten: {gone.resources:,} resources ({kinds}) and {gone.texts:,} embedded texts."
    )
    if gone.audit_kept:
        typer.echo(f"Kept: {gone.audit_kept:,} entries of the audit trail.")


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
    without: Annotated[
        list[str] | None,
        typer.Option("--without", help="Measure retrieval without this part; repeatable. See --ablations."),
    ] = None,
    ablations: Annotated[
        bool, typer.Option("--ablations", help="Measure retrieval without each of its parts in turn, too.")
    ] = False,
    readme: Annotated[
        Path | None, typer.Option("--readme", help="Write the results into the tables of this README.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure answers, retrieval, refusals and the verifier over a set of questions with known truth."""
    from core.cli import evaluating
    from core.evaluation.run import Plan

    if answerer not in ("", "record", "llm"):
        raise typer.BadParameter(f"--answerer is record or llm, not {answerer!r}.")
    if compare:
        evaluating.compare(*compare, as_json)
        return
    retrieval_only = retrieval_only or bool(without)
    if retrieval_only and (gates or readme):
        raise typer.BadParameter(
            "--gates and --readme need whole answers: leave out --retrieval-only and --without."
        )
    if readme and (questions or answerer == "llm"):
        raise typer.BadParameter("--readme is for the shipped questions and the record answerer.")
    plan = Plan(
        answerer="record" if readme else answerer or None,
        retrieval_only=retrieval_only,
        without=tuple(without or ()),
        ablations=ablations or bool(readme),
    )
    evaluating.measure(questions, plan, gates, readme, as_json)


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
