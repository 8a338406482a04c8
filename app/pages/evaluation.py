"""Evaluation: how right the answers are, over questions whose truth is known, and every question that went wrong."""

from __future__ import annotations

import streamlit as st

from app import session
from app.components.failing import evidence_ids, failing_html, missed_html
from app.components.measures import calibration_panel, latency_html, shares_panel, tiles_html
from app.components.state import empty_database, nothing, problem
from app.frame import page
from app.text import plain
from core.errors import ChartCiteError
from core.evaluation.metrics import MEASURES, Outcome, failing
from core.evaluation.report import Report
from core.evaluation.run import Step, evaluate_shipped
from core.evaluation.stored import Kept, kept, kept_report
from core.evaluation.text import left_out

_OPENED = 40


def evaluation() -> None:
    if not session.service().counts():
        empty_database()
        return
    with st.container(key="evaluation-head", horizontal=True, vertical_alignment="center", gap="medium"):
        st.html('<h1 class="cc-h1">Evaluation</h1>', width="content")
        chooser = st.container(width=520)
        wanted = st.button("Run the shipped questions", key="evaluate", type="primary")
    place = st.empty()
    if wanted:
        with place:
            run()
    reports = kept(session.service())
    if not reports:
        nothing(
            "Nothing has been measured yet",
            "Run the shipped questions (they are about the demo records), or your own: "
            "python -m core evaluate --questions FILE",
        )
        return
    with chooser:
        chosen = choose(reports)
    show(kept_report(session.service(), chosen.number))


def run() -> None:
    bar = st.progress(0.0, "Checking the questions against the records")

    def step(at: Step) -> None:
        bar.progress(at.done / at.total, f"{at.doing}: {at.done + 1} of {at.total}")

    try:
        number = evaluate_shipped(session.service(), step)
    except ChartCiteError as error:
        bar.empty()
        problem(str(error), "The questions could not be asked")
        return
    bar.empty()
    st.query_params["report"] = str(number)
    st.session_state.pop("report", None)


def choose(reports: list[Kept]) -> Kept:
    """The report the URL names, else the newest."""
    named = next((i for i, r in enumerate(reports) if str(r.number) == st.query_params.get("report")), 0)
    chosen: Kept = st.selectbox(
        "Report",
        reports,
        index=named,
        format_func=named_report,
        key=f"report-{reports[0].number}",
        label_visibility="collapsed",
    )
    return chosen


def named_report(found: Kept) -> str:
    correct = "retrieval alone" if found.correct is None else f"{100 * found.correct:.1f} % right"
    return f"{found.made_at:%Y-%m-%d %H:%M} · {found.questions}, {found.asked:,} questions · {correct}"


def show(report: Report) -> None:
    of, verifier = report.overall, report.verification
    figures = [
        ("Correct", of.correct, False),
        ("Wrong, called grounded", of.wrong_and_grounded, True),
        ("Refused when due", of.refused_when_due, False),
        ("Facts stated", of.facts, False),
        ("Citation precision", of.citation_precision, False),
        ("Citation recall", of.citation_recall, False),
        (f"Recall@{report.k}", of.recall_at_k, False),
    ]
    if verifier:
        figures += [
            ("Mistakes caught", verifier.caught, False),
            ("False alarms", verifier.false_alarms, True),
        ]
    st.html(tiles_html(figures))
    left, right = st.columns(2, gap="medium")
    with left:
        breakdown(report)
        if report.calibration:
            calibration_panel(report.calibration)
    with right:
        if verifier and verifier.caught_by_kind:
            caught = {kind.replace("_", " "): share for kind, share in verifier.caught_by_kind.items()}
            caught["right answers turned down"] = verifier.false_alarms
            note = f"{verifier.right_answers} right answers, each made wrong in one place"
            shares_panel("Caught by the verifier", note, caught, "verifier")
        if report.ablations:
            parts = {left_out(a.without): a.recall_at_k for a in report.ablations}
            shares_panel(f"Retrieval recall@{report.k}", "what each part buys", parts, "ablations")
        if report.latency_ms:
            with st.container(key="panel-latency", gap=None):
                st.html(latency_html(report.latency_ms))
    went_wrong(report)


@st.fragment
def breakdown(report: Report) -> None:
    """One measure by category and by cohort: a fragment, so that another measure redraws nothing else."""
    taken = [f for f in MEASURES if getattr(report.overall, f).n]
    field = st.selectbox(
        "Measure",
        taken,
        format_func=lambda f: MEASURES[f].capitalize(),
        key="measure",
        label_visibility="collapsed",
    )
    for title, groups in (("By category", report.by_category), ("By cohort", report.by_cohort)):
        shares = {name: getattr(summary, field) for name, summary in groups.items()}
        if any(s.n for s in shares.values()):
            shares_panel(title, MEASURES[field], shares, title.split()[-1])


def went_wrong(report: Report) -> None:
    wrong = failing(report.outcomes)
    missed = report.verification.missed if report.verification else []
    answers = {o.id: o.answer or "" for o in report.outcomes}
    rest = f", the first {_OPENED} are here" if len(wrong) + len(missed) > _OPENED else ""
    st.html(
        f'<h2 class="cc-h2">What went wrong <span>{len(wrong)} questions, {len(missed)} answers made wrong and accepted'
        f"{rest}</span></h2>"
    )
    for index, outcome in enumerate(wrong[:_OPENED]):
        opened(outcome, f"{report.questions}-{outcome.id}", first=index == 0)
    for found in missed[: max(0, _OPENED - len(wrong))]:
        with st.expander(
            plain(f"{found.question}, made wrong ({found.kind.replace('_', ' ')}) and accepted")
        ):
            st.html(missed_html(found, answers.get(found.question, "")))


def opened(outcome: Outcome, key: str, first: bool) -> None:
    """Folded until opened: only then its resources are read."""
    title = plain(f"{outcome.question} · {outcome.category}, {outcome.id}")
    fold = st.expander(title, expanded=first, key=f"fold-{key}", on_change="rerun")
    if fold.open:
        with fold:
            found = session.service().evidence(outcome.patient, evidence_ids(outcome))
            st.html(failing_html(outcome, found))


page("evaluation", evaluation)
