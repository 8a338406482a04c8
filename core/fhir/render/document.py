"""Documents and notes: the text itself is shown, searched and embedded; the undecodable is named."""

from __future__ import annotations

import re

from core.fhir.render.generic import Renderer, headline
from core.fhir.render.parts import category_line, date_line, detail_lines, full_names
from core.fhir.types import spoken
from core.models import Facts


def body(facts: Facts) -> list[str]:
    return [
        *detail_lines(facts, skip=("document",)),
        *category_line(facts),
        *date_line(facts),
        *text_lines(facts),
    ]


def text_lines(facts: Facts) -> list[str]:
    """The document's text in its own lines, blank ones dropped."""
    lines = (
        re.sub(r"[^\S\n]+", " ", line).strip() for t in facts.detail("document") for line in t.splitlines()
    )
    return [line for line in lines if line]


def concept(facts: Facts) -> str:
    return "\n".join([f"{spoken(facts.resource_type)}: {full_names(facts)}", *text_lines(facts)])


RENDERER = Renderer(headline, body, concept)
