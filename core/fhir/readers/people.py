"""What the patient's own resource says, and the role of a practitioner."""

from __future__ import annotations

from core.fhir import codes, references
from core.fhir.naming import human_name, patient_name
from core.fhir.read import obj, objects, string
from core.fhir.source import Source

_US_CORE = {"us-core-race": "race", "us-core-ethnicity": "ethnicity", "us-core-birthsex": "birth sex"}


def patient(source: Source) -> None:
    body = source.resource
    source.add("gender", "gender", string(body.get("gender")))
    source.add("marital status", "maritalStatus", codes.label(body.get("maritalStatus")))
    languages = (codes.label(c.get("language")) for c in objects(body.get("communication")))
    source.add("language", "communication", *languages)
    if body.get("deceasedBoolean") is True:
        source.add("deceased", "deceasedBoolean", "deceased")
    for i, link in enumerate(objects(body.get("link"))):
        if string(link.get("type")) == "replaced-by":
            raw = string(obj(link.get("other")).get("reference"))
            survivor = references.resolve(raw, source.around.full_urls) or "another record"
            source.add("record", f"link[{i}]", f"merged into {survivor}")
    if body.get("active") is False:
        source.add("record", "active", "record not active")
    others = dict.fromkeys(human_name(name) for name in objects(body.get("name")))
    others.pop(patient_name(body), None)
    source.add("also known as", "name", *others)
    for extension in objects(body.get("extension")):
        name = string(extension.get("url")).rsplit("/", 1)[-1]
        if name in _US_CORE:
            parts = {string(p.get("url")): p for p in objects(extension.get("extension"))}
            told = string(obj(parts.get("text")).get("valueString")) or string(extension.get("valueCode"))
            source.add(_US_CORE[name], "extension", told)


PATIENT_READ = (
    *("gender", "maritalStatus", "communication", "deceasedBoolean", "link", "birthDate", "name"),
    "multipleBirthBoolean",
)


def practitioner_role(source: Source) -> None:
    source.add("practitioner", "practitioner", source.name(source.resource.get("practitioner")))
    source.add("specialty", "specialty", *codes.labels(source.resource.get("specialty")))
