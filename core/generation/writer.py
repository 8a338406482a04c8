"""The one way to a model: its library takes seconds to import, so it is imported only when a model is asked."""

from __future__ import annotations

from collections.abc import Callable

from core.config import Settings
from core.models import Draft
from core.retrieval.context import Context


def write_with_model(
    settings: Settings,
    question: str,
    patient_line: str,
    context: Context,
    on_draft: Callable[[str], None] | None = None,
) -> Draft:
    """A model's answer from this context; its text so far goes to `on_draft` while it is written.

    Raises ModelUnavailable or ConfigurationError.
    """
    from core.generation.llm import LlmAnswerer

    answerer = LlmAnswerer(settings)
    if on_draft is None:
        return answerer.draft(question, patient_line, context)
    text, last = "", Draft("", refused=True, answerer="llm")
    for piece in answerer.stream(question, patient_line, context):
        if isinstance(piece, Draft):
            last = piece  # the stream ends with the Draft its pieces make
        else:
            text += piece
            on_draft(text)
    return last
