"""Words as they are compared: lower case, American spelling, accents dropped, stemmed; numbers and signs kept.

Used on questions, answers and record labels alike, so that "haemoglobin" and "Hemoglobin" are one word everywhere.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import snowballstemmer

# Letters and digits of any script: a word that is not Latin is still a word, and has to be accounted for.
_TOKEN = re.compile(r"[^\W_]+(?:[.'][^\W_]+)*(?:\+{1,2}(?![^\W_]))?")
_BRITISH = (
    (re.compile(r"haem"), "hem"),
    (re.compile(r"aem(?=i)"), "em"),
    (re.compile(r"oede"), "ede"),
    (re.compile(r"oesoph"), "esoph"),
    (re.compile(r"oestr"), "estr"),
    (re.compile(r"paed"), "ped"),
    (re.compile(r"orthopaed"), "orthoped"),
    (re.compile(r"rrhoea"), "rrhea"),
    (re.compile(r"pnoea"), "pnea"),
    (re.compile(r"tumour"), "tumor"),
    (re.compile(r"colour"), "color"),
    (re.compile(r"fibre"), "fiber"),
    (re.compile(r"ischaem"), "ischem"),
    (re.compile(r"leucocyt"), "leukocyt"),
    (re.compile(r"sulph"), "sulf"),
    (re.compile(r"immunis"), "immuniz"),
    (re.compile(r"hospitalis"), "hospitaliz"),
    (re.compile(r"diarrhoea"), "diarrhea"),
    (re.compile(r"mould"), "mold"),
    (
        re.compile(
            r"(?<=lab)our|(?<=behavi)our|(?<=fav)our|(?<=od)our|(?<=hum)our|(?<=vap)our|(?<=neighb)our"
        ),
        "or",
    ),
    (re.compile(r"anaesth"), "anesth"),
    (re.compile(r"gynaec"), "gynec"),
    (re.compile(r"aetiolog"), "etiolog"),
    (re.compile(r"faec"), "fec"),
    (re.compile(r"^foet"), "fet"),
    (re.compile(r"^caesar"), "cesar"),
    (re.compile(r"(?<=[bcdfghjklmnpqrstvxyz])is(?=(?:e|ed|es|ing|ations?)$)"), "iz"),
)
_PLURAL = re.compile(r"[A-Z][A-Z0-9]+s")
_STEMMER = snowballstemmer.stemmer("english")


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a text: as written (lower case, folded), its stem, and where it stands in the original text."""

    word: str
    stem: str
    start: int
    end: int


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The English stem of a folded word; words with digits and words of up to three letters are left alone."""
    if len(word) <= 3 or any(c.isdigit() for c in word):
        return word
    return str(_STEMMER.stemWord(word.removesuffix("'s")))


def fold(text: str) -> str:
    """Lower case without accents, length kept, so that positions still fit the original."""
    return "".join(_fold_char(c) for c in text)


@lru_cache(maxsize=4096)
def _fold_char(char: str) -> str:
    base = unicodedata.normalize("NFKD", char)[:1].lower()
    return "'" if char in "’ʼ`" else base if len(base) == 1 else char


@lru_cache(maxsize=20_000)
def tokens(text: str) -> tuple[Token, ...]:
    """The words of a text in order. Hyphens and slashes separate; "K+" and "1.73" are one word each."""
    found = []
    for match in _TOKEN.finditer(fold(text)):
        word = match.group()
        if _PLURAL.fullmatch(text, match.start(), match.end()):
            word = word[:-1]  # "BMIs"
        for pattern, american in _BRITISH:
            word = pattern.sub(american, word)
        found.append(Token(word, stem(word), match.start(), match.end()))
    return tuple(found)


@lru_cache(maxsize=20_000)
def stems(text: str) -> tuple[str, ...]:
    """The stems of a text's words, in order."""
    return tuple(t.stem for t in tokens(text))
