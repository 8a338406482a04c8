"""One example a resource type: its JSON, and the texts a reader is shown. Recorded by `python -m tests.unit.fhir.examples`.

An example is the specification of its renderer: a changed text is read before it is recorded.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from core.fhir.facts import VERSION, facts
from core.fhir.render import embedded_text, shown_text
from core.models import Facts

Json = dict[str, Any]
HERE = Path(__file__).parent
GOLDEN = HERE / "golden.json"
_FACTS: TypeAdapter[Facts] = TypeAdapter(Facts)


@dataclass(frozen=True)
class Example:
    """A resource, its card text in lines and its embedded text, as recorded."""

    path: Path
    resource: Json
    text: list[str]
    embedded: str

    @property
    def facts(self) -> Facts:
        return facts(self.resource, "Patient/p1")


def examples() -> list[Example]:
    """Every example, by type name."""
    found = []
    for path in sorted(HERE.glob("[A-Z]*.json")):
        body = json.loads(path.read_text())
        found.append(Example(path, body["resource"], body.get("text", []), body.get("embedded", "")))
    return found


def read(example: Example) -> tuple[list[str], str]:
    """What an example reads as now: the lines of its card, and its embedded text."""
    found = example.facts
    return shown_text(found, example.resource).split("\n"), embedded_text(found)


def digest() -> str:
    """One hash over the typed facts and texts of every example."""
    whole = hashlib.sha256()
    for example in examples():
        lines, embedded = read(example)
        whole.update(_FACTS.dump_json(example.facts))
        whole.update("\n".join([*lines, embedded]).encode())
    return whole.hexdigest()


def record() -> None:
    """Write what every example reads as now; a change of meaning under an unchanged VERSION is refused."""
    recorded = json.loads(GOLDEN.read_text()) if GOLDEN.exists() else {}
    if recorded.get("version") == VERSION and recorded.get("sha256") not in (None, digest()):
        raise SystemExit("Facts or texts changed: raise VERSION in core/fhir/facts.py first.")
    for example in examples():
        lines, embedded = read(example)
        body = {"resource": example.resource, "text": lines, "embedded": embedded}
        example.path.write_text(json.dumps(body, indent=1, ensure_ascii=False) + "\n")
    GOLDEN.write_text(json.dumps({"version": VERSION, "sha256": digest()}, indent=1) + "\n")
