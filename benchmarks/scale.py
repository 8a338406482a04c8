"""Whether other patients' rows slow a question down: the same questions before and after millions of them are added.

They are copies of the rows there are, under new ids, so the vectors stay as few: what grows is the table and its indexes.
"""

from __future__ import annotations

import statistics
import time
from pathlib import Path

from core.pipeline import Clock, retrieve
from core.service import Service

_COPY = (Path(__file__).parent / "copy_rows.sql").read_text(encoding="utf-8")


def measure_scale(service: Service, asked: list[tuple[str, str]], rows: int) -> None:
    """Print the time of retrieval over (patient, question) pairs, with the records alone and among so many other rows."""
    before = _retrieval(service, asked)
    _line("with these records alone", before)
    started, added = time.perf_counter(), _add(service, rows)
    print(f"  {added:,} rows of other patients added in {time.perf_counter() - started:.0f} s")
    after = _retrieval(service, asked)
    _line("among them", after)
    print(f"  SQL p95: {after[1][1] / before[1][1]:.2f} times what it was")


def _add(service: Service, rows: int) -> int:
    """Copy until so many rows are added; each copy of the table is a transaction of its own."""
    added = copies = 0
    while added < rows:
        copies += 1
        with service.stages.database.connection() as connection:
            parameters = {"copy": f"~{copies}", "rows": rows - added}
            new = connection.execute(_COPY.encode(), parameters).rowcount
        if not new:
            break
        added += new
    with service.stages.database.connection() as connection:
        connection.execute("analyze resources")
    return added


def _retrieval(service: Service, asked: list[tuple[str, str]]) -> list[tuple[float, float]]:
    """(p50, p95) in milliseconds of retrieval in all, and of its SQL, each question once after all were asked once."""
    total, sql = [], []
    for warm in (False, True):
        for patient, question in asked:
            clock = Clock()
            retrieve(service.stages, patient, question, clock)
            spent = clock.timings()
            if warm:
                total.append(spent.total)
                sql.append(spent.retrieve + spent.resolve)
    return [_percentiles(total), _percentiles(sql)]


def _percentiles(times: list[float]) -> tuple[float, float]:
    cuts = statistics.quantiles(times, n=20, method="inclusive")
    return cuts[9], cuts[18]


def _line(what: str, found: list[tuple[float, float]]) -> None:
    (total_50, total_95), (sql_50, sql_95) = found
    print(
        f"  {what:<28} embed + SQL + references p50 {total_50:.1f}, p95 {total_95:.1f} ms; "
        f"SQL with ranking p50 {sql_50:.1f}, p95 {sql_95:.1f} ms"
    )
