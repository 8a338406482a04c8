"""References as "Type/id": absolute and versioned URLs are stripped for joining, urn:uuid is looked up.

Sources: FHIR R4 references.html; bundle.html#references (fullUrl). Unresolvable ones keep their display only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from core.fhir.read import Json, obj, string
from core.models import Reference

_RELATIVE = re.compile(r"(?:^|/)(?P<target>[A-Z][A-Za-z]+/[A-Za-z0-9\-.]{1,64})(?:/_history/[^/]+)?/?$")


def resolve(reference: str, full_urls: Mapping[str, str]) -> str:
    """The "Type/id" a reference string points at, or "" if that cannot be known from this bundle.

    `full_urls` maps each entry.fullUrl of the bundle to its "Type/id".
    """
    if reference in full_urls:
        return full_urls[reference]
    match = _RELATIVE.search(reference.split("?", 1)[0]) if "?" not in reference else None
    return match["target"] if match else ""


def outbound(resource: Json, full_urls: Mapping[str, str]) -> tuple[Reference, ...]:
    """Every reference a resource makes, with the path it stands at; contained resources are left out."""
    found = []
    for path, node in _nodes(resource, ""):
        raw = string(node.get("reference"))
        display = string(node.get("display"))
        if raw.startswith("#") or not (raw or (display and path.endswith("eference"))):
            continue
        found.append(Reference(path, resolve(raw, full_urls), display))
    return tuple(dict.fromkeys(found))


def _nodes(node: object, path: str) -> Iterator[tuple[str, Json]]:
    """Walk without recursion: depth is the sender's to choose, the stack is ours."""
    stack: list[tuple[str, object]] = [(path, node)]
    while stack:
        where, value = stack.pop()
        if isinstance(value, dict):
            if isinstance(value.get("reference"), str):
                yield where, obj(value)
            stack.extend(
                (f"{where}.{k}" if where else k, v) for k, v in reversed(value.items()) if k != "contained"
            )
        elif isinstance(value, list):
            stack.extend((f"{where}[{i}]", v) for i, v in reversed(list(enumerate(value))))
