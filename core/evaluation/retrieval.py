"""The stages of the pipeline that find evidence, alone: nothing is generated, verified or written to the audit."""

from __future__ import annotations

from core.patients import require_patient
from core.pipeline import Stages
from core.retrieval import evidence as gathering
from core.retrieval.match import match, quotable_names
from core.retrieval.question import parse
from core.retrieval.references import follow
from core.retrieval.search import search


def retrieve(stages: Stages, patient: str, text: str) -> list[str]:
    """The resource ids an answer to this question would be given, in rank order, as core.pipeline.ask finds them."""
    settings = stages.settings
    vector = stages.embedder.embed([text])[0]
    with stages.database.connection() as connection:
        require_patient(connection, patient)
        concepts = search(connection, patient, text, vector)
        question = parse(text, settings.max_question_characters, quotable_names(concepts))
        topic = match(question, concepts)
        _, found = gathering.gather(connection, patient, question, topic, concepts, settings.retrieve_limit)
        further = follow(connection, patient, found[: gathering.FOLLOWED_FROM], settings.max_reference_hops)
    return [e.facts.resource_id for e in (*found, *further)]
