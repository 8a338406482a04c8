"""The nouns every stage hands to the next: plain values, no I/O, no behaviour beyond their own fields.

Frozen dataclasses travel inside the process; the pydantic models at the end are the JSON of the command
line, whose field names are a published contract.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from pydantic import BaseModel, Field

REFUSAL = "Insufficient data in the available FHIR resources to answer this question."


# --- FHIR values -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Coding:
    """One FHIR Coding; absent parts are empty strings."""

    system: str
    code: str
    display: str


class Precision(StrEnum):
    """How much of a FHIR date is known."""

    YEAR = "year"
    MONTH = "month"
    DAY = "day"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class FhirDate:
    """A FHIR date, dateTime or instant: the text as recorded and the days it covers.

    `start` and `end` are the first and the last day covered, inclusive, in the wall-clock of the recorded offset:
    "2021" covers 2021-01-01 to 2021-12-31. `instant` orders dates (UTC; the start of the day where no time is known).
    """

    text: str
    start: date
    end: date
    precision: Precision
    instant: datetime

    @property
    def shown(self) -> str:
        """The date as a reader meets it, at its own precision: 2021, 2021-03 or 2021-03-14."""
        return self.text[:10] if self.precision in (Precision.DAY, Precision.TIME) else self.text


@dataclass(frozen=True, slots=True)
class Quantity:
    """A FHIR Quantity. `unit` is the printed unit, `code` the UCUM code, `comparator` one of "", <, <=, >=, >."""

    value: Decimal | None
    unit: str = ""
    code: str = ""
    comparator: str = ""


@dataclass(frozen=True, slots=True)
class ReferenceRange:
    """One reference range of one result, in the unit of its limits."""

    low: Quantity | None
    high: Quantity | None
    text: str


class ValueKind(StrEnum):
    """The shape of a value[x], folded to what a check can be made on."""

    QUANTITY = "quantity"
    CODE = "code"
    TEXT = "text"
    BOOLEAN = "boolean"
    RANGE = "range"
    RATIO = "ratio"
    DATE = "date"
    PERIOD = "period"
    SAMPLED = "sampled"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Value:
    """One measured or stated value of a resource, at the FHIR path it was read from.

    `label` and `codings` say what was measured (a component's own code for a component). `text` is the value in words
    for every kind but QUANTITY; `words` are all its names (every display of a coded value). `low`/`high` hold a Range,
    `quantity`/`denominator` a Ratio. An ABSENT value carries `absent_reason` (possibly empty).
    """

    path: str
    label: str
    codings: tuple[Coding, ...]
    kind: ValueKind
    quantity: Quantity | None = None
    denominator: Quantity | None = None
    low: Quantity | None = None
    high: Quantity | None = None
    text: str = ""
    words: tuple[str, ...] = ()
    when: FhirDate | None = None
    until: FhirDate | None = None
    absent_reason: str = ""
    ranges: tuple[ReferenceRange, ...] = ()
    flags: tuple[Coding, ...] = ()


@dataclass(frozen=True, slots=True)
class DatedField:
    """A date and the field it came from, e.g. ("onsetDateTime", 2019-04-23)."""

    field: str
    date: FhirDate


@dataclass(frozen=True, slots=True)
class Detail:
    """A further statement of a resource worth showing, searching and checking: a dose, a reaction, a reason, a note."""

    kind: str
    text: str
    path: str


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything typed that one resource states: the only thing answers are computed from and checked against.

    `resource_id` is "ResourceType/id", `patient_ref` "Patient/id" or "" for a shared directory row.
    `concept_key` names what the resource is about (type + primary code); equal keys are one series.
    `label` is the name to show; `names` every display and text of the primary concept. `status` is the status to show
    (clinical status for conditions and allergies), `statuses` every status word of the resource.
    `void_reason` is non-empty for a resource that is never evidence (entered in error, refuted, unknown modifier).
    `not_done` marks a resource that says something was not done or must not be given.
    `dates` hold every dated field; `date` is the clinically relevant one, read from `date_field`.
    """

    resource_id: str
    resource_type: str
    patient_ref: str
    concept_key: str
    label: str
    names: tuple[str, ...]
    codings: tuple[Coding, ...]
    categories: tuple[str, ...] = ()
    status: str = ""
    statuses: tuple[str, ...] = ()
    void_reason: str = ""
    not_done: bool = False
    date: FhirDate | None = None
    date_field: str = ""
    dates: tuple[DatedField, ...] = ()
    values: tuple[Value, ...] = ()
    details: tuple[Detail, ...] = ()
    references: tuple[Reference, ...] = ()

    @property
    def void(self) -> bool:
        return bool(self.void_reason)

    def detail(self, *kinds: str) -> list[str]:
        """The texts of every detail of these kinds, in record order."""
        return [d.text for d in self.details if d.kind in kinds]

    def dated(self, *fields: str) -> FhirDate | None:
        """The first date among the named fields that the resource has."""
        return next((d.date for name in fields for d in self.dates if d.field == name), None)


@dataclass(frozen=True, slots=True)
class Reference:
    """An outbound reference: the FHIR path, the target as "Type/id" ("" if unresolvable) and its display text."""

    path: str
    target: str
    display: str = ""


# --- evidence and answers ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Evidence:
    """One retrieved resource: its facts, the text shown on its card and why it is here.

    `arms` name what brought it: "question" (computed from the parsed question), "vector", "text", "reference".
    """

    facts: Facts
    text: str
    arms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer before verification: text with [Type/id] citations, whether it refuses, and which answerer wrote it.

    `finish_note` says why a model's answer is incomplete ("" when it is whole).
    """

    text: str
    refused: bool
    answerer: str
    finish_note: str = ""


class ClaimStatus(StrEnum):
    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"
    UNCITED = "uncited"


class VerdictStatus(StrEnum):
    GROUNDED = "grounded"
    PARTIALLY_GROUNDED = "partially_grounded"
    UNGROUNDED = "ungrounded"


class Check(BaseModel):
    """One atom of a claim: what the claim says (`expected`) and what the record holds (`found`)."""

    kind: str
    ok: bool
    expected: str
    found: str


class Claim(BaseModel):
    """One sentence, list item or table row of an answer, with its citations and the checks made on it."""

    text: str
    status: ClaimStatus
    citations: list[str] = Field(default_factory=list)
    checks: list[Check] = Field(default_factory=list)


class Span(BaseModel):
    """The passage of a document that a claim rests on: characters [start, end) of the text at a FHIR path, decoded."""

    path: str
    start: int
    end: int
    text: str


class Citation(BaseModel):
    """One cited resource, as the evidence panel and the command line show it; of a document, the passages cited."""

    resource_id: str
    resource_type: str
    date: str | None
    text: str
    spans: list[Span] = Field(default_factory=list)


class Verdict(BaseModel):
    """The verdict on a whole answer. `refused` answers make no claim and are ungrounded by definition."""

    verdict: VerdictStatus
    refused: bool
    claims: list[Claim] = Field(default_factory=list)


class Timings(BaseModel):
    """Milliseconds spent in each stage of one question."""

    embed: float = 0.0
    retrieve: float = 0.0
    resolve: float = 0.0
    context: float = 0.0
    generate: float = 0.0
    verify: float = 0.0
    total: float = 0.0


class Answer(BaseModel):
    """The published JSON of one answered question.

    `merged_from` is the id that was asked for, where that record was merged into `patient`'s. `read_as` is the question in
    full where it leaned on the one before ("and before that?"). `retrieved` is in rank
    order; `retrieved_by` names the arms that brought each: question, vector, text, reference.
    """

    id: str | None = None
    patient: str
    merged_from: str | None = None
    question: str
    read_as: str | None = None
    answer: str
    verdict: VerdictStatus
    refused: bool
    answerer: str
    claims: list[Claim]
    citations: list[Citation]
    retrieved: list[str]
    retrieved_by: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    timings_ms: Timings


@dataclass(frozen=True, slots=True)
class Result:
    """What the dashboard needs beside the published answer: the evidence with its typed facts, in rank order.

    `note` says why a model's answer is incomplete and what it was not given, "" when it is whole.
    """

    answer: Answer
    evidence: tuple[Evidence, ...] = field(default_factory=tuple)
    note: str = ""
