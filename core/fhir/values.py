"""Every value[x] of FHIR R4 as a typed Value: a missing one says so and why, it is never zero or dropped."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

from core.fhir import codes
from core.fhir.dates import parse_date
from core.fhir.interpretation import flag_words
from core.fhir.quantities import decimal, printed_unit, quantity, shown_number, shown_quantity, unit_of
from core.fhir.read import Json, obj, objects, string
from core.models import Coding, Quantity, ReferenceRange, Value, ValueKind


def observed(resource: Json, prefix: str = "") -> tuple[Value, ...]:
    """The value and the components of an Observation, each a fact of its own, at its path below `prefix`."""
    own = _value(resource, prefix, resource.get("code"))
    parts = [
        _value(part, f"{prefix}component[{i}].", part.get("code"))
        for i, part in enumerate(objects(resource.get("component")))
    ]
    # A panel has no value of its own: nothing is missing there while its components speak.
    if own.kind is ValueKind.ABSENT and parts and not own.absent_reason:
        return tuple(parts)
    return (own, *parts)


def answered(response: Json) -> tuple[Value, ...]:
    """Every answer of a QuestionnaireResponse, labelled by its question; unanswered ones are left out.

    Nesting is the sender's to choose: walked with a stack, in document order.
    """
    found: list[Value] = []
    stack = [(f"item[{i}]", item) for i, item in reversed(list(enumerate(objects(response.get("item")))))]
    while stack:
        path, item = stack.pop()
        question = string(item.get("text")) or string(item.get("linkId"))
        deeper = [(f"{path}.item[{i}]", child) for i, child in enumerate(objects(item.get("item")))]
        for n, answer in enumerate(objects(item.get("answer"))):
            found.append(_value(answer, f"{path}.answer[{n}].", {"text": question}))
            deeper += [
                (f"{path}.answer[{n}].item[{i}]", c) for i, c in enumerate(objects(answer.get("item")))
            ]
        stack.extend(reversed(deeper))
    return tuple(value for value in found if value.kind is not ValueKind.ABSENT)


def _value(body: Json, prefix: str, code: object) -> Value:
    named = (key.removeprefix("_") for key in body)  # "_valueString" alone says why there is none
    field = next((k for k in named if k.startswith("value") and k[5:6].isupper()), "")
    kind, parts = _read(field, body.get(field)) if field else _ABSENT
    if kind is ValueKind.ABSENT:
        parts = {"absent_reason": codes.label(body.get("dataAbsentReason")) or _extended_reason(body, field)}
    return Value(
        path=f"{prefix}{field or 'value'}",
        label=codes.plain(codes.label(code)),
        codings=codes.codings(code),
        kind=kind,
        ranges=tuple(_range(r) for r in objects(body.get("referenceRange"))),
        flags=tuple(c for i in objects(body.get("interpretation")) for c in _flag(i)),
        **parts,
    )


def _extended_reason(body: Json, field: str) -> str:
    """The data-absent-reason extension, on the value or on the primitive it stands for."""
    for holder in (body.get(f"_{field or 'value'}"), body.get(field)):
        for extension in objects(obj(holder).get("extension")):
            if string(extension.get("url")).endswith("/data-absent-reason"):
                return string(extension.get("valueCode"))
    return ""


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


_ABSENT: tuple[ValueKind, dict[str, Any]] = (ValueKind.ABSENT, {})


def _read(field: str, raw: object) -> tuple[ValueKind, dict[str, Any]]:
    """The kind of a value[x] and the Value fields it fills; a shape that does not fit is kept as text."""
    body = obj(raw)
    match field:
        case "valueQuantity":
            found = quantity(body)
            if found and found.value is not None:
                return ValueKind.QUANTITY, {"quantity": found}
            # "GT 45" in place of a number is a result all the same.
            sign = string(body.get("comparator")) if found and not found.comparator else ""
            text = f"{sign} {written}".strip() if (written := string(body.get("value"))) else ""
            return (
                (ValueKind.TEXT, {"text": f"{text} {printed_unit(found)}".strip() if found else text})
                if text
                else _ABSENT
            )
        case "valueInteger" | "valueDecimal":
            number = decimal(raw)
            return (ValueKind.QUANTITY, {"quantity": Quantity(number)}) if number is not None else _ABSENT
        case "valueCodeableConcept" | "valueCoding":
            text = codes.label(body)
            words = tuple(dict.fromkeys((*codes.names(body), *(c.code for c in codes.codings(body)))))
            return (ValueKind.CODE, {"text": text, "words": words}) if text else _ABSENT
        case "valueBoolean":
            return (ValueKind.BOOLEAN, {"text": "yes" if raw else "no"}) if isinstance(raw, bool) else _ABSENT
        case "valueRange":
            low, high = quantity(body.get("low")), quantity(body.get("high"))
            parts = {"low": low, "high": high, "text": _span(low, high)}
            return (ValueKind.RANGE, parts) if parts["text"] else _ABSENT
        case "valueRatio":
            top, bottom = quantity(body.get("numerator")), quantity(body.get("denominator"))
            parts = {"quantity": top, "denominator": bottom, "text": shown_ratio(body)}
            return (ValueKind.RATIO, parts) if parts["text"] else _ABSENT
        case "valueDateTime" | "valueDate" | "valueInstant":
            when = parse_date(raw)
            text = when.shown if when else string(raw)
            return (
                (ValueKind.DATE if when else ValueKind.TEXT, {"when": when, "text": text})
                if text
                else _ABSENT
            )
        case "valuePeriod":
            start, end = parse_date(body.get("start")), parse_date(body.get("end"))
            text = shown_period(body)
            return (ValueKind.PERIOD, {"when": start, "until": end, "text": text}) if text else _ABSENT
        case "valueSampledData":
            data, origin = string(body.get("data")), quantity(body.get("origin"))
            unit = f" in {printed_unit(origin)}" if origin and printed_unit(origin) else ""
            return (ValueKind.SAMPLED, {"text": f"{len(data.split())} samples{unit}"}) if data else _ABSENT
        case _:
            text = string(raw) or codes.label(raw)
            return (ValueKind.TEXT, {"text": text}) if text else _ABSENT


def shown_span(body: Json) -> str:
    """A FHIR Range in words: "4 to 6 mg"; "" where it has no limit."""
    return _span(quantity(body.get("low")), quantity(body.get("high")))


def shown_period(body: Json) -> str:
    """A FHIR Period in words, an open end said: "from 2020-01-01 to 2020-02", "since 2020-01-01"."""
    start, end = (parse_date(body.get(edge)) for edge in ("start", "end"))
    if start and end:
        return start.shown if start.shown == end.shown else f"from {start.shown} to {end.shown}"
    return f"since {start.shown}" if start else f"until {end.shown}" if end else ""


def shown_ratio(body: Json) -> str:
    """A FHIR Ratio in words: "1 : 128", "5 mg : 1 mL"."""
    parts = (quantity(body.get("numerator")), quantity(body.get("denominator")))
    return " : ".join(text for q in parts if q and (text := shown_quantity(q)))


def _span(low: Quantity | None, high: Quantity | None) -> str:
    """Both limits, the unit once where they share it."""
    if low and high:
        bare = low if printed_unit(low) != printed_unit(high) else replace(low, unit="", code="")
        return f"{shown_quantity(bare)} to {shown_quantity(high)}"
    if low:
        return f"at least {shown_quantity(low)}"
    return f"at most {shown_quantity(high)}" if high else ""


# --- in words ---------------------------------------------------------------------------------------

_SYSTOLIC, _DIASTOLIC = "8480-6", "8462-4"  # LOINC, the components of every blood pressure panel


def shown_value(value: Value, *beside: Decimal) -> str:
    """A value as read aloud, with comparator and unit; "no result recorded: <reason>" where there is none.

    Enough digits are shown to keep it on its own side of its reference limits and of the numbers `beside` it.
    """
    if value.kind is ValueKind.ABSENT:
        reason = value.absent_reason.replace("-", " ").lower()
        return f"no result recorded: {reason}" if reason not in ("", "unknown") else "no result recorded"
    if value.kind is ValueKind.QUANTITY and value.quantity:
        return shown_quantity(value.quantity, [*_limits(value), *beside])
    return codes.plain(value.text) if value.kind is ValueKind.CODE else value.text


def _limits(value: Value) -> list[Decimal]:
    return [q.value for r in value.ranges for q in (r.low, r.high) if q and q.value is not None]


def shown_flags(value: Value) -> str:
    """The interpretation flags in words ("high"); "" where none was recorded."""
    return ", ".join(dict.fromkeys(words for f in value.flags if (words := flag_words(f))))


def shown_ranges(value: Value) -> str:
    """The reference ranges of this result: "reference range 4 to 5.6 %"."""
    ranges = []
    for found in value.ranges:
        span = _span(found.low, found.high)
        ranges.append(f"{span} ({found.text})" if span and found.text else span or found.text)
    told = "; ".join(r for r in ranges if r)
    return f"reference range {told}" if told else ""


def blood_pressure(found: tuple[Value, ...]) -> str:
    """ "138/82 mmHg" when the components hold a systolic and a diastolic pressure in one unit, else ""."""
    parts = {c.code: v for v in found for c in v.codings if c.code in (_SYSTOLIC, _DIASTOLIC)}
    systolic, diastolic = (parts[c].quantity if c in parts else None for c in (_SYSTOLIC, _DIASTOLIC))
    if not (systolic and diastolic) or systolic.value is None or diastolic.value is None:
        return ""
    if unit_of(systolic) != unit_of(diastolic):
        return ""
    top = f"{systolic.comparator}{shown_number(systolic.value, unit=unit_of(systolic))}"
    return f"{top}/{shown_quantity(diastolic)}"
