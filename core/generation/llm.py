"""The answerer that asks a language model: bounded in time and length, and every failure is one clear line.

No key, no record content and no traceback of a provider reaches a message. What the model writes is a draft:
it has no tools, and its text passes the same verifier as any other. litellm is imported at the first
question, since that takes seconds.
"""

from __future__ import annotations

import contextlib
import io
import logging
import os
import re
import time
import warnings
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import jinja2

from core.config import Settings
from core.errors import ConfigurationError, ModelUnavailable
from core.models import REFUSAL, Draft
from core.retrieval.context import Context, fenced

_PROMPTS = Path(__file__).parent / "prompts"
_RETRIES = (
    1  # of a rate limit or a server error, by the provider's client; its default is 2 retries of 6000 s each
)
_CITED = re.compile(r"\[[A-Z][A-Za-z]+/[A-Za-z0-9\-.]+")
_THOUGHT = re.compile(r"<think>.*?(?:</think>|$)", re.DOTALL)

_CUT = "The answer was cut at the length limit; raise CHARTCITE_LLM_MAX_TOKENS for longer answers."
_FILTERED = "The provider's content filter withheld the answer."
_EMPTY = "The model returned no text."


class LlmAnswerer:
    """Asks the model of the settings. Stateless between questions."""

    name = "llm"

    def __init__(self, settings: Settings) -> None:
        if not settings.llm_model:
            raise ConfigurationError(
                "LLM_MODEL is not set. Set it, e.g. to ollama/llama3.1, or use the record answerer."
            )
        self._settings = settings

    def draft(self, question: str, patient_line: str, context: Context) -> Draft:
        """The model's whole answer; without evidence a refusal, unasked. Raises ModelUnavailable."""
        if not context.included:
            return self._refusal()
        with _reported(self._settings):
            response = self._complete(question, patient_line, context, stream=False)
            choice = response.choices[0]
            return self._draft(choice.message.content, choice.finish_reason)

    def stream(self, question: str, patient_line: str, context: Context) -> Iterator[str | Draft]:
        """The answer in pieces as they arrive, and last the Draft they make. Raises ModelUnavailable."""
        if not context.included:
            yield self._refusal()
            return
        deadline = time.monotonic() + self._settings.llm_timeout_seconds * (1 + _RETRIES)
        text, reason = "", None
        with _reported(self._settings):
            chunks = self._complete(question, patient_line, context, stream=True)
            for chunk in chunks:
                if (
                    time.monotonic() > deadline
                ):  # the client's timeout is between two pieces, this one is for all
                    raise ModelUnavailable(_timed_out(self._settings))
                if not chunk.choices:
                    continue
                choice = chunk.choices[0]
                reason = choice.finish_reason or reason
                if piece := choice.delta.content:
                    text += piece
                    yield piece
            if reason is None:
                raise ModelUnavailable(_BROKEN_OFF)
            if not text and chunks.received_finish_reason is None:  # not a stream: litellm made up its end
                raise ModelUnavailable(_FAILED)
            yield self._draft(text, reason)

    def _complete(self, question: str, patient_line: str, context: Context, *, stream: bool) -> Any:
        return _litellm().completion(
            model=self._settings.llm_model,
            api_base=self._settings.llm_api_base or None,
            messages=messages(question, patient_line, context),
            temperature=0,
            max_tokens=self._settings.llm_max_tokens,
            timeout=self._settings.llm_timeout_seconds,
            max_retries=_RETRIES,
            drop_params=True,  # some models take no temperature
            stream=stream,
        )

    def _draft(self, content: str | None, reason: str | None) -> Draft:
        """What the model wrote as a Draft: an incomplete sentence is dropped, an empty answer refuses."""
        text = _THOUGHT.sub("", content or "").strip()
        if reason == "content_filter":
            return self._refusal(_FILTERED)
        if not text:
            return self._refusal(_CUT if reason == "length" else _EMPTY)
        if says_refusal(text):
            return self._refusal()
        note = ""
        if reason == "length":
            note, text = _CUT, text[: text.rfind("]") + 1]  # every whole statement ends in its citation
        text = text.replace(REFUSAL, "").strip()
        return (
            Draft(text, refused=False, answerer=self.name, finish_note=note) if text else self._refusal(note)
        )

    def _refusal(self, note: str = "") -> Draft:
        return Draft(REFUSAL, refused=True, answerer=self.name, finish_note=note)


def messages(question: str, patient_line: str, context: Context) -> list[Mapping[str, str]]:
    """The conversation sent to the model: the rules, then the fenced record and the question."""
    asked = (
        _prompts()
        .get_template("answer.jinja2")
        .render(patient=fenced(patient_line), context=context.text, question=" ".join(question.split()))
    )
    rules = _prompts().get_template("system.jinja2").render(refusal=REFUSAL)
    return [{"role": "system", "content": rules}, {"role": "user", "content": asked}]


def says_refusal(text: str) -> bool:
    """Whether the text is the refusal sentence, whatever stands around it, and cites nothing."""
    plain = " ".join(text.split()).casefold()
    return REFUSAL.rstrip(".").casefold() in plain and not _CITED.search(text)


@cache
def _prompts() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(_PROMPTS),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # plain text for a model; record text is fenced by core.retrieval.context
    )


@cache
def _litellm() -> ModuleType:
    """litellm, quiet and offline: no cost map fetched at import, no hints on stdout, no prompts in logs."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    with contextlib.redirect_stdout(io.StringIO()):
        import litellm

    warnings.filterwarnings("ignore", message=r".*`ReadOnly` qualifier.*")  # of litellm's own types
    litellm.suppress_debug_info = True
    litellm.turn_off_message_logging = True
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return litellm


# --- failures ---------------------------------------------------------------------------------------

_BROKEN_OFF = "The language model's answer broke off. Ask again, or use the record answerer."
_FAILED = "The language model failed or cannot be reached. Check LLM_MODEL, its key and LLM_API_BASE."
_DENIED = "The model provider refused access to LLM_MODEL with this key."
_BY_STATUS = {403: _DENIED}  # litellm has no class for it
# Exception class of litellm (or a base of it) -> what to say. The most specific class of an exception wins.
_LINES = {
    "AuthenticationError": "The model provider refused the key. Check the environment's key for LLM_MODEL.",
    "PermissionDeniedError": _DENIED,
    "RateLimitError": "The language model is over its rate limit or quota. Wait a moment and ask again.",
    "NotFoundError": "The provider does not know the model in LLM_MODEL. Check its name.",
    "ContextWindowExceededError": "The evidence is too long for this model. Lower CHARTCITE_CONTEXT_TOKENS.",
    "ContentPolicyViolationError": "The provider's content policy refused the question.",
    "BadRequestError": "The model provider rejected the request. Check that LLM_MODEL names a chat model.",
    "MidStreamFallbackError": _BROKEN_OFF,
}


@contextlib.contextmanager
def _reported(settings: Settings) -> Iterator[None]:
    """Turn any failure of the provider or its client into ModelUnavailable with one fixed line."""
    try:
        yield
    except ModelUnavailable:
        raise
    except Exception as error:
        names = [kind.__name__ for kind in type(error).__mro__]
        if any("Timeout" in name for name in names):
            line = _timed_out(settings)
        else:
            status = getattr(error, "status_code", 0)
            line = next((_LINES[name] for name in names if name in _LINES), None) or _BY_STATUS.get(
                status, _FAILED
            )
        raise ModelUnavailable(line) from None


def _timed_out(settings: Settings) -> str:
    return (
        f"The language model did not answer within {settings.llm_timeout_seconds:g} s. "
        "Ask again, or raise CHARTCITE_LLM_TIMEOUT_SECONDS."
    )
