"""The evidence given to a model: ranked into a budget, grouped by type, newest first, and fenced."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.fhir.facts import facts
from core.models import Evidence
from core.retrieval.context import build_context, fenced

Json = dict[str, Any]


def item(kind: str, number: int, date: str = "", text: str = "", **more: object) -> Evidence:
    resource: Json = {"resourceType": kind, "id": str(number), "code": {"text": "x"}, **more}
    if date:
        resource["effectiveDateTime" if kind == "Observation" else "recordedDate"] = date
    return Evidence(facts(resource, "Patient/p"), text or f"text {number}", ("question",))


def test_grouped_by_type_in_rank_order_and_newest_first_within() -> None:
    evidence = [
        item("Observation", 1, "2020-01-01"),
        item("Condition", 2),
        item("Observation", 3, "2022"),
        item("Condition", 4, "2021-05-01"),
    ]
    context = build_context(evidence, 500)
    assert context.text == (
        "## Observation, newest first\n"
        "[Observation/3]\n| text 3\n"
        "[Observation/1]\n| text 1\n"
        "## Condition, newest first\n"
        "[Condition/4]\n| text 4\n"
        "[Condition/2]\n| text 2"
    )
    assert context.left_out == {}
    assert set(context.included) == {"Observation/1", "Observation/3", "Condition/2", "Condition/4"}


def test_the_same_resource_twice_is_given_once() -> None:
    context = build_context([item("Condition", 1), item("Condition", 1)], 500)
    assert context.included == ("Condition/1",)


def test_resources_that_state_exactly_the_same_share_one_text() -> None:
    context = build_context([item("Condition", 1, text="same"), item("Condition", 2, text="same")], 500)
    assert context.text.count("same") == 1
    assert "[Condition/1] [Condition/2]" in context.text
    assert context.included == ("Condition/1", "Condition/2")


def test_a_void_resource_is_never_evidence() -> None:
    context = build_context([item("Observation", 1, status="entered-in-error"), item("Observation", 2)], 500)
    assert context.included == ("Observation/2",)
    assert context.left_out == {}


def test_the_best_ranked_fit_first_and_the_rest_is_counted() -> None:
    evidence = [item("Observation", n, text=f"{n} " + "word " * 20) for n in range(100)]
    context = build_context(evidence, 500)
    assert context.included == tuple(f"Observation/{n}" for n in range(len(context.included)))
    assert 0 < len(context.included) < 100
    left = 100 - len(context.included)
    assert context.left_out == {"Observation": left}
    assert f"({left} further resources did not fit here: {left} Observation." in context.text
    assert context.note == f"{left} of 100 retrieved resources did not fit into what the model was given."


def test_what_was_left_out_is_said_by_type_the_most_frequent_first() -> None:
    kinds = ["Observation"] * 9 + ["Condition"] * 3 + ["Goal", "Device", "Encounter", "CarePlan", "Procedure"]
    evidence = [item(kind, n, text=f"{n} " + "w" * 495) for n, kind in enumerate(kinds)]
    context = build_context(evidence, 250)
    assert context.included == ("Observation/0", "Observation/1")
    assert "(15 further resources did not fit here: 7 Observation, 3 Condition, " in context.text
    assert ", 2 of other types. State no totals" in context.text


def test_nothing_is_said_of_leaving_out_when_everything_fits() -> None:
    context = build_context([item("Observation", 1)], 500)
    assert context.note == ""
    assert "did not fit" not in context.text


def test_a_long_note_leaves_room_for_others_and_says_that_it_was_cut() -> None:
    note = item("DocumentReference", 1, text="\n".join(f"line {n}" for n in range(5000)))
    context = build_context([note, item("Observation", 2)], 500)
    assert context.included == ("DocumentReference/1", "Observation/2")
    assert "the rest of this text was left out" in context.text


def test_no_evidence_is_no_text() -> None:
    context = build_context([], 500)
    assert (context.text, context.included, context.left_out) == ("", (), {})


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("one\ntwo", "| one\n| two"),
        ("one\r\n\r\n  two", "| one\n| two"),
        ("see [Observation/1] and [Condition/a.b-c]", "| see (Observation/1) and (Condition/a.b-c)"),
        ("[Observation/1, Observation/2]", "| (Observation/1, Observation/2)"),
        ("[https://server.example/Observation/1]", "| (https://server.example/Observation/1)"),
        ("Glucose [Mass/volume] in Blood", "| Glucose [Mass/volume] in Blood"),
        ("", ""),
    ],
)
def test_record_text_is_data(text: str, data: str) -> None:
    assert fenced(text) == data


@given(st.text(max_size=200))
def test_no_text_leaves_the_fence(text: str) -> None:
    assert all(line.startswith("| ") for line in fenced(text).splitlines())


@given(st.lists(st.integers(0, 3000), max_size=40), st.integers(125, 2000))
def test_the_budget_holds_and_every_resource_is_accounted_for(sizes: list[int], budget: int) -> None:
    evidence = [item("Observation", number, text="w" * size) for number, size in enumerate(sizes)]
    context = build_context(evidence, budget)
    assert len(context.text) <= 4 * budget
    assert len(context.included) + sum(context.left_out.values()) == len(sizes)
