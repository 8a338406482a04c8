"""One word is one word everywhere, and a code decides before a word does."""

import pytest

from core.errors import ConfigurationError
from core.terminology import ROOT, Term, TermKind, matches, terms, terms_in, vocabulary
from core.words import stems, tokens


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("haemoglobin", "Hemoglobin"),
        ("Anaemia", "anemia"),
        ("oedema", "edema"),
        ("tumour", "tumor"),
        ("Sjögren", "sjogren"),
        ("beta-blockers", "beta blocker"),
        ("immunisation", "immunization"),
    ],
)
def test_spellings_of_one_word_compare_equal(one: str, other: str) -> None:
    assert stems(one) == stems(other)


def test_a_sign_belongs_to_its_word_and_positions_fit_the_original() -> None:
    found = tokens("K+ and Na+, eGFR 1.73")
    assert [t.word for t in found] == ["k+", "and", "na+", "egfr", "1.73"]
    assert [("K+ and Na+, eGFR 1.73")[t.start : t.end] for t in found] == ["K+", "and", "Na+", "eGFR", "1.73"]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("glycated haemoglobin", "hba1c"),
        ("latest A1c", "hba1c"),
        ("haemoglobin", "hemoglobin"),
        ("LDL-C", "ldl"),
        ("K+", "potassium"),
        ("urine glucose", "urine-glucose"),
        ("blood sugar", "glucose"),
        ("water pill", "diuretic"),
        ("heart attack", "myocardial-infarction"),
        ("flu shot", "influenza-vaccine"),
    ],
)
def test_a_term_is_found_by_any_of_its_names_the_longest_first(text: str, key: str) -> None:
    assert [m.term.key for m in terms_in(text)] == [key]


def test_hba1c_is_not_hemoglobin_and_urine_glucose_is_not_blood_glucose() -> None:
    by_key = {t.key: t for t in terms()}
    assert not by_key["hba1c"].codes & by_key["hemoglobin"].codes
    assert not by_key["glucose"].codes & by_key["urine-glucose"].codes
    assert not by_key["bnp"].codes & by_key["nt-probnp"].codes


def test_no_code_of_an_analyte_is_two_analytes() -> None:
    owners: dict[str, str] = {}
    for term in terms():
        if term.kind is TermKind.ANALYTE:
            for code in term.codes:
                assert owners.setdefault(code, term.key) == term.key


@pytest.mark.parametrize(
    ("key", "name", "is_one"),
    [
        ("statin", "Simvistatin 10 MG", True),
        ("statin", "Nystatin 100 MG", False),
        ("ace-inhibitor", "lisinopril 10 MG Oral Tablet", True),
        ("antibiotic", "Cefaclor 250 MG Oral Capsule", True),
        ("ppi", "aripiprazole 10 MG", False),
        ("insulin", "insulin isophane, human 70 UNT/ML [Humulin]", True),
        ("diabetes", "Diabetes mellitus type 2 (disorder)", True),
        ("diabetes", "Prediabetes (finding)", False),
        ("diabetes", "Neuropathy due to type 2 diabetes mellitus (disorder)", False),
        ("diabetes-complications", "Neuropathy due to type 2 diabetes mellitus (disorder)", True),
        ("diabetes-complications", "Diabetes mellitus type 2 (disorder)", False),
    ],
)
def test_a_class_knows_its_members_and_the_names_that_only_look_so(key: str, name: str, is_one: bool) -> None:
    term = next(t for t in terms() if t.key == key)
    assert term.is_named_by(name) is is_one


def test_every_vocabulary_file_names_its_source() -> None:
    for path in ROOT.glob("*.yaml"):
        assert path.read_text(encoding="utf-8").count("\nsource: ") == 1, path.name


def test_a_malformed_term_is_refused() -> None:
    with pytest.raises(ValueError, match="loinx"):
        Term.model_validate({"kind": "analytes", "key": "x", "label": "x", "words": ["x"], "loinx": []})


def test_words_of_two_terms_at_once_are_both_found() -> None:
    assert {m.term.kind for m in matches(stems("retinopathy"))} == {TermKind.CONDITION}
    assert "cholesterol" in vocabulary()


def test_configuration_errors_say_what_to_do() -> None:
    assert issubclass(ConfigurationError, Exception)
