"""A refusal is the refusal sentence and nothing about the patient: with a citation or a result beside it, it is an answer.

A model may hedge ("Insufficient data …, however the HbA1c was 7 %"): that text is verified like any other.
"""

from __future__ import annotations

import re

from core.grounding import citations
from core.models import REFUSAL

_SPACE = re.compile(r"\s+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
# What a refusal may add: where was looked, and what else the record holds. Never a result, never a statement.
_SEARCHED = re.compile(
    r"(?:searched|looked|what was searched|nearby|related|closest|similar|available|also (?:on|in) (?:the )?record|"
    r"the record (?:does )?(?:holds?|contains?|has|covers?)|this record (?:holds|contains|has|covers)|"
    r"no (?:matching|such|relevant)|nothing)\b",
    re.IGNORECASE,
)
_STATEMENT = re.compile(
    r"\b(?:however|but|although|likely|probably|patient|he|she|they|his|her|was|were|diagnosed|suffers?|"
    r"should|normal|elevated|high|low)\b|\d\s*(?:%|mg|g/dl|mmol|mmhg|kg|cm|lb|ml|u/l|pg|ng)",
    re.IGNORECASE,
)


def is_refusal(answer: str) -> bool:
    """Whether the whole text is a refusal: the sentence, then at most what was searched and what lies nearby."""
    text, cited = citations.mask(answer)
    plain = _SPACE.sub(" ", text.replace("*", "").replace("_", "")).strip()
    if cited or not plain.casefold().startswith(REFUSAL.casefold().rstrip(".")):
        return False
    rest = text.replace("*", "").replace("_", "").strip()[len(REFUSAL.rstrip(".")) :].lstrip(". \n")
    sentences = [s.strip(" -•\t") for s in _SENTENCE.split(rest)]
    listing = False
    for sentence in filter(None, sentences):
        opens = bool(_SEARCHED.match(sentence))
        if not (opens or listing) or _STATEMENT.search(sentence):
            return False
        listing = sentence.endswith(":") or listing
    return True
