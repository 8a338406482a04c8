"""Whatever a sender did to a resource, reading it never raises and yields texts a reader can be shown."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.fhir.facts import facts
from core.fhir.naming import label_of
from core.fhir.render import HAND_WRITTEN, embedded_text, headline, shown_text
from tests.unit.fhir.examples import examples

Json = dict[str, Any]

_COMMON: Json = {
    "clinicalStatus": {"coding": [{"code": "active"}]},
    "verificationStatus": {"coding": [{"code": "confirmed"}]},
    "text": {"div": "<div>Narrative</div>"},
    "contained": [{"resourceType": "Observation", "id": "o", "valueQuantity": {"value": 1, "unit": "mg"}}],
}
# Every example, and the same with what any resource may have.
_SOUND = {e.path.stem: {**_COMMON, **e.resource} for e in examples()}
_HUGE = "x" * 100_000
_TEXTS = (
    *("2021-02-30", "0000-00-00", "9999-12-31T23:59:59.999999999+14:00", "-1", "12/31/2021", "2021-W03"),
    *(
        "#m",
        "urn:uuid:1",
        "entered-in-error",
        "<b>x",
        "\x00",
        "{'text': 1}",
        "Patient/1",
        "GT 45",
        "7,5",
        _HUGE,
    ),
)
_NOISE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(_TEXTS),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["coding", "text", "value", "code", "reference", "start", "low", "numerator", "x"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)


def _nested(value: Any) -> Any:
    """The value 80 levels deep: enough for any reader that recurses without a limit to be seen."""
    for _ in range(40):
        value = {"item": [value]}
    return value


def _places(node: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every place of a resource, eight levels down."""
    found = [path] if path else []
    if len(path) == 8:
        return found
    if isinstance(node, dict):
        found += [p for key, value in node.items() for p in _places(value, (*path, key))]
    elif isinstance(node, list):
        found += [p for index, value in enumerate(node) for p in _places(value, (*path, index))]
    return found


@st.composite
def mutated(draw: st.DrawFn, kind: str) -> Json:
    """An example in which up to six places are gone, hold something else, or hold the same in another shape."""
    resource: Json = copy.deepcopy(_SOUND[kind])
    for _ in range(draw(st.integers(1, 6))):
        # Without a type a thing is no resource: reading refuses it before.
        path = draw(st.sampled_from([p for p in _places(resource) if p != ("resourceType",)] or [("x",)]))
        resource.setdefault("x", None)
        node: Any = resource
        for step in path[:-1]:
            node = node[step]
        now = node[path[-1]]
        match draw(st.sampled_from(["drop", "noise", "list", "text", "one", "deep"])):
            case "drop":
                del node[path[-1]]
            case "noise":
                node[path[-1]] = draw(_NOISE)
            case "list":
                node[path[-1]] = [now, None]
            case "text":
                node[path[-1]] = str(now)
            case "one":
                node[path[-1]] = now[0] if isinstance(now, list) and now else {"value": now}
            case "deep":
                node[path[-1]] = _nested(now)
    return resource


@pytest.mark.parametrize("kind", sorted(HAND_WRITTEN))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_reading_a_mutated_resource_never_raises(kind: str, data: st.DataObject) -> None:
    _reads(data.draw(mutated(kind)))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_reading_any_other_type_mutated_never_raises(data: st.DataObject) -> None:
    _reads(data.draw(mutated(data.draw(st.sampled_from(sorted(set(_SOUND) - HAND_WRITTEN))))))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(_SOUND)), st.sampled_from(sorted(_SOUND)))
def test_a_resource_under_another_types_name_never_raises(kind: str, other: str) -> None:
    _reads({**_SOUND[kind], "resourceType": other})


def _reads(resource: Json) -> None:
    before = copy.deepcopy(resource)
    found = facts(resource, "Patient/p")
    text = shown_text(found, resource)
    assert text.splitlines()[0].strip()
    assert headline(found) == text.split("\n")[0]
    assert embedded_text(found).strip()
    assert isinstance(label_of(resource), str)
    assert "\x00" not in text
    assert facts(resource, "Patient/p") == found
    assert repr(resource) == repr(before)  # compared as text: NaN does not equal itself


@given(st.dictionaries(st.text(max_size=12), _NOISE, max_size=6))
def test_reading_any_json_object_never_raises(resource: Json) -> None:
    found = facts(resource, "")
    assert isinstance(shown_text(found, resource), str)
    assert isinstance(embedded_text(found), str)


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        ("QuestionnaireResponse", "item"),
        ("Composition", "section"),
        ("Basic", "x"),
        ("Observation", "component"),
    ],
)
def test_depth_does_not_matter(kind: str, field: str) -> None:
    deep: Any = {"text": "end"}
    for _ in range(5000):
        deep = {field: [deep]}
    resource = {"resourceType": kind, "id": "1", **deep}
    assert shown_text(facts(resource, ""), resource)
