"""Finding patients and finding within a record, on a real PostgreSQL: ten thousand patients, words in any form."""

from __future__ import annotations

import psycopg
import pytest

from core.browse import search_record
from core.database.pool import Database
from core.patients import patients_of, search_patients
from core.service import Service

pytestmark = pytest.mark.integration
ANITA = "Patient/bdfe7dc5-0790-4c2b-868e-e7d75f45c072"


@pytest.fixture
def crowd(database: Database) -> Database:
    """Ten thousand patients, one of them with accents in her name."""
    with database.connection() as connection:
        connection.execute(
            "insert into patients"
            " (patient_ref, name, birth_date, gender, deceased, merged_into, search, resources)"
            " select 'Patient/p' || n, 'Family' || n % 500 || ' Given' || n,"
            " make_date(1930 + n % 90, 1 + n % 12, 1 + n % 28)::text,"
            " 'female', '', '', lower('family' || n % 500 || ' given' || n || ' mrn-' || n || ' p' || n || ' '"
            " || make_date(1930 + n % 90, 1 + n % 12, 1 + n % 28)), 5 from generate_series(1, 10000) as n"
        )
        connection.execute(
            "insert into patients"
            " (patient_ref, name, birth_date, gender, deceased, merged_into, search, resources)"
            " values ('Patient/zoe', 'Zoë Müller-Łuczak', '1971-04-03', 'female', '', '',"
            " 'zoë müller-łuczak 1971-04-03 zoe-id', 3),"
            " ('Patient/gone', 'Nobody', '', '', '', '', 'nobody', 0)"
        )
    return database


def found(connection: psycopg.Connection, text: str) -> list[str]:
    return [p.patient for p in search_patients(connection, text)]


def test_a_list_is_never_loaded_whole(crowd: Database) -> None:
    with crowd.connection() as connection:
        assert len(found(connection, "")) == 20
        assert len(found(connection, "family1")) == 20


@pytest.mark.parametrize(
    "text", ["zoë", "ZOE", "muller zoe", "1971-04-03 müll", "3.4.1971 zo", "04/03/1971 zo", "zoe-id", "zo%e"]
)
def test_a_patient_is_found_by_name_birth_date_and_id_however_typed(crowd: Database, text: str) -> None:
    with crowd.connection() as connection:
        assert found(connection, text) == ["Patient/zoe"]


@pytest.mark.parametrize("text", ["mrn-7777", "p7777 given7777", "Given7777"])
def test_one_of_ten_thousand_is_found(crowd: Database, text: str) -> None:
    with crowd.connection() as connection:
        assert "Patient/p7777" in found(connection, text)


@pytest.mark.parametrize("text", ["zoe family1", "31.31.1971 zoe", "nobody"])
def test_every_word_has_to_match_and_an_empty_record_is_no_patient(crowd: Database, text: str) -> None:
    with crowd.connection() as connection:
        assert found(connection, text) == []


def test_patients_come_in_the_order_asked_for(crowd: Database) -> None:
    with crowd.connection() as connection:
        refs = ["Patient/p3", "Patient/zoe", "Patient/never", "Patient/p1"]
        assert [p.patient for p in patients_of(connection, refs)] == [
            "Patient/p3",
            "Patient/zoe",
            "Patient/p1",
        ]


def test_a_record_is_searched_by_word_form_part_and_id(demo: Service) -> None:
    record = demo.record(ANITA).resources
    with demo.stages.database.connection() as connection:
        by_word = search_record(connection, ANITA, "examinations patients")
        by_part = search_record(connection, ANITA, "hyperten")
        by_id = search_record(connection, ANITA, next(iter(record)))
        nothing = search_record(connection, ANITA, "zebra crossing"), search_record(connection, ANITA, " % ")
    assert "General examination of patient" in {record[i].label for i in by_word}
    assert "Essential hypertension" in {record[i].label for i in by_part}
    assert by_id[0] == next(iter(record))
    assert nothing == ([], [])


def test_a_search_never_leaves_the_record(demo: Service) -> None:
    other = next(p.patient for p in demo.search_patients() if p.patient != ANITA)
    with demo.stages.database.connection() as connection:
        ids = set(search_record(connection, other, "patient"))
    assert ids
    assert ids <= set(demo.record(other).resources)


def test_cards_are_of_the_patient_or_of_the_directory(demo: Service) -> None:
    other = next(p.patient for p in demo.search_patients() if p.patient != ANITA)
    foreign = next(i for i in demo.record(other).resources if i.startswith("Observation/"))
    own = next(i for i in demo.record(ANITA).resources if i.startswith("Observation/"))
    assert list(demo.evidence(ANITA, [own, foreign])) == [own]
