"""Allergies and intolerances: a coded "No known allergy" is never worded as an allergy to something."""

from __future__ import annotations

from core.fhir import codes
from core.fhir.render.generic import Renderer
from core.fhir.render.parts import (
    category_line,
    date_line,
    detail_lines,
    full_names,
    lead,
    on,
    one_line,
    spaced,
)
from core.models import Facts

# SNOMED CT situations that state an absence.
_NONE_KNOWN = frozenset(
    {
        "716186003",
        "409137002",
        "429625007",
        "428607008",
        "428197003",
        "1003774007",
        "160244002",
        "716184000",
        "716185004",
    }
)


def states_none(facts: Facts) -> bool:
    """Whether the record states that no allergy (of some kind) is known."""
    return any(c.code in _NONE_KNOWN for c in facts.codings)


def _kind(facts: Facts) -> str:
    return "Intolerance" if "intolerance" in facts.detail("allergy type") else "Allergy"


def _name(facts: Facts) -> str:
    return codes.plain(one_line(facts.label))


def headline(facts: Facts) -> str:
    name = _name(facts) if states_none(facts) else f"{_kind(facts)}: {_name(facts)}"
    onset = facts.dated("onsetDateTime", "onsetPeriod.start")
    said = [
        spaced(facts.status) if not facts.void else "",
        *(f"{c} criticality" for c in facts.detail("criticality") if c != "unable-to-assess"),
        f"onset{on(onset)}" if onset else f"recorded{on(facts.date)}" if facts.date else "",
    ]
    told = ", ".join(part for part in said if part)
    return f"{lead(facts)}{name}{f' ({told})' if told else ''}"


def body(facts: Facts) -> list[str]:
    return [
        *detail_lines(facts, first=("reaction",), skip=("criticality",)),
        *category_line(facts),
        *date_line(facts),
    ]


def concept(facts: Facts) -> str:
    return f"Allergy: {full_names(facts)}"


RENDERER = Renderer(headline, body, concept)
