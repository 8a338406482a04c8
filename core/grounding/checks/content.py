"""Every word of substance has to be found in what is cited, and no other entry's name may stand in the statement.

This is what catches a fact added to a true one, and a citation of another entry than the one that is named.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core import terminology
from core.fhir.codes import plain
from core.grounding.checks import designator
from core.grounding.checks.names import joined
from core.grounding.checks.outcome import Outcome, agreed, contradicted, missing, named, several
from core.grounding.statement import Mention, Parsed, whole
from core.grounding.vocabulary import DEGREES, FRAME, KIND_NOUNS
from core.models import Facts
from core.terminology import TermKind
from core.words import Token, fold, stems, tokens

# Letters that mark a plural, an initial or a possessive and say nothing alone.
_BARE = frozenset({"s", "x"})


def coverage(parsed: Parsed, *, heading: bool = False) -> list[Outcome]:
    """Every word that is neither frame nor atom has to be a word of a cited resource; a heading may name their topic."""
    lexicon = parsed.lexicon
    topic = _topic(parsed, heading)
    known = frozenset(s for f in parsed.cited for s in lexicon.words(f))
    in_full = {
        f.resource_id
        for p in parsed.phrases
        for f in p.owners
        if fold(p.said) in (fold(f.label), fold(plain(f.label)))
    }
    besides = frozenset(
        s
        for f in parsed.cited
        for s in (lexicon.context(f) | lexicon.own_names(f) if f.resource_id in in_full else lexicon.words(f))
    )
    foreign: list[tuple[int, str]] = [
        (t.start, parsed.text[t.start : t.end])
        for t in parsed.left_over
        if t.stem not in (besides if t.stem in DEGREES else known)
        and t.word not in _BARE
        and t.stem not in topic
        and not joined(t.word, known)
        and not _is_initial(t, parsed)
        and not _written_apart(t.word, parsed.cited)
    ]
    if heading and (kind := _foreign_kind(parsed)):
        found_kind = several([f.label for f in parsed.cited])
        return [contradicted("name", kind, found_kind)]
    foreign += [(len(parsed.text), sign) for sign in parsed.signs]
    found: list[Outcome] = []
    for mention in parsed.mentions:
        if meant := [f.label for f in parsed.cited if lexicon.is_called(f, mention.term, mention.said)]:
            found.append(agreed("name", mention.said, several(meant)))
        elif mention.stems <= topic or _is_reason(mention, parsed.cited):
            continue
        elif _is_other_analyte(mention, parsed):
            found.append(contradicted("name", mention.said, several([named(f) for f in parsed.cited])))
        elif other := designator.other_than(mention.said, parsed.cited):
            found.append(contradicted("name", mention.said, other))
        elif not mention.stems <= known | FRAME and not joined(mention.said.casefold(), known):
            found.append(
                missing("name", mention.said, several([named(f) for f in parsed.cited]) or "nothing")
            )
    if foreign:
        held = several([f.label for f in parsed.cited]) or "nothing"
        said = several([word for _, word in sorted(foreign)], limit=6)
        found.append(missing("content", said, f"not in what is cited: {held}"))
    return found


def _written_apart(word: str, cited: Sequence[Facts]) -> bool:
    """ "Transthoracic" where the record writes "trans thoracic"."""
    return len(word) > 7 and any(word in fold(f.label).replace(" ", "") for f in cited)


def _is_initial(token: Token, parsed: Parsed) -> bool:
    """ "E. coli" where the record writes the genus out."""
    after = parsed.reading.folded[token.end :]
    if len(token.word) != 1 or not (following := re.match(r"\.\s+([a-z]+)", after)):
        return False
    written = re.compile(rf"\b{re.escape(token.word)}[a-z]{{2,}}\s+{following[1]}\b")
    return any(written.search(fold(f.label)) for f in parsed.cited)


def _is_reason(mention: Mention, cited: Sequence[Facts]) -> bool:
    """Whether a term is what a resource was given or done for."""
    return any(mention.term.is_named_by(reason) for f in cited for reason in f.detail("reason"))


# Types that may stand under the name of another.
_ALSO = {"Procedure": ("ImagingStudy", "DiagnosticReport", "Device"), "Condition": ("FamilyMemberHistory",)}


def _foreign_kind(parsed: Parsed) -> str:
    """The kind that a heading names where nothing under it is of that kind: "Medications" over results."""
    types = {f.resource_type for f in parsed.cited}
    for token in tokens(parsed.text):
        meant = KIND_NOUNS.get(token.stem, ())
        inside = any(p.start <= token.start < p.end for p in parsed.phrases)
        if meant and not inside and not token.word.endswith("ed"):
            allowed = {*meant, *(also for t in meant for also in _ALSO.get(t, ()))}
            if not types & allowed:
                return token.word
    return ""


def _topic(parsed: Parsed, heading: bool) -> frozenset[str]:
    """The words of a topic that everything cited belongs to: "Lipids" over LDL and HDL results.

    Within a sentence only a panel is meant by one ("CBC: Hb 15 g/dL"): "diabetes" would be a diagnosis there.
    """
    said = tuple(stems(parsed.text if heading else parsed.text.partition(":")[0]))
    if not heading and (
        ":" not in parsed.text or any(m.term.kind is TermKind.CONDITION for m in parsed.mentions)
    ):
        return frozenset()
    for words, keys in terminology.topics():
        here = any(said[i : i + len(words)] == words for i in range(len(said) - len(words) + 1))
        if here and all(any(t.key in keys for t in parsed.lexicon.terms(f)) for f in parsed.cited):
            return frozenset(words)
    return frozenset()


def _is_other_analyte(mention: Mention, parsed: Parsed) -> bool:
    """Whether the statement names a measurement that none of the cited, known, measurements is."""
    if mention.term.kind is not TermKind.ANALYTE or not parsed.cited:
        return False
    lexicon = parsed.lexicon
    if not all(f.resource_type == "Observation" and lexicon.analytes(f) for f in parsed.cited):
        return False
    # "Cholesterol in HDL" names HDL cholesterol: a wider word beside the right one is part of its name.
    names = frozenset(s for f in parsed.cited for s in lexicon.own_names(f))
    beside = any(
        other is not mention
        and any(lexicon.is_a(f, other.term) for f in parsed.cited)
        and not set(stems(_gap(parsed, mention, other))) - {"in", "of"}
        for other in parsed.mentions
    )
    return not (beside and mention.stems <= names)


def _gap(parsed: Parsed, one: Mention, other: Mention) -> str:
    first, second = sorted((one, other), key=lambda m: m.start)
    return parsed.text[first.end : second.start]


def another(parsed: Parsed) -> list[Outcome]:
    """A statement that gives the full name of another entry of the record, and cites this one, has the wrong citation."""
    found = []
    text = parsed.reading.folded
    for kind in {f.resource_type for f in parsed.cited} - {"Observation", "Patient"}:
        mine = [f for f in parsed.cited if f.resource_type == kind]
        own = frozenset(n for f in mine for n in parsed.lexicon.series_names(f))
        words = frozenset(t.word for f in mine for n in (f.label, *f.names) for t in tokens(n))
        here = {t.word for t in tokens(parsed.text)}
        by_word = parsed.lexicon.labels(kind)
        for label in {name for word in here & by_word.keys() for name in by_word[word]} - own:
            start = text.find(label)
            if (
                start < 0
                or not whole(text, start, start + len(label))
                or _covered(parsed, start, start + len(label))
            ):
                continue
            if kind.startswith("Medication") or not frozenset(t.word for t in tokens(label)) <= words:
                found.append(contradicted("name", label, several([named(f) for f in mine])))
    return found


def _covered(parsed: Parsed, start: int, end: int) -> bool:
    """Whether a stretch lies inside a name of something cited."""
    return any(p.start <= start and end <= p.end for p in parsed.phrases)
