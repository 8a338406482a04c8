"""A cited resource has to be what the statement is about.

This is what catches a citation of another analyte whose number and date happen to fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from core import terminology
from core.grounding.checks import designator
from core.grounding.checks.outcome import Outcome, agreed, contradicted, named, several
from core.grounding.lexicon import CLASS_WORDS, Lexicon
from core.grounding.scope import Scope
from core.grounding.statement import Parsed
from core.grounding.vocabulary import FRAME, GENERIC, KIND_NOUNS, SAID_FOR
from core.models import Facts
from core.terminology import TermKind
from core.words import stem, stems, tokens

# Two forms of one word that stemming keeps apart: echocardiogram and echocardiography, anemia and anemic.
_VERBS = {"weigh": "weight", "tall": "height", "smoke": "smoker", "refer": "referr", "admit": "admiss"}
_REMOVED = frozenset(stems("removed removal excised excision taken"))
# Said by what it does to a number of that kind: "gained 3 kg", "grew 4 cm".
_CHANGED = (
    (
        re.compile(r"\b(?:gain(?:ed|s)?|lost|loses|put on|shed|weigh(?:s|ed|ing)?)\b"),
        frozenset({"kg", "g", "[lb_av]"}),
        "weight",
    ),
    (
        re.compile(r"\b(?:grew|grown|grows|measured|measures|stood|stands|tall)\b"),
        frozenset({"cm", "m", "[in_i]"}),
        "height",
    ),
)
_KIN = (
    ("gram", "graphi"), ("graph", "graphi"), ("emia", "em"), ("osi", "ot"), ("ma", "mat"), ("ment", ""), ("axi", "act"),
    ("iti", "it"), ("epsi", "ept"), ("epsi", "eptic"), ("ysi", "yt"), ("pathi", "path"), ("scopi", "scop"),
    ("vert", "vers"), ("mit", "miss"), ("lud", "lus"), ("scrib", "script"), ("induc", "induct"),
)  # fmt: skip


def joined(word: str, known: frozenset[str]) -> bool:
    """ "X-ray" and "Xray" are one word; so are an echocardiogram and an echocardiography."""
    own = stem(word)
    if any(way <= known for way in SAID_FOR.get(own, ())):
        return True
    if _VERBS.get(own) in known:
        return True
    for one, other in _KIN:
        for a, b in ((one, other), (other, one)):
            if own.endswith(a) and own[: -len(a)] + b in known and len(own) > len(a) + 3:
                return True
    if own in _REMOVED and any(s.endswith("ectomi") for s in known):
        return True
    return any(
        word.startswith(s) and (word[len(s) :] in known or stem(word[len(s) :]) in known)
        for s in known
        if 0 < len(s) < len(word)
    )


def identity(
    parsed: Parsed, scope: Scope, context: Sequence[str], said_before: Sequence[Facts]
) -> list[Outcome]:
    """Each cited resource has to be named by the statement, or by what it stands under where it names nothing itself."""
    found = []
    for index, group in enumerate(scope.groups):
        end = len(parsed.text) if scope.leading or index == len(scope.groups) - 1 else group.end
        for facts in group.cited:
            if not _is_named(facts, parsed, end, context, said_before):
                found.append(contradicted("name", _said(parsed, end, context), named(facts)))
    if not found and parsed.cited:
        found.append(
            agreed(
                "name", several([f.label for f in parsed.cited]), several([named(f) for f in parsed.cited])
            )
        )
    return found


def _is_named(
    facts: Facts, parsed: Parsed, end: int, context: Sequence[str], said_before: Sequence[Facts]
) -> bool:
    if names(facts, parsed, 0, end):
        # Named by its reason or value alone ("for migraine") beside one named in full, it is not what is meant.
        return by_own_name(facts, parsed, 0, end) or not any(
            f.resource_type == facts.resource_type
            and not parsed.record.same_series(f, facts)
            and by_own_name(f, parsed, 0, end)
            for f in parsed.cited
        )
    others = [
        f for f in parsed.cited if f.resource_id != facts.resource_id and parsed.record.same_series(f, facts)
    ]
    if any(names(f, parsed, 0, len(parsed.text)) for f in others):
        return True
    if facts.resource_type == "Patient":
        return True
    if any(f.resource_id == facts.resource_id for f in said_before):
        return not parsed.names_something or names(facts, parsed, 0, len(parsed.text))
    if parsed.names_something:
        # Something else is named before the citation: it has to be this. Nothing before it: what follows may name it.
        if _is_asked_for(facts, context) and any(
            names(f, parsed, 0, end) for f in parsed.cited if f.resource_type != facts.resource_type
        ):
            return True  # "ED visits? 22 May 2016 (whiplash) [Encounter, Condition]"
        return not _names_anything(parsed, 0, end) and (
            names(facts, parsed, 0, len(parsed.text)) or _named_above(facts, parsed.lexicon, context)
        )
    return _named_above(facts, parsed.lexicon, context) or _follows(facts, parsed, context, said_before)


def names(facts: Facts, parsed: Parsed, start: int, end: int) -> bool:
    """Whether a stretch of the statement names a resource: word for word, by a term, or by a word that is its own."""
    lexicon = parsed.lexicon
    if any(start <= p.start < end and facts in p.owners for p in parsed.phrases):
        return True
    if facts.resource_type == "Encounter" and _by_class(facts, parsed, start, end):
        return True
    if parsed.smoking and _of_smoking(facts):
        return True
    if _turned_away(facts, parsed):
        return False
    telling = lexicon.telling(facts)
    for mention in parsed.mentions:
        if start <= mention.start < end:
            if lexicon.is_called(facts, mention.term, mention.said):
                return True
            strict = mention.term.kind is TermKind.ANALYTE and lexicon.analytes(facts)
            if not strict and (mention.stems & telling or joined(mention.said.casefold(), telling)):
                return True
    if lexicon.ratio(facts) - parsed.said:
        return False
    if any(t.key in _changed(parsed) for t in lexicon.analytes(facts)):
        return True
    return any(
        start <= t.start < end and (t.stem in telling or joined(t.word, telling)) for t in parsed.left_over
    )


def _by_class(facts: Facts, parsed: Parsed, start: int, end: int) -> bool:
    """Whether an encounter is named by what kind of encounter it is: "in hospital", "the emergency room"."""
    said = frozenset(t.stem for t in tokens(parsed.text) if start <= t.start < end)
    return any(said & frozenset(stems(CLASS_WORDS.get(c, c))) for c in facts.detail("class"))


def _of_smoking(facts: Facts) -> bool:
    """Whether a coded answer is the smoking status, which "has never smoked" names."""
    return facts.resource_type == "Observation" and bool(
        {"smok", "tobacco"} & {s[:7].removesuffix("e") for s in stems(facts.label)}
    )


def _changed(parsed: Parsed) -> set[str]:
    """The measurements that a statement means by saying what became of a number with their unit."""
    units = {q.stated.unit for q in parsed.quantities}
    return {key for verb, of, key in _CHANGED if units & of and parsed.reading.has(verb)}


_TESTED = frozenset(
    stems("screen screened screening test tested testing serology checked measured measurement")
)
_OF_TESTS = frozenset(stems("antigen antibody screening test measurement"))
_NO = frozenset(stems("no not without never none absence"))


def _turned_away(facts: Facts, parsed: Parsed) -> bool:
    """Whether a name lacks the word that makes it what it is; one way of saying "no" is as good as another."""
    missed = parsed.lexicon.turned(facts) - parsed.said - {_VERBS.get(s, "") for s in parsed.said}
    if parsed.said & _TESTED:
        missed -= _OF_TESTS  # "screened for chlamydia" is an antigen test
    return bool(missed - _NO or (missed and not parsed.said & _NO))


def says_the_same_no(parsed: Parsed, start: int, about: Sequence[Facts]) -> bool:
    """Whether a negation and the words after it are part of a name: "without loss of consciousness"."""
    following = [t.stem for t in tokens(parsed.text) if t.start >= start and t.stem not in FRAME][:2]
    return bool(following) and any(
        frozenset(stems(f.label)) & _NO and set(following) <= parsed.lexicon.own_names(f) for f in about
    )


def by_own_name(facts: Facts, parsed: Parsed, start: int, end: int) -> bool:
    """Whether a stretch names a resource by what it is called, not by what else it says."""
    lexicon = parsed.lexicon
    own = lexicon.identity(facts) - GENERIC or lexicon.identity(facts)
    if facts.resource_type == "Encounter" and _by_class(facts, parsed, start, end):
        return True
    if any(t.key in _changed(parsed) for t in lexicon.analytes(facts)):
        return True
    return (
        any(
            start <= p.start < end and facts in p.owners and frozenset(stems(p.said)) & own
            for p in parsed.phrases
        )
        or any(
            start <= m.start < end
            and (lexicon.is_a(facts, m.term, m.said) or m.stems & own or joined(m.said.casefold(), own))
            for m in parsed.mentions
        )
        or any(start <= t.start < end and (t.stem in own or joined(t.word, own)) for t in parsed.left_over)
    )


def places(parsed: Parsed) -> list[tuple[int, int, tuple[Facts, ...]]]:
    """Every stretch of the statement that names cited resources, in text order, with those it names."""
    lexicon, found = parsed.lexicon, []
    for phrase in parsed.phrases:
        found.append((phrase.start, phrase.end, phrase.owners))
    for mention in parsed.mentions:
        owners = tuple(f for f in parsed.cited if lexicon.is_a(f, mention.term, mention.said)) or tuple(
            f for f in parsed.cited if mention.stems & lexicon.telling(f)
        )
        found.append((mention.start, mention.end, owners))
    for stage in parsed.designators:
        owners = tuple(f for f in parsed.cited if designator.check(stage, [f]).ok)
        found.append((stage.start, stage.end, owners))
    for token in parsed.left_over:
        owners = tuple(
            f
            for f in parsed.cited
            if token.stem in lexicon.telling(f) or joined(token.word, lexicon.telling(f))
        )
        found.append((token.start, token.end, owners))
    return sorted(p for p in found if p[2])


def _names_anything(parsed: Parsed, start: int, end: int) -> bool:
    spans: Iterable[int] = [
        *(p.start for p in parsed.phrases), *(m.start for m in parsed.mentions), *(t.start for t in parsed.left_over)
    ]  # fmt: skip
    return any(start <= s < end for s in spans)


def _named_above(facts: Facts, lexicon: Lexicon, context: Sequence[str]) -> bool:
    telling = lexicon.telling(facts) - FRAME
    for text in context:
        if any(lexicon.is_a(facts, m.term) for m in terminology.terms_in(text)):
            return True
        if not lexicon.analytes(facts) and telling & frozenset(stems(text)):
            return True
        if any(way <= telling for s in stems(text) for way in SAID_FOR.get(s, ())):
            return True
        if frozenset(stems(text)) >= frozenset(stems(facts.label)):
            return True
    return False


def _is_asked_for(facts: Facts, context: Sequence[str]) -> bool:
    """Whether what stands above asks for entries of this kind."""
    return any(facts.resource_type in KIND_NOUNS.get(s, ()) for text in context for s in stems(text))


def _follows(facts: Facts, parsed: Parsed, context: Sequence[str], said_before: Sequence[Facts]) -> bool:
    """A statement that names nothing may go on about the series spoken of before, or stand alone."""
    if any(parsed.record.same_series(facts, f) for f in said_before):
        return True
    if said_before and facts.resource_type == "Observation":
        return False
    return not any(_speaks_of_another(facts, parsed, text) for text in context)


def _speaks_of_another(facts: Facts, parsed: Parsed, text: str) -> bool:
    """Whether the text above names a subject that this resource is not."""
    if facts.resource_type == "Observation":
        terms = [m.term for m in terminology.terms_in(text) if m.term.kind is TermKind.ANALYTE]
        if terms and parsed.lexicon.analytes(facts):
            return True
        words = parsed.lexicon.words(facts)
        said = frozenset(s for s in stems(text) if s not in FRAME and s not in words and len(s) > 2)
        return bool(said & parsed.lexicon.of_results)
    return False


def _said(parsed: Parsed, end: int, context: Sequence[str]) -> str:
    spans = [*((p.start, p.said) for p in parsed.phrases), *((m.start, m.said) for m in parsed.mentions)]
    spans += [(t.start, parsed.text[t.start : t.end]) for t in parsed.left_over]
    said = [text for start, text in sorted(spans) if start < end]
    return " ".join(said[:8]) or next((c for c in context if c), "the subject above")
