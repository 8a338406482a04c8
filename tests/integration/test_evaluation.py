"""The shipped questions over the demo records: a measure below its gate fails, naming the questions."""

from __future__ import annotations

from collections import Counter

import pytest

from core.evaluation.gates import breaches, read_gates
from core.evaluation.metrics import failing
from core.evaluation.questions import Expected, read_questions
from core.evaluation.report import Report, evaluate
from core.evaluation.text import as_markdown
from core.service import Service

pytestmark = [pytest.mark.integration, pytest.mark.timeout(600)]  # the demo records are ingested first

CATEGORIES = {
    *("diagnosis", "HbA1c monitoring", "medications", "complications", "vitals and labs"),
    *("cross-resource", "temporal", "care plan", "preventive", "negative"),
}


@pytest.fixture(scope="module")
def report(demo: Service) -> Report:
    """The whole evaluation, once."""
    return evaluate(demo, read_questions(), "questions.yaml")


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
    alone = evaluate(demo, read_questions(), "questions.yaml", retrieval_only=True)
    assert [o.retrieval for o in alone.outcomes] == [o.retrieval for o in report.outcomes]
    assert alone.verification is None
