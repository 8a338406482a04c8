"""What one browser session holds: the patient and question of its URL, the answers about them, never another's.

The URL is the source of truth, so a link, a reload and the back button all lead to the same view. The Service
is shared between sessions (it holds connections and the model); patient data stays in the session.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar, cast
from urllib.parse import parse_qsl

import streamlit as st

from core.errors import ConfigurationError
from core.export.content import Content
from core.grounding.record import Record
from core.models import Answer, Result
from core.patients import PatientSummary
from core.service import Service, open_service
from core.suggestions import Suggestion

T = TypeVar("T")
_QUESTION = "question"  # the key of the question input
_ACROSS_PATIENTS = ("recent",)  # what a session keeps when the patient changes: references, no record content
_RECENT = 6
_ANSWERS_KEPT = 30


@dataclass(frozen=True, slots=True)
class _Kept:
    """One answer of this session: the version of the record it was made from, its number, the answer."""

    version: str
    number: int
    result: Result


@st.cache_resource(show_spinner=False)
def service() -> Service:
    """The one Service of this process; opening it may start the embedded database."""
    return open_service()


def counts() -> dict[str, int]:
    """Resources by type, counted once for what is loaded now. No patient's data: shared by all sessions."""
    return _counts(*service().totals())


@st.cache_data(show_spinner=False, max_entries=2)
def _counts(patients: int, resources: int, mark: str) -> dict[str, int]:
    return service().counts()


def user() -> str:
    """Who this session acts for: named by the sign-in proxy where one is configured, else by the settings."""
    settings = service().stages.settings
    if not settings.user_header:
        return settings.user
    name = (st.context.headers.get(settings.user_header) or "").strip()
    if not name:
        raise ConfigurationError(
            f"You are not signed in: the request has no {settings.user_header}. Open ChartCite through its sign-in page."
        )
    return name


# --- the URL ------------------------------------------------------------------------------------------


def patient_ref() -> str:
    """The patient of this view as "Patient/id", "" when none is chosen."""
    identifier = _text("patient")
    return f"Patient/{identifier.removeprefix('Patient/')}" if identifier else ""


def question() -> str:
    return _text("question")


def previous_question() -> str:
    """The question before, which the one of this view may lean on; "" for none."""
    return _text("after")


def _text(name: str) -> str:
    """A text in the URL; no database takes a NUL."""
    return str(st.query_params.get(name, "")).replace("\0", "").strip()


def number_of(name: str) -> int:
    """A number in the URL; 0 for none, and for whatever else somebody typed there."""
    text = st.query_params.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 16 else 0


def address_of(page: str) -> dict[str, str]:
    """The query parameters with which another page of the same patient is opened."""
    ref = patient_ref()
    kept = {} if page == "ask" else {"page": page}
    if ref:
        kept["patient"] = ref.removeprefix("Patient/")
    last = st.session_state.get("asked", ("", "", ""))
    if page == "ask" and ref and last[0] == ref and last[1]:
        kept |= {name: text for name, text in zip(("question", "after"), last[1:], strict=True) if text}
    return kept


def parameters(address: str) -> dict[str, str]:
    """The query parameters of a link of the page ("?patient=…")."""
    return dict(parse_qsl(address.removeprefix("?")))


# --- the patient --------------------------------------------------------------------------------------


def patient(ref: str) -> PatientSummary:
    """The patient of this view. Whoever comes here with another patient than before finds an empty session."""
    found = service().patient(ref)
    if st.session_state.get("patient") != found.patient:
        _clear()
        st.session_state["patient"] = found.patient
    return found


def choose_patient(ref: str) -> None:
    """Show another patient: the question, the answers and the chart of the last one go."""
    page = st.query_params.get("page", "")
    st.query_params.from_dict(
        ({"page": page} if page else {}) | ({"patient": ref.removeprefix("Patient/")} if ref else {})
    )
    _clear()


def _clear() -> None:
    for key in [k for k in st.session_state if isinstance(k, str) and k not in _ACROSS_PATIENTS]:
        del st.session_state[key]


def search_patients(text: str) -> list[PatientSummary]:
    return service().search_patients(text)


def visited(found: PatientSummary) -> None:
    """Remember who was looked at, newest first: references only."""
    before = [ref for ref in st.session_state.get("recent", []) if ref != found.patient]
    st.session_state["recent"] = [found.patient, *before][:_RECENT]


def recent_patients() -> list[PatientSummary]:
    """Whom this session looked at, newest first."""
    return service().patients(st.session_state.get("recent", []))


def content(answer: Answer) -> Content:
    """An answer about this patient with what its exports say of it."""
    return Content(patient(patient_ref()), answer, user(), datetime.now().astimezone())


def resource(resource_id: str) -> dict[str, Any]:
    """The JSON of a resource of this patient; raises UnknownPatient for any other."""
    return service().resource(patient_ref(), resource_id)


# --- what was read of the record ----------------------------------------------------------------------


def kept(name: str, make: Callable[[], T], *key: object) -> T:
    """What `make` gives, made once for this session, this patient's record as it is now and `key`."""
    wanted = (st.session_state.get("patient"), _version(), key)
    found = st.session_state.get(f"kept-{name}")
    if not found or found[0] != wanted:
        found = (wanted, make())
        st.session_state[f"kept-{name}"] = found
    return cast(T, found[1])


def _version() -> str:
    return service().record_version(patient_ref())


def record() -> Record:
    """The whole record of this patient, typed."""
    return service().record(patient_ref())


def suggestions(ref: str) -> list[Suggestion]:
    """The questions this record can answer."""
    return kept("suggestions", lambda: service().suggestions(ref))


# --- questions and answers ----------------------------------------------------------------------------


def ask(text: str, after: str = "") -> None:
    """Ask this question of the current patient, even if it was just asked; it may lean on the one it comes `after`."""
    text = text.strip()
    _answers().pop((text, after), None)
    st.session_state[_QUESTION] = text
    for name, value in (("question", text), ("after", after if text else "")):
        if value:
            st.query_params[name] = value
        else:
            st.query_params.pop(name, None)


def ask_typed() -> None:
    """Ask what the question input holds; where it leans on what was just answered, after that."""
    before, text = result(), st.session_state.get(_QUESTION, "")
    last = (before.answer.read_as or before.answer.question) if before else ""
    ask(text, last if last and service().leans(text, last) else "")


def show_question_of_url() -> None:
    """Put the URL's question into the input when the URL changed: a link, a reload, the back button."""
    shown = (patient_ref(), *_asked())
    st.session_state["asked"] = shown
    if st.session_state.get("url") != shown or _QUESTION not in st.session_state:
        st.session_state["url"] = shown
        st.session_state[_QUESTION] = question()


def result() -> Result | None:
    """The answer to the URL's question, if this session has it already and the record is as it was."""
    found = _answers().get(_asked())
    return found.result if found and found.version == _version() else None


def keep(found: Result) -> None:
    """Remember the answer to the current question; widgets of the last one get new keys."""
    answers = _answers()
    answers.pop(_asked(), None)
    number = st.session_state["answers"] = st.session_state.get("answers", 0) + 1
    answers[_asked()] = _Kept(_version(), number, found)
    while len(answers) > _ANSWERS_KEPT:
        answers.pop(next(iter(answers)))


def earlier() -> list[tuple[str, Result]]:
    """The other answers of this session about this patient, newest first, each with the question it came after."""
    return [(asked[1], kept.result) for asked, kept in reversed(_answers().items()) if asked != _asked()]


def answer_number() -> int:
    """The number of the answer shown, 0 without one: part of widget keys, so that no state outlives its answer."""
    found = _answers().get(_asked())
    return found.number if found else 0


def _asked() -> tuple[str, str]:
    """The question of this view and the one it comes after."""
    return question(), previous_question()


def _answers() -> dict[tuple[str, str], _Kept]:
    """(question, the one it came after) -> its last answer, of the patient of this session."""
    found: dict[tuple[str, str], _Kept] = st.session_state.setdefault("conversation", {})
    return found
