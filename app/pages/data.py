"""Data: what is loaded, by type; what could not be taken and why; loading more where that is allowed."""

from __future__ import annotations

import streamlit as st

from app import session
from app.components.data_tables import counts_html, problems_html, report_html
from app.components.navigation import address
from app.components.state import empty_database, problem
from app.frame import page
from core.errors import ChartCiteError
from core.uploads import SUFFIXES, Progress

_PAGE = 50
_MEGABYTES = 200  # more goes through the command line, which reads a file piece by piece


def data() -> None:
    st.html('<h1 class="cc-h1">Data</h1>')
    counts = session.counts()
    left, right = st.columns([1, 1.6], gap="medium")
    with left, st.container(key="loaded", gap="small"):
        if counts:
            st.html(counts_html(counts))
        else:
            empty_database()
    with right, st.container(key="taking", gap="small"):
        upload()
        quarantine()


def upload() -> None:
    """One file at a time, with progress; a fragment of its own would not update the counts beside it."""
    allowed = session.service().stages.settings.uploads
    st.html('<h2 class="cc-h2">Load records</h2>')
    if not allowed:
        st.html(
            '<p class="cc-quiet">In a terminal: <code>python -m core ingest PATH</code>. Loading in the browser is off here;'
            " whoever runs ChartCite allows it with <code>CHARTCITE_UPLOADS=true</code>.</p>"
        )
        return
    taken = st.file_uploader(
        "A FHIR R4 Bundle or NDJSON file (.json, .ndjson, .gz, .zip), synthetic or authorised data only",
        type=list(SUFFIXES),
        max_upload_size=_MEGABYTES,
        key=f"upload-{st.session_state.get('uploads', 0)}",
    )
    if taken is not None:
        take(taken.name, taken.getvalue())
    if report := st.session_state.get("upload-report"):
        st.html(report_html(*report))


def take(name: str, body: bytes) -> None:
    bar = st.progress(0.0, "Reading …")

    def show(step: Progress) -> None:
        doing = f", {step.embedded:,} of {step.to_embed:,} texts embedded" if step.to_embed else ""
        bar.progress(min(1.0, step.fraction), f"{step.resources:,} resources read{doing} …")

    try:
        report = session.service().upload(name, body, show)
    except ChartCiteError as error:
        bar.empty()
        problem(str(error), "This file was not loaded")
        return
    bar.empty()
    st.session_state["upload-report"] = (name, report)
    st.session_state["uploads"] = st.session_state.get("uploads", 0) + 1
    st.rerun()  # the counts beside it are of before


def quarantine() -> None:
    first = session.number_of("from")
    problems, total = session.service().quarantined(first, _PAGE)
    kept = {k: v for k, v in st.query_params.to_dict().items() if k in ("page", "patient")}
    st.html(problems_html(problems, first, total, lambda start: address({**kept, "from": str(start)})))


page("data", data)
