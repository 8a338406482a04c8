"""Sentences of an answer that greet, announce, offer or close, and state nothing about the patient.

They cite nothing and need no citation. A sentence that holds a number, a date, a "no" or a word outside the vocabulary of
talk is none of them: it may be a statement, and is judged as one.
"""

from __future__ import annotations

import re

from core.grounding.statement import Parsed
from core.grounding.vocabulary import TALK
from core.words import tokens

_GREETING = re.compile(
    r"\b(?:good (?:morning|afternoon|evening|question)|great question|best regards|of course)\b"
)
# What is offered may be named ("Let me know if you want the HbA1c trend"); what is, was or has been is stated.
_OFFER = re.compile(
    r"^\W*(?:(?:please|just|and|so|also)\s+)*(?:let me know|feel free|(?:do|would) you (?:want|like)|shall i|want me to|"
    r"if (?:you(?:'d| would)? (?:like|need|want|wish)|needed|helpful|useful)|should you (?:need|want|wish)|"
    r"i(?:'m| am|'d be| would be) (?:happy|glad) to|(?:happy|glad) to|i can (?:also )?(?:pull|show|list|look|help|give|"
    r"chart|plot|provide|go|summari[sz]e|break))\b"
)
_NUMBER = re.compile(r"(?<![a-z\d])\d")  # but "HbA1c"
_STATED = re.compile(
    r"\b(?:is|are|was|were|has|had|been|she|he|they|his|her|their|its|patient|not?|never|none)\b"
)


def is_talk(parsed: Parsed) -> bool:
    """Whether a sentence that cites nothing states nothing either."""
    folded = parsed.reading.folded
    if _NUMBER.search(folded) or parsed.phrases:
        return False
    if _OFFER.match(folded) and not _STATED.search(folded):
        return True
    said = _GREETING.sub(" ", folded)
    return not parsed.mentions and all(t.word in TALK for t in tokens(said))
