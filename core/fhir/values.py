"""Every value[x] of FHIR R4 as a typed Value: a missing value says so and why, it is never zero and never dropped."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from core.fhir import codes
from core.fhir.dates import parse_date
from core.fhir.quantities import decimal, quantity, shown_number, shown_quantity, unit_of
from core.fhir.read import Json, obj, objects, string
from core.models import Coding, Quantity, ReferenceRange, Value, ValueKind


def observed(resource: Json) -> tuple[Value, ...]:
    """The value and the components of an Observation, each a fact of its own, at its FHIR path."""
    own = _value(resource, "", resource.get("code"))
    parts = [
        _value(part, f"component[{i}].", part.get("code")) for i, part in enumerate(objects(resource.get("component")))
    ]
    # A panel has no value of its own: nothing is missing there while its components speak.
    if own.kind is ValueKind.ABSENT and parts and not own.absent_reason:
        return tuple(parts)
    return (own, *parts)


def _value(body: Json, prefix: str, code: object) -> Value:
    field = next((k for k in body if k.startswith("value") and k[5:6].isupper()), "")
    kind, parts = _read(field, body.get(field)) if field else (ValueKind.ABSENT, {})
    if kind is ValueKind.ABSENT:
        parts["absent_reason"] = codes.label(body.get("dataAbsentReason"))
    return Value(
        path=f"{prefix}{field or 'value'}",
        label=codes.plain(codes.label(code)),
        codings=codes.codings(code),
        kind=kind,
        ranges=tuple(_range(r) for r in objects(body.get("referenceRange"))),
        flags=tuple(c for i in objects(body.get("interpretation")) for c in _flag(i)),
        **parts,
    )


def _flag(concept: Json) -> tuple[Coding, ...]:
    found = codes.codings(concept)
    return found or ((Coding("", "", codes.label(concept)),) if codes.label(concept) else ())


def _range(body: Json) -> ReferenceRange:
    """One range; whom it applies to (a sex, an age, a treatment) is part of its text."""
    kind = codes.label(body.get("type"))
    low, high = quantity(obj(body.get("age")).get("low")), quantity(obj(body.get("age")).get("high"))
    applies = [
        "" if kind.casefold() in ("normal", "normal range") else kind,
        *codes.labels(body.get("appliesTo")),
        f"age {_span(low, high)}" if low or high else "",
    ]
    text = ", ".join(part for part in (string(body.get("text")), *applies) if part)
    return ReferenceRange(quantity(body.get("low")), quantity(body.get("high")), text)


def _read(field: str, raw: object) -> tuple[ValueKind, dict[str, Any]]:
    """The kind of a value[x] and the Value fields it fills; a shape that does not fit its name is kept as text."""
    body = obj(raw)
    match field:
        case "valueQuantity":
            found = quantity(body)
            if found and found.value is not None:
                return ValueKind.QUANTITY, {"quantity": found}
            return ValueKind.ABSENT, {}
        case "valueInteger" | "valueDecimal":
            number = decimal(raw)
            return (ValueKind.QUANTITY, {"quantity": Quantity(number)}) if number is not None else (ValueKind.ABSENT, {})
        case "valueCodeableConcept" | "valueCoding":
            text = codes.label(body)
            words = tuple(dict.fromkeys((*codes.names(body), *(c.code for c in codes.codings(body)))))
            return (ValueKind.CODE, {"text": text, "words": words}) if text else (ValueKind.ABSENT, {})
        case "valueBoolean":
            return (ValueKind.BOOLEAN, {"text": "yes" if raw else "no"}) if isinstance(raw, bool) else (ValueKind.ABSENT, {})
        case "valueRange":
            low, high = quantity(body.get("low")), quantity(body.get("high"))
            return ValueKind.RANGE, {"low": low, "high": high, "text": _span(low, high)}
        case "valueRatio":
            top, bottom = quantity(body.get("numerator")), quantity(body.get("denominator"))
            text = " : ".join(shown_quantity(q) for q in (top, bottom) if q)
            return ValueKind.RATIO, {"quantity": top, "denominator": bottom, "text": text}
        case "valueDateTime" | "valueDate" | "valueInstant":
            when = parse_date(raw)
            return ValueKind.DATE, {"when": when, "text": when.shown if when else string(raw)}
        case "valuePeriod":
            start, end = parse_date(body.get("start")), parse_date(body.get("end"))
            text = " to ".join(d.shown for d in (start, end) if d)
            return ValueKind.PERIOD, {"when": start, "until": end, "text": text}
        case "valueSampledData":
            return ValueKind.SAMPLED, {"text": f"{len(string(body.get('data')).split())} samples"}
        case _:
            text = string(raw) or codes.label(raw)
            return (ValueKind.TEXT, {"text": text}) if text else (ValueKind.ABSENT, {})


def _span(low: Quantity | None, high: Quantity | None) -> str:
    if low and high:
        return f"{shown_quantity(low)} to {shown_quantity(high)}"
    if low:
        return f"at least {shown_quantity(low)}"
    return f"at most {shown_quantity(high)}" if high else ""


# --- in words ---------------------------------------------------------------------------------------

_SYSTOLIC, _DIASTOLIC = "8480-6", "8462-4"  # LOINC, the components of every blood pressure panel
# HL7 v3 ObservationInterpretation.
_INTERPRETATION = {
    "H": "high",
    "HH": "critically high",
    "HU": "significantly high",
    "L": "low",
    "LL": "critically low",
    "LU": "significantly low",
    "N": "normal",
    "A": "abnormal",
    "AA": "critically abnormal",
    "POS": "positive",
    "NEG": "negative",
    "IND": "indeterminate",
    "R": "resistant",
    "S": "susceptible",
    "I": "intermediate",
    "<": "below the measurable range",
    ">": "above the measurable range",
}


def shown_value(value: Value) -> str:
    """A value as read aloud, with comparator and unit; "no result recorded: <reason>" where there is none."""
    if value.kind is ValueKind.ABSENT:
        reason = value.absent_reason.replace("-", " ")
        return f"no result recorded: {reason.lower()}" if reason else "no result recorded"
    if value.kind is ValueKind.QUANTITY and value.quantity:
        return shown_quantity(value.quantity, _limits(value))
    return codes.plain(value.text) if value.kind is ValueKind.CODE else value.text


def _limits(value: Value) -> list[Decimal]:
    return [q.value for r in value.ranges for q in (r.low, r.high) if q and q.value is not None]


def shown_flags(value: Value) -> str:
    """The interpretation flags in words ("high"); "" where none was recorded."""
    words = (_INTERPRETATION.get(f.code) or f.display or f.code for f in value.flags)
    return ", ".join(dict.fromkeys(w for w in words if w))


def shown_ranges(value: Value) -> str:
    """The reference ranges of this result: "reference range 4 to 5.6 %"."""
    ranges = []
    for found in value.ranges:
        span = _span(found.low, found.high)
        ranges.append(f"{span} ({found.text})" if span and found.text else span or found.text)
    told = "; ".join(r for r in ranges if r)
    return f"reference range {told}" if told else ""


def blood_pressure(found: tuple[Value, ...]) -> str:
    """"138/82 mmHg" when the components hold a systolic and a diastolic pressure in one unit, else ""."""
    parts = {c.code: v for v in found for c in v.codings if c.code in (_SYSTOLIC, _DIASTOLIC)}
    systolic, diastolic = (parts[c].quantity if c in parts else None for c in (_SYSTOLIC, _DIASTOLIC))
    if not (systolic and diastolic) or systolic.value is None or diastolic.value is None:
        return ""
    if unit_of(systolic) != unit_of(diastolic):
        return ""
    top = f"{systolic.comparator}{shown_number(systolic.value)}"
    return f"{top}/{shown_quantity(diastolic)}"
