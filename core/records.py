"""Whole records for the verifier: complete, so that "latest", counts and "none" are read from everything there is.

Reading 3,000 resources takes 140 ms, so the last few patients' records are kept, each until an ingest touches the patient.
A record is handed out only for the patient it was asked for; who may ask is decided before.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping

import psycopg

from core.database.queries import query
from core.grounding.record import Record
from core.models import Facts
from core.retrieval.search import FACTS

_KEPT = 8  # a record of 6,000 resources takes about 60 MB as facts


class Records:
    """The whole records of the patients asked about last. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, tuple[str, Record]] = OrderedDict()

    def whole(self, connection: psycopg.Connection, patient: str, cited: Iterable[str] = ()) -> Record:
        """The record of one patient, with the shared directory rows that are cited."""
        record = self._own(connection, patient)
        foreign = [i for i in cited if i not in record.resources]
        if not foreign:
            return record
        shared = _facts(connection.execute(query("directory_rows"), {"ids": foreign}).fetchall())
        return Record(patient, {**record.resources, **shared}) if shared else record

    def _own(self, connection: psycopg.Connection, patient: str) -> Record:
        row = connection.execute(query("record_version"), {"patient": patient}).fetchone()
        version = (row[0] or "") if row else ""
        with self._lock:
            kept = self._kept.get(patient)
            if kept and kept[0] == version:
                self._kept.move_to_end(patient)
                return kept[1]
        rows = connection.execute(query("whole_record"), {"patient": patient}).fetchall()
        record = Record(patient, _facts(rows))
        with self._lock:
            self._kept[patient] = (version, record)
            self._kept.move_to_end(patient)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return record


def _facts(rows: Iterable[tuple[str]]) -> Mapping[str, Facts]:
    found = (FACTS.validate_json(row[0]) for row in rows)
    return {f.resource_id: f for f in found}
