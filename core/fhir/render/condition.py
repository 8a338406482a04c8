"""Conditions: unconfirmed and refuted ones say so first; onset and resolution at the precision recorded."""

from __future__ import annotations

from core.fhir.render.generic import Renderer, concept
from core.fhir.render.parts import category_line, date_line, detail_lines, lead, on, one_line, spaced
from core.models import Facts

_VERIFICATION = ("confirmed", "unconfirmed", "provisional", "differential")


def headline(facts: Facts) -> str:
    """ "Asthma: resolved, onset in 2019-04, resolved on 2021-01-02"."""
    said = [spaced(facts.status)] if facts.status and not facts.void else []
    onset = facts.dated("onsetDateTime", "onsetPeriod.start")
    told = facts.detail("onset")
    if onset or told:
        said.append(f"onset{on(onset)}" if onset else f"onset {one_line(told[0])}")
    elif facts.date:
        said.append(f"recorded{on(facts.date)}")
    if ended := facts.dated("abatementDateTime", "abatementPeriod.end", "abatementPeriod.start"):
        said.append(f"ended{on(ended)}")
    return f"{lead(facts)}{one_line(facts.label)}{': ' if said else ''}{', '.join(said)}"


def body(facts: Facts) -> list[str]:
    """Verification and category, then what qualifies the condition."""
    verification = next((w for w in facts.statuses if w in _VERIFICATION), "")
    return [
        *([f"Verification: {verification}"] if verification else []),
        *category_line(facts),
        *detail_lines(facts, first=("severity", "stage", "body site", "onset", "abatement")),
        *date_line(facts, said=headline(facts)),
    ]


RENDERER = Renderer(headline, body, concept)
