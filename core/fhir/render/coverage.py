"""Coverage: what kind, who pays, from when to when; amounts are money, never clinical values."""

from __future__ import annotations

from core.fhir.render.generic import Renderer
from core.fhir.render.parts import date_line, detail_lines, lead, one_line, status, when
from core.models import Facts


def headline(facts: Facts) -> str:
    """ "Coverage: Health insurance, paid by Acme Health from 2020-01-01 to 2020-12-31 (active)"."""
    named = f": {one_line(facts.label)}" if facts.label != facts.resource_type else ""
    payors = ", ".join(one_line(p) for p in facts.detail("payor") if p != facts.label)
    return (
        f"{lead(facts)}Coverage{named}{f', paid by {payors}' if payors else ''}{when(facts)}{status(facts)}"
    )


def body(facts: Facts) -> list[str]:
    return [*detail_lines(facts, first=("Plan", "Group"), skip=("payor",)), *date_line(facts)]


RENDERER = Renderer(headline, body)
