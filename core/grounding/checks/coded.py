"""A value in words is the recorded one or it is wrong: text in quotes has to be the record's, smoking classes do not mix.

Words that frame other sentences ("every", "day", "some") are part of the value here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.fhir.codes import plain
from core.grounding.checks.outcome import Outcome, agreed, contradicted, missing, several
from core.grounding.reading import Reading
from core.models import Facts, ValueKind
from core.words import fold, stems

_WORDED = frozenset({ValueKind.CODE, ValueKind.TEXT, ValueKind.BOOLEAN})
_QUOTED = re.compile(r"[\"“”«»]([^\"“”«»]{2,200})[\"“”«»]")
# Frame words that coded answers are made of.
STRICT = frozenset(
    s
    for w in ["every", "day", "some", "days", "one", "two", "three", "four", "few", "many", "once", "ever"]
    for s in stems(w)
)
# HL7 smoking status value set, in the three classes people speak of.
_NEVER = (
    r"\bnever(?: been)?(?: a)?(?: tobacco)? smok(?:ers?|ed|es|ing)\b|\bnon[\s-]?smok(?:ers?|ing)\b|"
    r"\b(?:does|did)(?:n't| not) smoke|\bnever used tobacco"
)
_FORMER = (
    r"\bex[\s-]?smokers?|\bformer(?:ly)?(?: a)?(?: \w+)? smokers?|\bused to smoke|\bpast smokers?|"
    r"\bsmoked\b(?! tobacco \(finding)|\bno longer (?:an? )?smok(?:er|es|ing)\b|"
    r"\b(?:quit(?: smoking)?|stopped smoking)\b(?!(?: smoking)? (?:in|on|since|at|by|\d|last|a|two|three|"
    r"four|five|six|seven|eight|nine|ten)\b)"
)
_CURRENT = (
    r"\bcurrent(?:ly)?(?: an?)?(?: (?!status)[\w-]+){0,3} smok(?:ers?|ed|es|ing)?\b(?! (?:status|history))|"
    r"\bsmokes(?: (?:every|some) days?| daily)?\b|"
    r"\b(?:daily|every[\s-]day|some[\s-]day|heavy|light)(?: tobacco)? smok(?:ers?|ing)\b|"
    r"\bsmokes?\b|\bis an? (?:active )?smoker|\bsmoker, current|(?:^\W*|[:;,(]\s*)smoker\b(?! status)"
)
_SMOKED_WHEN = re.compile(r"\bsmok(?:ed|ing)\s+(?:until|till|from|for|since|between|before|after|up to)\b")
_SMOKING = tuple(
    (n, re.compile(p)) for n, p in (("never", _NEVER), ("former", _FORMER), ("current", _CURRENT))
)


def read(reading: Reading, cited: Sequence[Facts]) -> str:
    """The smoking class a statement says, where a coded answer is cited; its words are claimed."""
    if not any(is_worded(f) for f in cited):
        return ""
    said = _smoking_class(reading.folded)
    for name, pattern in _SMOKING:
        if name == said:
            for match in list(reading.find(pattern)):
                reading.take(*match.span())
    return said


def check(said: str, text: str, cited: Sequence[Facts]) -> list[Outcome]:
    """Quoted words, and the smoking class said, against what the cited resources hold."""
    found = [_quoted(match[1], cited) for match in _QUOTED.finditer(text)]
    if (when := _SMOKED_WHEN.search(fold(text))) and any(is_worded(f) for f in cited):
        found.append(missing("value", when.group(), "the record says whether, not when"))
    worded = [f for f in cited if any(v.kind in _WORDED for v in f.values)]
    held = {c for f in worded for v in f.values for w in (v.text, *v.words) if (c := _smoking_class(fold(w)))}
    if said and held:
        shown = several([v.text for f in worded for v in f.values])
        found.append(
            agreed("value", said, shown) if said in held else contradicted("value", f"{said} smoker", shown)
        )
    return found


def _smoking_class(text: str) -> str:
    return next((name for name, pattern in _SMOKING if pattern.search(text)), "")


def _quoted(said: str, cited: Sequence[Facts]) -> Outcome:
    """Quoted words have to stand, in full, in one name, value or detail of what is cited."""
    wanted = frozenset(stems(plain(said)))
    for facts in cited:
        for text in (*_texts(facts), facts.status, *facts.statuses):
            if wanted <= frozenset(stems(text)):
                return agreed("value", said, text if len(text) < 120 else facts.label)
    held = several([v.text for f in cited for v in f.values if v.kind in _WORDED])
    if held:
        return contradicted("value", said, held)
    return missing("value", said, several([f.label for f in cited]) or "nothing cited")


def _texts(facts: Facts) -> list[str]:
    texts = [facts.label, *facts.names, *(d.text for d in facts.details), *facts.categories]
    return texts + [t for v in facts.values for t in (v.label, v.text, *v.words)]


def is_worded(facts: Facts) -> bool:
    """Whether a resource is an Observation whose values are words."""
    return bool(facts.values) and all(v.kind in _WORDED for v in facts.values)
