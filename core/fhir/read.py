"""Typed access to untrusted JSON: a value of the wrong shape reads as absent, never raises.

FHIR records in the wild hold strings where objects belong and nulls in lists; every other module of `fhir`
reaches into a resource only through these functions.
"""

from __future__ import annotations

from typing import Any

import orjson

Json = dict[str, Any]


def obj(value: object) -> Json:
    """The value if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def objects(value: object) -> list[Json]:
    """The JSON objects of a list; a lone object reads as a list of one (cardinality differs by version)."""
    if isinstance(value, dict):
        return [value]
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def string(value: object) -> str:
    """The value if it is text (trimmed, NUL and zero-width characters removed), a number's text, else ""."""
    if isinstance(value, str):
        return value.translate(_INVISIBLE).strip()
    if isinstance(value, bool) or value is None:
        return ""
    return str(value) if isinstance(value, (int, float)) else ""


def strings(value: object) -> list[str]:
    """The non-empty texts of a list, or of a lone text."""
    if isinstance(value, list):
        return [text for item in value if (text := string(item))]
    return [text] if (text := string(value)) else []


def as_bytes(resource: Json) -> bytes:
    """A resource as compact JSON, to look for something in; empty where it is nested too deep to be written."""
    try:
        return orjson.dumps(resource)
    except (TypeError, RecursionError):  # orjson writes 254 levels and reads 1,024
        return b""


_INVISIBLE = dict.fromkeys([0, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF])
