"""The shipped questions over the demo records: a measure below its gate fails, naming the questions."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from core.config import Settings
from core.database.pool import Database
from core.embedding import Embedder
from core.errors import EvaluationError
from core.evaluation.ablation import ROWS
from core.evaluation.gates import breaches, read_gates
from core.evaluation.metrics import failing
from core.evaluation.questions import Expected, read_questions
from core.evaluation.readme import stale
from core.evaluation.report import Report
from core.evaluation.run import AUDIT_USER, Plan, evaluate
from core.evaluation.stored import KEPT, keep, kept, kept_report
from core.evaluation.text import as_markdown
from core.ingestion.forget import forget
from core.ingestion.ingest import ingest
from core.pipeline import Stages
from core.service import Service
from tests.conftest import DEMO

pytestmark = [pytest.mark.integration, pytest.mark.timeout(600)]  # the demo records are ingested first

CATEGORIES = {
    *("diagnosis", "HbA1c monitoring", "medications", "complications", "vitals and labs"),
    *("cross-resource", "temporal", "care plan", "preventive", "negative"),
}


@pytest.fixture
def service(database: Database, embedder: Embedder) -> Service:
    """A service over one patient without a record."""
    ada = {"resourceType": "Patient", "id": "ada", "name": [{"text": "Ada"}]}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "ada.json"
        path.write_text(json.dumps(ada))
        ingest(database, embedder, [path])
    return Service(Stages(Settings(), database, embedder))


@pytest.fixture(scope="module")
def report(demo: Service) -> Report:
    """The whole evaluation, once."""
    return evaluate(demo, read_questions(), "questions.yaml", Plan(ablations=True))


def test_the_shipped_questions_cover_what_they_should() -> None:
    asked = read_questions()
    assert len(asked) >= 60
    assert {q.category for q in asked} == CATEGORIES
    assert {q.cohort for q in asked} == {"type 2 diabetes", "atopic children"}
    controls = [q for q in asked if q.expect is Expected.REFUSE]
    assert len(controls) >= 12
    assert set(Counter(q.why for q in controls)) == {
        *("absent", "false premise", "near miss", "another patient", "advice", "off topic")
    }


def test_no_measure_is_below_its_gate(report: Report) -> None:
    broken = breaches(report, read_gates())
    assert not broken, "\n".join([*map(str, broken), "", as_markdown(report)])


def test_every_question_is_measured_and_reported(report: Report) -> None:
    assert [o.id for o in report.outcomes] == [q.id for q in read_questions()]
    assert [o.problem for o in report.outcomes if o.problem] == []
    assert Report.model_validate_json(report.model_dump_json()) == report
    text = as_markdown(report)
    assert all(f"**{o.id}**" in text for o in failing(report.outcomes))


def test_retrieval_alone_finds_what_a_whole_answer_is_given(demo: Service, report: Report) -> None:
    alone = evaluate(demo, read_questions(), "questions.yaml", Plan(retrieval_only=True))
    assert [o.retrieval for o in alone.outcomes] == [o.retrieval for o in report.outcomes]
    assert [o.nearest for o in alone.outcomes] == [o.nearest for o in report.outcomes]
    assert alone.verification is None


def test_the_tables_of_the_readme_are_what_is_measured(report: Report) -> None:
    assert stale(DEMO.parents[1] / "README.md", report) == [], (
        "Write them again: python -m core evaluate --readme README.md"
    )


def test_each_part_left_out_is_measured_and_understanding_is_what_counts(report: Report) -> None:
    recall = {tuple(a.without): a.recall_at_k.mean or 0.0 for a in report.ablations}
    assert list(recall) == list(ROWS)
    assert recall[()] == report.overall.recall_at_k.mean
    assert recall["concepts",] < recall[()] - 0.1
    assert recall["vocabulary",] < recall[()] - 0.1


def test_parts_are_left_out_of_retrieval_alone_and_some_have_to_stay() -> None:
    with pytest.raises(EvaluationError, match="retrieval alone"):
        Plan(without=("vector",))
    with pytest.raises(EvaluationError, match="nothing to rank by"):
        Plan(retrieval_only=True, without=("vector", "text"))
    with pytest.raises(EvaluationError, match="'graph'"):
        Plan(retrieval_only=True, without=("graph",))


def test_the_relevance_decision_refuses_what_no_threshold_could(report: Report) -> None:
    found = report.calibration
    assert found is not None
    assert found.decision is not None
    assert found.matching is not None
    assert (found.to_refuse, found.to_answer) == (21, 81)
    assert found.decision.answerable_refused < found.matching.answerable_refused


def test_what_an_evaluation_asks_is_told_apart_in_the_audit_trail(demo: Service, report: Report) -> None:
    with demo.stages.database.connection() as connection:
        rows = connection.execute("select question, user_name from audit").fetchall()
    asked = {o.question for o in report.outcomes}
    assert asked <= {question for question, _ in rows}
    assert {user for question, user in rows if question in asked} == {AUDIT_USER}


def test_reports_are_kept_the_newest_first_and_the_oldest_goes(service: Service, report: Report) -> None:
    small = report.model_copy(update={"outcomes": report.outcomes[:1]})
    numbers = [keep(service, small) for _ in range(KEPT + 2)]
    found = kept(service)
    assert [k.number for k in found] == sorted(numbers, reverse=True)[:KEPT]
    assert (found[0].asked, found[0].correct) == (report.overall.questions, report.overall.correct.mean)
    assert kept_report(service, numbers[-1]) == small
    with pytest.raises(EvaluationError, match="not kept"):
        kept_report(service, numbers[0])


def test_a_report_goes_with_its_patient(service: Service, report: Report) -> None:
    about, other = report.outcomes[0].model_copy(update={"patient": "Patient/ada"}), report.outcomes[0]
    keep(service, report.model_copy(update={"outcomes": [about]}))
    stays = keep(service, report.model_copy(update={"outcomes": [other]}))
    forget(service.stages.database, "Patient/ada")
    assert [k.number for k in kept(service)] == [stays]
