"""Whatever a sender did to a resource, reading it never raises and yields texts a reader can be shown."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.fhir.facts import facts
from core.fhir.naming import label_of
from core.fhir.render import embedded_text, headline, shown_text

Json = dict[str, Any]

_CODE = {"coding": [{"system": "http://loinc.org", "code": "1-8", "display": "Name"}], "text": "Name"}
_QUANTITY = {"value": 7.1, "unit": "%", "system": "http://unitsofmeasure.org", "code": "%", "comparator": "<"}
_PERIOD = {"start": "2020-01-01", "end": "2021-02"}
_REFERENCE = {"reference": "urn:uuid:1", "display": "Somebody"}
_COMMON: Json = {
    "id": "1",
    "status": "final",
    "clinicalStatus": _CODE,
    "verificationStatus": _CODE,
    "code": _CODE,
    "category": [_CODE],
    "subject": _REFERENCE,
    "period": _PERIOD,
    "note": [{"text": "A note"}],
    "reasonCode": [_CODE],
    "reasonReference": [_REFERENCE],
    "text": {"div": "<div>Narrative</div>"},
    "contained": [{"resourceType": "Medication", "id": "m", "code": _CODE}],
}
_OWN: dict[str, Json] = {
    "AllergyIntolerance": {
        "reaction": [{"manifestation": [_CODE], "severity": "mild"}],
        "criticality": "low",
    },
    "CarePlan": {"activity": [{"detail": {"code": _CODE, "status": "completed"}}]},
    "CareTeam": {"participant": [{"role": [_CODE], "member": _REFERENCE}]},
    "Claim": {"item": [{"productOrService": _CODE}], "total": {"value": 12.5, "currency": "USD"}},
    "Composition": {"section": [{"title": "S", "text": {"div": "<p>x</p>"}, "section": [{"title": "T"}]}]},
    "Condition": {"onsetAge": _QUANTITY, "stage": [{"summary": _CODE}], "abatementDateTime": "2020"},
    "Coverage": {"payor": [_REFERENCE], "class": [{"type": _CODE, "value": "1"}]},
    "Device": {"udiCarrier": [{"carrierHRF": "(01)1"}], "deviceName": [{"name": "D"}]},
    "DiagnosticReport": {
        "presentedForm": [{"contentType": "text/html", "data": "PGI+eDwvYj4="}],
        "result": [_REFERENCE],
    },
    "DocumentReference": {"content": [{"attachment": {"contentType": "text/plain", "data": "eA=="}}]},
    "Encounter": {
        "class": {"code": "AMB"},
        "type": [_CODE],
        "hospitalization": {"dischargeDisposition": _CODE},
    },
    "FamilyMemberHistory": {"condition": [{"code": _CODE, "onsetAge": _QUANTITY}], "relationship": _CODE},
    "Goal": {
        "description": {"text": "{'text': 'Walk'}"},
        "target": [{"measure": _CODE, "detailQuantity": _QUANTITY}],
    },
    "ImagingStudy": {"series": [{"modality": {"code": "CT"}, "bodySite": {"display": "Chest"}}]},
    "Immunization": {"vaccineCode": _CODE, "protocolApplied": [{"doseNumberPositiveInt": 1}]},
    "MedicationRequest": {
        "medicationReference": {"reference": "#m"},
        "dosageInstruction": [
            {
                "doseAndRate": [{"doseQuantity": _QUANTITY}],
                "timing": {"repeat": {"frequency": 1, "period": 1, "periodUnit": "d"}},
            }
        ],
    },
    "Observation": {
        "valueQuantity": _QUANTITY,
        "interpretation": [_CODE],
        "referenceRange": [{"low": _QUANTITY, "high": _QUANTITY, "age": {"low": _QUANTITY}}],
        "component": [
            {"code": _CODE, "valueRange": {"low": _QUANTITY}},
            {"valueRatio": {"numerator": _QUANTITY}},
        ],
    },
    "Patient": {
        "name": [{"given": ["A"], "family": "B"}],
        "birthDate": "1950",
        "link": [{"type": "replaced-by"}],
    },
    "QuestionnaireResponse": {
        "item": [{"text": "Q", "answer": [{"valueBoolean": True}], "item": [{"text": "R"}]}]
    },
    "Specimen": {"collection": {"collectedDateTime": "2020-01-01", "quantity": _QUANTITY}},
    "NutritionOrder": {"oralDiet": {"type": [_CODE], "nutrient": [{"amount": _QUANTITY}]}},
}
_NOISE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(
        ["2021-02-30", "#m", "urn:uuid:1", "entered-in-error", "<b>x", "\x00", "{'text': 1}", "Patient/1"]
    ),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["coding", "text", "value", "code", "reference", "start", "x"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)


def _places(node: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    if isinstance(node, dict):
        found += [p for key, value in node.items() for p in _places(value, (*path, key))]
    elif isinstance(node, list):
        found += [p for index, value in enumerate(node) for p in _places(value, (*path, index))]
    return found


@st.composite
def mutated(draw: st.DrawFn) -> Json:
    """A plausible resource in which up to four places hold something else, or nothing."""
    kind = draw(st.sampled_from(sorted(_OWN)))
    resource: Json = copy.deepcopy({"resourceType": kind, **_COMMON, **_OWN[kind]})
    for _ in range(draw(st.integers(0, 4))):
        path = draw(st.sampled_from(_places(resource)))
        if path == ("resourceType",):
            continue
        node: Any = resource
        for step in path[:-1]:
            node = node[step]
        node[path[-1]] = draw(_NOISE)
    return resource


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(mutated())
def test_reading_a_mutated_resource_never_raises(resource: Json) -> None:
    before = copy.deepcopy(resource)
    found = facts(resource, "Patient/p")
    text = shown_text(found, resource)
    assert text.splitlines()[0].strip()
    assert headline(found) == text.split("\n")[0]
    assert embedded_text(found, resource).strip()
    assert isinstance(label_of(resource), str)
    assert "\x00" not in text
    assert facts(resource, "Patient/p") == found
    assert repr(resource) == repr(before)  # compared as text: NaN does not equal itself


@given(st.dictionaries(st.text(max_size=12), _NOISE, max_size=6))
def test_reading_any_json_object_never_raises(resource: Json) -> None:
    found = facts(resource, "")
    assert isinstance(shown_text(found, resource), str)
    assert isinstance(embedded_text(found, resource), str)


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
