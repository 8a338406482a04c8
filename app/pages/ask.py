"""Ask: one question about one patient's record, its answer on the left and the evidence on the right."""

from __future__ import annotations

import streamlit as st

from app import session
from app.components.actions import actions
from app.components.answer import answer, show_draft
from app.components.earlier import earlier
from app.components.evidence import evidence, json_on_demand
from app.components.navigation import address
from app.components.question import question_bar, suggested
from app.components.state import problem, working
from app.components.timeline import timeline
from app.components.verdict import verdict
from app.frame import patient_page
from core.citing import citation_numbers
from core.errors import ChartCiteError
from core.feedback import Rating
from core.models import Result
from core.patients import PatientSummary
from core.timeline import timeline as panels_of


def page(patient: PatientSummary) -> None:
    session.show_question_of_url()
    asked = bool(session.question())
    question_bar(
        session.ask_typed,
        session.suggestions(patient.patient),
        session.ask,
        folded=asked,
        key=str(session.answer_number()),
    )
    if asked:
        try:
            found = answered(patient.patient, session.question())
        except ChartCiteError as error:
            problem(str(error), "This question was not answered")
        else:
            (show_refusal if found.answer.refused else show)(found)
    earlier([(found.answer, address_of(found.answer.question, after)) for after, found in session.earlier()])


def address_of(question: str, after: str) -> str:
    leaning = {"after": after} if after else {}
    return address({"patient": st.query_params["patient"], "question": question, **leaning})


def answered(ref: str, question: str) -> Result:
    """The answer this session already has, or a new one."""
    kept = session.result()
    if kept is None:
        draft = st.empty()
        with working("Searching the record and checking the answer"):
            kept = session.service().ask(
                ref,
                question,
                on_draft=lambda text: show_draft(draft, text),
                user=session.user(),
                previous=session.previous_question(),
            )
        draft.empty()
        session.keep(kept)
    return kept


@st.fragment
def show(found: Result) -> None:
    """Answer, chart and evidence. Pointing at something is the browser's alone: nothing is computed or drawn again."""
    numbers = citation_numbers(found.answer)
    left, right = st.columns([1.25, 1], gap="medium")
    with left:
        with st.container(key="answer", gap="small"):
            verdict(found.answer)
            answer(found.answer, numbers)
            if found.note:
                st.caption(found.note)
        act(found)
        timeline(panels_of(found), numbers, str(session.answer_number()))
    with right:
        evidence(found.answer, found.evidence, numbers)
    json_on_demand(session.patient_ref(), session.resource)


def act(found: Result) -> None:
    """Copy, download, rate: by the key of this answer, so that nothing of another one is left in it."""

    def rate(rating: Rating, comment: str) -> None:
        session.service().give_feedback(session.user(), found.answer, rating, comment)

    actions(session.content(found.answer), session.service().document, rate, str(session.answer_number()))


def show_refusal(found: Result) -> None:
    """A refusal cites nothing, so there is no evidence beside it: what was searched, what to ask instead."""
    with st.container(key="refused", gap="small"):
        verdict(found.answer)
        answer(found.answer, {})
        if found.note:
            st.caption(found.note)
        act(found)
        st.html('<h2 class="cc-h2">Questions this record can answer</h2>')
        suggested(session.suggestions(session.patient_ref()), session.ask, "near")


patient_page("ask", page)
