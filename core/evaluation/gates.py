"""Gates: how far a measure may fall before the build fails, and which questions pulled it down.

Thresholds are in data/evaluation/gates.yaml; a measure named there that does not exist is an EvaluationError.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from core.errors import EvaluationError
from core.evaluation.metrics import Outcome, Share, Summary
from core.evaluation.questions import Expected
from core.evaluation.report import Report

SHIPPED_GATES = Path(__file__).parents[2] / "data" / "evaluation" / "gates.yaml"
_ANSWER = Expected.ANSWER

# Which questions pull a measure down.
_BELOW: dict[str, Callable[[Outcome], bool]] = {
    "correct": lambda o: not o.correct,
    "wrong_and_grounded": lambda o: bool(o.wrong_and_grounded),
    "refused_when_due": lambda o: o.expect is not _ANSWER and not o.correct,
    "answered_when_due": lambda o: o.expect is _ANSWER and bool(o.refused),
    "facts": lambda o: o.facts is not None and o.facts < 1,
    "recall_at_k": lambda o: o.retrieval is not None and o.retrieval.recall_at_k < 1,
    "everything_retrieved": lambda o: o.retrieval is not None and not o.retrieval.everything,
    "first_relevant_is_first": lambda o: o.retrieval is not None and o.retrieval.first_rank != 1,
    "mean_reciprocal_rank": lambda o: o.retrieval is not None and o.retrieval.first_rank != 1,
    "citation_precision": lambda o: o.citation_precision is not None and o.citation_precision < 1,
    "citation_recall": lambda o: o.citation_recall is not None and o.citation_recall < 1,
}


class Gates(BaseModel):
    """Thresholds by measure: of the answers (`at_least`, `at_most`), of the verifier, of the whole answer's p95."""

    model_config = ConfigDict(extra="forbid")
    at_least: dict[str, float] = {}
    at_most: dict[str, float] = {}
    caught_at_least: dict[str, float] = {}
    false_alarms_at_most: float = 1.0
    total_ms_p95_at_most: float | None = None


class Breach(BaseModel):
    """One measure on the wrong side of its gate, and the questions (or wrong answers) that put it there."""

    measure: str
    gate: float
    got: float
    questions: list[str]

    def __str__(self) -> str:
        return f"{self.measure} is {self.got:.3f}, the gate is {self.gate:.3f}: {', '.join(self.questions)}"


def read_gates(path: Path = SHIPPED_GATES) -> Gates:
    """The thresholds of a file; raises EvaluationError naming what is wrong with it."""
    try:
        gates = Gates.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")) or {})
    except OSError as error:
        raise EvaluationError(f"{path} cannot be read ({error.strerror}).") from None
    except (yaml.YAMLError, ValidationError) as error:
        raise EvaluationError(f"{path.name} is not a file of gates: {' '.join(str(error).split())}") from None
    unknown = (set(gates.at_least) | set(gates.at_most)) - set(Summary.model_fields)
    if unknown:
        raise EvaluationError(f"{path.name}: there is no measure {sorted(unknown)[0]!r}.")
    return gates


def breaches(report: Report, gates: Gates) -> list[Breach]:
    """Every gate the report does not pass; a measure that was not taken passes none."""
    found = []
    for measure, gate in gates.at_least.items():
        got: Share = getattr(report.overall, measure)
        if got.mean is None or got.mean < gate:
            found.append(_answers(report, measure, gate, got))
    for measure, gate in gates.at_most.items():
        got = getattr(report.overall, measure)
        if got.mean is None or got.mean > gate:
            found.append(_answers(report, measure, gate, got))
    return found + _of_the_verifier(report, gates) + _of_time(report, gates)


def _answers(report: Report, measure: str, gate: float, got: Share) -> Breach:
    names = [o.id for o in report.outcomes if _BELOW[measure](o)]
    return Breach(measure=measure, gate=gate, got=got.mean or 0.0, questions=names)


def _of_the_verifier(report: Report, gates: Gates) -> list[Breach]:
    verification = report.verification
    if verification is None:
        return []
    found = []
    for kind, gate in gates.caught_at_least.items():
        got = verification.caught if kind == "all" else verification.caught_by_kind.get(kind)
        if got is None or got.mean is None or got.mean < gate:
            names = [f"{m.question} ({m.kind})" for m in verification.missed if kind in ("all", m.kind)]
            mean = got.mean if got and got.mean is not None else 0.0
            found.append(Breach(measure=f"caught: {kind}", gate=gate, got=mean, questions=names))
    alarms, gate = verification.false_alarms.mean, gates.false_alarms_at_most
    if alarms is not None and alarms > gate:
        names = verification.false_alarm_ids
        found.append(Breach(measure="false alarms", gate=gate, got=alarms, questions=names))
    return found


def _of_time(report: Report, gates: Gates) -> list[Breach]:
    gate, total = gates.total_ms_p95_at_most, report.latency_ms.get("total")
    if gate is None or total is None or total.p95 <= gate:
        return []
    slow = [o.id for o in report.outcomes if o.timings_ms and o.timings_ms.total > gate]
    return [Breach(measure="total ms, p95", gate=gate, got=total.p95, questions=slow)]
