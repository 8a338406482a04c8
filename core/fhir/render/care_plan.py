"""Care plans: what is planned is part of the concept; each activity keeps its own status."""

from __future__ import annotations

from core.fhir import codes
from core.fhir.render.generic import Renderer, body, headline
from core.fhir.render.parts import full_names, one_line
from core.models import Facts

_AT_MOST = 8  # more activities than this say nothing new to an embedding of 256 word pieces


def concept(facts: Facts) -> str:
    """The plan and its activities, without their statuses (the parenthesis each activity ends in)."""
    planned = dict.fromkeys(codes.plain(one_line(a).rsplit(" (", 1)[0]) for a in facts.detail("activity"))
    planned.pop(facts.label, None)
    activities = "; ".join(list(planned)[:_AT_MOST])
    return f"Care plan: {full_names(facts)}{f' ({activities})' if activities else ''}"


RENDERER = Renderer(headline, body, concept)
