"""Words beside an atom that say how to read it: by its end, as a pair, of what "it" means, on which side of a pressure.

Pure: each takes a statement that is read already.
"""

from __future__ import annotations

import re

from core.grounding.checks import components
from core.grounding.checks.direction import RelationAtom
from core.grounding.checks.duration import DurationAtom
from core.grounding.checks.every import QuantifierAtom
from core.grounding.statement import Parsed

_ENDED = re.compile(r"\b(?:discharged|ended|resolved|stopped|went home|sent home|finished|cleared)\b[^,;]*$")
_BOTH_AND = re.compile(
    r"\s+(?:an?|the|his|her|in|of|on)?\b[^,;.]{2,60}?\band\b\s+(?:an?|the|his|her|in|of|on)?\b"
)
_IT = re.compile(r"\s*(?:it|this|that|they|these)\b", re.IGNORECASE)


def labels(parsed: Parsed) -> frozenset[str]:
    """The side of a blood pressure that a statement speaks of: named with a number, named at all, or the one stated."""
    return (
        frozenset(w for a in parsed.quantities for w in a.labels)
        or _side_named(parsed)
        or _side_stated(parsed)
    )


def by_its_end(parsed: Parsed, atom: RelationAtom) -> bool:
    """Whether "the same day" is that of an end: "… and was discharged the same day"."""
    return bool(_ENDED.search(parsed.reading.before(atom.start)))


def pairs(parsed: Parsed, atom: QuantifierAtom) -> bool:
    """Whether "both" is followed by the two it means: "both a stent and a bypass"."""
    return bool(_BOTH_AND.match(parsed.reading.folded[atom.end :]))


def speaks_of_it(parsed: Parsed) -> bool:
    """Whether the subject of a statement is what the one before was about."""
    return bool(_IT.match(parsed.text))


def is_later(parsed: Parsed, atom: DurationAtom) -> bool:
    """Whether what follows a length of time is the later of two: "two years before X" is, "two years before, X" is not."""
    adverb = re.match(r"\s*(?:[,.;:)]|$)", parsed.reading.folded[atom.end :])
    return atom.said.endswith("later") or (atom.said.endswith("before") and not adverb)


def _side_stated(parsed: Parsed) -> frozenset[str]:
    """The one side of a blood pressure that a single stated number is."""
    stated = [q.stated for q in parsed.quantities if not q.comparator]
    sides = {
        word
        for f in parsed.cited
        for code, word in ((components.SYSTOLIC, "systolic"), (components.DIASTOLIC, "diastolic"))
        for held in [components.component(f, code, word)]
        if held and held.value is not None and any(s.equals(held.value) for s in stated)
    }
    return frozenset(sides) if len(stated) == 1 and len(sides) == 1 else frozenset()


def _side_named(parsed: Parsed) -> frozenset[str]:
    words = {t.stem for t in parsed.left_over}
    found = frozenset(
        w for w in ("systolic", "diastolic") if w in words or w[:8] in words or w in parsed.reading.folded
    )
    return found if len(found) == 1 else frozenset()
