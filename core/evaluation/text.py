"""The report as Markdown: what a reader needs to judge it, tables first, then every question that went wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.evaluation.calibration import Calibration, Refusing
from core.evaluation.metrics import MEASURES, Outcome, Share, Summary, failing
from core.evaluation.report import Report

_SHOWN = 600
_EVERY_POINT = 3  # the JSON has the whole curve


def as_markdown(report: Report) -> str:
    """The whole report."""
    parts = [
        f"# Evaluation on {report.questions}: {report.overall.questions} questions, answerer {report.answerer}"
        + (f", without {' and '.join(report.without)}" if report.without else ""),
        _overall(report),
        _groups("Category", report.by_category),
        _groups("Cohort", report.by_cohort),
        _verifier(report),
        _calibration(report),
        _ablations(report),
        _latency(report),
        _failures(report),
    ]
    return "\n\n".join(p for p in parts if p) + "\n"


def _overall(report: Report) -> str:
    rows = [_row(name, s) for field, name in MEASURES.items() if (s := getattr(report.overall, field)).n]
    note = f"Recall is within the first {report.k} retrieved; intervals are 95 % (Wilson)."
    return "\n".join([note, "", "| measure | mean | interval | n |", "| --- | --- | --- | --- |", *rows])


def _groups(title: str, groups: Mapping[str, Summary]) -> str:
    if not groups:
        return ""
    used = [(n, f) for f, n in MEASURES.items() if any(getattr(g, f).n for g in groups.values())]
    head = f"| {title} | n | " + " | ".join(n for n, _ in used) + " |"
    rule = "| --- " * (len(used) + 2) + "|"
    rows = [
        f"| {name} | {g.questions} | " + " | ".join(_mean(getattr(g, f)) for _, f in used) + " |"
        for name, g in groups.items()
    ]
    return "\n".join([head, rule, *rows])


def _verifier(report: Report) -> str:
    found = report.verification
    if found is None or not found.right_answers:
        return ""
    rows = [_row(kind, share) for kind, share in found.caught_by_kind.items()]
    return "\n".join(
        [
            f"## Verifier: {found.right_answers} right answers, each made wrong",
            "",
            "| mutation | caught | interval | n |",
            "| --- | --- | --- | --- |",
            *rows,
            _row("all", found.caught),
            _row("false alarms on right answers", found.false_alarms),
        ]
    )


def _calibration(report: Report) -> str:
    found = report.calibration
    if found is None:
        return ""
    head = [
        "## Relevance: is the answer in this record?",
        "",
        f"{found.to_refuse} questions to refuse, {found.to_answer} to answer. A question to refuse lies farther from the",
        f"nearest concept than one to answer in {100 * found.separation:.0f} % of pairs (50 % is chance).",
        "",
        "| refuse when the nearest concept is farther than | of those to refuse | of those to answer |",
        "| --- | --- | --- |",
    ]
    rows = [_refusing(f"{p.threshold:.2f}", p, found) for p in found.points[::_EVERY_POINT]]
    if found.decision:
        rows.append(_refusing("**by codes and names, as ChartCite decides**", found.decision, found))
    return "\n".join([*head, *rows])


def _refusing(name: str, point: Refusing, of: Calibration) -> str:
    return (
        f"| {name} | {point.due_refused} ({_percent(point.due_refused, of.to_refuse)})"
        f" | {point.answerable_refused} ({_percent(point.answerable_refused, of.to_answer)}) |"
    )


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %"


def _ablations(report: Report) -> str:
    if not report.ablations:
        return ""
    rows = [
        f"| {left_out(a.without)} | {_mean(a.recall_at_k)} | {_mean(a.everything_retrieved)}"
        f" | {_mean(a.mean_reciprocal_rank)} |"
        for a in report.ablations
    ]
    head = f"| retrieval | recall@{report.k} | all retrieved | MRR |"
    return "\n".join(["## What each part of retrieval buys", "", head, "| --- | --- | --- | --- |", *rows])


def _latency(report: Report) -> str:
    if not report.latency_ms:
        return ""
    rows = [f"| {stage} | {p.p50:.1f} | {p.p95:.1f} |" for stage, p in report.latency_ms.items()]
    return "\n".join(["| stage | p50 ms | p95 ms |", "| --- | --- | --- |", *rows])


def _failures(report: Report) -> str:
    lines = [line for outcome in failing(report.outcomes) for line in _failure(outcome)]
    if report.verification:
        lines += [
            f"- **{m.question}**, made wrong ({m.kind}) and accepted: {_quoted(m.answer)}"
            for m in report.verification.missed
        ]
    return "\n".join(["## What went wrong", "", *lines]) if lines else "Nothing went wrong."


def _failure(o: Outcome) -> list[str]:
    lines = [f"- **{o.id}** ({o.category}, {o.patient}): {o.question}", f"  - expected: {o.expect.value}"]
    if o.problem:
        lines.append(f"  - failed: {o.problem}")
    if o.missing:
        lines.append(f"  - not said: {'; '.join(o.missing)}")
    if o.forbidden:
        lines.append(f"  - said, and should not be: {'; '.join(o.forbidden)}")
    if o.uncalled_for:
        lines.append(f"  - cited, and not called for: {', '.join(o.uncalled_for)}")
    if o.citation_recall is not None and o.citation_recall < 1:
        needed = (" or ".join(group) for group in o.needs if not set(group) & set(o.cited))
        lines.append(f"  - not cited: {', '.join(needed)}")
    if o.retrieval and o.retrieval.missed:
        lines.append(f"  - not retrieved: {', '.join(o.retrieval.missed)}")
    if o.answer is not None and o.verdict:
        verdict = "refused" if o.refused else o.verdict.value.replace("_", " ")
        lines.append(f"  - got ({verdict}): {_quoted(o.answer)}")
    return lines


def left_out(names: Sequence[str]) -> str:
    """What an ablation leaves out, in words."""
    return f"without {', '.join(names)}" if names else "everything"


def _quoted(text: str) -> str:
    text = " / ".join(line for line in text.splitlines() if line)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} …"


def _row(name: str, share: Share) -> str:
    return f"| {name} | {_mean(share)} | {_interval(share)} | {share.n} |"


def _mean(share: Share) -> str:
    return "–" if share.mean is None else f"{share.mean:.3f}"


def _interval(share: Share) -> str:
    return "–" if share.low is None or share.high is None else f"{share.low:.3f} to {share.high:.3f}"
