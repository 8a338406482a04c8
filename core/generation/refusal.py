"""Refusals: what was searched, with counts, and what lies near it. They state nothing about the patient and cite nothing.

Three kinds: not in this record, no question about a record, a request for advice (declined, the record's own data named).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.fhir.codes import plain
from core.fhir.types import spoken
from core.generation.wording import render
from core.models import REFUSAL, Draft
from core.naming import SPEAKS_OF, is_a
from core.retrieval.language import language
from core.retrieval.search import Concept
from core.retrieval.select import Selection, has_result
from core.retrieval.topic import Outcome, Topic
from core.terminology import Term, topics
from core.terminology import terms as every_term
from core.words import stems

_NEAR = 4
_TYPES_NAMED = 4
# What is near nothing in particular: it is about everything, or about nobody's health.
_NEVER_NEAR = frozenset(
    {"DocumentReference", "Patient", "Encounter", "CareTeam", "Goal", "Coverage", "Location"}
)


def refusal(topic: Topic, selection: Selection | None, concepts: Sequence[Concept]) -> Draft:
    """The refusal of one question, whose subject in this record is `topic`; `concepts` is everything the record holds."""
    found = bool(selection and selection.series)
    text = render(
        "refusal.jinja2",
        refusal=REFUSAL,
        outcome=topic.outcome.name.lower(),
        searched=_searched(topic, selection, concepts),
        unknown=[f'"{w}"' for w in topic.unknown] if topic.outcome is Outcome.NOT_UNDERSTOOD else [],
        near=[] if found or topic.outcome is Outcome.ELSEWHERE else _near(topic, concepts),
    )
    return Draft(text, refused=True, answerer="record")


def _near(topic: Topic, concepts: Sequence[Concept]) -> list[str]:
    """Names of this record that lie nearest: what the terms name elsewhere, their kin, then what shares a word."""
    found = [*_named(topic, concepts), *_kin(topic.terms, concepts), *_sharing_words(topic, concepts)]
    return list(dict.fromkeys(plain(c.label) for c in found if c.resource_type not in _NEVER_NEAR))[:_NEAR]


def _named(topic: Topic, concepts: Sequence[Concept]) -> Iterator[Concept]:
    return (c for c in concepts for t in topic.terms if is_a(t, c.resource_type, c.codes, c.names))


def _kin(terms: Sequence[Term], concepts: Sequence[Concept]) -> Iterator[Concept]:
    """Results and drugs that stand under the same heading as what was asked for: glucose beside HbA1c."""
    asked = {t.key for t in terms}
    headings = sorted(
        {keys for _, keys in topics() if keys & asked}, key=lambda keys: (len(keys), sorted(keys))
    )
    for keys in headings:
        known = [t for t in every_term() if t.key in keys - asked]
        yield from (c for c in concepts if any(is_a(t, c.resource_type, c.codes, c.names) for t in known))


def _sharing_words(topic: Topic, concepts: Sequence[Concept]) -> Iterator[Concept]:
    words = {s for s in stems(topic.asked) if len(s) > 2 and not s.isdigit()} - language().frame
    return (c for c in concepts if words & {s for n in (c.label, *c.names) for s in stems(n)})


def _spoken_of(topic: Topic) -> tuple[str, ...]:
    """The types of record the terms of a question would stand in."""
    return tuple(dict.fromkeys(t for term in topic.terms for t in SPEAKS_OF[term.kind]))


def _searched(topic: Topic, selection: Selection | None, concepts: Sequence[Concept]) -> str:
    """How much was looked through, by type and years, and how much of it is what was asked for."""
    if topic.outcome is Outcome.ADVICE or not concepts:
        return ""
    kinds = topic.kind.types if topic.kind else _spoken_of(topic)
    kinds = kinds or tuple({c.resource_type for c in concepts})
    counts = {t: sum(c.resources for c in concepts if c.resource_type == t) for t in kinds}
    shown = sorted(((n, t) for t, n in counts.items() if n), reverse=True)[:_TYPES_NAMED]
    what = ", ".join(f"{n} {spoken(t).lower()} record{'s' if n != 1 else ''}" for n, t in shown)
    what = what or f"0 {spoken(kinds[0]).lower()} records"
    years = [d.year for c in concepts if c.resource_type in kinds for d in (c.first, c.last) if d]
    span = f" from {min(years)} to {max(years)}" if years else ""
    return f"{what}{span}{_found_of_it(topic, selection)}"


def _found_of_it(topic: Topic, selection: Selection | None) -> str:
    about = f' for "{topic.asked}"' if topic.asked else ""
    if selection is None or not selection.series:
        return f"{about}, 0 found" if topic.outcome is Outcome.ABSENT else about
    series = selection.series
    observed = selection.resource_type == "Observation"
    if observed and not any(has_result(s.facts) for s in series):
        return f"{about}; {len(series)} on record, none with a result"
    days = sorted(s.facts.date.shown for s in series if s.facts.date)
    span = f" ({days[0]} to {days[-1]})" if len(days) > 1 else f" ({days[0]})" if days else ""
    window = f" {selection.window.phrase}" if selection.window else ""
    return f"{about}; {len(series)} on record{span}, none as asked{window}"
