"""The patient: who this is, and before that whether they have died or the record was merged into another."""

from __future__ import annotations

from core.fhir.render.generic import Renderer
from core.fhir.render.parts import date_line, detail_lines, lead, one_line
from core.models import Facts


def headline(facts: Facts) -> str:
    died = facts.dated("deceasedDateTime")
    born = facts.dated("birthDate")
    said = [
        one_line(facts.label) if facts.label != "Patient" else "name not recorded",
        *facts.detail("gender"),
        f"born {born.shown}" if born else "",
        f"died {died.shown}" if died else "deceased" if facts.detail("deceased") else "",
        *facts.detail("record"),
    ]
    return f"{lead(facts)}Patient: {', '.join(part for part in said if part)}"


def body(facts: Facts) -> list[str]:
    said = {"gender", "deceased", "record"}
    return [*detail_lines(facts, skip=said), *date_line(facts, said=headline(facts))]


def concept(facts: Facts) -> str:
    """Demographics are asked for by field; the names of patients are not concepts."""
    return (
        "Patient demographics: name, age, date of birth, sex, address, phone, language, marital status, death"
    )


RENDERER = Renderer(headline, body, concept)
