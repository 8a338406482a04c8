"""Dosage instructions in words: the free text and the structured dose, since a claim may rest on either."""

from __future__ import annotations

from core.fhir import codes
from core.fhir.quantities import quantity, shown_quantity
from core.fhir.read import Json, obj, objects, string
from core.fhir.values import shown_ratio, shown_span

_PERIOD_UNITS = {
    "s": "second",
    "min": "minute",
    "h": "hour",
    "d": "day",
    "wk": "week",
    "mo": "month",
    "a": "year",
}


def dose_text(dosage: Json) -> str:
    """A Dosage as read aloud: its text, else its coded fields ("2 tablets, oral, once every 8 hours")."""
    return string(dosage.get("text")) or structured_dose(dosage)


def structured_dose(dosage: Json) -> str:
    """What the coded fields of a Dosage say, whatever its text says."""
    needed = codes.label(dosage.get("asNeededCodeableConcept"))
    parts = [
        *_amounts(dosage),
        codes.plain(codes.label(dosage.get("route"))),
        _timing(obj(dosage.get("timing"))),
        f"as needed for {codes.plain(needed)}" if needed else "",
        "as needed" if dosage.get("asNeededBoolean") is True and not needed else "",
    ]
    return ", ".join(p for p in parts if p)


def _amounts(dosage: Json) -> list[str]:
    """Doses and rates of a Dosage, or of MedicationAdministration.dosage, where they stand directly."""
    found = []
    for body in (*objects(dosage.get("doseAndRate")), dosage):
        for name in ("doseQuantity", "dose", "rateQuantity"):
            amount = quantity(body.get(name))
            found.append(shown_quantity(amount) if amount and amount.value is not None else "")
        found.extend(shown_span(obj(body.get(name))) for name in ("doseRange", "rateRange"))
        found.append(shown_ratio(obj(body.get("rateRatio"))))
    return [text for text in dict.fromkeys(found) if text]


def _timing(timing: Json) -> str:
    """A Timing: its code's name, or its repeat ("twice every day", "once every 6 to 8 hours")."""
    if named := codes.label(timing.get("code")):
        return named
    repeat = obj(timing.get("repeat"))
    period = _span(repeat, "period")
    if not period:
        return ""
    frequency = _span(repeat, "frequency")
    times = "once" if frequency in ("", "1") else "twice" if frequency == "2" else f"{frequency} times"
    unit = _PERIOD_UNITS.get(string(repeat.get("periodUnit")), string(repeat.get("periodUnit")))
    return f"{times} every {unit}" if period == "1" else f"{times} every {period} {unit}s"


def _span(repeat: Json, name: str) -> str:
    low, high = (string(repeat.get(key)).removesuffix(".0") for key in (name, f"{name}Max"))
    return f"{low} to {high}" if low and high and low != high else low
