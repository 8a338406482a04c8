"""What each resource type says in its own way: one reader per type, and the fields it has dealt with.

Source: FHIR R4 resource definitions. A reader adds details to its Source; the walk reads the other fields.
"""

from __future__ import annotations

from collections.abc import Callable

from core.fhir import codes, references
from core.fhir.attachments import attachment_text, plain_html
from core.fhir.dosage import dose_text, structured_dose
from core.fhir.naming import encounter_class, human_name, patient_name
from core.fhir.quantities import quantity, shown_quantity
from core.fhir.read import Json, obj, objects, string
from core.fhir.source import Source
from core.fhir.values import shown_period, shown_span

Reader = Callable[[Source], None]


def _plain(concept: object) -> str:
    return codes.plain(codes.label(concept))


def _qualified(name: str, *words: str) -> str:
    """ "Asthma (resolved)": a name with what is said about it; "" without a name."""
    said = ", ".join(w for w in words if w)
    return f"{name} ({said})" if name and said else name


def _moment(body: Json, field: str) -> str:
    """onset[x], abatement[x], deceased[x] … when it is an age, a range or words; dates are Facts.dates."""
    if age := quantity(body.get(f"{field}Age")):
        return f"at age {shown_quantity(age)}"
    if span := shown_span(obj(body.get(f"{field}Range"))):
        return f"between {span}" if " to " in span else span
    return string(body.get(f"{field}String"))


def _condition(source: Source) -> None:
    body = source.resource
    source.add("onset", "onset", _moment(body, "onset"))
    resolved = "yes, date not recorded" if body.get("abatementBoolean") is True else ""
    source.add("abatement", "abatement", _moment(body, "abatement") or resolved)
    for i, stage in enumerate(objects(body.get("stage"))):
        source.add(
            "stage",
            f"stage[{i}]",
            _plain(stage.get("summary")),
            *map(source.name, objects(stage.get("assessment"))),
        )
    for i, found in enumerate(objects(body.get("evidence"))):
        source.add("evidence", f"evidence[{i}]", *map(codes.plain, codes.labels(found.get("code"))))


def _allergy(source: Source) -> None:
    for i, reaction in enumerate(objects(source.resource.get("reaction"))):
        severity, route = string(reaction.get("severity")), _plain(reaction.get("exposureRoute"))
        names = codes.labels(reaction.get("manifestation")) or [string(reaction.get("description"))]
        source.add(
            "reaction", f"reaction[{i}]", *(_qualified(codes.plain(n), severity, route) for n in names)
        )
        source.add("cause", f"reaction[{i}].substance", _plain(reaction.get("substance")))
    source.add("allergy type", "type", string(source.resource.get("type")))
    source.add("onset", "onset", _moment(source.resource, "onset"))


def _doses(source: Source) -> None:
    for name in ("dosageInstruction", "dosage"):
        for i, dosage in enumerate(objects(source.resource.get(name))):
            path = f"{name}[{i}]" if isinstance(source.resource.get(name), list) else name
            told, structured = dose_text(dosage), structured_dose(dosage)
            source.add("dose", path, *dict.fromkeys((told, structured)))
            extra = codes.labels(dosage.get("additionalInstruction"))
            source.add("instruction", path, *extra, string(dosage.get("patientInstruction")))
    for i, part in enumerate(objects(source.resource.get("ingredient"))):
        source.add("ingredient", f"ingredient[{i}]", _ingredient(part))


def _ingredient(part: Json) -> str:
    strength = obj(part.get("strength"))
    amounts = (quantity(strength.get(k)) for k in ("numerator", "denominator"))
    return _qualified(
        _plain(part.get("itemCodeableConcept")), "/".join(shown_quantity(a) for a in amounts if a)
    )


def _care_plan(source: Source) -> None:
    for i, activity in enumerate(objects(source.resource.get("activity"))):
        detail = obj(activity.get("detail"))
        name = _plain(detail.get("code")) or string(detail.get("description"))
        prohibited = "do not perform: " if detail.get("doNotPerform") is True else ""
        text = _qualified(name, string(detail.get("status")))
        source.add("activity", f"activity[{i}].detail", f"{prohibited}{text}" if text else "")
        source.add("activity", f"activity[{i}].reference", source.name(activity.get("reference")))
    source.add("goal", "goal", *source.names("goal"))


def _care_team(source: Source) -> None:
    for i, member in enumerate(objects(source.resource.get("participant"))):
        roles = ", ".join(map(codes.plain, codes.labels(member.get("role"))))
        name = source.name(member.get("member"))
        source.add("member", f"participant[{i}]", _qualified(name, roles) or roles)
    source.add("organization", "managingOrganization", *source.names("managingOrganization"))


def _coverage(source: Source) -> None:
    source.add("payor", "payor", *source.names("payor"))
    for i, part in enumerate(objects(source.resource.get("class"))):
        kind = codes.label(part.get("type")) or "class"
        source.add(kind, f"class[{i}]", string(part.get("name")) or string(part.get("value")))


def _device(source: Source) -> None:
    for i, carrier in enumerate(objects(source.resource.get("udiCarrier"))):
        source.add(
            "UDI",
            f"udiCarrier[{i}]",
            string(carrier.get("carrierHRF")) or string(carrier.get("deviceIdentifier")),
        )
    source.add(
        "device name",
        "deviceName",
        *(string(n.get("name")) for n in objects(source.resource.get("deviceName"))),
    )


def _diagnostic_report(source: Source) -> None:
    source.add("result", "result", *map(codes.plain, source.names("result")))
    for i, form in enumerate(objects(source.resource.get("presentedForm"))):
        source.add("document", f"presentedForm[{i}]", attachment_text(form))


def _document(source: Source) -> None:
    for i, content in enumerate(objects(source.resource.get("content"))):
        source.add("document", f"content[{i}].attachment", attachment_text(obj(content.get("attachment"))))
    source.add("author", "author", *source.names("author"))


def _composition(source: Source) -> None:
    """Sections in document order, each under its title; nested ones follow their parent."""
    stack = [
        (f"section[{i}]", s) for i, s in reversed(list(enumerate(objects(source.resource.get("section")))))
    ]
    while stack:
        path, section = stack.pop()
        text = plain_html(string(obj(section.get("text")).get("div")))
        title = string(section.get("title")) or codes.label(section.get("code"))
        entries = "; ".join(dict.fromkeys(n for e in objects(section.get("entry")) if (n := source.name(e))))
        source.add("document", f"{path}.text", "\n".join(p for p in (title, text, entries) if p))
        inner = [(f"{path}.section[{i}]", s) for i, s in enumerate(objects(section.get("section")))]
        stack.extend(reversed(inner))
    source.add("author", "author", *source.names("author"))


def _encounter(source: Source) -> None:
    body = source.resource
    source.add("class", "class", encounter_class(body)[1])
    source.add("provider", "serviceProvider", source.name(body.get("serviceProvider")))
    stay = obj(body.get("hospitalization"))
    source.add("discharge", "hospitalization.dischargeDisposition", _plain(stay.get("dischargeDisposition")))
    source.add("admission", "hospitalization.admitSource", _plain(stay.get("admitSource")))
    for i, found in enumerate(objects(body.get("diagnosis"))):
        name = source.name(found.get("condition"))
        source.add("diagnosis", f"diagnosis[{i}]", _qualified(name, _plain(found.get("use"))))
    for i, person in enumerate(objects(body.get("participant"))):
        source.add("with", f"participant[{i}].individual", source.name(person.get("individual")))
    for i, place in enumerate(objects(body.get("location"))):
        source.add("location", f"location[{i}].location", source.name(place.get("location")))


def _family(source: Source) -> None:
    for i, condition in enumerate(objects(source.resource.get("condition"))):
        onset = _moment(condition, "onset")
        died = (
            "died of it" if condition.get("contributedToDeath") is True else _plain(condition.get("outcome"))
        )
        name = _plain(condition.get("code"))
        source.add("condition", f"condition[{i}]", _qualified(name, f"onset {onset}" if onset else "", died))
    died = "yes" if source.resource.get("deceasedBoolean") is True else _moment(source.resource, "deceased")
    source.add("deceased", "deceased", died)
    source.add("relative", "name", string(source.resource.get("name")))


def _goal(source: Source) -> None:
    for i, target in enumerate(objects(source.resource.get("target"))):
        amount = quantity(target.get("detailQuantity"))
        aim = (
            (shown_quantity(amount) if amount else "")
            or shown_span(obj(target.get("detailRange")))
            or _plain(target.get("detailCodeableConcept"))
            or string(target.get("detailString"))
        )
        due = string(target.get("dueDate"))
        text = " ".join(p for p in (_plain(target.get("measure")), aim) if p)
        source.add("target", f"target[{i}]", _qualified(text, f"by {due}") if due else text)


def _imaging(source: Source) -> None:
    for i, series in enumerate(objects(source.resource.get("series"))):
        source.add("modality", f"series[{i}].modality", _plain(series.get("modality")))
        source.add("body site", f"series[{i}].bodySite", _plain(series.get("bodySite")))
        source.add("series", f"series[{i}].description", string(series.get("description")))


def _immunization(source: Source) -> None:
    for i, protocol in enumerate(objects(source.resource.get("protocolApplied"))):
        number, of = (
            string(protocol.get(f"{name}PositiveInt")) or string(protocol.get(f"{name}String"))
            for name in ("doseNumber", "seriesDoses")
        )
        source.add("dose number", f"protocolApplied[{i}]", f"{number} of {of}" if number and of else number)
        source.add(
            "disease", f"protocolApplied[{i}]", *map(codes.plain, codes.labels(protocol.get("targetDisease")))
        )
    source.add("lot", "lotNumber", string(source.resource.get("lotNumber")))
    source.add("given", "occurrenceString", string(source.resource.get("occurrenceString")))
    for i, reaction in enumerate(objects(source.resource.get("reaction"))):
        source.add("reaction", f"reaction[{i}]", source.name(reaction.get("detail")))


def _patient(source: Source) -> None:
    body = source.resource
    source.add("gender", "gender", string(body.get("gender")))
    source.add("marital status", "maritalStatus", codes.label(body.get("maritalStatus")))
    source.add(
        "language",
        "communication",
        *(codes.label(c.get("language")) for c in objects(body.get("communication"))),
    )
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


_US_CORE = {"us-core-race": "race", "us-core-ethnicity": "ethnicity", "us-core-birthsex": "birth sex"}


def _procedure(source: Source) -> None:
    source.add("performed", "performed", _moment(source.resource, "performed"))
    for i, performer in enumerate(objects(source.resource.get("performer"))):
        source.add("performer", f"performer[{i}].actor", source.name(performer.get("actor")))


def _claim(source: Source) -> None:
    """What was billed for; the money goes to the generic walk only as a total."""
    for i, item in enumerate(objects(source.resource.get("item"))):
        source.add("item", f"item[{i}].productOrService", _plain(item.get("productOrService")))


def _provenance(source: Source) -> None:
    source.add("agent", "agent", *(source.name(a.get("who")) for a in objects(source.resource.get("agent"))))
    about = len(objects(source.resource.get("target")))
    source.add("covers", "target", f"{about} resources" if about > 1 else "")


def _practitioner_role(source: Source) -> None:
    source.add("practitioner", "practitioner", source.name(source.resource.get("practitioner")))
    source.add("specialty", "specialty", *codes.labels(source.resource.get("specialty")))


def _specimen(source: Source) -> None:
    collection = obj(source.resource.get("collection"))
    amount = quantity(collection.get("quantity"))
    source.add("amount", "collection.quantity", shown_quantity(amount) if amount else "")
    source.add("method", "collection.method", _plain(collection.get("method")))
    source.add("body site", "collection.bodySite", _plain(collection.get("bodySite")))


def _service_request(source: Source) -> None:
    source.add("requester", "requester", source.name(source.resource.get("requester")))
    source.add("detail", "orderDetail", *map(codes.plain, codes.labels(source.resource.get("orderDetail"))))
    source.add("planned", "occurrencePeriod", shown_period(obj(source.resource.get("occurrencePeriod"))))


def _nothing(source: Source) -> None:
    """All of it is in Facts.values."""


_VALUES = (
    *(f"value{x}" for x in ("Quantity", "CodeableConcept", "String", "Boolean", "Integer", "Range", "Ratio")),
    *(f"value{x}" for x in ("SampledData", "Time", "DateTime", "Period")),
    *("effectivePeriod", "hasMember", "effectiveTiming"),
)
_MOMENTS = tuple(
    f"{f}{x}"
    for f in ("onset", "abatement", "performed")
    for x in ("Age", "Range", "String", "Boolean", "Period")
)
_BILLING = (
    "insurance",
    "priority",
    "provider",
    "insurer",
    "claim",
    "careTeam",
    "supportingInfo",
    "prescription",
    "facility",
)
_DOSES = ("dosageInstruction", "dosage", "ingredient")
# type -> its reader, and the fields that need no generic reading after it.
READERS: dict[str, tuple[Reader, tuple[str, ...]]] = {
    "AllergyIntolerance": (_allergy, ("reaction", *_MOMENTS)),
    "CarePlan": (_care_plan, ("activity", "goal", "careTeam", "period")),
    "CareTeam": (_care_team, ("participant", "managingOrganization", "period")),
    "Claim": (_claim, ("item", "diagnosis", "procedure", "billablePeriod", "payee", *_BILLING)),
    "Composition": (_composition, ("section", "author")),
    "Condition": (_condition, ("stage", "evidence", *_MOMENTS)),
    "Coverage": (_coverage, ("payor", "period")),
    "Device": (_device, ("udiCarrier", "deviceName", "distinctIdentifier")),
    "DiagnosticReport": (_diagnostic_report, ("effectivePeriod",)),
    "DocumentReference": (_document, ("author", "custodian")),
    "Encounter": (
        _encounter,
        (
            "serviceProvider",
            "hospitalization",
            "diagnosis",
            "participant",
            "location",
            "period",
            "statusHistory",
        ),
    ),
    "ExplanationOfBenefit": (
        _claim,
        ("item", "diagnosis", "procedure", "billablePeriod", "payee", "payment", *_BILLING),
    ),
    "FamilyMemberHistory": (
        _family,
        ("condition", "relationship", "deceasedBoolean", "deceasedAge", "deceasedRange"),
    ),
    "Goal": (_goal, ("target",)),
    "ImagingStudy": (
        _imaging,
        ("series", "modality", "procedureCode", "numberOfSeries", "numberOfInstances"),
    ),
    "Immunization": (_immunization, ("protocolApplied", "lotNumber", "occurrenceString", "reaction")),
    "Medication": (_doses, _DOSES),
    "MedicationAdministration": (_doses, (*_DOSES, "effectivePeriod")),
    "MedicationDispense": (_doses, _DOSES),
    "MedicationRequest": (_doses, _DOSES),
    "MedicationStatement": (_doses, (*_DOSES, "effectivePeriod")),
    "Observation": (
        _nothing,
        ("component", "referenceRange", "interpretation", "dataAbsentReason", *_VALUES),
    ),
    "Patient": (
        _patient,
        (
            "gender",
            "maritalStatus",
            "communication",
            "deceasedBoolean",
            "link",
            "birthDate",
            "multipleBirthBoolean",
        ),
    ),
    "PractitionerRole": (_practitioner_role, ("practitioner", "specialty")),
    "Procedure": (_procedure, ("performer", *_MOMENTS)),
    "Provenance": (_provenance, ("agent", "target", "entity")),
    "QuestionnaireResponse": (_nothing, ("item", "questionnaire")),
    "ServiceRequest": (_service_request, ("requester", "orderDetail", "occurrencePeriod")),
    "Specimen": (_specimen, ("collection",)),
}
