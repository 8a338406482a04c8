"""The phrases renderers share; each returns "" or [] for what is not recorded, so that callers only join."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from core.fhir import codes
from core.fhir.read import Json, string
from core.models import Facts, FhirDate, Precision

_SYSTEMS = {
    codes.SNOMED: "SNOMED CT",
    codes.LOINC: "LOINC",
    codes.RXNORM: "RxNorm",
    codes.CVX: "CVX",
    "http://hl7.org/fhir/sid/icd-10-cm": "ICD-10-CM",
    "http://hl7.org/fhir/sid/icd-10": "ICD-10",
    "http://hl7.org/fhir/sid/icd-9-cm": "ICD-9-CM",
    "http://hl7.org/fhir/sid/ndc": "NDC",
    "http://www.ama-assn.org/go/cpt": "CPT",
    "http://www.whocc.no/atc": "ATC",
    "http://unitsofmeasure.org": "UCUM",
    "urn:ietf:bcp:47": "",
}
# Statuses that change how far a reader may rely on the line: said first (FHIR R4, status value sets).
_FIRST = frozenset(
    [
        "preliminary",
        "amended",
        "corrected",
        "appended",
        "partial",
        "draft",
        "proposed",
        "superseded",
        "unconfirmed",
        "provisional",
        "differential",
    ]
)
_NOT_DONE = {
    "cancelled": "Cancelled",
    "declined": "Declined",
    "noshow": "Did not attend",
    "not-done": "Not done",
    "not-taken": "Not taken",
    "planned": "Planned",
    "preparation": "Not yet done",
    "registered": "Registered, no result yet",
}
_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])")


def lead(facts: Facts) -> str:
    """What must be read before the name: void and why, not done, or a status that is not settled."""
    if facts.void:
        return f"{capitalised(facts.void_reason)}: "
    if facts.not_done:
        return f"{_NOT_DONE.get(facts.status, 'Do not perform')}: "
    words = [w for w in facts.statuses if w in _FIRST]
    return f"{capitalised(spaced(words[0]))}: " if words else ""


def status(facts: Facts) -> str:
    """The status in parentheses, unless the line already opened with it."""
    if facts.not_done and facts.status in _NOT_DONE:
        return ""
    shown = spaced(facts.status)
    return f" ({shown})" if shown and not facts.void and f"{capitalised(shown)}: " != lead(facts) else ""


def on(date: FhirDate | None) -> str:
    """ " on 2024-03-01" or " in 2024-03", as precise as the record and no more; "" without a date."""
    if date is None:
        return ""
    return f" {'in' if date.precision in (Precision.YEAR, Precision.MONTH) else 'on'} {date.shown}"


def when(facts: Facts) -> str:
    """The relevant date, " from … to …" of a period longer than a day, " since …" of one that has no end yet."""
    end = (
        facts.dated(facts.date_field.removesuffix(".start") + ".end")
        if facts.date_field.endswith(".start")
        else None
    )
    if facts.date and end and end.shown != facts.date.shown:
        return f" from {facts.date.shown} to {end.shown}"
    if facts.date and end is None and facts.date_field.endswith(".start"):
        return f" since {facts.date.shown}"
    return on(facts.date)


def full_names(facts: Facts, at_most: int = 3) -> str:
    """The names of the concept, each once whatever its case or SNOMED tag; its label where it has none."""
    seen: dict[str, str] = {}
    for name in facts.names:
        seen.setdefault(codes.plain(name).casefold(), one_line(name))
    return "; ".join(list(seen.values())[:at_most]) or one_line(facts.label)


def detail_lines(facts: Facts, first: Iterable[str] = (), skip: Iterable[str] = ()) -> list[str]:
    """One line per kind of detail, those in `first` leading; the name itself is not repeated."""
    left_out = frozenset(skip)
    kinds = dict.fromkeys([*first, *(d.kind for d in facts.details)])
    lines = []
    for kind in kinds:
        texts = dict.fromkeys(one_line(t) for t in facts.detail(kind)) if kind not in left_out else {}
        texts.pop(one_line(facts.label), None)
        if texts:
            lines.append(f"{capitalised(split_humps(kind))}: {'; '.join(texts)}")
    return lines


def category_line(facts: Facts) -> list[str]:
    """The categories of a resource, those that only repeat its name or mark a profile left out."""
    named = facts.label.casefold()
    shown = [spaced(codes.plain(c)) for c in facts.categories if c.casefold() not in (named, *_PROFILE_MARKS)]
    return [f"Category: {', '.join(dict.fromkeys(shown))}"] if shown else []


_PROFILE_MARKS = ("assess-plan", "assessment and plan of treatment")  # US Core, on every CarePlan


def date_line(facts: Facts, said: str = "") -> list[str]:
    """Every other dated field that adds a day to what the headline (or `said`) and, of inner ones, the details say."""
    said = said or when(facts)
    told = "\n".join(d.text for d in facts.details)
    others = [
        f"{_date_name(d.field)} {d.date.shown}"
        for d in facts.dates
        if d.date.shown
        not in (said + told if "." in d.field.removesuffix(".start").removesuffix(".end") else said)
    ]
    return [f"Dates: {'; '.join(dict.fromkeys(others))}"] if others else []


def code_line(facts: Facts) -> str:
    """ "Codes: LOINC 4548-4": every coding, with each display the headline's name does not already say."""
    said = {codes.plain(facts.label).casefold()}
    shown = []
    for coding in facts.codings:
        system = _SYSTEMS.get(coding.system, coding.system.rstrip("/").rsplit("/", 1)[-1])
        name = "" if codes.plain(coding.display).casefold() in said else coding.display
        said.add(codes.plain(coding.display).casefold())
        if text := " ".join(part for part in (system if coding.code else "", coding.code, name) if part):
            shown.append(one_line(text))
    return f"Codes: {'; '.join(dict.fromkeys(shown))}" if shown else ""


def narrative(text: Json) -> str:
    """A resource's narrative as plain words: tags, scripts and styles dropped, entities decoded."""
    bare = re.sub(r"(?is)<(script|style)\b.*?(</\1\s*>|$)|<[^>]*>", " ", string(text.get("div")))
    return one_line(html.unescape(bare))


def one_line(text: str) -> str:
    return " ".join(text.split())


def capitalised(text: str) -> str:
    """The first letter upper-cased, the rest as it stands (str.capitalize would break "HbA1c")."""
    return text[:1].upper() + text[1:]


def split_humps(name: str) -> str:
    """A FHIR element name as words: "recordedDate" reads "recorded date"; other texts ("UDI") stay."""
    return _HUMPS.sub(" ", name).lower() if _HUMPS.search(name) else name


def spaced(code: str) -> str:
    """A FHIR code as words: "entered-in-error" reads "entered in error"."""
    return code.replace("-", " ")


def _date_name(field: str) -> str:
    """A FHIR date field as a reader says it: "recordedDate" reads "recorded", "reaction[0].onset" "reaction onset"."""
    bare = re.sub(r"\[\d+\]", "", field)
    if bare in _DATE_NAMES:
        return _DATE_NAMES[bare]
    steps = bare.split(".")
    edge = steps.pop() if len(steps) > 1 and steps[-1] in ("start", "end") else ""
    words = re.sub(r"(?<=[a-z])(DateTime|Period|Date|Time)$", "", steps[-1])
    return " ".join(split_humps(w) for w in (*steps[-2:-1], words, edge) if w)


_DATE_NAMES = {
    "abatementDateTime": "resolved",
    "authoredOn": "written",
    "birthDate": "born",
    "date": "dated",
    "recordedOn": "recorded",
    "deceasedDateTime": "died",
    "effectivePeriod.end": "ended",
    "onsetDateTime": "onset",
    "performedPeriod.end": "ended",
    "period.end": "ended",
    "period.start": "started",
    "startDate": "started",
    "whenHandedOver": "handed over",
    "whenPrepared": "prepared",
}
