"""One statement against what it cites: every atom is checked, and one that does not hold decides.

Where citations stand amid the text there is more than one way to read which fact belongs to which; a statement stands
if one whole reading holds.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.grounding.checks.outcome import Outcome, contradicted
from core.grounding.claims import Statement
from core.grounding.examination import Examination
from core.grounding.scope import at_once, in_turn, scopes
from core.grounding.statement import LISTED, Parsed
from core.models import ClaimStatus, Facts


def examine(
    statement: Statement, parsed: Parsed, question: Parsed | None, before: Sequence[Facts]
) -> tuple[ClaimStatus, list[Outcome]]:
    """The status of a cited statement and every check made on it."""
    resources = parsed.record.resources
    marks = [[resources[i] for i in group if i in resources] for group in statement.marks]
    first: list[Outcome] = []
    readings = scopes(statement.text, marks, parsed.cited)
    if one_each := in_turn(readings[0], _lists(parsed)):
        readings.append(one_each)
    if together := at_once(readings[0], [a.start for a in (*parsed.quantities, *parsed.pairs)]):
        readings.append(together)
    for scope in readings:
        outcomes = Examination(statement, parsed, scope, question, before).outcomes()
        if all(o.ok for o in outcomes):
            return ClaimStatus.SUPPORTED, outcomes
        first = first or outcomes
    return _failed(first), first


def examine_label(statement: Statement, parsed: Parsed) -> tuple[ClaimStatus, list[Outcome]]:
    """A heading, lead-in or table header against everything that stands under it."""
    (scope,) = scopes(statement.text, [], parsed.cited)
    if wrong := _miscounted(statement, len(parsed.cited)):
        return ClaimStatus.CONTRADICTED, [wrong]
    outcomes = Examination(statement, parsed, scope, None, ()).label_outcomes()
    if all(o.ok for o in outcomes):
        return ClaimStatus.SUPPORTED, outcomes
    return _failed(outcomes), outcomes


def _miscounted(statement: Statement, cited: int) -> Outcome | None:
    stated = LISTED.search(statement.text)
    if stated is None or int(stated[1]) in (statement.listed, cited):
        return None
    return contradicted("count", stated[1], f"{statement.listed} listed")


def _failed(outcomes: Sequence[Outcome]) -> ClaimStatus:
    failed = [o for o in outcomes if not o.ok]
    return ClaimStatus.UNSUPPORTED if all(o.missing for o in failed) else ClaimStatus.CONTRADICTED


def _lists(parsed: Parsed) -> list[list[int]]:
    """Where the numbers, pairs and dates of a statement stand: lists that may go with the citations one each."""
    numbers = [q.start for q in parsed.quantities if not (q.delta or q.of_range)]
    return [numbers, [p.start for p in parsed.pairs], [d.start for d in parsed.frame.dates]]
