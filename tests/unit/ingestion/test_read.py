"""Whatever the bytes of a file, reading it never raises and loses nothing silently."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import orjson
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.ingestion.files import source_of
from core.ingestion.read import read_source
from core.ingestion.split import split_entries

SOME = settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.sampled_from(["", "entry", '"', "\\", "}]", '{"entry":[', "é"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["entry", "a", "}"]), inner, max_size=3)
    ),
    max_leaves=8,
)
RESOURCES = st.fixed_dictionaries({"resourceType": st.just("Observation"), "id": st.just("o"), "x": VALUES})
ENTRIES = st.lists(RESOURCES.map(lambda r: {"resource": r}), max_size=4)
BUNDLES = st.tuples(VALUES, ENTRIES, VALUES).map(
    lambda v: {"before": v[0], "resourceType": "Bundle", "entry": v[1], "after": v[2]}
)


@SOME
@given(BUNDLES, st.sampled_from([None, 2]))
def test_entries_are_cut_where_the_parser_would_cut_them(bundle: dict[str, Any], indent: int | None) -> None:
    body = json.dumps(bundle, indent=indent).encode()
    parts = split_entries(body)
    assert parts is not None
    assert [orjson.loads(text) for text in parts[1]] == bundle["entry"]
    assert orjson.loads(parts[0]) == {**bundle, "entry": []}


@SOME
@given(BUNDLES, st.data())
def test_a_cut_bundle_has_no_entries(bundle: dict[str, Any], data: st.DataObject) -> None:
    body = json.dumps(bundle).encode()
    assert split_entries(body[: data.draw(st.integers(0, len(body) - 1))]) is None


@SOME
@given(st.one_of(st.binary(max_size=60), BUNDLES.map(lambda b: json.dumps(b).encode())), st.data())
def test_any_bytes_are_read_or_reported(tmp_path: Path, body: bytes, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(body)))
    body = body[:at] + data.draw(st.binary(max_size=3)) + body[at + data.draw(st.integers(0, 2)) :]
    for name in ("a.json", "a.ndjson", "a.json.gz", "a.zip"):
        (tmp_path / name).write_bytes(body)
        documents = list(read_source(source_of(tmp_path / name)))
        assert documents[0].first
        assert documents[-1].last
        assert all(len(d.resources) == len(d.places) for d in documents)
        assert name in ("a.json", "a.ndjson") or sum(len(d.problems) for d in documents) == 1
