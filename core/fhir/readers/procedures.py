"""What procedures, immunizations, imaging, specimens and devices say beyond what their fields share."""

from __future__ import annotations

from core.fhir.quantities import decimal, shown_number
from core.fhir.read import obj, objects, string
from core.fhir.readers.wording import amount, moment, people, period, plain, plains, qualified
from core.fhir.source import Source
from core.fhir.values import shown_ratio


def procedure(source: Source) -> None:
    body = source.resource
    source.add("performed", "performed", moment(body, "performed"))
    source.add("status reason", "notDoneReason", plain(body.get("notDoneReason")))
    people(source, "performer", "performer")
    source.add("complication", "complicationDetail", *source.names("complicationDetail"))
    for i, device in enumerate(objects(body.get("focalDevice"))):
        name = source.name(device.get("manipulated"))
        source.add("device", f"focalDevice[{i}]", qualified(name, plain(device.get("action"))))


PROCEDURE_READ = (
    "performer",
    "focalDevice",
    "complicationDetail",
    "notDone",
    "notPerformed",
    "notDoneReason",
)


def immunization(source: Source) -> None:
    body = source.resource
    for i, protocol in enumerate(objects(body.get("protocolApplied"))):
        number, of = (
            string(protocol.get(f"{name}PositiveInt"))
            or string(protocol.get(f"{name}String"))
            or string(protocol.get(name))
            for name in ("doseNumber", "seriesDoses")
        )
        source.add("dose number", f"protocolApplied[{i}]", f"{number} of {of}" if number and of else number)
        source.add("disease", f"protocolApplied[{i}]", *plains(protocol.get("targetDisease")))
        source.add("series", f"protocolApplied[{i}].series", string(protocol.get("series")))
    source.add("lot", "lotNumber", string(body.get("lotNumber")))
    source.add("given", "occurrenceString", string(body.get("occurrenceString")))
    source.add("dose", "doseQuantity", amount(body.get("doseQuantity")))
    people(source, "performer", "performer")
    for i, reaction in enumerate(objects(body.get("reaction"))):
        name = source.name(reaction.get("detail")) or source.name(reaction.get("manifestation"))
        source.add("reaction", f"reaction[{i}]", name or ("recorded" if reaction else ""))
    reasons = ", ".join(plains(body.get("subpotentReason")))
    subpotent = body.get("isSubpotent") is True
    source.add("subpotent", "isSubpotent", qualified("yes", reasons) if subpotent else "")
    source.add(
        "source",
        "primarySource",
        "reported, not seen in a record" if body.get("primarySource") is False else "",
    )


IMMUNIZATION_READ = (
    *("protocolApplied", "lotNumber", "occurrenceString", "doseQuantity", "performer", "reaction"),
    *("isSubpotent", "subpotentReason", "primarySource", "notGiven", "wasNotGiven"),
)


def imaging(source: Source) -> None:
    body = source.resource
    for i, series in enumerate(objects(body.get("series"))):
        source.add("modality", f"series[{i}].modality", plain(series.get("modality")))
        site, side = plain(series.get("bodySite")), plain(series.get("laterality"))
        source.add("body site", f"series[{i}].bodySite", qualified(site, side))
        source.add("series", f"series[{i}].description", string(series.get("description")))
    for field, kind in (("numberOfSeries", "series count"), ("numberOfInstances", "image count")):
        count = decimal(body.get(field))
        source.add(kind, field, shown_number(count) if count is not None and count > 1 else "")


IMAGING_READ = ("series", "modality", "procedureCode", "numberOfSeries", "numberOfInstances")


def specimen(source: Source) -> None:
    body = source.resource
    taken = obj(body.get("collection"))
    source.add("amount", "collection.quantity", amount(taken.get("quantity")))
    source.add("method", "collection.method", plain(taken.get("method")))
    source.add(
        "body site", "collection.bodySite", plain(taken.get("bodySite")) or source.name(taken.get("bodySite"))
    )
    source.add("collected by", "collection.collector", source.name(taken.get("collector")))
    source.add("collected over", "collection.duration", amount(taken.get("duration")))
    fasting = plain(taken.get("fastingStatusCodeableConcept")) or amount(taken.get("fastingStatusDuration"))
    source.add("fasting", "collection.fastingStatus", fasting)
    for i, step in enumerate(objects(body.get("processing"))):
        said, name = string(step.get("description")), plain(step.get("procedure"))
        source.add(
            "processing",
            f"processing[{i}]",
            qualified(said or name, name if said else "", period(step.get("timePeriod"))),
        )
    for i, part in enumerate(objects(body.get("container"))):
        name, told = plain(part.get("type")), string(part.get("description"))
        held, room = amount(part.get("specimenQuantity")), amount(part.get("capacity"))
        notes = (told if name else "", held, f"of {room}" if room else "")
        source.add("container", f"container[{i}]", qualified(name or told, *notes))
    source.add("condition", "condition", *plains(body.get("condition")))


SPECIMEN_READ = ("collection", "processing", "container", "condition")


def device(source: Source) -> None:
    body = source.resource
    for i, carrier in enumerate(objects(body.get("udiCarrier"))):
        udi = string(carrier.get("carrierHRF")) or string(carrier.get("deviceIdentifier"))
        source.add("UDI", f"udiCarrier[{i}]", udi)
    names = [
        string(n.get("name") or n.get("value")) for n in objects(body.get("deviceName") or body.get("name"))
    ]
    source.add("device name", "deviceName", *names)
    source.add("version", "version", *(string(v.get("value")) for v in objects(body.get("version"))))
    for i, part in enumerate(objects(body.get("property"))):
        found = [amount(q) for q in objects(part.get("valueQuantity"))] + plains(part.get("valueCode"))
        found += [shown_ratio(obj(part.get("valueRatio"))), string(part.get("valueString"))]
        said = ", ".join(v for v in found if v)
        source.add("property", f"property[{i}]", f"{plain(part.get('type'))} {said}".strip())


DEVICE_READ = ("udiCarrier", "deviceName", "name", "distinctIdentifier", "version", "property")
