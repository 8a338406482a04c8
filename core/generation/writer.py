"""The one way to a model: its library takes seconds to import, so it is imported only when a model is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.config import Settings
from core.models import Draft, Evidence


def write_with_model(
    settings: Settings,
    question: str,
    patient_line: str,
    evidence: Sequence[Evidence],
    on_draft: Callable[[str], None] | None = None,
) -> Draft:
    """A model's answer from this evidence; its text so far goes to `on_draft` while it is written.

    Raises ModelUnavailable or ConfigurationError.
    """
    from core.generation.llm import LlmAnswerer

    answerer = LlmAnswerer(settings)
    if on_draft is None:
        return answerer.draft(question, patient_line, evidence)
    text = ""
    for piece in answerer.stream(question, patient_line, evidence):
        if isinstance(piece, Draft):
            return piece
        text += piece
        on_draft(text)
    return answerer.draft(question, patient_line, evidence)
