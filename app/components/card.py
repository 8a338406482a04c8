"""One resource as a card: what the record holds, never a paraphrase: name, value or status, date, id, why it is here.

Record text is escaped; a void resource is struck through and says why.
"""

from __future__ import annotations

import re

from app.components.navigation import address
from app.text import escaped
from core.fhir.interpretation import Sense, is_critical, senses
from core.fhir.quantities import shown_quantity
from core.models import Citation, Evidence, Facts, Value, ValueKind
from core.timeline import is_charted, short_name

_WHY = {
    "question": "asked for",
    "vector": "similar meaning",
    "text": "same words",
    "reference": "linked from other evidence",
    "record": "",
}
_OUTSIDE = {Sense.HIGH: "above", Sense.LOW: "below"}
_LINES_SHOWN = 4


def card_html(item: Evidence, element: str, number: str = "", atoms: tuple[str, ...] = ()) -> str:
    facts = item.facts
    value = shown_value(facts)
    when = facts.date.shown if facts.date else "no date"
    field = f' title="{escaped(facts.date_field)}"' if facts.date_field else ""
    status = f'<span class="cc-status">{_marked(facts.status, atoms)}</span>' if facts.status else ""
    label = f'<span class="cc-number" aria-hidden="true">{number}</span>' if number else ""
    role = f"Evidence {number}" if number else words(facts.resource_type)
    void = f'<p class="cc-void">Not evidence: {escaped(facts.void_reason)}</p>' if facts.void else ""
    shown = f'<p class="cc-value">{_marked(value, atoms)}{_range(facts)}</p>' if value else ""
    own = f' id="{element}"' if element else ""
    mood = " is-void" if facts.void else ""
    head = f'{label}<span class="cc-name">{_marked(facts.label, atoms)}</span>'
    head = (
        f'<a class="cc-card-head" href="#{element}">{head}</a>'
        if element
        else f'<p class="cc-card-head">{head}</p>'
    )
    return (
        f'<article{own} class="cc-card{mood}" aria-label="{role}: {escaped(facts.label)}">{head}{shown}{void}'
        f'<p class="cc-meta"><span class="cc-type">{escaped(words(facts.resource_type))}</span>'
        f"<span{field}>{_marked(when, atoms)}</span>{status}"
        f'<span class="cc-why" title="Why it was retrieved">{_why(item)}</span></p>'
        f"{_lines(item, atoms)}{_foot(facts.resource_id, facts)}</article>"
    )


def cited_only_html(citation: Citation, element: str, number: str) -> str:
    """A card for a resource that a model cited from the record although it was not retrieved for it."""
    headline, *lines = citation.text.splitlines() or [citation.resource_id]
    body = "".join(f"<li>{escaped(line)}</li>" for line in lines[:_LINES_SHOWN])
    mark = f'<span class="cc-number" aria-hidden="true">{number}</span>'
    return (
        f'<article id="{element}" class="cc-card" aria-label="Evidence {number}">'
        f'<a class="cc-card-head" href="#{element}">{mark}'
        f'<span class="cc-name">{escaped(headline)}</span></a>'
        f'<ul class="cc-lines">{body}</ul>{_foot(citation.resource_id)}</article>'
    )


def shown_value(facts: Facts) -> str:
    """The values of a resource as printed: "7.1 %", "Systolic 117 mmHg · Diastolic 81 mmHg"."""
    values = facts.values
    if len(values) > 1 and all(v.kind is ValueKind.QUANTITY and v.quantity for v in values):
        return " · ".join(f"{short_name(v.label, v.codings)} {_value(v)}" for v in values)
    return " · ".join(text for v in values if (text := _value(v)))


def _value(value: Value) -> str:
    if value.kind is ValueKind.QUANTITY and value.quantity:
        limits = [q.value for r in value.ranges for q in (r.low, r.high) if q and q.value is not None]
        return shown_quantity(value.quantity, limits)
    if value.kind is ValueKind.ABSENT:
        return f"no value ({value.absent_reason})" if value.absent_reason else "no value"
    return value.text


def _range(facts: Facts) -> str:
    """The reference range the result itself carries, and on which side of it the result was flagged."""
    if len(facts.values) != 1 or not facts.values[0].ranges:
        return ""
    value = facts.values[0]
    first = value.ranges[0]
    low, high = (shown_quantity(q) if q else "" for q in (first.low, first.high))
    text = first.text or (
        f"{low} to {high}" if low and high else f"at least {low}" if low else f"at most {high}"
    )
    side = next((_OUTSIDE[s] for s in senses(value.flags) if s in _OUTSIDE), "")
    side = f"far {side}" if side and is_critical(value.flags) else side
    words = f"{side} its reference {text}" if side else f"reference {text}"
    return f'<span class="cc-range {"is-outside" if side else ""}">{escaped(words)}</span>'


def _lines(item: Evidence, atoms: tuple[str, ...]) -> str:
    """The card's further lines as recorded, without the headline and the codes; long ones unfold."""
    lines = [line for line in item.text.splitlines()[1:] if line.strip() and not line.startswith("Codes: ")]
    if item.facts.resource_type == "Observation":  # values and range are shown above
        lines = [line for line in lines if "reference range" not in line.casefold()]
        if len(item.facts.values) > 1:
            lines = [line for line in lines if not any(line.startswith(v.label) for v in item.facts.values)]
    if not lines:
        return ""
    short = "".join(f"<li>{_marked(line, atoms)}</li>" for line in lines[:_LINES_SHOWN])
    if len(lines) <= _LINES_SHOWN:
        return f'<ul class="cc-lines">{short}</ul>'
    more = "".join(f"<li>{_marked(line, atoms)}</li>" for line in lines[_LINES_SHOWN:])
    return (
        f'<ul class="cc-lines">{short}</ul><details class="cc-rest">'
        f'<summary>{len(lines) - _LINES_SHOWN} more lines</summary><ul class="cc-lines">{more}</ul></details>'
    )


def _foot(resource_id: str, facts: Facts | None = None) -> str:
    """The id, the ways to the record and to the trend, and the JSON."""
    identifier = escaped(resource_id)
    ways = _ways(facts) if facts else ""
    return (
        f'<p class="cc-foot"><code>{identifier}</code><span class="cc-ways">{ways}<button type="button"'
        f' data-resource="{identifier}" aria-label="JSON of {identifier}">JSON</button></span></p>'
    )


def _ways(facts: Facts) -> str:
    if not facts.patient_ref:
        return ""
    here = {"patient": facts.patient_ref.removeprefix("Patient/")}
    record = address({"page": "record", **here, "resource": facts.resource_id})
    ways = f'<a data-go href="{record}" aria-label="{escaped(facts.label)} in the record">Record</a>'
    if is_charted(facts):
        trend = address({"page": "trends", **here, "of": facts.resource_id})
        ways += f'<a data-go href="{trend}" aria-label="Trend of {escaped(facts.label)}">Trend</a>'
    return ways


def _marked(text: str, atoms: tuple[str, ...]) -> str:
    """Escaped text with every checked atom in it highlighted, whole words only, longest atom first."""
    wanted = [
        re.escape(atom) for atom in sorted(atoms, key=len, reverse=True) if atom.casefold() in text.casefold()
    ]
    if not wanted:
        return escaped(text)
    pattern = re.compile(rf"(?<![\w.])(?:{'|'.join(wanted)})(?!\w|\.\d)", re.IGNORECASE)
    pieces: list[str] = []
    cursor = 0
    for match in pattern.finditer(text):
        pieces += [escaped(text[cursor : match.start()]), f"<mark>{escaped(match.group())}</mark>"]
        cursor = match.end()
    return "".join([*pieces, escaped(text[cursor:])])


def _why(item: Evidence) -> str:
    arms = item.arms[:1] if "question" in item.arms else item.arms
    return escaped(" · ".join(_WHY.get(arm, arm) for arm in arms))


def words(resource_type: str) -> str:
    """ "MedicationRequest" -> "Medication request"."""
    return re.sub(r"(?<=[a-z])([A-Z])", lambda m: " " + m.group(1).lower(), resource_type)
