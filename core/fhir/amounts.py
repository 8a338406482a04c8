"""The quantities, ranges and ratios that a resource of any type states in its elements, typed: doses, targets, supplies.

So a number of a prescription or a goal is checked as a number, comparator and unit included, and not as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.fhir import codes
from core.fhir.quantities import quantity, shown_quantity
from core.fhir.read import Json, obj
from core.fhir.values import shown_ratio, shown_span
from core.models import Value, ValueKind

_LEFT_OUT_NAMES = "contained extension modifierExtension meta text identifier component referenceRange item valueSampledData"
_LEFT_OUT = frozenset(_LEFT_OUT_NAMES.split())
# What says which thing an amount is of, within one element: a target's measure, a nutrient's modifier.
_OF = ("measure", "code", "type", "outcome", "modifier", "itemCodeableConcept")
_AT_MOST = 100
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_DATATYPE = re.compile(r"(?<=[a-z])(Quantity|Range|Ratio|Age|Duration)$")


def amounts(resource: Json) -> tuple[Value, ...]:
    """Every Quantity, Range and Ratio with its path, in document order; Money, bare numbers and results left out."""
    found: list[Value] = []
    for path, field, holder, body in _bodies(resource):
        if value := _amount(path, _label(field, holder), body):
            found.append(value)
        if len(found) >= _AT_MOST:
            break
    return tuple(found)


def _amount(path: str, label: str, body: Json) -> Value | None:
    if "numerator" in body:
        top, bottom = quantity(body.get("numerator")), quantity(body.get("denominator"))
        text = shown_ratio(body)
        return Value(path, label, (), ValueKind.RATIO, top, bottom, text=text) if text else None
    if body.keys() & {"low", "high"}:
        low, high = quantity(body.get("low")), quantity(body.get("high"))
        text = shown_span(body)
        return Value(path, label, (), ValueKind.RANGE, low=low, high=high, text=text) if text else None
    found = quantity(body)
    if not found or found.value is None or not (found.unit or found.code):
        return None
    return Value(path, label, (), ValueKind.QUANTITY, found, text=shown_quantity(found))


def _label(field: str, holder: Json) -> str:
    named = next((label for name in _OF if (label := codes.plain(codes.label(holder.get(name))))), "")
    return named or _HUMPS.sub(" ", _DATATYPE.sub("", field)).lower()


def _bodies(resource: Json) -> Iterator[tuple[str, str, Json, Json]]:
    """(path, field, the element around it, the element) of whatever looks like an amount, at any depth."""
    stack: list[tuple[str, str, Json, object]] = [("", "", {}, resource)]
    while stack:
        path, field, holder, value = stack.pop()
        if isinstance(value, list):
            stack.extend((f"{path}[{i}]", field, holder, v) for i, v in reversed(list(enumerate(value))))
        elif isinstance(value, dict):
            if field and (_is_amount(value)):
                yield path, field, holder, value
                continue
            stack.extend(
                (f"{path}.{k}".lstrip("."), k, value, v)
                for k, v in reversed(value.items())
                if k not in _LEFT_OUT and isinstance(v, (dict, list))
            )


def _is_amount(body: Json) -> bool:
    if "currency" in body:
        return False
    span = isinstance(body.get("low", body.get("high")), dict)
    ratio = isinstance(body.get("numerator"), dict) and bool(obj(body.get("numerator")))
    return span or ratio or ("value" in body and bool(body.keys() & {"unit", "code"}))
