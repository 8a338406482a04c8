"""Dosage instructions in words: the free text and the structured dose, since a claim may rest on either."""

from __future__ import annotations

from core.fhir import codes
from core.fhir.dates import parse_date
from core.fhir.quantities import quantity, shown_quantity
from core.fhir.read import Json, obj, objects, string, strings
from core.fhir.values import shown_period, shown_ratio, shown_span

_PERIOD_UNITS = {
    "s": "second",
    "min": "minute",
    "h": "hour",
    "d": "day",
    "wk": "week",
    "mo": "month",
    "a": "year",
}

_DAYS = {
    "mon": "Monday",
    "tue": "Tuesday",
    "wed": "Wednesday",
    "thu": "Thursday",
    "fri": "Friday",
    "sat": "Saturday",
    "sun": "Sunday",
}
# FHIR R4 EventTiming and HL7 v3 TimingEvent.
_EVENTS = {
    "MORN": "in the morning",
    "MORN.early": "in the early morning",
    "MORN.late": "in the late morning",
    "NOON": "at noon",
    "AFT": "in the afternoon",
    "AFT.early": "in the early afternoon",
    "AFT.late": "in the late afternoon",
    "EVE": "in the evening",
    "EVE.early": "in the early evening",
    "EVE.late": "in the late evening",
    "NIGHT": "at night",
    "PHS": "after sleep",
    "HS": "before sleep",
    "WAKE": "on waking",
    "C": "with a meal",
    "CM": "with breakfast",
    "CD": "with lunch",
    "CV": "with dinner",
    "AC": "before a meal",
    "ACM": "before breakfast",
    "ACD": "before lunch",
    "ACV": "before dinner",
    "PC": "after a meal",
    "PCM": "after breakfast",
    "PCD": "after lunch",
    "PCV": "after dinner",
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
        timing(obj(dosage.get("timing"))),
        f"as needed for {codes.plain(needed)}" if needed else "",
        "as needed" if dosage.get("asNeededBoolean") is True and not needed else "",
        *_limits(dosage),
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


def _limits(dosage: Json) -> list[str]:
    """The most that may be given: per period, at once, in a lifetime."""
    period = [shown_ratio(body) for body in objects(dosage.get("maxDosePerPeriod"))]
    at_once, ever = (quantity(dosage.get(f"maxDosePer{x}")) for x in ("Administration", "Lifetime"))
    return [
        *(f"at most {text}" for text in period if text),
        f"at most {shown_quantity(at_once)} at once" if at_once else "",
        f"at most {shown_quantity(ever)} in a lifetime" if ever else "",
    ]


def timing(body: Json) -> str:
    """A Timing: its code's name or its repeat ("twice every day", "once every 6 to 8 hours"), its days and its bounds."""
    repeat = obj(body.get("repeat"))
    days = [parsed.shown for event in strings(body.get("event")) if (parsed := parse_date(event))]
    parts = [
        codes.label(body.get("code")) or _frequency(repeat),
        *(_EVENTS.get(word, word) for word in strings(repeat.get("when"))),
        *(f"at {clock[:5]}" for clock in strings(repeat.get("timeOfDay"))),
        "on " + ", ".join(_DAYS.get(day, day) for day in named)
        if (named := strings(repeat.get("dayOfWeek")))
        else "",
        _bounds(repeat),
        f"on {', '.join(days)}" if days else "",
    ]
    return ", ".join(part for part in parts if part)


def _frequency(repeat: Json) -> str:
    period = _span(repeat, "period")
    if not period:
        count = _span(repeat, "count")
        return f"{count} times" if count not in ("", "1") else "once" if count else ""
    frequency = _span(repeat, "frequency")
    times = "once" if frequency in ("", "1") else "twice" if frequency == "2" else f"{frequency} times"
    unit = _PERIOD_UNITS.get(string(repeat.get("periodUnit")), string(repeat.get("periodUnit")))
    return f"{times} every {unit}" if period == "1" else f"{times} every {period} {unit}s"


def _bounds(repeat: Json) -> str:
    """How long it is to go on."""
    length = quantity(repeat.get("boundsDuration"))
    if length and length.value is not None:
        return f"for {shown_quantity(length)}"
    if span := shown_span(obj(repeat.get("boundsRange"))):
        return f"for {span}"
    return shown_period(obj(repeat.get("boundsPeriod")))


def _span(repeat: Json, name: str) -> str:
    low, high = (string(repeat.get(key)).removesuffix(".0") for key in (name, f"{name}Max"))
    return f"{low} to {high}" if low and high and low != high else low
