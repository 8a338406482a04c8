"""Audit: who asked what about whom, which resources were shown, who answered, with which verdict; newest first."""

from __future__ import annotations

import streamlit as st

from app import session
from app.components.audit_table import audit_html
from app.components.navigation import address
from app.components.state import nothing
from app.frame import page

_PAGE = 50


def audit() -> None:
    st.html(
        '<h1 class="cc-h1">Audit trail</h1><p class="cc-quiet">Every question leaves its row before it is answered.'
        " Resources are named, their content is not kept.</p>"
    )
    user, patient = filters()
    before = st.query_params.get("before", "")
    rows = session.service().audit_trail(
        user, patient, int(before) if before.isdecimal() else None, _PAGE + 1
    )
    if not rows:
        nothing(
            "Nothing was asked yet" if not (user or patient or before) else "Nothing matches",
            "Questions asked on the Ask page or on the command line appear here."
            if not (user or patient or before)
            else "Choose another user, or type less of a name or an id.",
        )
        return
    st.html(audit_html(rows[:_PAGE], address))
    kept = {k: v for k, v in st.query_params.to_dict().items() if k in ("page", "patient")}
    ways = [f'<a data-go href="{address(kept)}">newest</a>'] if before else []
    if len(rows) > _PAGE:
        older = address({**kept, "before": str(rows[_PAGE - 1].audit_id)})
        ways.append(f'<a data-go href="{older}">older</a>')
    st.html(f'<p class="cc-pages"><span>{min(len(rows), _PAGE)} entries</span>{"".join(ways)}</p>')


def filters() -> tuple[str, str]:
    """The user and the patient asked for, "" for all."""
    with st.container(key="audit-filters", horizontal=True, gap="small", vertical_alignment="bottom"):
        user = st.selectbox(
            "User", ["", *session.service().audit_users()], format_func=lambda u: u or "Everybody", width=260
        )
        patient = st.text_input(
            "Patient", placeholder="Part of a name, or an id", autocomplete="off", width=320, live="300ms"
        )
    wanted = (patient or "").strip()
    found = session.service().patients([wanted if "/" in wanted else f"Patient/{wanted}"]) if wanted else []
    return user or "", found[0].patient if found else wanted


page("audit", audit)
