"""Who this view is about, always in sight, and how to find someone else."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from app.text import escaped, plain
from core.patients import PatientSummary


def patient_bar(patient: PatientSummary, search: Callable[[str], None]) -> None:
    """One line: who this is, and the way to another patient."""
    with st.container(key="patient-row", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(_identity(patient))
        _other_patient(patient, search)
    if said := _merged(patient):
        st.html(f'<p class="cc-banner" role="status"><b>Merged record.</b> {escaped(said)}</p>')


@st.fragment
def _other_patient(patient: PatientSummary, search: Callable[[str], None]) -> None:
    """The list of others is fetched only while it is open: no page about one patient holds another's name."""
    # The key holds the patient, so that the popover closes when another one is chosen.
    popover = st.popover(
        "Change patient", key=f"change-{patient.patient}", width="content", on_change="rerun"
    )
    if popover.open:
        with popover:
            search("change-search")


def patient_search(
    search: Callable[[str], list[PatientSummary]],
    recent: Callable[[], list[PatientSummary]],
    choose: Callable[[str], None],
    key: str,
) -> None:
    """Type part of a name, a birth date or an id; at most twenty matches are fetched, however many there are."""

    @st.fragment
    def found() -> None:
        text = st.text_input(
            "Find a patient",
            key=key,
            type="search",
            live="200ms",
            placeholder="Part of a name, a birth date or an id",
            icon=":material/search:",
            autocomplete="off",
        )
        before = [] if text else recent()
        if before:
            _list("Looked at before", before, choose, f"{key}-recent")
        matches = [m for m in search(text or "") if m not in before]
        if matches:
            _list("All patients" if before else "", matches, choose, key)
        elif not before:
            st.html(f'<p class="cc-quiet">No patient matches “{escaped(text or "")}”.</p>')
        if len(matches) + len(before) >= 20:
            st.html('<p class="cc-quiet">The first 20 are shown. Type more to narrow them down.</p>')

    found()


def _list(heading: str, patients: list[PatientSummary], choose: Callable[[str], None], key: str) -> None:
    if heading:
        st.html(f'<h3 class="cc-group">{heading}</h3>')
    with st.container(key=f"{key}-results", gap=None):
        for one in patients:
            if st.button(
                f"**{plain(one.name or one.patient)}** {plain(describe(one))}",
                key=f"{key}-{one.patient}",
                type="tertiary",
                width="stretch",
            ):
                choose(one.patient)
                st.rerun()  # the whole page, not only this fragment


def describe(patient: PatientSummary) -> str:
    """Age, sex and birth date in one phrase; what the record does not hold is left out, not guessed."""
    age = f"{patient.age} y" if patient.age is not None and not patient.deceased else ""
    born = f"born {patient.birth_date}" if patient.birth_date else ""
    return " · ".join(part for part in (age, patient.gender or "", born) if part)


def _identity(patient: PatientSummary) -> str:
    born = f"born {patient.birth_date}" if patient.birth_date else "birth date not recorded"
    parts = [f"<b>{escaped(patient.name or 'Name not recorded')}</b>"]
    if patient.age is not None and not patient.deceased:
        parts.append(f"<span>{patient.age} years</span>")
    parts.append(f"<span>{escaped(patient.gender or 'sex not recorded')}</span>")
    parts.append(f"<span>{escaped(born)}</span>")
    if patient.deceased:
        parts.append(f'<span class="cc-deceased">{escaped(_deceased(patient))}</span>')
    identifier = patient.patient.removeprefix("Patient/")
    parts.append(f'<span class="cc-id" title="{escaped(patient.patient)}">ID {escaped(identifier)}</span>')
    parts.append(f'<span class="cc-extra">{patient.resources:,} resources</span>')
    return f'<div class="cc-patient" role="group" aria-label="Patient">{"".join(parts)}</div>'


def _merged(patient: PatientSummary) -> str:
    """What a reader has to know of a merge: which record this is, and whose it holds besides."""
    if patient.merged_from:
        return f"{patient.merged_from} was merged into {patient.patient}: this is that record, with what was in both."
    if patient.merged_into:
        return (
            f"This entry was replaced by {patient.merged_into}, which is not here or points back to it; "
            "look there for current data."
        )
    if patient.holds:
        return f"This record holds what was recorded under {', '.join(patient.holds)}, merged into it."
    return ""


def _deceased(patient: PatientSummary) -> str:
    when = "" if patient.deceased in (None, "deceased") else f" {patient.deceased}"
    return f"Deceased{when}" + (f", aged {patient.age}" if patient.age is not None else "")
