"""Whether something in a record is what a clinical term means: by its codes first, by the words of its names second.

The one place for it: what retrieval finds for a term and what the verifier lets the term name are the same things.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.terminology import Term, TermKind

MEDICATION_TYPES = (
    "MedicationRequest",
    "MedicationStatement",
    "MedicationAdministration",
    "MedicationDispense",
)
# Which resources a term of each kind is found in.
SPEAKS_OF = {
    TermKind.ANALYTE: ("Observation",),
    TermKind.DRUG_CLASS: MEDICATION_TYPES,
    TermKind.CONDITION: ("Condition",),
    TermKind.VACCINE: ("Immunization",),
    TermKind.PROCEDURE: ("Procedure", "ImagingStudy"),
}


def is_a(term: Term, resource_type: str, codes: frozenset[str], names: Iterable[str]) -> bool:
    """Whether an entry of this type, with these "system|code" and these names, is what the term means.

    A diagnosis may speak of an analyte ("hyperkalemia"), and an allergy may be one to a class of drugs.
    """
    match term.kind:
        case TermKind.ANALYTE:
            if resource_type == "Condition":
                return bool(codes & term.diagnoses)
            return resource_type == "Observation" and bool(codes & term.codes)
        case TermKind.DRUG_CLASS:
            may_be = resource_type in (*MEDICATION_TYPES, "Medication", "AllergyIntolerance")
            return may_be and any(term.is_named_by(n) for n in names)
        case TermKind.VACCINE | TermKind.PROCEDURE | TermKind.CONDITION:
            return resource_type in SPEAKS_OF[term.kind] and (
                bool(codes & term.codes) or any(term.is_named_by(n) for n in names)
            )
