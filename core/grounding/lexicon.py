"""The words a resource can be spoken of with: its own names, its terms' synonyms, and whatever else it states.

A word is never its name merely because it sounds like it: synonyms come from codes, through core.terminology.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache

from rapidfuzz.distance import DamerauLevenshtein

from core import terminology
from core.fhir.codes import plain
from core.fhir.types import spoken
from core.grounding import linked
from core.grounding.record import Record
from core.grounding.vocabulary import FRAME, GENERIC, TURNING, TYPE_WORDS
from core.models import Facts, ValueKind
from core.naming import MEDICATION_TYPES, SPEAKS_OF, is_a
from core.terminology import Term, TermKind
from core.words import Token, fold, stems, tokens

# "FEV1/FVC" is a third thing beside FEV1 and FVC.
_RATIO = re.compile(r"\b[A-Za-z0-9]{2,8}/[A-Za-z0-9]{2,8}\b")
_SPACES = re.compile(r"\s+")
_TOO_LONG = 300
_LONG_NAME = 9  # letters; no two drugs of so many differ in one
# "Due to" gives a cause and "no more than" a limit: neither turns what the name is of.
_NOT_TURNED = re.compile(r"\b(?:due to|no (?:more|less|fewer) than)\b", re.IGNORECASE)
_LONG = frozenset({"document", "presentedForm"})
# How people say Encounter.class; HL7 v3 ActEncounterCode.
CLASS_WORDS = {
    "emergency": "emergency er ed a&e casualty department room",
    "inpatient": "inpatient hospital hospitalization hospitalized admission admitted admissions ward",
    "ambulatory": "ambulatory outpatient office clinic",
    "virtual": "virtual telehealth telemedicine video remote",
    "home health": "home",
    "urgent care": "urgent",
}
_BARE_HEADS = frozenset(stems("allergy allergic allergen product products substance organism food"))
_NEGATIVE = frozenset(stems("no not never none absent negative without"))


@dataclass
class Lexicon:
    """The words of one record's resources, each worked out once."""

    record: Record
    _identity: dict[str, frozenset[str]] = field(default_factory=dict)
    _context: dict[str, frozenset[str]] = field(default_factory=dict)
    _terms: dict[str, tuple[Term, ...]] = field(default_factory=dict)
    _labels: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    _own: dict[str, frozenset[str]] = field(default_factory=dict)
    _series_names: dict[str, frozenset[str]] = field(default_factory=dict)
    _texts: dict[str, frozenset[str]] = field(default_factory=dict)
    _turned: dict[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, record: Record) -> Lexicon:
        """The words of a record, kept with it: an answer names the same resources again and again."""
        found = record.memo.get("lexicon")
        if not isinstance(found, cls):
            found = record.memo["lexicon"] = cls(record)
        return found

    def labels(self, resource_type: str) -> dict[str, tuple[str, ...]]:
        """Every name shown for an entry of one type, folded, by its first word; single short words are no full name."""
        cached = self._labels.get(resource_type)
        if cached is None:
            found: dict[str, list[str]] = {}
            for label in {f.label for f in self.record.of_type(resource_type)}:
                name = folded(plain(label))
                if len(name) > 5 and (words := tokens(name)):
                    found.setdefault(words[0].word, []).append(name)
            cached = self._labels[resource_type] = {word: tuple(names) for word, names in found.items()}
        return cached

    @cached_property
    def of_results(self) -> frozenset[str]:
        """The stems of the names of every result of the record: a word that is none of them names no result."""
        labels = {f.label for f in self.record.of_type("Observation")}
        return frozenset(s for label in labels for s in stems(label)) - GENERIC

    def series_names(self, facts: Facts) -> frozenset[str]:
        """Every name of a resource and of its series, folded, without semantic tags."""
        cached = self._series_names.get(facts.resource_id)
        if cached is None:
            names = {facts.label, *facts.names, *(g.label for g in self.record.series(facts))}
            cached = frozenset(folded(plain(n)) for n in names)
            self._series_names[facts.resource_id] = cached
        return cached

    def own_names(self, facts: Facts) -> frozenset[str]:
        """The stems of what this one resource is called, its components and encounter class included."""
        cached = self._own.get(facts.resource_id)
        if cached is None:
            texts = [facts.label, *facts.names, *(c.display for c in facts.codings), *facts.detail("class")]
            texts += [t for v in facts.values for t in (v.label, *(c.display for c in v.codings))]
            found = _stems_of(texts)
            for name in facts.detail("class"):
                found |= frozenset(stems(CLASS_WORDS.get(name, "")))
            cached = self._own[facts.resource_id] = found
        return cached

    def identity(self, facts: Facts) -> frozenset[str]:
        """The stems of every name of the concept: this resource's, its series' and its terms' synonyms."""
        cached = self._identity.get(facts.resource_id)
        if cached is None:
            found = self.own_names(facts)
            seen: set[str] = set()
            for other in self.record.series(facts):
                if other.label not in seen:
                    seen.add(other.label)
                    found |= _stems_of([other.label, *other.names])
            for term in self.terms(facts):
                # Word by word only where the synonym is one word: "fasting glucose" does not make "fasting" a name.
                found |= frozenset(
                    s[0] for w in term.words if len(s := stems(w)) == 1 and self._bears_out(facts, term, w)
                )
            cached = self._identity[facts.resource_id] = found
        return cached

    def as_recorded(self, token: Token, cited: Sequence[Facts]) -> Token:
        """A drug's name, as the cited drug is written: records hold slips of one letter in long names ("Simvistatin")."""
        if len(token.word) < _LONG_NAME:
            return token
        for facts in cited:
            if facts.resource_type in MEDICATION_TYPES and token.stem not in self.own_names(facts):
                for name in tokens(facts.label):
                    near = name.word[0] == token.word[0] and len(name.word) >= _LONG_NAME
                    if near and DamerauLevenshtein.distance(name.word, token.word, score_cutoff=1) < 2:
                        return Token(name.word, name.stem, token.start, token.end)
        return token

    def texts(self, facts: Facts) -> frozenset[str]:
        """What a statement may quote of a resource word for word: its names, values and details, folded."""
        cached = self._texts.get(facts.resource_id)
        if cached is None:
            found = {facts.label, *facts.names, *(c.display for c in facts.codings)}
            found |= {t for v in facts.values for t in (v.label, v.text, *v.words)}
            found |= {d.text for d in facts.details if d.kind not in _LONG}
            found |= {plain(t) for t in found}
            # A short answer ("No") is its value only where it is quoted as one.
            short = {f'"{folded(w)}"' for v in facts.values for w in (v.text, *v.words) if 0 < len(w) <= 3}
            cached = self._texts[facts.resource_id] = frozenset(short) | frozenset(
                _SPACES.sub(" ", folded(t)).strip(" .")
                for t in found
                if 3 < len(t) <= _TOO_LONG and any(c.isalpha() for c in t)
            )
        return cached

    def context(self, facts: Facts) -> frozenset[str]:
        """The stems of everything else the resource states: values, details, categories, reasons, what it refers to."""
        cached = self._context.get(facts.resource_id)
        if cached is None:
            texts = [spoken(facts.resource_type), *facts.categories]
            texts += [t for v in facts.values for t in (v.text, v.absent_reason, *v.words)]
            texts += [t for v in facts.values for f in v.flags for t in (f.display,)]
            texts += [t for v in facts.values for r in v.ranges for t in (r.text,)]
            texts += [d.text for d in facts.details]
            texts += [d.kind for d in facts.details if d.kind not in _LONG]
            texts += [r.display for r in facts.references]
            for beside in linked.around(self.record, facts):
                texts += [beside.label, *beside.detail("reason")]
                texts += [CLASS_WORDS.get(name, "") for name in beside.detail("class")]
            found = _stems_of(texts) | TYPE_WORDS.get(facts.resource_type, frozenset())
            if facts.resource_type == "Patient":
                found |= _stems_of(["birthday born birth date gender sex lives"])
                if facts.dated("deceasedDateTime") or facts.detail("deceased"):
                    found |= _stems_of(["deceased died dead death"])
            cached = self._context[facts.resource_id] = found
        return cached

    def words(self, facts: Facts) -> frozenset[str]:
        return self.identity(facts) | self.context(facts)

    def telling(self, facts: Facts) -> frozenset[str]:
        """The stems that single the resource out: its words without those that stand in many names."""
        names = self.identity(facts)
        special = names - GENERIC
        values = _stems_of(
            t for v in facts.values if v.kind is not ValueKind.QUANTITY for t in (v.text, *v.words)
        )
        details = _stems_of(d.text for d in facts.details)
        return (special or names) | (values - GENERIC) | (details - GENERIC)

    def turned(self, facts: Facts) -> frozenset[str]:
        """The words of a name without which it is another thing: "awaiting" a transplant, pollen of trees."""
        cached = self._turned.get(facts.resource_id)
        if cached is None:
            found = frozenset(stems(_NOT_TURNED.sub(" ", facts.label))) & TURNING
            if facts.resource_type == "AllergyIntolerance":
                found = (found - frozenset(stems("allergy"))) | self._allergen_head(facts)
            cached = self._turned[facts.resource_id] = found
        return cached

    def ratio(self, facts: Facts) -> frozenset[str]:
        """Both sides of a ratio that a result is named by: neither alone is its name."""
        found = _RATIO.search(facts.label.partition("[")[0])
        return (
            frozenset(stems(found.group())) if found and facts.resource_type == "Observation" else frozenset()
        )

    def _allergen_head(self, facts: Facts) -> frozenset[str]:
        """The word that says what kind of thing an allergen is: pollen of trees, not trees; of a drug, any word names it."""
        said = stems(plain(facts.label).partition("(")[0])
        words = [s for s in said if s not in GENERIC | FRAME and s not in _BARE_HEADS]
        told_whole = frozenset({"food", "environment"}) & frozenset(facts.categories) and len(words) > 1
        return frozenset(words[-1:]) if told_whole else frozenset()

    def terms(self, facts: Facts) -> tuple[Term, ...]:
        """Every term of the terminology that the resource is one of."""
        key = f"{facts.resource_type}|{facts.label}|{facts.concept_key}"
        cached = self._terms.get(key)
        if cached is None:
            by_code = [t for code in _codes(facts) for t in _terms_by_code().get(code, ())]
            by_name = _terms_by_name(facts.resource_type, (facts.label, *facts.names))
            found = {id(t): t for t in (*by_code, *by_name) if self.is_a(facts, t)}
            cached = self._terms[key] = tuple(found.values())
        return cached

    def is_a(self, facts: Facts, term: Term, said: str = "") -> bool:
        """Whether a resource is what a term means; `said` are the words used for it, which may say more than the term."""
        codes, names = _codes(facts), (facts.label, *facts.names)
        if not (is_a(term, facts.resource_type, codes, names) or codes & term.panels):
            return False
        return not said or self._bears_out(facts, term, said)

    def is_called(self, facts: Facts, term: Term, said: str) -> bool:
        """Whether a term's words are a name of the resource: it is one, or its own name spells another of its words out.

        A blood pressure is what its two sides are of; "BMI 30+" is how "Body mass index 30+ - obesity" is said, though a
        diagnosis is no measurement.
        """
        if self.is_a(facts, term, said) or any(t.panels & term.codes for t in self.analytes(facts)):
            return True
        if facts.resource_type == "Observation":
            return False
        own = self.own_names(facts)
        spelt = (frozenset(s) for word in term.broad if len(s := stems(word)) > 2)
        return any(words <= own for words in spelt)

    def _bears_out(self, facts: Facts, term: Term, said: str) -> bool:
        """A narrower word ("NSTEMI", "fasting glucose") needs its own code, or the record to say it too."""
        narrow = term.narrower_codes(said)
        if narrow is None or _codes(facts) & narrow:
            return True
        broad = frozenset(s for word in term.broad for s in stems(word))
        return frozenset(stems(said)) - broad <= self.own_names(facts)

    def analytes(self, facts: Facts) -> tuple[Term, ...]:
        return tuple(t for t in self.terms(facts) if t.kind is TermKind.ANALYTE)

    def says_no(self, facts: Facts, quoted: Container[str] = ()) -> bool:
        """Whether the resource itself is a negative: "not done", "No known allergy", a value of "never".

        `quoted` are the resources whose name or value stands word for word in the statement: its "no" is then read
        already, and one more negates it ("does not have No known allergy").
        """
        if facts.not_done:
            return True
        texts = [facts.label, *(v.text for v in facts.values)]
        return facts.resource_id not in quoted and any(w and w[0] in _NEGATIVE for w in map(stems, texts))


@lru_cache(maxsize=50_000)
def folded(text: str) -> str:
    """`core.words.fold`, remembered: the names of a record are folded for every statement that cites them."""
    return fold(text)


def _codes(facts: Facts) -> frozenset[str]:
    found = [*facts.codings, *(c for v in facts.values for c in v.codings)]
    return frozenset(f"{c.system}|{c.code}" for c in found)


@cache
def _terms_by_code() -> dict[str, tuple[Term, ...]]:
    index: dict[str, list[Term]] = {}
    for term in terminology.terms():
        for code in term.codes | term.panels | term.diagnoses:
            index.setdefault(code, []).append(term)
    return {code: tuple(found) for code, found in index.items()}


@lru_cache(maxsize=10_000)
def _terms_by_name(resource_type: str, names: tuple[str, ...]) -> tuple[Term, ...]:
    """The terms that an entry of this type is one of by the words of its names."""
    kinds = [kind for kind, types in SPEAKS_OF.items() if resource_type in types]
    if resource_type in ("Medication", "AllergyIntolerance"):
        kinds.append(TermKind.DRUG_CLASS)
    found = (t for t in terminology.terms() if t.kind in kinds and t.kind is not TermKind.ANALYTE)
    return tuple(t for t in found if any(t.is_named_by(n) for n in names))


def _stems_of(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(s for text in texts if text for s in stems(text))
