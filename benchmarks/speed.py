"""How fast records go in and answers come out, printed side by side with the plain way of doing it.

Works in a database of its own that is gone afterwards. Figures are of the machine it runs on: repeat runs of one
configuration differ by 10 to 15 %.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from benchmarks.scale import measure_scale
from core.config import Settings
from core.database.embedded import EmbeddedPostgres
from core.database.pool import Database
from core.embedding import Embedder
from core.ingestion.ingest import Report, ingest
from core.service import Service, open_service

DEMO = Path(__file__).resolve().parents[1] / "data" / "demo"
PATIENTS, QUESTIONS = 20, 10  # asked: of so many patients, so many questions each


def main() -> None:
    """Measure ingestion of a folder, then answers about its patients."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("corpus", nargs="?", type=Path, default=DEMO, help="a folder of FHIR files")
    parser.add_argument("--sample", type=int, default=300, help="texts embedded one by one for comparison")
    parser.add_argument(
        "--rows", type=int, default=2_000_000, help="rows of other patients added; 0 for none"
    )
    arguments = parser.parse_args()
    with _service() as service:
        service.stages.embedder.embed(["loaded before anything is measured"])
        _measure_ingestion(service, arguments.corpus, arguments.sample)
        asked = _questions(service)
        _measure_answers(service, asked)
        if arguments.rows:
            print(
                f"Retrieval of {len(asked)} questions, {len(service.search_patients(limit=10_000)):,} patients loaded:"
            )
            measure_scale(service, asked, arguments.rows)


@contextmanager
def _service() -> Iterator[Service]:
    with tempfile.TemporaryDirectory(prefix="chartcite-bench-") as folder:
        server = EmbeddedPostgres(Path(folder))
        settings = Settings(database_url=server.ensure_running())
        with closing(open_service(settings, warm=False)) as service:
            yield service
        server.stop()


def _measure_ingestion(service: Service, corpus: Path, sample: int) -> None:
    database, embedder = service.stages.database, service.stages.embedder
    first = ingest(database, embedder, [corpus])
    print(f"{corpus}: {first.files} files, {first.read:,} resources, {first.texts_embedded:,} texts embedded")
    if not first.read:
        return
    plain = _one_by_one(database, embedder, sample)
    _line("embedding each resource's text by itself", plain, f"{sample} sampled; nothing read or stored")
    rate = first.read / first.seconds
    _line("ingestion", rate, f"{first.seconds:.1f} s, {rate / plain:.1f} times as fast")
    with database.connection() as connection:
        connection.execute("delete from files")
    _line("again, each resource recognised", *_again(ingest(database, embedder, [corpus]), rate))
    _line("again, each file recognised", *_again(ingest(database, embedder, [corpus]), rate))


def _again(report: Report, first: float) -> tuple[float, str]:
    rate = report.read / max(report.seconds, 0.01)
    return rate, f"{report.seconds:.2f} s, {rate / first:.0f} times the first; {report.updated} updated"


def _one_by_one(database: Database, embedder: Embedder, sample: int) -> float:
    """Texts a second when every resource's shown text is embedded in a call of its own."""
    with database.connection() as connection:
        rows = connection.execute(
            "select text_content from resources order by patient_ref, resource_id"
        ).fetchall()
    texts = [text for (text,) in random.Random(0).sample(rows, min(sample, len(rows)))]
    started = time.perf_counter()
    for text in texts:
        embedder.embed([text])
    return len(texts) / (time.perf_counter() - started)


def _line(what: str, rate: float, remark: str) -> None:
    print(f"  {what:<44} {rate:>10,.0f} resources/s   ({remark})")


def _questions(service: Service) -> list[tuple[str, str]]:
    """(patient, question): what each record suggests to ask."""
    return [
        (patient.patient, suggestion.question)
        for patient in service.search_patients(limit=PATIENTS)
        for suggestion in service.suggestions(patient.patient)[:QUESTIONS]
    ]


def _measure_answers(service: Service, asked: list[tuple[str, str]]) -> None:
    """Milliseconds of each stage of the answers."""
    spent: dict[str, list[float]] = {}
    for patient, question in asked:
        for stage, milliseconds in service.ask(patient, question).answer.timings_ms.model_dump().items():
            spent.setdefault(stage, []).append(milliseconds)
    print(f"{len(asked)} questions, milliseconds of each stage:")
    print(f"  {'':<10}{'p50':>8}{'p95':>8}{'most':>8}")
    for stage, times in spent.items():
        cuts = statistics.quantiles(times, n=20, method="inclusive") if len(times) > 1 else times * 19
        print(f"  {stage:<10}{cuts[9]:>8.1f}{cuts[18]:>8.1f}{max(times):>8.1f}")


if __name__ == "__main__":
    main()
