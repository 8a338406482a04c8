"""A value in words, a reaction or its severity belongs to the resource cited for it, not to another one cited beside it.

Words that a statement takes from the value of one resource are wrong where it cites another; a citation that stands
alone ("enlarged in 2018 [A] and 2019 [B]") goes on with the value said before it.
"""

from __future__ import annotations

from core.grounding.checks.outcome import Outcome, agreed, contradicted, named, several
from core.grounding.lexicon import Lexicon
from core.grounding.scope import Scope
from core.grounding.statement import Parsed
from core.grounding.vocabulary import FRAME
from core.models import Facts, ValueKind
from core.words import stems, tokens

_OF_ALLERGY = ("reaction", "manifestation", "severity", "criticality")


def check(parsed: Parsed, scope: Scope) -> list[Outcome]:
    """The value words of each group of citations against what is cited there."""
    if len(scope.groups) < 2:
        return []
    telling = {f.resource_id: _told(f, parsed.lexicon) for f in parsed.cited}
    every = frozenset(s for words in telling.values() for s in words)
    if not every:
        return []
    said: dict[int, set[str]] = {}
    for token in tokens(parsed.text):
        if token.stem in every:
            said.setdefault(scope.index(token.start), set()).add(token.stem)
    found: list[Outcome] = []
    words: set[str] = set()
    for index, group in enumerate(scope.groups):
        holders = [f for f in group.cited if telling.get(f.resource_id)]
        words = said.get(index, words if holders else set())
        wrong = [f for f in holders if words and not words <= parsed.lexicon.words(f)]
        if wrong and len(wrong) == len(holders):
            found.append(contradicted("value", " ".join(sorted(words)), several([_shown(f) for f in wrong])))
        elif words and holders:
            found.append(agreed("value", " ".join(sorted(words)), several([_shown(f) for f in holders])))
    return found


def _told(facts: Facts, lexicon: Lexicon) -> frozenset[str]:
    """The stems of a resource's values in words and of the reactions it tells, without those of its name."""
    texts = [
        w for v in facts.values if v.kind in (ValueKind.CODE, ValueKind.TEXT) for w in (v.text, *v.words)
    ]
    texts += facts.detail(*_OF_ALLERGY)
    if sum(len(t) for t in texts) > 300:
        return frozenset()
    return frozenset(s for t in texts for s in stems(t)) - lexicon.own_names(facts) - FRAME


def _shown(facts: Facts) -> str:
    told = several([v.text for v in facts.values if v.text] + facts.detail(*_OF_ALLERGY))
    return f"{named(facts)}: {told}"
