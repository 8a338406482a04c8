"""The audit trail as a table: ids and words, no record content."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.text import escaped
from core.access.audit import AuditRow

_VERDICTS = {
    "grounded": ("ok", "✓", "grounded"),
    "partially_grounded": ("warn", "◐", "partially grounded"),
    "ungrounded": ("bad", "✕", "ungrounded"),
    "unanswered": ("none", "…", "not answered"),
}


def audit_html(rows: Sequence[AuditRow], to: Callable[[dict[str, str]], str]) -> str:
    """One row a question; the patient and the question lead to the view they were asked in."""
    head = "".join(
        f"<th>{name}</th>" for name in ("When", "Who", "Patient", "Question", "Shown", "Answerer", "Verdict")
    )
    body = "".join(_row(row, to) for row in rows)
    return (
        f'<div class="cc-scroll"><table class="cc-table is-wide"><thead><tr>{head}</tr></thead><tbody>{body}</tbody>'
        "</table></div>"
    )


def _row(row: AuditRow, to: Callable[[dict[str, str]], str]) -> str:
    identifier = row.patient.removeprefix("Patient/")
    ask = to({"patient": identifier, "question": row.question})
    name = escaped(row.name or row.patient)
    return (
        f"<tr><td>{row.at:%Y-%m-%d %H:%M}</td><td>{escaped(row.user)}</td>"
        f'<td><a data-go href="{to({"patient": identifier})}" title="{escaped(row.patient)}">{name}</a></td>'
        f'<td><a data-go href="{ask}">{escaped(row.question)}</a></td><td>{_shown(row)}</td>'
        f"<td>{escaped(row.answerer)}</td><td>{_verdict(row)}</td></tr>"
    )


def _shown(row: AuditRow) -> str:
    if not row.shown:
        return "none"
    ids = ", ".join(escaped(i) for i in row.shown)
    return f'<details class="cc-rest"><summary>{len(row.shown)}</summary><code>{ids}</code></details>'


def _verdict(row: AuditRow) -> str:
    tone, icon, words = (
        ("none", "∅", "refused") if row.refused else _VERDICTS.get(row.verdict, ("none", "", row.verdict))
    )
    return f'<span class="cc-tag is-{tone}"><span aria-hidden="true">{icon}</span> {escaped(words)}</span>'
