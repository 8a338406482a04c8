"""What encounters and appointments say: who, where, why, and how a stay began and ended."""

from __future__ import annotations

from core.fhir.naming import encounter_class
from core.fhir.read import obj, objects, string, strings
from core.fhir.readers.wording import amount, period, plain, plains, qualified
from core.fhir.source import Source


def encounter(source: Source) -> None:
    body = source.resource
    source.add("class", "class", encounter_class(body)[1])
    source.add("provider", "serviceProvider", source.name(body.get("serviceProvider")))
    stay, at = obj(body.get("hospitalization")), "hospitalization"
    if not stay:
        stay, at = obj(body.get("admission")), "admission"  # R5
    source.add("discharge", f"{at}.dischargeDisposition", plain(stay.get("dischargeDisposition")))
    source.add("admission", f"{at}.admitSource", plain(stay.get("admitSource")))
    source.add("readmission", f"{at}.reAdmission", plain(stay.get("reAdmission")))
    source.add("from", f"{at}.origin", source.name(stay.get("origin")))
    source.add("discharged to", f"{at}.destination", source.name(stay.get("destination")))
    for field, kind in (
        ("dietPreference", "diet"),
        ("specialArrangement", "arrangement"),
        ("specialCourtesy", "courtesy"),
    ):
        source.add(kind, f"{at}.{field}", *plains(stay.get(field)))
    for i, found in enumerate(objects(body.get("diagnosis"))):
        names = [source.name(c) for c in objects(found.get("condition"))]
        use = ", ".join(plains(found.get("use")))
        source.add("diagnosis", f"diagnosis[{i}]", *(qualified(name, use) for name in names))
    for i, person in enumerate(objects(body.get("participant"))):
        name = source.name(person.get("individual")) or source.name(person.get("actor"))
        source.add("with", f"participant[{i}].individual", name)
    for i, place in enumerate(objects(body.get("location"))):
        name = source.name(place.get("location"))
        when = period(place.get("period")) if obj(place.get("period")) != obj(body.get("period")) else ""
        source.add("location", f"location[{i}].location", qualified(name, when))
    source.add("length", "length", amount(body.get("length")))


ENCOUNTER_READ = (
    *("serviceProvider", "hospitalization", "admission", "diagnosis", "participant", "location", "length"),
    *("class", "statusHistory", "classHistory"),
)


def appointment(source: Source) -> None:
    """Who is to come and whether they agreed; what it is for, and what to bring."""
    body = source.resource
    for i, person in enumerate(objects(body.get("participant"))):
        name = source.name(person.get("actor"))
        who = name or ", ".join(plains(person.get("type")))
        if not string(obj(person.get("actor")).get("reference")).startswith("Patient/"):
            source.add(
                "with", f"participant[{i}]", qualified(who, string(person.get("status")).replace("-", " "))
            )
        else:
            source.add("patient", f"participant[{i}]", string(person.get("status")).replace("-", " "))
    minutes = string(body.get("minutesDuration"))
    source.add("length", "minutesDuration", f"{minutes} minutes" if minutes else "")
    source.add("cancelled because", "cancelationReason", plain(body.get("cancelationReason")))
    source.add("comment", "comment", *strings(body.get("comment")))
    requested = [period(p) for p in objects(body.get("requestedPeriod"))]
    source.add("requested", "requestedPeriod", *requested)


APPOINTMENT_READ = (
    "participant",
    "minutesDuration",
    "cancelationReason",
    "comment",
    "requestedPeriod",
    "slot",
    "priority",
)
