"""What every page shares: the product and its pages on top, the patient below, what this is not at the foot.

A page is a function that lays out its body; whatever it raises that a person can act on becomes one calm notice.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from app import session
from app.components.bridge import pressed
from app.components.navigation import navigation
from app.components.patient_bar import patient_bar, patient_search
from app.components.state import empty_database, footer, problem, working
from core.errors import ChartCiteError, UnknownPatient
from core.patients import PatientSummary

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Entry:
    """One page of the navigation: its file in app/pages and its name."""

    name: str
    title: str

    @property
    def path(self) -> str:
        return f"pages/{self.name}.py"


PAGES = (
    Entry("ask", "Ask"),
    Entry("trends", "Trends"),
    Entry("record", "Record"),
    Entry("audit", "Audit"),
    Entry("evaluation", "Evaluation"),
    Entry("data", "Data"),
)


def run() -> None:
    """Run the page that the URL names, the first where it names none.

    All pages live at the root, told apart by a query parameter: a link into a path of its own makes the browser ask
    for Streamlit's files below that path first, and log each as missing.
    """
    followed = pressed("go", "links")  # a link of the page itself: nothing is loaded again
    asked = session.parameters(followed) if followed else st.query_params.to_dict()
    entry = next((e for e in PAGES if e.name == asked.get("page")), PAGES[0])
    # No ":material/" icon on a page: the browser would ask a font host for it.
    here = st.Page(entry.path, title=f"{entry.title} · ChartCite", default=True)
    chosen = st.navigation([here], position="hidden")
    if followed:  # after st.navigation, which puts back the address it was run with
        st.query_params.from_dict(asked)
    chosen.run()


def patient_page(name: str, body: Callable[[PatientSummary], None]) -> None:
    """A page about the patient of the URL; without one, the way to find one."""

    def whole() -> None:
        ref = session.patient_ref()
        try:
            patient = session.patient(ref) if ref else None
        except UnknownPatient as error:
            problem(str(error), "No such patient")
            patient = None
        if patient is None:
            _choose_patient()
            return
        session.visited(patient)
        patient_bar(patient, _search)
        body(patient)

    _framed(name, whole)


def page(name: str, body: Callable[[], None]) -> None:
    """A page about no patient in particular; the links keep the patient of the URL."""
    _framed(name, body)


def _framed(name: str, body: Callable[[], None]) -> None:
    _header(name)
    try:
        with working("Opening the record database"):
            session.service()
        session.user()  # whoever has to sign in and has not is shown nothing
        body()
    except ChartCiteError as error:
        problem(str(error))
    except (
        Exception
    ) as error:  # a defect: its message may hold record content, so neither page nor log repeats it
        place = traceback.extract_tb(error.__traceback__)[-1]
        _log.error("page %s: %s at %s:%s", name, type(error).__name__, place.filename, place.lineno)
        problem(
            f"ChartCite failed here ({type(error).__name__}). Nothing was changed. Reload the page; if it happens"
            " again, tell whoever runs ChartCite.",
            "This page could not be shown",
        )
    footer()


def _header(current: str) -> None:
    navigation([(e.title, session.address_of(e.name), e.name == current) for e in PAGES])


def _choose_patient() -> None:
    """The first screen: find a patient, or how to load records when there are none."""
    patients, resources, _ = session.service().totals()
    if not patients:
        empty_database()
        return
    with st.container(key="landing", width=640):
        st.html(
            '<h1 class="cc-h1">Whose record?</h1><p class="cc-quiet">Every statement of an answer points at'
            f" the resource it came from and is checked against it. {patients:,} patients with"
            f" {resources:,} resources are loaded.</p>"
        )
        _search("landing-search")


def _search(key: str) -> None:
    patient_search(session.search_patients, session.recent_patients, session.choose_patient, key)
