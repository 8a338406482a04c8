"""The words readers share: each returns "" for what is not recorded, so that callers only join."""

from __future__ import annotations

from core.fhir import codes
from core.fhir.quantities import quantity, shown_quantity
from core.fhir.read import Json, obj, objects, string
from core.fhir.source import Source
from core.fhir.values import shown_period, shown_span


def plain(concept: object) -> str:
    """The label of a CodeableConcept or Coding without its semantic tag."""
    return codes.plain(codes.label(concept))


def plains(concepts: object) -> list[str]:
    """The labels of a list of them, without repeats."""
    return list(map(codes.plain, codes.labels(concepts)))


def qualified(name: str, *words: str) -> str:
    """ "Asthma (resolved)": a name with what is said about it; "" without a name."""
    said = ", ".join(w for w in words if w)
    return f"{name} ({said})" if name and said else name


def either(value: object, yes: str, no: str) -> str:
    """One word for true, another for false, "" for anything else."""
    return yes if value is True else no if value is False else ""


def amount(value: object) -> str:
    """A Quantity as printed."""
    found = quantity(value)
    return shown_quantity(found) if found else ""


def period(value: object) -> str:
    """A Period in words."""
    return shown_period(obj(value))


def moment(body: Json, field: str) -> str:
    """onset[x], abatement[x], deceased[x] … when it is an age, a range or words; dates are Facts.dates."""
    if age := quantity(body.get(f"{field}Age")):
        return f"at age {shown_quantity(age)}"
    if span := shown_span(obj(body.get(f"{field}Range"))):
        return f"between {span}" if " to " in span else span
    return string(body.get(f"{field}String"))


MOMENTS = tuple(
    f"{field}{x}"
    for field in ("onset", "abatement", "performed", "occurrence")
    for x in ("Age", "Range", "String", "Boolean", "Period")
)


def notes(body: Json) -> str:
    """The notes within an element."""
    return "; ".join(text for n in objects(body.get("note")) if (text := string(n.get("text"))))


def people(source: Source, field: str, kind: str, who: str = "actor", role: str = "function") -> None:
    """Who took part, each with the role taken and for whom."""
    for i, body in enumerate(objects(source.resource.get(field))):
        name = source.name(body.get(who)) or source.name(body)
        roles = ", ".join(plains(body.get(role)))
        behalf = source.name(body.get("onBehalfOf"))
        text = qualified(name, roles, f"for {behalf}" if behalf else "") or roles
        source.add(kind, f"{field}[{i}]", text)
