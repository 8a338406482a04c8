"""Questions with known truth, read and checked before anything is measured against them.

An expectation that the records do not bear out, a placeholder, a duplicate: a loud EvaluationError that names the
question. Two shapes are read, the YAML of data/evaluation/questions.yaml and JSON lines; docs/evaluation.md has both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import orjson
import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from core.errors import EvaluationError
from core.words import fold

SHIPPED = Path(__file__).parents[2] / "data" / "evaluation" / "questions.yaml"
_PLACEHOLDER = re.compile(
    r"(?i)(?:^|[-/_])(?:0{4,}|x{3,}|todo|tbd|fixme|example|placeholder|sample|some|your|id)(?:$|[-/_])|[<>{}…]|\.\.\."
)


class AtomKind(StrEnum):
    """What can be looked for in an answer: see core.evaluation.found for how each is found."""

    VALUE = "value"
    DATE = "date"
    COUNT = "count"
    WORDS = "words"
    STATUS = "status"
    DIRECTION = "direction"


class Atom(BaseModel):
    """One thing an answer must say: kind and text, for example value "6.4" or date "2014-09-23"."""

    model_config = ConfigDict(frozen=True)
    kind: AtomKind
    text: str

    def __str__(self) -> str:
        return f"{self.kind.value} {self.text}"


class Fact(BaseModel):
    """One fact an answer must state: any of the alternatives, each a group that has to stand in one statement together."""

    model_config = ConfigDict(frozen=True)
    any_of: tuple[tuple[Atom, ...], ...] = Field(min_length=1)

    def __str__(self) -> str:
        return " or ".join(" with ".join(map(str, together)) for together in self.any_of)


def _fact(raw: object) -> object:
    """{value, date, count, words, status, direction}: several keys are one statement, a list of words alternatives."""
    if not isinstance(raw, dict) or "any_of" in raw:
        return raw
    groups: list[tuple[Atom, ...]] = [()]
    for key, value in raw.items():
        atoms = [
            Atom(kind=AtomKind(key), text=str(v)) for v in (value if isinstance(value, list) else [value])
        ]
        groups = [(*group, atom) for group in groups for atom in atoms]
    return {"any_of": groups}


def _alternatives(raw: object) -> object:
    """Each relevant resource is an id or a list of ids of which one is enough (the same result stored twice)."""
    if not isinstance(raw, list):
        return raw
    return [[entry] if isinstance(entry, str) else entry for entry in raw]


class Expected(StrEnum):
    ANSWER = "answer"
    REFUSE = "refuse"


class Question(BaseModel):
    """One question and its truth.

    `resources` are the resources a complete answer rests on, each a tuple of ids of which one is enough. `also` may be
    cited without being needed. `facts` must be in the answer, `forbid` must not. A question to refuse (`expect`) says
    `why`, and `absent` names what no resource of the patient may be called or coded.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    id: str = Field(min_length=1)
    patient: str = Field(min_length=1)
    category: str = Field(min_length=1)
    cohort: str = ""
    ask: str = Field(min_length=3)
    expect: Expected = Expected.ANSWER
    resources: Annotated[tuple[tuple[str, ...], ...], BeforeValidator(_alternatives)] = ()
    also: tuple[str, ...] = ()
    facts: tuple[Annotated[Fact, BeforeValidator(_fact)], ...] = ()
    forbid: tuple[Annotated[Fact, BeforeValidator(_fact)], ...] = ()
    why: Literal["", "absent", "false premise", "near miss", "another patient", "advice", "off topic"] = ""
    absent: tuple[str, ...] = ()

    @property
    def relevant(self) -> frozenset[str]:
        """Every id that counts as relevant."""
        return frozenset(i for group in self.resources for i in group)

    @model_validator(mode="after")
    def _consistent(self) -> Question:
        if self.expect is Expected.ANSWER and not (self.resources and self.facts):
            raise ValueError("a question to answer needs resources and facts")
        if self.expect is Expected.REFUSE and (self.resources or self.facts):
            raise ValueError("a question to refuse has no resources and no facts")
        if placeholder := next(
            (i for i in (self.patient, *self.relevant, *self.also) if _PLACEHOLDER.search(i)), ""
        ):
            raise ValueError(f"{placeholder} is a placeholder")
        return self


class _File(BaseModel):
    """The YAML file: patients by the short name questions use, cohorts by name, questions."""

    model_config = ConfigDict(extra="forbid")
    cohorts: dict[str, str]
    patients: dict[str, dict[str, str]]
    questions: list[dict[str, Any]] = Field(min_length=1)


def read_questions(path: Path | None = None) -> tuple[Question, ...]:
    """The questions of a file (the shipped ones by default), in file order, not yet checked against any record.

    Raises EvaluationError naming the file and the question.
    """
    path = path or SHIPPED
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise EvaluationError(f"{path} cannot be read ({error.strerror}). Check the path.") from None
    except UnicodeDecodeError:
        raise EvaluationError(f"{path} is not UTF-8 text.") from None
    lines = path.suffix in (".jsonl", ".ndjson", ".json")
    questions = _from_lines(text, path.name) if lines else _from_yaml(text, path.name)
    _reject_duplicates(questions)
    return questions


def _from_yaml(text: str, name: str) -> tuple[Question, ...]:
    try:
        file = _File.model_validate(yaml.safe_load(text))
    except (yaml.YAMLError, ValidationError) as error:
        raise EvaluationError(f"{name} is not a question file: {_first(error)}") from None
    found = []
    for number, raw in enumerate(file.questions, 1):
        label = str(raw.get("id", f"question {number}"))
        patient = file.patients.get(str(raw.get("patient")))
        if patient is None:
            raise EvaluationError(
                f"{label}: patient {raw.get('patient')!r} is not among the patients of {name}."
            )
        if patient.get("cohort") not in file.cohorts:
            raise EvaluationError(
                f"{label}: cohort {patient.get('cohort')!r} is not among the cohorts of {name}."
            )
        found.append(
            _question({**raw, "patient": patient.get("record", ""), "cohort": patient["cohort"]}, label)
        )
    return tuple(found)


_PREFIXES = {"num": AtomKind.VALUE, "date": AtomKind.DATE, "int": AtomKind.COUNT}


def _from_lines(text: str, name: str) -> tuple[Question, ...]:
    """JSON lines {id, patient, category, question, expect, relevant, must, forbid}; other fields are ignored."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            raw = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise EvaluationError(f"{name}, line {number} is not JSON ({error}).") from None
        if not isinstance(raw, dict):
            raise EvaluationError(f"{name}, line {number} is not a JSON object.")
        label = str(raw.get("id", f"line {number}"))
        fields = {
            "id": label,
            "patient": raw.get("patient"),
            "category": raw.get("category") or "other",
            "cohort": raw.get("cohort", ""),
            "ask": raw.get("question"),
            "expect": raw.get("expect", "answer"),
            "resources": list(raw.get("relevant") or ()),
            "facts": [_imported(alternatives) for alternatives in raw.get("must") or ()],
            "forbid": [_imported([text]) for text in raw.get("forbid") or ()],
        }
        found.append(_question(fields, label))
    if not found:
        raise EvaluationError(f"{name} holds no question.")
    return tuple(found)


def _imported(alternatives: Sequence[str]) -> dict[str, Any]:
    groups = []
    for text in alternatives:
        prefix, _, rest = str(text).partition(":")
        kind = _PREFIXES.get(prefix) if rest else None
        groups.append((Atom(kind=kind, text=rest) if kind else Atom(kind=AtomKind.WORDS, text=str(text)),))
    return {"any_of": groups}


def _question(raw: dict[str, Any], label: str) -> Question:
    try:
        return Question.model_validate(raw)
    except (ValidationError, ValueError) as error:
        raise EvaluationError(f"{label}: {_first(error)}") from None


def _reject_duplicates(questions: Iterable[Question]) -> None:
    ids: set[str] = set()
    asked: dict[tuple[str, str], str] = {}
    for q in questions:
        if q.id in ids:
            raise EvaluationError(f"{q.id}: the id is used twice.")
        ids.add(q.id)
        words = " ".join(re.findall(r"\w+", fold(q.ask)))
        other = asked.setdefault((q.patient, words), q.id)
        if other != q.id:
            raise EvaluationError(f"{q.id}: the same question about the same patient as {other}.")


def _first(error: Exception) -> str:
    """A one-line reason: the first thing pydantic or YAML found wrong, and where."""
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return f"{where}: {first['msg']}" if where else first["msg"]
    return " ".join(str(error).split())
