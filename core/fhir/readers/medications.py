"""What orders, reports, intakes and dispenses of a drug say, and what a Medication is made of."""

from __future__ import annotations

from core.fhir import codes
from core.fhir.dosage import dose_text, structured_dose
from core.fhir.quantities import quantity, shown_quantity
from core.fhir.read import Json, obj, objects, string
from core.fhir.readers.wording import amount, either, people, period, plain, plains, qualified
from core.fhir.source import Source


def drug(source: Source) -> None:
    """Any of the four kinds of record of a drug."""
    body = source.resource
    for name in ("dosageInstruction", "dosage"):
        for i, dosage in enumerate(objects(body.get(name))):
            path = f"{name}[{i}]" if isinstance(body.get(name), list) else name
            told, structured = dose_text(dosage), structured_dose(dosage)
            source.add("dose", path, *dict.fromkeys((told, structured)))
            extra = codes.labels(dosage.get("additionalInstruction"))
            source.add("instruction", path, *extra, string(dosage.get("patientInstruction")))
            source.add("site", f"{path}.site", plain(dosage.get("site")))
            source.add("method", f"{path}.method", plain(dosage.get("method")))
    people(source, "performer", "performer")
    _supply(source, obj(body.get("dispenseRequest")), "dispenseRequest.")
    if source.resource.get("resourceType") == "MedicationDispense":
        _supply(source, body, "")
        source.add("fill", "type", plain(body.get("type")))
    _substitution(source, obj(body.get("substitution")))


def _supply(source: Source, body: Json, at: str) -> None:
    """How much for how long: of an order as planned, of a dispense as handed over."""
    source.add("quantity", f"{at}quantity", amount(body.get("quantity")))
    days = amount(body.get("expectedSupplyDuration")) or amount(body.get("daysSupply"))
    source.add("supply for", f"{at}{'expectedSupplyDuration' if at else 'daysSupply'}", days)
    if at:
        source.add(
            "repeats allowed", f"{at}numberOfRepeatsAllowed", string(body.get("numberOfRepeatsAllowed"))
        )
        source.add("valid", f"{at}validityPeriod", period(body.get("validityPeriod")))
        source.add("first fill", f"{at}initialFill", amount(obj(body.get("initialFill")).get("quantity")))
        source.add("pharmacy", f"{at}performer", source.name(body.get("performer")))


def _substitution(source: Source, body: Json) -> None:
    allowed = either(body.get("allowedBoolean"), "allowed", "not allowed")
    done = either(body.get("wasSubstituted"), "done", "not done")
    text = allowed or plain(body.get("allowedCodeableConcept")) or done
    reasons = plains(body.get("reason"))
    source.add(
        "substitution",
        "substitution",
        qualified(text, plain(body.get("type")), *reasons) or ", ".join(reasons),
    )


def medication(source: Source) -> None:
    """What it holds, how strong, of which batch."""
    body = source.resource
    for i, part in enumerate(objects(body.get("ingredient"))):
        source.add("ingredient", f"ingredient[{i}]", _ingredient(source, part))
    source.add("form", "form", plain(body.get("form")) or plain(body.get("doseForm")))
    for name in ("amount", "totalVolume"):
        source.add("amount", name, _ratio(obj(body.get(name))) or amount(body.get(name)))
    batch = obj(body.get("batch"))
    source.add("lot", "batch.lotNumber", string(batch.get("lotNumber")))


def _ingredient(source: Source, part: Json) -> str:
    name = plain(part.get("itemCodeableConcept")) or source.name(part.get("itemReference"))
    name = name or source.name(part.get("item"))
    inactive = "inactive" if part.get("isActive") is False else ""
    return qualified(
        name, _ratio(obj(part.get("strength"))) or _ratio(obj(part.get("strengthRatio"))), inactive
    )


def _ratio(body: Json) -> str:
    amounts = (quantity(body.get(k)) for k in ("numerator", "denominator"))
    return "/".join(shown_quantity(a) for a in amounts if a)


MEDICATION_READ = ("ingredient", "form", "doseForm", "amount", "totalVolume", "batch")
DRUG_READ = (
    *("dosageInstruction", "dosage", "performer", "dispenseRequest", "substitution", "medication"),
    *("taken", "wasNotTaken", "notGiven", "wasNotGiven", "notDone"),
)
DISPENSE_READ = (*DRUG_READ, "quantity", "daysSupply", "type")
