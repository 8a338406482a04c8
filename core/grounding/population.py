"""What a record-wide word ranges over: the resources a statement speaks of when it says "latest", "first" or "3 of them".

For a measurement that is its series (same code); for anything else, every resource of the type that bears the names said.
"""

from __future__ import annotations

from core.grounding.lexicon import CLASS_WORDS, Lexicon
from core.grounding.statement import Parsed
from core.grounding.vocabulary import TYPE_WORDS
from core.models import Facts
from core.terminology import Term
from core.words import fold, stems, tokens


def population(parsed: Parsed, facts: Facts) -> tuple[Facts, ...]:
    """The resources among which a cited one is the latest, the first or one of several; oldest first."""
    record = parsed.record
    if facts.resource_type == "Observation":
        return record.series(facts)
    if any(facts in p.owners and fold(p.said) == fold(facts.label) for p in parsed.phrases):
        # Its whole name was said: that, and nothing wider.
        return tuple(m for m in record.series(facts) if fold(m.label) == fold(facts.label))
    said, terms = _subject(parsed, facts)
    if not said and not terms:
        return record.of_type(facts.resource_type) if _names_the_type(parsed, facts) else record.series(facts)
    members = tuple(
        o for o in record.of_type(facts.resource_type) if _bears(parsed.lexicon, facts, o, said, terms)
    )
    return members or record.series(facts)


def _subject(parsed: Parsed, facts: Facts) -> tuple[frozenset[str], tuple[Term, ...]]:
    """The stems and terms of the statement that name this resource."""
    lexicon = parsed.lexicon
    identity = lexicon.identity(facts)
    said = {t.stem for t in parsed.left_over if t.stem in identity}
    own = lexicon.own_names(facts)
    for phrase in parsed.phrases:
        if facts in phrase.owners:
            said |= {s for s in stems(phrase.said) if s in own}
    terms = []
    for mention in parsed.mentions:
        if lexicon.is_a(facts, mention.term):
            terms.append(mention.term)
        else:
            said |= mention.stems & own
    return frozenset(said), tuple(terms)


def _names_the_type(parsed: Parsed, facts: Facts) -> bool:
    kinds = TYPE_WORDS.get(facts.resource_type, frozenset())
    return any(t.stem in kinds for t in tokens(parsed.text))


def _bears(
    lexicon: Lexicon, cited: Facts, other: Facts, said: frozenset[str], terms: tuple[Term, ...]
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
    return all(lexicon.is_a(other, term) for term in terms)
