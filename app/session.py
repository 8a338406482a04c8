"""What one browser session holds: the patient and question of its URL, the answer to them, never another's.

The URL is the source of truth, so a link, a reload and the back button all lead to the same view. The Service
is shared between sessions (it holds connections and the model); patient data stays in the session.
"""

from __future__ import annotations

import streamlit as st

from core.models import Result
from core.patients import PatientSummary
from core.service import Service, open_service
from core.suggestions import Suggestion

_QUESTION = "question"  # the key of the question input


@st.cache_resource(show_spinner=False)
def service() -> Service:
    """The one Service of this process; opening it may start the embedded database."""
    return open_service()


def patient_ref() -> str:
    """The patient of this view as "Patient/id", "" when none is chosen."""
    identifier = st.query_params.get("patient", "").strip()
    return f"Patient/{identifier.removeprefix('Patient/')}" if identifier else ""


def question() -> str:
    return st.query_params.get("question", "").strip()


def choose_patient(ref: str) -> None:
    """Show another patient: the question, the answer and the chart of the last one go."""
    st.query_params.from_dict({"patient": ref.removeprefix("Patient/")} if ref else {})
    for key in [k for k in st.session_state if isinstance(k, str)]:
        del st.session_state[key]


def ask(text: str) -> None:
    """Ask this question of the current patient, even if it was just asked."""
    st.session_state.pop("result", None)
    st.session_state[_QUESTION] = text
    if text.strip():
        st.query_params["question"] = text.strip()
    else:
        st.query_params.pop("question", None)


def ask_typed() -> None:
    """Ask what the question input holds."""
    ask(st.session_state.get(_QUESTION, ""))


def show_question_of_url() -> None:
    """Put the URL's question into the input when the URL changed: a link, a reload, the back button."""
    shown = (patient_ref(), question())
    if st.session_state.get("url") != shown:
        st.session_state["url"] = shown
        st.session_state[_QUESTION] = question()


def result() -> Result | None:
    """The answer to the URL's question about the URL's patient, if this session has it already."""
    kept = st.session_state.get("result")
    return kept[1] if kept and kept[0] == (patient_ref(), question()) else None


def keep(found: Result) -> None:
    """Remember the answer to the current question; widgets of the last one get new keys."""
    st.session_state["result"] = ((patient_ref(), question()), found)
    st.session_state["answers"] = st.session_state.get("answers", 0) + 1


def answer_number() -> int:
    """How many answers this session has seen: part of widget keys, so that no state outlives its answer."""
    return int(st.session_state.get("answers", 0))


def patient(ref: str) -> PatientSummary:
    return service().patient(ref)


def suggestions(ref: str) -> list[Suggestion]:
    """The questions this record can answer, read once per session and patient."""
    kept = st.session_state.get("suggestions")
    if not kept or kept[0] != ref:
        kept = (ref, service().suggestions(ref))
        st.session_state["suggestions"] = kept
    return kept[1]
