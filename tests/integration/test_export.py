"""Answers taken out (a FHIR document that validates, a page, Markdown, all escaped), rated, and audited."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest
from fhir.resources.R4B.bundle import Bundle

from core.access.audit import audit_trail, audit_users, open_audit
from core.database.pool import Database
from core.errors import IngestError
from core.export.content import Content
from core.export.markdown import markdown, plain
from core.export.page import page
from core.feedback import Rating, give_feedback
from core.ingestion.forget import forget
from core.models import Answer
from core.patients import PatientSummary
from core.service import Service

pytestmark = pytest.mark.integration
ANITA = "Patient/bdfe7dc5-0790-4c2b-868e-e7d75f45c072"
MARKUP = "<script>alert(1)</script> **bold** [link](http://example.org) & \x0b"


@pytest.fixture(scope="module")
def content(demo: Service) -> Content:
    answer = demo.ask(ANITA, "How has HbA1c changed over time?").answer
    assert not answer.refused
    return Content(demo.patient(ANITA), answer, "dr.who", datetime(2026, 3, 1, 12, 30, tzinfo=UTC))


def nasty(content: Content) -> Content:
    """The same content with markup wherever a record's text can stand."""
    claims = [c.model_copy(update={"text": f"{MARKUP} {c.text}"}) for c in content.answer.claims]
    citations = [c.model_copy(update={"text": MARKUP}) for c in content.answer.citations]
    answer = content.answer.model_copy(
        update={
            "question": MARKUP,
            "answer": f"{MARKUP} {content.answer.answer}",
            "claims": claims,
            "citations": citations,
        }
    )
    patient = content.patient.model_copy(update={"name": MARKUP})
    return Content(patient, answer, MARKUP, content.at)


def test_the_document_is_a_valid_fhir_bundle(demo: Service, content: Content) -> None:
    document = json.loads(json.dumps(demo.document(content)))
    Bundle.model_validate(document)
    kinds = [e["resource"]["resourceType"] for e in document["entry"]]
    assert document["type"] == "document"
    assert kinds[0] == "Composition"
    assert {"Patient", "Device", "Observation", "Provenance"} <= set(kinds)
    assert len({e["fullUrl"] for e in document["entry"]}) == len(document["entry"])


def test_whatever_the_document_refers_to_is_in_it(demo: Service, content: Content) -> None:
    document = demo.document(content)
    composition, *others = (e["resource"] for e in document["entry"])
    inside = {f"{r['resourceType']}/{r['id']}" for r in (composition, *others)}
    cited = [e["reference"] for e in composition["section"][0]["entry"]]
    assert set(cited) == {c.resource_id for c in content.answer.citations}
    provenance = others[-1]
    named = [
        composition["subject"],
        *composition["author"],
        *provenance["target"],
        provenance["agent"][0]["who"],
    ]
    named += [e["what"] for e in provenance["entity"]]
    assert {*cited, *(n["reference"] for n in named)} <= inside
    device = next(r for r in others if r["resourceType"] == "Device")
    assert content.answer.answerer in device["deviceName"][0]["name"]


def test_cited_resources_go_as_they_are_stored(demo: Service, content: Content) -> None:
    found = {
        f"{e['resource']['resourceType']}/{e['resource']['id']}": e["resource"]
        for e in demo.document(content)["entry"]
    }
    for citation in content.answer.citations:
        assert found[citation.resource_id] == demo.resource(ANITA, citation.resource_id)


def test_the_narrative_is_xhtml_that_holds_the_answer_and_no_markup_of_the_record(
    demo: Service, content: Content
) -> None:
    for one in (content, nasty(content)):
        composition = demo.document(one)["entry"][0]["resource"]
        for text in (composition["text"], *(s["text"] for s in composition["section"])):
            root = fromstring(text["div"])
            assert root.tag == "{http://www.w3.org/1999/xhtml}div"
            assert not [e for e in root.iter() if e.tag.endswith(("script", "a", "img"))]
    words = " ".join(fromstring(demo.document(content)["entry"][0]["resource"]["text"]["div"]).itertext())
    assert all(c.resource_id in words for c in content.answer.citations)
    Bundle.model_validate(demo.document(nasty(content)))


def test_a_refusal_is_a_document_without_sources(demo: Service) -> None:
    answer = demo.ask(ANITA, "What was the last troponin?").answer
    assert answer.refused
    document = demo.document(Content(demo.patient(ANITA), answer, "x", datetime(2026, 3, 1, tzinfo=UTC)))
    Bundle.model_validate(json.loads(json.dumps(document)))
    assert "entry" not in document["entry"][0]["resource"]["section"][0]


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.found.append(tag)


def test_the_page_is_whole_loads_nothing_and_shows_markup_as_text(content: Content) -> None:
    shown = page(content)
    assert all(c.resource_id in shown for c in content.answer.citations)
    assert "dr.who" in shown
    assert "Not a medical device" in shown
    wild = page(nasty(content))
    for text in (shown, wild):
        assert not {"script", "img", "link", "iframe", "a"} & set(Tags(text).found)
        assert not re.search(r"(?:src|href|url)\s*[=(]", text)
    assert "&lt;script&gt;" in wild


def test_markdown_names_each_source_and_escapes_the_record(content: Content) -> None:
    shown = markdown(content)
    assert all(c.resource_id in shown for c in content.answer.citations)
    assert r"\[1\]" in shown
    wild = markdown(nasty(content))
    assert "<script>" not in wild
    assert "](http" not in wild
    assert "**bold**" not in wild


def test_what_is_copied_carries_its_sources_and_its_verdict(content: Content) -> None:
    copied = plain(content)
    assert "[1]" in copied
    assert all(c.resource_id in copied for c in content.answer.citations)
    assert content.verdict in copied


def test_a_rating_is_kept_with_the_answer_once_per_reader(database: Database, content: Content) -> None:
    with database.connection() as connection:
        give_feedback(connection, "a", content.answer, Rating.RIGHT)
        give_feedback(connection, "a", content.answer, Rating.WRONG, " too old ")
        give_feedback(connection, "b", content.answer, Rating.MISSING)
        rows = connection.execute(
            "select user_name, rating, comment, answer from feedback order by 1"
        ).fetchall()
    assert [row[:3] for row in rows] == [("a", "wrong", "too old"), ("b", "missing", "")]
    assert Answer.model_validate(rows[0][3]) == content.answer


def test_forgetting_a_patient_forgets_what_was_said_of_answers(database: Database, content: Content) -> None:
    with database.connection() as connection:
        connection.execute(
            "insert into patients (patient_ref, name, birth_date, gender, deceased, merged_into, search, resources)"
            " values (%s, 'x', '', '', '', '', 'x', 1)",
            (ANITA,),
        )
        give_feedback(connection, "a", content.answer, Rating.RIGHT)
    forget(database, ANITA)
    with database.connection() as connection:
        assert connection.execute("select count(*) from feedback").fetchone() == (0,)


def test_the_audit_trail_is_newest_first_filtered_and_paged(database: Database) -> None:
    with database.connection() as connection:
        connection.execute(
            "insert into patients (patient_ref, name, birth_date, gender, deceased, merged_into, search, resources)"
            " values ('Patient/1', 'Zoë', '', '', '', '', 'zoë', 1)"
        )
        for n in range(5):
            open_audit(
                connection,
                "ann" if n % 2 else "bob",
                f"Patient/{n % 2}",
                f"q{n}",
                ["Observation/x"],
                "record",
            )
        asked = [row.question for row in audit_trail(connection)]
        first = audit_trail(connection, limit=2)
        older = audit_trail(connection, before=first[-1].audit_id)
        of_ann = audit_trail(connection, user="ann")
        of_one = audit_trail(connection, patient="Patient/0")
        by_name = audit_trail(connection, patient="ZOE")
        users = audit_users(connection)
    assert asked == ["q4", "q3", "q2", "q1", "q0"]
    assert [r.question for r in (*first, *older)] == asked
    assert {r.user for r in of_ann} == {"ann"}
    assert {r.patient for r in of_one} == {"Patient/0"}
    assert [(r.name, r.shown) for r in by_name] == [("Zoë", ("Observation/x",))] * 2
    assert users == ["bob", "ann"]


def test_a_question_is_audited_under_the_name_of_who_asks(demo: Service) -> None:
    demo.ask(ANITA, "Which allergies are documented?", user="nurse.joy")
    assert demo.audit_trail("nurse.joy", "", None, 5)[0].question == "Which allergies are documented?"


def test_loading_in_the_browser_has_to_be_allowed(demo: Service) -> None:
    with pytest.raises(IngestError, match="CHARTCITE_UPLOADS"):
        demo.upload("a.json", b"{}", lambda _: None)


def test_a_summary_without_birth_date_is_still_a_line() -> None:
    one = PatientSummary(patient="Patient/x", name="X", birth_date="", gender="", resources=1)
    content = Content(one, Answer.model_construct(question="q"), "u", datetime(2026, 1, 1, tzinfo=UTC))
    assert content.identity == "X · sex not recorded · birth date not recorded · Patient/x"
