"""Record: the whole chart of one patient, at a glance, by type and time, searched, each entry with its references."""

from __future__ import annotations

import streamlit as st

from app import session
from app.components.chart_list import detail_html, entries_html, pages_html, types_html
from app.components.evidence import json_on_demand
from app.components.navigation import address
from app.components.overview import overview_html
from app.components.state import nothing, problem
from app.frame import patient_page
from app.text import escaped
from core.browse import newest_first, referring, refers_to, types_of
from core.grounding.record import Record
from core.models import Facts
from core.overview import last_results, overview_of
from core.patients import PatientSummary
from core.trends import series_of

_PAGE = 60
_KEPT = ("page", "patient", "type", "find", "from", "resource")


def page(patient: PatientSummary) -> None:
    record = session.record()
    kind, found = st.query_params.get("type", ""), st.query_params.get("find", "")
    chosen = st.query_params.get("resource", "")
    columns = [0.8, 3.2] if not chosen else [0.8, 1.9, 1.3]
    rail, *rest = st.columns(columns, gap="medium")
    with rail, st.container(key="rail", gap="small"):
        search_field()
        types = session.kept("types", lambda: types_of(record.resources.values()))
        st.html(types_html(types, "" if found else kind, lambda change: to(change, drop=_KEPT[2:])))
    with rest[0], st.container(key="listing", gap="small"):
        if found:
            search_results(patient, record, found, chosen)
        elif kind:
            listing(record, kind, chosen)
        else:
            overview(record)
    if chosen:
        with rest[1], st.container(key="detail", gap="small"):
            detail(patient, record, chosen)
    json_on_demand(patient.patient, session.resource)


def to(change: dict[str, str], drop: tuple[str, ...] = ()) -> str:
    """The address of this page with some parameters changed."""
    now = {k: v for k, v in st.query_params.to_dict().items() if k in _KEPT and k not in drop}
    return address(now | change)


def search_field() -> None:
    """Searches when Enter is pressed; the URL holds what is searched for."""
    wanted = st.query_params.get("find", "")
    if st.session_state.get("record-find-of-url") != wanted or "record-find" not in st.session_state:
        st.session_state["record-find-of-url"] = st.session_state["record-find"] = wanted

    def search() -> None:
        for name in ("from", "resource", "type"):
            st.query_params.pop(name, None)
        text = str(st.session_state["record-find"]).strip()
        if text:
            st.query_params["find"] = text
        else:
            st.query_params.pop("find", None)

    st.text_input(
        "Search this record",
        key="record-find",
        type="search",
        placeholder="Search this record",
        label_visibility="collapsed",
        autocomplete="off",
        on_change=search,
    )


def overview(record: Record) -> None:
    found = session.kept("overview", lambda: overview_of(record.resources.values()))
    series = session.kept("series", lambda: series_of(record.resources.values()))
    patient = {"patient": st.query_params["patient"]}
    if found.void:
        words = "1 entry is" if found.void == 1 else f"{found.void} entries are"
        st.html(
            f'<p class="cc-banner">{words} void (entered in error, refuted or not understood): struck through in the'
            " lists, with the reason, and never evidence.</p>"
        )
    st.html(
        overview_html(
            found,
            last_results(series, "Vital signs"),
            (*last_results(series, "HbA1c"), *last_results(series, "Laboratory")),
            to,
            lambda more: address({"page": "trends", **patient, **more}),
        )
    )


def listing(record: Record, kind: str, chosen: str) -> None:
    everything = session.kept("newest", lambda: newest_first(record.resources.values()))
    show(tuple(f for f in everything if kind in ("all", f.resource_type)), chosen, by_year=True)


def search_results(patient: PatientSummary, record: Record, text: str, chosen: str) -> None:
    ids = session.kept("found", lambda: session.service().search_record(patient.patient, text), text)
    found = tuple(record.resources[i] for i in ids if i in record.resources)
    total = f"{len(found)} entries hold" if len(found) != 1 else "1 entry holds"
    st.html(f'<h2 class="cc-h2">{total} “{escaped(text)}” <span>the nearest first</span></h2>')
    if not found:
        st.html('<p class="cc-quiet">Try fewer or other words, or look under a type on the left.</p>')
        return
    show(found, chosen, by_year=False)


def show(found: tuple[Facts, ...], chosen: str, by_year: bool) -> None:
    if not found:
        nothing(
            "Nothing of this kind", "This record holds no such entry. What it holds is listed on the left."
        )
        return
    first = min(session.number_of("from"), max(0, len(found) - 1))
    pages = pages_html(first, _PAGE, len(found), lambda change: to(change, drop=("resource",)))
    st.html(pages + entries_html(found[first : first + _PAGE], chosen, to, by_year) + pages)


def detail(patient: PatientSummary, record: Record, chosen: str) -> None:
    back = session.kept("referring", lambda: referring(record.resources.values()))
    own = record.resources.get(chosen)
    targets = (
        [r.target for r in own.references if r.target and r.target not in record.resources] if own else []
    )
    shown = session.service().evidence(patient.patient, [chosen, *targets])
    if chosen not in shown:
        problem(f"{chosen} is not in this patient's record.", "No such entry")
        return
    known = {**record.resources, **{i: e.facts for i, e in shown.items()}}
    st.html(
        f'<a class="cc-close" data-go href="{to({}, drop=("resource",))}" aria-label="Close this entry">×</a>'
        + detail_html(shown[chosen], refers_to(shown[chosen].facts, known), back.get(chosen, ()), to)
    )


patient_page("record", page)
