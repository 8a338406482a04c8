"""The words a resource can be spoken of with: its own names, its terms' synonyms, and whatever else it states.

A word is never its name merely because it sounds like it: synonyms come from codes, through core.terminology.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from functools import cache, lru_cache

from core import terminology
from core.fhir.codes import plain
from core.fhir.types import spoken
from core.grounding.record import Record
from core.grounding.vocabulary import GENERIC, TYPE_WORDS
from core.models import Facts, ValueKind
from core.terminology import Term, TermKind
from core.words import fold, stems

_MEDICATION = frozenset(
    {
        "MedicationRequest",
        "MedicationStatement",
        "MedicationAdministration",
        "MedicationDispense",
        "Medication",
    }
)
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
_NEGATIVE = frozenset(stems("no not never none absent negative without"))


@dataclass
class Lexicon:
    """The words of one record's resources, each worked out once."""

    record: Record
    _identity: dict[str, frozenset[str]] = field(default_factory=dict)
    _context: dict[str, frozenset[str]] = field(default_factory=dict)
    _terms: dict[str, tuple[Term, ...]] = field(default_factory=dict)
    _labels: dict[str, frozenset[str]] = field(default_factory=dict)
    _own: dict[str, frozenset[str]] = field(default_factory=dict)

    def labels(self, resource_type: str) -> frozenset[str]:
        """Every name shown for an entry of one type, folded; single short words are nobody's full name."""
        cached = self._labels.get(resource_type)
        if cached is None:
            found = {folded(plain(f.label)) for f in self.record.of_type(resource_type)}
            cached = self._labels[resource_type] = frozenset(t for t in found if len(t) > 5)
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
                found |= frozenset(s[0] for w in term.words if len(s := stems(w)) == 1)
            cached = self._identity[facts.resource_id] = found
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

    def is_a(self, facts: Facts, term: Term) -> bool:
        """Whether a resource is what a term means, by code first, by name for drugs and conditions."""
        codes = _codes(facts)
        if codes & (term.codes | term.panels) or (
            facts.resource_type == "Condition" and codes & term.diagnoses
        ):
            return True
        return any(t is term for t in _terms_by_name(facts.resource_type, (facts.label, *facts.names)))

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
    """The drug classes of a drug, the families of a condition, by the words of its names."""
    kind = TermKind.DRUG_CLASS if resource_type in _MEDICATION else TermKind.CONDITION
    if resource_type not in _MEDICATION and resource_type != "Condition":
        return ()
    return tuple(t for t in terminology.terms() if t.kind is kind and any(t.is_named_by(n) for n in names))


def _stems_of(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(s for text in texts if text for s in stems(text))
