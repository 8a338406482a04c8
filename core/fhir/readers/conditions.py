"""What conditions, allergies, family history and clinical impressions say: when, how bad, on what evidence."""

from __future__ import annotations

from core.fhir import codes
from core.fhir.read import objects, string, strings
from core.fhir.readers.wording import moment, notes, plain, plains, qualified
from core.fhir.source import Source


def condition(source: Source) -> None:
    body = source.resource
    source.add("onset", "onset", moment(body, "onset"))
    resolved = "yes, date not recorded" if body.get("abatementBoolean") is True else ""
    source.add("abatement", "abatement", moment(body, "abatement") or resolved)
    for i, stage in enumerate(objects(body.get("stage"))):
        assessed = map(source.name, objects(stage.get("assessment")))
        source.add(
            "stage",
            f"stage[{i}]",
            qualified(plain(stage.get("summary")), plain(stage.get("type"))),
            *assessed,
        )
    for i, found in enumerate(objects(body.get("evidence"))):
        source.add("evidence", f"evidence[{i}]", *plains(found.get("code")))
        source.add("evidence", f"evidence[{i}].detail", *map(source.name, objects(found.get("detail"))))


def allergy(source: Source) -> None:
    body = source.resource
    for i, reaction in enumerate(objects(body.get("reaction"))):
        severity, route = string(reaction.get("severity")), plain(reaction.get("exposureRoute"))
        told = string(reaction.get("description"))
        shown = [m.get("concept", m) for m in objects(reaction.get("manifestation"))]  # R5: CodeableReference
        names = codes.labels(shown) or [told]
        source.add("reaction", f"reaction[{i}]", *(qualified(codes.plain(n), severity, route) for n in names))
        source.add("cause", f"reaction[{i}].substance", plain(reaction.get("substance")))
        source.add("reaction description", f"reaction[{i}].description", told if told not in names else "")
        source.add("note", f"reaction[{i}].note", notes(reaction))
    source.add("allergy type", "type", codes.label(body.get("type")))
    source.add("onset", "onset", moment(body, "onset"))


def family(source: Source) -> None:
    body = source.resource
    for i, found in enumerate(objects(body.get("condition"))):
        onset = moment(found, "onset")
        died = "died of it" if found.get("contributedToDeath") is True else ""
        said = (f"onset {onset}" if onset else "", plain(found.get("outcome")), died)
        source.add("condition", f"condition[{i}]", qualified(plain(found.get("code")), *said))
        source.add("note", f"condition[{i}].note", notes(found))
    died = "yes" if body.get("deceasedBoolean") is True else moment(body, "deceased")
    source.add("deceased", "deceased", died)
    source.add("age", "age", moment(body, "age").removeprefix("at age "))
    source.add("relative", "name", string(body.get("name")))


def impression(source: Source) -> None:
    """The summary whole, and each finding with what it rests on."""
    body = source.resource
    source.add("summary", "summary", string(body.get("summary")))
    for i, found in enumerate(objects(body.get("finding"))):
        name = plain(found.get("itemCodeableConcept")) or source.name(found.get("itemReference"))
        name = name or source.name(found.get("item"))
        source.add("finding", f"finding[{i}]", qualified(name, string(found.get("basis"))))
    source.add("problem", "problem", *source.names("problem"))
    for i, part in enumerate(objects(body.get("investigation"))):
        items = ", ".join(n for item in objects(part.get("item")) if (n := source.name(item)))
        source.add("investigation", f"investigation[{i}]", qualified(plain(part.get("code")), items) or items)
    source.add("prognosis", "prognosisCodeableConcept", *plains(body.get("prognosisCodeableConcept")))
    source.add("prognosis", "prognosisReference", *source.names("prognosisReference"))
    source.add("protocol", "protocol", *strings(body.get("protocol")))
