"""Two reports on the same questions, question by question: what was gained, what was lost, and whether that is chance.

Pure. Only questions in both reports are compared, by id; the test is exact (McNemar's, the sign test on the questions
that changed), so a small set is never called significant by an approximation.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from pathlib import Path

from pydantic import BaseModel, ValidationError

from core.errors import EvaluationError
from core.evaluation.metrics import Outcome
from core.evaluation.report import Report

_MEASURES: dict[str, Callable[[Outcome], bool | None]] = {
    "correct": lambda o: o.correct,
    "not wrong and grounded": lambda o: None if o.wrong_and_grounded is None else not o.wrong_and_grounded,
    "every fact stated": lambda o: None if o.facts is None else o.facts == 1,
    "everything cited": lambda o: None if o.citation_recall is None else o.citation_recall == 1,
    "nothing cited in vain": lambda o: None if o.citation_precision is None else o.citation_precision == 1,
    "everything retrieved": lambda o: o.retrieval.everything if o.retrieval else None,
    "relevant first": lambda o: o.retrieval.first_rank == 1 if o.retrieval else None,
}


class Change(BaseModel):
    """One measure in both reports: questions compared, how many had it before and after, which changed, and the p value."""

    measure: str
    compared: int
    before: int
    after: int
    gained: list[str]
    lost: list[str]
    p: float


class Comparison(BaseModel):
    """Two reports compared; `only_before` and `only_after` are questions that one of them lacks."""

    changes: list[Change]
    only_before: list[str]
    only_after: list[str]


def read_report(path: Path) -> Report:
    """A report as `evaluate --json` wrote it; raises EvaluationError when the file is none."""
    try:
        return Report.model_validate_json(path.read_bytes())
    except OSError as error:
        raise EvaluationError(f"{path} cannot be read ({error.strerror}). Check the path.") from None
    except ValidationError:
        raise EvaluationError(
            f"{path} is not a report of `python -m core evaluate --json` of this version."
        ) from None


def compare(before: Report, after: Report) -> Comparison:
    """What changed from one report to the other."""
    old, new = {o.id: o for o in before.outcomes}, {o.id: o for o in after.outcomes}
    both = [i for i in old if i in new]
    changes = []
    for measure, has in _MEASURES.items():
        known = [(i, a, b) for i in both if (a := has(old[i])) is not None and (b := has(new[i])) is not None]
        if not known:
            continue
        gained = [i for i, a, b in known if b and not a]
        lost = [i for i, a, b in known if a and not b]
        changes.append(
            Change(
                measure=measure,
                compared=len(known),
                before=sum(a for _, a, _ in known),
                after=sum(b for _, _, b in known),
                gained=gained,
                lost=lost,
                p=round(sign_test(len(gained), len(lost)), 4),
            )
        )
    return Comparison(
        changes=changes,
        only_before=[i for i in old if i not in new],
        only_after=[i for i in new if i not in old],
    )


def sign_test(gained: int, lost: int) -> float:
    """Two-sided exact probability of a split at least as uneven when gain and loss are equally likely."""
    changed = gained + lost
    tail = sum(comb(changed, i) for i in range(min(gained, lost) + 1)) / (1 << changed)
    return min(1.0, 2 * tail)


def as_markdown(found: Comparison) -> str:
    """The comparison as a table, then the questions that changed."""
    lines = [
        "| measure | before | after | of | gained | lost | p |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for c in found.changes:
        row = (c.measure, c.before, c.after, c.compared, len(c.gained), len(c.lost), f"{c.p:.3f}")
        lines.append("| " + " | ".join(map(str, row)) + " |")
    lines.append("")
    for c in found.changes:
        lines += [
            f"- {c.measure}, {word}: {', '.join(ids)}"
            for word, ids in (("gained", c.gained), ("lost", c.lost))
            if ids
        ]
    for word, ids in (("before", found.only_before), ("after", found.only_after)):
        if ids:
            lines.append(f"- only {word}: {', '.join(ids)}")
    return "\n".join(lines) + "\n"
