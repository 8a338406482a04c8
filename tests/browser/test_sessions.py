"""Many readers at once: nobody ever sees another's patient, everybody is audited under their own name."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from benchmarks.wire import Session
from core.access.audit import audit_trail
from core.config import Settings
from core.database.pool import open_database
from tests.browser.conftest import ANITA, KELVIN, MALLORY, VICTOR, serve

pytestmark = pytest.mark.browser
HEADER = "X-Forwarded-User"
NAMES = {ANITA: "Anita", KELVIN: "Kelvin", MALLORY: "Mallory", VICTOR: "Victor"}
QUESTION = "What was the last body weight?"
VIEWS = (
    {},
    {"page": "trends"},
    {"page": "record"},
    {"page": "record", "type": "all"},
    {"question": QUESTION},
)
SESSIONS = 20


@pytest.fixture(scope="module")
def behind_sign_in(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The dashboard as it runs behind a proxy that names the user."""
    variables = environment | {"CHARTCITE_USER_HEADER": HEADER}
    with serve(variables, tmp_path_factory.mktemp("signed") / "log.txt") as url:
        yield url


def test_twenty_sessions_at_once_see_their_own_patient_only(
    behind_sign_in: str, environment: dict[str, str]
) -> None:
    together = Barrier(SESSIONS)

    def reader(number: int) -> list[str]:
        """One reader looks at one patient, then at another; what was shown of a third is returned."""
        wrong = []
        with Session(behind_sign_in, {HEADER: f"reader-{number}"}) as session:
            together.wait(60)
            for patient in (list(NAMES)[number % 4], list(NAMES)[(number + 1) % 4]):
                for view in VIEWS:
                    shown = session.run(patient=patient, **view)
                    if NAMES[patient] not in shown:
                        wrong.append(f"{number} {view}: {NAMES[patient]} is missing")
                    wrong += [
                        f"{number} {view}: {name}"
                        for ref, name in NAMES.items()
                        if ref != patient and name in shown
                    ]
        return wrong

    with ThreadPoolExecutor(SESSIONS) as pool:
        assert [w for found in pool.map(reader, range(SESSIONS)) for w in found] == []
    with open_database(Settings(home=environment["CHARTCITE_HOME"], pool_size=1)).connection() as connection:
        for number in (0, 7, 19):
            asked = {row.patient for row in audit_trail(connection, user=f"reader-{number}")}
            assert asked == {f"Patient/{list(NAMES)[n % 4]}" for n in (number, number + 1)}


@pytest.mark.parametrize(
    "view",
    [
        {"page": "audit", "before": "9" * 40},
        {"page": "data", "from": "9" * 40},
        {"page": "record", "type": "all", "from": "9" * 12},
        {"page": "record", "type": "Nope"},
        {"page": "record", "find": "\0 % _ \\ ' \" & | ! :*"},
        {"page": "record", "resource": "Patient/nobody"},
        {"page": "trends", "series": "bogus,,", "of": "Observation/x"},
        {"page": "nowhere"},
        {"question": "\0"},
        {"patient": "../\0%"},
    ],
)
def test_whatever_stands_in_the_address_the_page_stays_calm(dashboard: str, view: dict[str, str]) -> None:
    with Session(dashboard) as session:
        shown = session.run(**({"patient": ANITA} | view))
    assert "Not a medical device" in shown
    assert "This page could not be shown" not in shown
    assert "exception" not in shown.lower()


def test_whoever_is_not_signed_in_is_shown_nothing(behind_sign_in: str) -> None:
    with Session(behind_sign_in) as session:
        for view in (*VIEWS, {"page": "audit"}, {"page": "data"}):
            shown = session.run(patient=ANITA, **view)
            assert "You are not signed in" in shown
            assert "Anita" not in shown
