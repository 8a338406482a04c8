"""Latest, first, previous, highest and lowest are claims about the whole record: one later or higher result refutes them.

Values are compared only within one unit; results in another unit that does not convert are another series.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from core.fhir.quantities import convert, shown_quantity, unit_of
from core.grounding.checks import components, numbers, windows
from core.grounding.checks.count import NOUNS
from core.grounding.checks.outcome import Outcome, agreed, contradicted, missing, named, several
from core.grounding.reading import Atom, Reading
from core.grounding.record import instant
from core.models import Facts, Quantity


@dataclass(frozen=True, slots=True)
class OrderAtom(Atom):
    """`kind`: "latest", "current", "first", "previous", "highest", "lowest", "ranked" (by size); `count` for "
    ""the last three"."""

    kind: str
    count: int = 1


_NTH = {"second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6}
_PATTERNS: tuple[tuple[str, str], ...] = (
    ("ranked", rf"(?:c[ao]mes?|ranked|ranks|placed) (?:{'|'.join(_NTH)})(?: (?:highest|largest|strongest|"
        rf"place))?(?! (?:degree|time))|"
        rf"(?:{'|'.join(_NTH)})[\s-](?:highest|largest|strongest|biggest)"),
    ("ranked low", rf"(?:{'|'.join(_NTH)})[\s-](?:lowest|smallest|weakest)"),
    ("previous", r"second[\s-]+(?:most recent|latest|to last|last)|next[\s-]+most recent|penultimate|last but one"),
    (
        "previous",
        r"(?:one|result|value|reading|measurement)s? (?:just |immediately )?before(?: (?:it|that|this))?\b(?!\s*\d)",
    ),
    ("latest", r"most[\s-]+recent(?:ly)?|latest|newest|last(?![\s-]+(?:name|minute|resort))"),
    ("current", r"current(?:ly)?|at present|presently|still(?!,)|at the moment|these days|nowadays|"
        r"now(?! (?:stopped|resolved|discontinued|inactive|completed|ended|finished|cleared|off)\b)"),
    ("first", r"first(?![\s-]+(?:line|name|degree|trimester|aid))|earliest|initial(?:ly)?|oldest|"
        r"(?:new|newly)(?=[\s-](?:diagnos|onset|case|problem|prescri|order|medic|drug|allerg|condition|finding))|"
        r"for the first time"),
    ("highest", r"high(?:est)?[ -]points?|high[ -]water mark|highest|strongest|biggest|heaviest|tallest|maximum|"
        r"(?<![/.])max|peak(?:ed|s)?|greatest|largest|(?:tops|topped) out|all-time high|"
        r"(?<=\ba )high(?= of)|(?<=\bthe )high(?= of|,| was)"),
    ("lowest", r"low(?:est)?[ -]points?|lowest|weakest|lightest|shortest(?= (?:height|stature))|minimum|"
        r"(?<![/.])min|nadir|smallest|bottom(?:s|ed) out|all-time low|trough|"
        r"(?<=\ba )low(?= of)|(?<=\bthe )low(?= of|,| was)"),
    ("previous", r"previous(?!ly)|prior(?!\s+to)|preceding"),
    ("nth", rf"(?:{'|'.join(_NTH)}|\d{{1,2}}(?:st|nd|rd|th))(?=\s+[a-z])(?!\s+(?:line|degree|trimester|of\b|opinion))"),
)  # fmt: skip
_N = rf"(\d{{1,2}}|{numbers.WORD})"
# "The last three results", but not "the last 97 mg/dL".
_OF_THEM = rf"(?=(?:\s+[a-z][\w-]*){{0,3}}?\s+(?:{NOUNS})\b)"
_ANY = re.compile(rf"\b(?:{'|'.join(words for _, words in _PATTERNS)})\b")
_COMPILED = tuple(
    (kind, re.compile(rf"\b(?:{_N}\s+)?(?:{words})\b(?:\s+{_N}{_OF_THEM})?")) for kind, words in _PATTERNS
)


def read(reading: Reading) -> list[OrderAtom]:
    found: list[OrderAtom] = []
    if not reading.has(_ANY):
        return found
    for kind, pattern in _COMPILED:
        for match in list(reading.find(pattern)):
            count = next((n for g in match.groups() if g and (n := numbers.count_value(g))), 1)
            if kind.startswith("ranked"):
                count = next(n for word, n in _NTH.items() if word in match.group())
            if kind == "nth":
                count = _NTH.get(match.group().strip()) or int(re.sub(r"\D", "", match.group()) or 1)
            found.append(OrderAtom(match.start(), match.end(), match.group().strip(), kind, count))
            reading.take(match.start(), match.end())
    return sorted(found, key=lambda a: a.start)


Population = Callable[[Facts], Sequence[Facts]]


def check(
    atom: OrderAtom,
    candidates: Sequence[Facts],
    cited: Sequence[Facts],
    population: Population,
    labels: frozenset[str],
) -> Outcome | None:
    """`candidates` are the resources the word may be said of, `cited` everything the statement cites."""
    if atom.kind == "current":
        return _current(atom, candidates, population)
    if atom.count > 1 and atom.kind != "nth" and not atom.kind.startswith("ranked"):
        return _several(atom, candidates, population, labels)
    failed: Outcome | None = None
    for facts in candidates:
        outcome = _one(atom, facts, cited, population, labels)
        if outcome.ok:
            return outcome
        failed = failed or outcome
    return failed


def _one(
    atom: OrderAtom, facts: Facts, cited: Sequence[Facts], population: Population, labels: frozenset[str]
) -> Outcome:
    members = list(population(facts))
    if not members:
        return missing("order", atom.said, "no such entry in that time")
    if atom.kind in ("highest", "lowest"):
        return _extreme(atom, facts, members, labels)
    if atom.kind.startswith("ranked"):
        return _ranked(atom, facts, members, labels)
    dated = [m for m in members if m.date]
    if not facts.date or not dated:
        return missing("order", atom.said, "no date in what is cited")
    if atom.kind == "latest":
        right = max(dated, key=instant)
    elif atom.kind == "first":
        right = min(dated, key=instant)
    elif atom.kind == "nth":
        if len(dated) < atom.count:
            return missing("order", atom.said, f"only {len(dated)} in the record")
        right = sorted(dated, key=instant)[atom.count - 1]
    else:
        return _previous(atom, facts, dated, cited)
    if instant(facts) == instant(right):
        return agreed("order", atom.said, named(right))
    return contradicted("order", f"{atom.said}: {facts.date.shown}", f"{named(right)}")


def _previous(atom: OrderAtom, facts: Facts, dated: Sequence[Facts], cited: Sequence[Facts]) -> Outcome:
    """The entry just before another cited one of the series; alone, the one before the latest."""
    moments = sorted({instant(m) for m in dated})
    own = instant(facts)
    in_series = {m.resource_id for m in dated}
    later = [instant(f) for f in cited if f.resource_id in in_series and instant(f) > own]
    anchors = later or moments[-1:]
    if own in moments and any(a in moments and moments.index(a) == moments.index(own) + 1 for a in anchors):
        return agreed("order", atom.said, named(facts))
    if not later and own in moments and own != moments[-1]:
        # "The previous result" after a statement about another one: any but the latest has one after it.
        return (
            agreed("order", atom.said, named(facts))
            if len(cited) > 1
            else _wrong_previous(atom, facts, dated, moments)
        )
    return _wrong_previous(atom, facts, dated, moments)


def _wrong_previous(
    atom: OrderAtom, facts: Facts, dated: Sequence[Facts], moments: Sequence[object]
) -> Outcome:
    if len(moments) < 2:
        return missing("order", atom.said, "only one entry in the record")
    right = next(m for m in dated if instant(m) == moments[-2])
    return contradicted("order", f"{atom.said}: {named(facts)}", named(right))


def _extreme(atom: OrderAtom, facts: Facts, members: Sequence[Facts], labels: frozenset[str]) -> Outcome:
    own = number(facts, labels)
    if own is None or own.value is None:
        return missing("order", atom.said, "no number in what is cited")
    unit = unit_of(own)
    held = [(v, m) for m in members if (v := in_unit(m, unit, labels)) is not None]
    right = (max if atom.kind == "highest" else min)(
        held, key=lambda pair: pair[0], default=(own.value, facts)
    )
    if own.value == right[0]:
        return agreed("order", atom.said, shown_quantity(own))
    found = number(right[1], labels)
    return contradicted(
        "order",
        f"{atom.said}: {shown_quantity(own)}",
        f"{shown_quantity(found) if found else right[0]} ({named(right[1])})",
    )


def _ranked(atom: OrderAtom, facts: Facts, members: Sequence[Facts], labels: frozenset[str]) -> Outcome:
    """ "The second highest", "came third": the place of a result when all are put in order of size."""
    own = number(facts, labels)
    if own is None or own.value is None:
        return missing("order", atom.said, "no number in what is cited")
    held = {v for m in members if (v := in_unit(m, unit_of(own), labels)) is not None}
    order = sorted(held, reverse=atom.kind == "ranked")
    if len(order) >= atom.count and order[atom.count - 1] == own.value:
        return agreed("order", atom.said, shown_quantity(own))
    right = f"{order[atom.count - 1]}" if len(order) >= atom.count else f"only {len(order)} in the record"
    return contradicted("order", f"{atom.said}: {shown_quantity(own)}", right)


def _current(atom: OrderAtom, candidates: Sequence[Facts], population: Population) -> Outcome | None:
    """Of a result: the latest. Of what lasts: its status is one of being in force."""
    lasting = [f for f in candidates if f.resource_type in windows.LASTING]
    for facts in lasting or candidates:  # of an order and the scan before it, the order is what still runs
        if facts.resource_type != "Observation":
            in_force = {"active", "in-progress", "recurrence", "relapse", "current"} & {
                s.casefold() for s in facts.statuses
            }
            if facts.statuses and not in_force:
                return contradicted("status", atom.said, f"{facts.label}: {facts.status}")
    observed = [f for f in candidates if f.resource_type == "Observation" and not lasting]
    if not observed:
        held = [f.status for f in lasting or candidates]
        return agreed("status", atom.said, several(held)) if candidates else None
    latest = OrderAtom(atom.start, atom.end, atom.said, "latest")
    return check(latest, observed, observed, population, frozenset())


def _several(
    atom: OrderAtom, candidates: Sequence[Facts], population: Population, labels: frozenset[str]
) -> Outcome:
    """ "The last three": what is cited has to be exactly those, as far as it is cited."""
    if not candidates:
        return missing("order", atom.said, "nothing is cited")
    members = [m for m in population(candidates[0]) if m.date]
    if atom.kind in ("highest", "lowest"):
        ranked = [(v.value, m) for m in members if (v := number(m, labels)) and v.value is not None]
        ranked.sort(key=lambda pair: pair[0], reverse=atom.kind == "highest")
        right = [m for _, m in ranked[: atom.count]]
    elif atom.kind == "first":
        right = members[: atom.count]
    else:
        right = members[-atom.count - (1 if atom.kind == "previous" else 0) :]
        right = right[: atom.count] if atom.kind == "previous" else right
    moments = {instant(m) for m in right}
    wrong = [f for f in candidates if instant(f) not in moments]
    if wrong or len(right) < atom.count:
        return contradicted("order", atom.said, several([named(m) for m in right]))
    return agreed("order", atom.said, several([named(m) for m in right]))


def number(facts: Facts, labels: frozenset[str] = frozenset()) -> Quantity | None:
    """The number a resource is ranked by: the component named, else its value, else the systolic pressure."""
    if "diastolic" in labels:
        return components.component(facts, components.DIASTOLIC, "diastolic")
    if "systolic" in labels:
        return components.component(facts, components.SYSTOLIC, "systolic")
    own = next((v.quantity for v in facts.values if v.quantity and not v.path.startswith("component")), None)
    return own or (found[0] if (found := components.pair(facts)) else None)


def in_unit(facts: Facts, unit: str, labels: frozenset[str]) -> Decimal | None:
    held = number(facts, labels)
    if held is None or held.value is None or held.comparator:
        return None
    return convert(held.value, unit_of(held), unit)
