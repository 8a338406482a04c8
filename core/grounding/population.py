"""What a record-wide word ranges over: the resources a statement speaks of when it says "latest", "first" or "3 of them".

For a measurement that is its series (same code). For anything else it is what the words beside it say: every resource
that bears the names said, or, where only a kind is said ("her latest diagnosis"), every resource of that kind.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.fhir.quantities import unit_of
from core.grounding.checks import order
from core.grounding.citations import MARK
from core.grounding.lexicon import CLASS_WORDS, Lexicon
from core.grounding.record import in_date_order
from core.grounding.statement import Mention, Parsed, Phrase
from core.grounding.vocabulary import FRAME, GENERIC, KIND_NOUNS, TYPE_WORDS
from core.models import Facts
from core.problems import is_clinical
from core.terminology import Term
from core.words import fold, stems, tokens

Span = tuple[int, int]
# Where the noun phrase after "latest", "all" or "only" ends.
_PHRASE_END = re.compile(
    rf"[,;:.({MARK}]|\b(?:is|was|were|are|has|have|had|to|from|until|since|between|before|after|on|in|at|by|with|and|but|which|that|"
    r"took|dates?|dated|came|include[sd]?)\b"
)
# Words that may stand between "latest" and the kind it is said of.
_BETWEEN_WORDS = (
    "of his her their the patient's patients recorded documented known listed ever active ongoing current stopped resolved "
    "past clinical medical single one completed different distinct other and"
)
_BETWEEN = frozenset(_BETWEEN_WORDS.split())


def noun_phrase(parsed: Parsed, start: int) -> Span:
    """The words from `start` to the verb, number, citation or stop that ends the phrase they begin."""
    folded = parsed.reading.folded
    ends = [m.start() for m in _PHRASE_END.finditer(folded, start) if not _inside_a_name(parsed, m.start())]
    digit = re.compile(r"\d").search(folded, start)
    if digit and not _inside_a_name(parsed, digit.start()):
        ends.append(digit.start())
    return start, min(ends, default=len(folded))


def _inside_a_name(parsed: Parsed, position: int) -> bool:
    spans: list[Phrase | Mention] = [*parsed.phrases, *parsed.mentions]
    return any(s.start <= position < s.end for s in spans)


def kind_named(parsed: Parsed, start: int) -> tuple[str, ...]:
    """The types that a phrase names by their kind alone ("… diagnosis"); () where it names a thing, or no kind."""
    first, last = noun_phrase(parsed, start)
    before = parsed.reading.folded[:start]
    if re.search(r":\s*(?:the |her |his )?\w+\s*$", before) and parsed.names_something:
        return ()  # "Influenza: last vaccination 2020-09-17"
    for token in tokens(parsed.text):
        if not first <= token.start < last:
            continue
        if token.word.endswith("ed") and token.word not in _BETWEEN:
            return ()  # "first diagnosed": a verb
        if token.stem in KIND_NOUNS and not _inside_a_name(parsed, token.start):
            rest = parsed.reading.folded[token.end :]
            if re.match(r"\s+(?:of|for|against|with)\s", rest) and _names_follow(parsed, token.end):
                return ()
            return KIND_NOUNS[token.stem]
        if token.word not in _BETWEEN:
            return ()
    return ()


def of_class(parsed: Parsed, within: Span, cited: Facts, members: Sequence[Facts]) -> tuple[Facts, ...]:
    """Of encounters, those of the cited one's class where the words say one: an "admission" is an inpatient stay."""
    if cited.resource_type != "Encounter":
        return tuple(members)
    said = {t.stem for t in tokens(parsed.text) if within[0] <= t.start < within[1]}
    classes = cited.detail("class")
    if not said & frozenset(s for c in classes for s in stems(CLASS_WORDS.get(c, c))):
        return tuple(members)
    return tuple(m for m in members if m.detail("class") == classes)


def _names_follow(parsed: Parsed, position: int) -> bool:
    first, last = noun_phrase(parsed, position)
    return any(first <= s < last for s in parsed.named_at)


def of_kind(parsed: Parsed, types: tuple[str, ...], cited: Facts) -> tuple[Facts, ...]:
    """Every resource of these types; of conditions, the diseases alone where the cited one is a disease."""
    members = [m for t in types for m in parsed.record.of_type(t)]
    if cited.resource_type == "Condition" and is_clinical(cited):
        members = [m for m in members if is_clinical(m)]
    return in_date_order(members)


def population(parsed: Parsed, facts: Facts, within: Span | None = None) -> tuple[Facts, ...]:
    """The resources among which a cited one is the latest, the first or one of several; oldest first.

    `within` is the noun phrase of the word that ranges: if it names something, only what it names counts.
    """
    record = parsed.record
    if facts.resource_type == "Observation":
        return _family(parsed, facts, within) if within else record.series(facts)
    if within:
        said, terms = _subject(parsed, facts, within)
        if said or terms:
            return _bearing(parsed, facts, said, terms)
    if any(facts in p.owners and fold(p.said) == fold(facts.label) for p in parsed.phrases):
        # Its whole name was said: that, and nothing wider.
        return tuple(m for m in record.series(facts) if fold(m.label) == fold(facts.label))
    said, terms = _subject(parsed, facts)
    if not said and not terms:
        return record.of_type(facts.resource_type) if _names_the_type(parsed, facts) else record.series(facts)
    return _bearing(parsed, facts, said, terms)


def _family(parsed: Parsed, facts: Facts, within: Span) -> tuple[Facts, ...]:
    """The results a phrase ranges over: "highest of the IgE levels" is the highest of all that are called so."""
    said, terms = _subject(parsed, facts, within)
    series = parsed.record.series(facts)
    if not terms and not said and len(series) == 1:
        return _siblings(parsed, facts)
    if terms or not said or said >= parsed.lexicon.telling(facts):
        return series
    ids = {m.resource_id for m in series}
    others = [o for o in parsed.record.of_type("Observation") if said <= parsed.lexicon.own_names(o)]
    return in_date_order([*series, *(o for o in others if o.resource_id not in ids)])


def _siblings(parsed: Parsed, facts: Facts) -> tuple[Facts, ...]:
    """Of a result that stands alone in its series, those of one unit and one kind of name: every IgE beside an IgE."""

    def unit(of: Facts) -> str:
        held = order.number(of)
        return unit_of(held) if held else ""

    own = frozenset(stems(facts.label)) - GENERIC
    return in_date_order(
        m
        for m in parsed.record.of_type(facts.resource_type)
        if m is facts or (unit(m) == unit(facts) and own & frozenset(stems(m.label)))
    )


def _bearing(
    parsed: Parsed, facts: Facts, said: frozenset[str], terms: tuple[tuple[Term, str], ...]
) -> tuple[Facts, ...]:
    members = tuple(
        o for o in parsed.record.of_type(facts.resource_type) if _bears(parsed.lexicon, facts, o, said, terms)
    )
    return members or parsed.record.series(facts)


def _subject(
    parsed: Parsed, facts: Facts, within: Span | None = None
) -> tuple[frozenset[str], tuple[tuple[Term, str], ...]]:
    """The stems of the statement, and the terms with the words used for them, that name this resource."""
    first, last = within or (0, len(parsed.text))
    lexicon = parsed.lexicon
    identity = lexicon.identity(facts)
    kinds = TYPE_WORDS.get(facts.resource_type, frozenset())
    said = {
        t.stem
        for t in parsed.left_over
        if t.stem in identity and first <= t.start < last and not (within and t.stem in kinds | FRAME)
    }
    own = lexicon.own_names(facts)
    for phrase in parsed.phrases:
        if facts in phrase.owners and first <= phrase.start < last:
            said |= {s for s in stems(phrase.said) if s in own}
    terms = []
    for mention in parsed.mentions:
        if not first <= mention.start < last:
            continue
        if lexicon.is_a(facts, mention.term, mention.said):
            terms.append((mention.term, mention.said))
        else:
            said |= mention.stems & own
    return frozenset(said), tuple(terms)


def _names_the_type(parsed: Parsed, facts: Facts) -> bool:
    kinds = TYPE_WORDS.get(facts.resource_type, frozenset())
    return any(t.stem in kinds for t in tokens(parsed.text))


def _bears(
    lexicon: Lexicon,
    cited: Facts,
    other: Facts,
    said: frozenset[str],
    terms: tuple[tuple[Term, str], ...],
) -> bool:
    """Whether another resource of the type goes by every name the statement uses for the cited one."""
    if other.resource_type == "Encounter":
        class_words = frozenset(s for c in cited.detail("class") for s in stems(CLASS_WORDS.get(c, c)))
        if said & class_words:
            if cited.detail("class") != other.detail("class"):
                return False
            said -= class_words
    mine, theirs = lexicon.own_names(cited), lexicon.own_names(other)
    rest = said - theirs
    if rest & mine or (rest and not rest <= lexicon.identity(other)):
        return False
    return all(lexicon.is_a(other, term, words) for term, words in terms)
