"""A question that went wrong, opened: what was expected, what came, and the resources both are about, side by side."""

from __future__ import annotations

from collections.abc import Mapping

from app.components.card import card_html
from app.components.navigation import address
from app.text import escaped
from core.evaluation.metrics import Outcome
from core.evaluation.questions import Expected
from core.evaluation.report import Missed
from core.models import Evidence, VerdictStatus

_CARDS = 8
_TONES = {
    VerdictStatus.GROUNDED: "is-ok",
    VerdictStatus.PARTIALLY_GROUNDED: "is-warn",
    VerdictStatus.UNGROUNDED: "is-bad",
}


def evidence_ids(outcome: Outcome) -> list[str]:
    """The resources to show: first those that were missed or cited in vain, then the others that were needed or cited."""
    cited, needed = outcome.cited, [i for group in outcome.needs for i in group]
    apart = [i for i in needed if i not in cited] + outcome.uncalled_for
    return list(dict.fromkeys([*apart, *needed, *cited]))[:_CARDS]


def failing_html(outcome: Outcome, found: Mapping[str, Evidence]) -> str:
    columns = (
        ("Expected", _expected(outcome)),
        ("Got", _got(outcome)),
        ("Evidence", _evidence(outcome, found)),
    )
    return "".join(
        f'<section class="cc-side"><h3 class="cc-group">{title}</h3>{body}</section>'
        for title, body in columns
    ).join(('<div class="cc-sides">', "</div>"))


def missed_html(missed: Missed, right: str) -> str:
    """A right answer and the same made wrong, which the verifier accepted."""
    return (
        f'<div class="cc-sides is-two"><section class="cc-side"><h3 class="cc-group">Right</h3>{_text(right)}</section>'
        f'<section class="cc-side"><h3 class="cc-group">Made wrong ({escaped(missed.kind.replace("_", " "))}), accepted'
        f"</h3>{_text(missed.answer)}</section></div>"
    )


def _expected(o: Outcome) -> str:
    if o.expect is Expected.REFUSE:
        return f"<p>{escaped(': '.join(['A refusal', *o.expected]))}</p>"
    facts = "".join(f"<li{_tone(fact in o.missing)}>{escaped(fact)}</li>" for fact in o.expected)
    needs = sum(not set(group) & set(o.cited) for group in o.needs)
    cite = (
        "1 resource cited"
        if len(o.needs) == 1
        else f"{len(o.needs)} resources cited" + (f", {needs} of them were not" if needs else "")
    )
    return f'<ul class="cc-lines">{facts}</ul>' + (f'<p class="cc-quiet">{cite}</p>' if o.needs else "")


def _tone(missing: bool) -> str:
    return ' class="cc-void"' if missing else ""


def _got(o: Outcome) -> str:
    if o.problem:
        return f'<p class="cc-void">{escaped(o.problem)}</p>'
    if o.answer is None:
        missed = len(o.retrieval.missed) if o.retrieval else 0
        return f'<p class="cc-quiet">Retrieval alone: {missed} of {len(o.needs)} resources were not retrieved.</p>'
    verdict = "refused" if o.refused else (o.verdict.value.replace("_", " ") if o.verdict else "")
    tone = _TONES[o.verdict] if o.verdict and not o.refused else "is-warn"
    said = "".join(f'<p class="cc-void">said, and should not be: {escaped(f)}</p>' for f in o.forbidden)
    link = address({"patient": o.patient.removeprefix("Patient/"), "question": o.question})
    return (
        f'<p><span class="cc-tag {tone}">{escaped(verdict)}</span></p>{said}'
        f'{_text(o.answer)}<p class="cc-quiet"><a class="cc-link" data-go href="{link}">Ask this question</a></p>'
    )


def _evidence(o: Outcome, found: Mapping[str, Evidence]) -> str:
    needed = {i for group in o.needs for i in group}
    cards = []
    for identifier, item in found.items():
        marks = [
            "needed" if identifier in needed else "not needed",
            "cited" if identifier in o.cited else "not cited",
        ]
        bad = (
            " is-bad"
            if identifier in o.uncalled_for or (identifier in needed and identifier not in o.cited)
            else ""
        )
        cards.append(f'<p class="cc-group{bad}">{" · ".join(marks)}</p>{card_html(item, "")}')
    return "".join(cards) or '<p class="cc-quiet">Nothing was needed or cited.</p>'


def _text(answer: str) -> str:
    return "".join(f"<p>{escaped(line)}</p>" for line in answer.splitlines() if line).join(
        ('<div class="cc-said">', "</div>")
    )
