"""False statements about the very resources that a right answer cites: each reads well and only the record refutes it.

Pure. A statement is made only where the record shows that it is false; "" where the resources offer none.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

from core import terminology
from core.fhir.codes import plain
from core.grounding.record import Record, instant
from core.models import Facts, Precision, ValueKind

_KIND = {
    "Condition": "diagnosis",
    "MedicationRequest": "medication",
    "AllergyIntolerance": "allergy",
    "Immunization": "vaccination",
    "Procedure": "procedure",
}
# A heading that every resource of the type refutes.
_FOREIGN_HEADING = {
    "Condition": "Allergies",
    "MedicationRequest": "Allergies",
    "AllergyIntolerance": "Medications",
    "Immunization": "Medications",
    "Procedure": "Immunizations",
    "Observation": "Medications",
    "Encounter": "Procedures",
}
_OPPOSITE = {"active": "Resolved", "resolved": "Active", "stopped": "Active", "completed": "Planned"}


def short(facts: Facts) -> str:
    """What an answer calls a resource: the clinician's word for an analyte, else the record's name."""
    analytes = terminology.analytes_of(f"{c.system}|{c.code}" for c in facts.codings)
    return analytes[0].label if analytes else plain(facts.label)


def wrong_heading(cited: Sequence[Facts], random: Random) -> str:
    """A heading that what is cited does not belong under: another kind, another status, another analyte."""
    first = cited[0]
    headings = [_FOREIGN_HEADING[first.resource_type]] if first.resource_type in _FOREIGN_HEADING else []
    if first.status in _OPPOSITE and all(f.status == first.status for f in cited):
        headings.append(f"{_OPPOSITE[first.status]} entries")
    if first.resource_type == "Observation":
        named = {t.key for f in cited for t in _analytes(f)}
        if named:
            others = [t.label for t in _all_analytes() if t.key not in named]
            headings.append(random.choice(others))
    return random.choice(headings) if headings else ""


def reversed_events(cited: Sequence[Facts], record: Record, random: Random) -> str:
    """ "X came before Y", where Y did."""
    facts = random.choice(cited)
    others = [
        o
        for o in record.of_type(facts.resource_type)
        if _on_a_day(o) and short(o) != short(facts) and not record.same_series(o, facts)
    ]
    earlier = [o for o in others if o.date and facts.date and o.date.end < facts.date.start]
    if not earlier or not _on_a_day(facts) or facts.resource_type == "Observation":
        return ""
    other = random.choice(earlier)
    told = random.choice(("{late} came before {early}", "{early} followed the {late}"))
    text = told.format(late=short(facts), early=short(other))
    return f"{text} [{facts.resource_id}; {other.resource_id}]."


def ordered_as_given(cited: Sequence[Facts], random: Random) -> str:
    """An order told as taken or given: a record of orders does not say so."""
    orders = [f for f in cited if f.resource_type == "MedicationRequest" and f.date]
    if not orders:
        return ""
    facts = random.choice(orders)
    verb = random.choice(("was given", "was administered", "was received by the patient", "was last taken"))
    return f"{short(facts)} {verb} on {facts.date.shown if facts.date else ''} [{facts.resource_id}]."


def wrong_comparison(cited: Sequence[Facts], record: Record, random: Random) -> str:
    """Two analytes of one day and one unit set against each other the wrong way round."""
    pairs = [
        (f, o)
        for f in cited
        if _number(f) is not None
        for o in record.of_type("Observation")
        if o.date and f.date and o.date.shown == f.date.shown and _unit(o) == _unit(f) and _unit(f)
        and _analytes(o) and _analytes(f) and short(o) != short(f) and _number(o) != _number(f) and _number(o) is not None
    ]  # fmt: skip
    if not pairs:
        return ""
    one, other = random.choice(pairs)
    low, high = sorted((one, other), key=lambda f: _number(f) or 0)
    text = random.choice(("{low} was higher than {high}", "{high} was lower than {low}"))
    day = one.date.shown if one.date else ""
    said = text.format(low=short(low), high=short(high))
    return f"{said} on {day} [{one.resource_id}; {other.resource_id}]."


def only_one(cited: Sequence[Facts], record: Record, random: Random) -> str:
    """ "The only diagnosis is X", where the record has more."""
    facts = random.choice(cited)
    kind = _KIND.get(facts.resource_type)
    labels = {short(o) for o in record.of_type(facts.resource_type)}
    if not kind or len(labels) < 3:
        return ""
    return f"The only {kind} in the record is {short(facts)} [{facts.resource_id}]."


def latest_of_kind(cited: Sequence[Facts], record: Record, random: Random) -> str:
    """ "The most recent diagnosis is X", where a later one of another name is recorded."""
    facts = random.choice(cited)
    kind = _KIND.get(facts.resource_type)
    clinical = [o for o in record.of_type(facts.resource_type) if o.date and "finding" not in str(o.names)]
    later = [o for o in clinical if instant(o) > instant(facts) and short(o) != short(facts) and _on_a_day(o)]
    if not kind or not later or not facts.date:
        return ""
    return f"The most recent {kind} is {short(facts)} [{facts.resource_id}]."


def of_a_relative(cited: Sequence[Facts], random: Random) -> str:
    """A true fact of the patient told of somebody else."""
    facts = random.choice(cited)
    who = random.choice(("mother", "brother", "father"))
    return f"{short(facts)} is recorded for the patient's {who} [{facts.resource_id}]."


def unread_sign(cited: Sequence[Facts], random: Random) -> str:
    """A name with a sign beside it that denies it to a reader's eye."""
    facts = random.choice(cited)
    return f"{short(facts)}: {random.choice('✗❌✘')} [{facts.resource_id}]"


def steady(cited: Sequence[Facts], record: Record, random: Random) -> str:
    """A series that went both ways told as going one way every time."""
    for facts in cited:
        series = [m for m in record.series(facts) if _number(m) is not None and _unit(m) == _unit(facts)]
        values = [v for m in series if (v := _number(m)) is not None]
        falls = any(b < a for a, b in pairwise(values))
        if facts.resource_type == "Observation" and len(values) > 2 and falls and values[-1] > values[0]:
            first, last = series[0], series[-1]
            when = random.choice(("steadily", "every time"))
            return (
                f"{short(facts)} rose {when} between the first and the last result "
                f"[{first.resource_id}; {last.resource_id}]."
            )
    return ""


# --- parts ------------------------------------------------------------------------------------------


def _on_a_day(facts: Facts) -> bool:
    return facts.date is not None and facts.date.precision in (Precision.DAY, Precision.TIME)


def _analytes(facts: Facts) -> list[terminology.Term]:
    return terminology.analytes_of(f"{c.system}|{c.code}" for c in facts.codings)


def _all_analytes() -> list[terminology.Term]:
    return [t for t in terminology.terms() if t.kind is terminology.TermKind.ANALYTE]


def _value(facts: Facts) -> tuple[float, str] | None:
    found = [v.quantity for v in facts.values if v.kind is ValueKind.QUANTITY and v.quantity]
    if len(found) != 1 or found[0].value is None or found[0].comparator:
        return None
    return float(found[0].value), found[0].code or found[0].unit


def _number(facts: Facts) -> float | None:
    held = _value(facts)
    return held[0] if held else None


def _unit(facts: Facts) -> str:
    held = _value(facts)
    return held[1] if held else ""
