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
    r"(?:searched|looked|what was searched|nearby|nearest|related|closest|similar|available|chartcite|"
    r"also (?:on|in) (?:the )?record|(?:the|this) record (?:does )?(?:holds?|contains?|has|covers?)|"
    r"no (?:matching|such|relevant)|nothing)\b",
    re.IGNORECASE,
)
# Words and units of a result or a judgement; a drug's strength in its name is neither.
_STATEMENT = re.compile(
    r"\b(?:however|but|although|likely|probably|the patient|diagnosed|suffers?|should)\b|"
    r"\d\s*(?:%|g/dl|mg/dl|mmol|mmhg|mm\[hg\]|kg|cm|lb|bpm|u/l|pg/ml|ng/ml)",
    re.IGNORECASE,
)
_GAP = re.compile(
    rf"{re.escape(REFUSAL.rstrip('.'))}: [\"“](?P<asked>[^\"“”]{{1,200}})[\"”]\.?", re.IGNORECASE
)
_QUOTED = re.compile(r"[\"“”][^\"“”]{0,300}[\"“”]")


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
        if not (opens or listing) or _STATEMENT.search(_QUOTED.sub("", sentence)):
            return False
        listing = listing or ":" in sentence
    return True


def is_gap(statement: str, question: str) -> bool:
    """Whether a sentence only says which words of the question are not answered; words of its own make it a claim."""
    match = _GAP.fullmatch(statement.strip())
    return match is not None and _plain(match["asked"]) in _plain(question)


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text).strip().casefold()
