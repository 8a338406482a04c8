"""The README's results tables: written from a report between comment markers, and told to be stale by another one.

Stale means: a cell differs. What does not depend on the vectors has to be equal to the last digit; what does may differ
by two questions, since another processor rounds vectors otherwise. Latency depends on the machine and is left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import EvaluationError
from core.evaluation.metrics import Outcome, Share
from core.evaluation.questions import Expected
from core.evaluation.report import Report
from core.evaluation.text import left_out

_SLACK = 2  # questions
_PRINTED = 0.0011  # two numbers of three decimals, each rounded
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table. `slack` is how far its numbers may lie from those measured again: 0 is equality."""

    cells: tuple[str, ...]
    slack: float = 0.0


@dataclass(frozen=True, slots=True)
class Table:
    head: tuple[str, ...]
    rows: tuple[Row, ...]

    def __str__(self) -> str:
        lines = [self.head, ("---",) * len(self.head), *(row.cells for row in self.rows)]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def tables(report: Report) -> dict[str, Table]:
    """The tables by the name of their markers; raises EvaluationError when the report lacks what they show."""
    if report.verification is None or not report.ablations or report.calibration is None:
        raise EvaluationError("The README's tables need whole answers, refusals and ablations.")
    return {
        "answers": _answers(report),
        "refusals": _refusals(report),
        "verifier": _verifier(report),
        "ablations": _ablations(report),
    }


def write(path: Path, report: Report) -> None:
    """Put the tables between the markers of a file; raises EvaluationError when a marker is missing."""
    text = _read(path)
    for name, table in tables(report).items():
        start, end = _block(text, name, path)
        text = f"{text[:start]}\n{table}\n{text[end:]}"
    path.write_text(text, encoding="utf-8")


def stale(path: Path, report: Report) -> list[str]:
    """What a file's tables say other than the report, one line each; [] when they are true."""
    text = _read(path)
    found = []
    for name, table in tables(report).items():
        start, end = _block(text, name, path)
        found += [f"{name}: {difference}" for difference in _differences(text[start:end], table)]
    return found


def _differences(text: str, table: Table) -> list[str]:
    lines = [_cells(line) for line in text.splitlines() if line.strip()]
    head, rows = lines[:1], lines[2:]
    if head != [table.head]:
        return [f"its columns are not {', '.join(table.head)}"]
    if [row[0] for row in rows] != [row.cells[0] for row in table.rows]:
        return ["its rows are not those measured"]
    return [
        f"{row.cells[0]}: says {' | '.join(said[1:])}, measured {' | '.join(row.cells[1:])}"
        for said, row in zip(rows, table.rows, strict=True)
        if not _same(said, row)
    ]


def _same(said: Sequence[str], row: Row) -> bool:
    if tuple(said) == row.cells:
        return True
    if not row.slack or len(said) != len(row.cells):
        return False
    return all(_near(a, b, row.slack) for a, b in zip(said, row.cells, strict=True))


def _near(said: str, measured: str, slack: float) -> bool:
    """The same words around numbers that lie within the slack: of shares as they are, of counts in questions."""
    if _NUMBER.sub("#", said) != _NUMBER.sub("#", measured):
        return False
    pairs = zip(_NUMBER.findall(said), _NUMBER.findall(measured), strict=True)
    return all(abs(float(a) - float(b)) <= (slack if "." in b else _SLACK) + _PRINTED for a, b in pairs)


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip().strip("|").split("|"))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise EvaluationError(f"{path} cannot be read ({error.strerror}). Check the path.") from None


def _block(text: str, name: str, path: Path) -> tuple[int, int]:
    """Where the text between a table's markers starts and ends."""
    opening, closing = f"<!-- evaluation: {name} -->", f"<!-- /evaluation: {name} -->"
    if text.count(opening) != 1 or text.count(closing) != 1 or text.index(closing) < text.index(opening):
        raise EvaluationError(f"{path} needs {opening} and {closing}, once and in this order.")
    return text.index(opening) + len(opening), text.index(closing)


def _answers(report: Report) -> Table:
    s = report.overall
    slack = _SLACK / max(1, s.recall_at_k.n)
    rows = [
        _share("right, every fact cited and verified", s.correct),
        _share("wrong, but called grounded", s.wrong_and_grounded),
        _share("answered when the record holds the answer", s.answered_when_due),
        _share("expected facts stated", s.facts),
        _share("citation precision", s.citation_precision),
        _share("citation recall", s.citation_recall),
        _share(f"retrieval recall@{report.k}", s.recall_at_k, slack),
    ]
    return Table((f"{report.overall.questions} questions", "mean", "95 % interval", "n"), tuple(rows))


def _refusals(report: Report) -> Table:
    kinds: dict[str, list[Outcome]] = {}
    for o in report.outcomes:
        if o.expect is Expected.REFUSE:
            kinds.setdefault("".join(o.expected) or "other", []).append(o)
    rows = [
        Row((f"because: {kind}", f"{sum(bool(o.correct) for o in group)} of {len(group)}", "–"))
        for kind, group in kinds.items()
    ]
    found = report.calibration
    if found and found.decision:
        d = found.decision
        rows.append(_refusing("all, by codes and names", d.due_refused, d.answerable_refused, report))
        if m := found.matching:
            name = "all, were it by the distance of the nearest concept"
            rows.append(_refusing(name, m.due_refused, m.answerable_refused, report, slack=1.0))
    return Table(("refused", "when due", "when not due"), tuple(rows))


def _refusing(name: str, due: int, answerable: int, report: Report, slack: float = 0.0) -> Row:
    of = report.calibration
    assert of is not None
    return Row((name, f"{due} of {of.to_refuse}", f"{answerable} of {of.to_answer}"), slack)


def _verifier(report: Report) -> Table:
    found = report.verification
    assert found is not None
    rows = [_share(kind.replace("_", " "), share) for kind, share in found.caught_by_kind.items()]
    rows += [
        _share("**all**", found.caught),
        _share("right answers refused (false alarms)", found.false_alarms),
    ]
    return Table(("made wrong in", "caught", "95 % interval", "n"), tuple(rows))


def _ablations(report: Report) -> Table:
    rows = []
    for a in report.ablations:
        shares = (a.recall_at_k, a.everything_retrieved, a.mean_reciprocal_rank)
        rows.append(
            Row((left_out(a.without), *(_mean(s) for s in shares)), slack=_SLACK / max(1, a.recall_at_k.n))
        )
    return Table(("retrieval", f"recall@{report.k}", "all retrieved", "MRR"), tuple(rows))


def _share(name: str, share: Share, slack: float = 0.0) -> Row:
    interval = "–" if share.low is None or share.high is None else f"{share.low:.3f} to {share.high:.3f}"
    return Row((name, _mean(share), interval, str(share.n)), slack)


def _mean(share: Share) -> str:
    return "–" if share.mean is None else f"{share.mean:.3f}"
