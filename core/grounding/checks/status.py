"""A status word stands only beside a resource whose own status says it; "stopped" is never "active", whatever the dates.

Source: FHIR R4 value sets condition-clinical, condition-ver-status, medicationrequest-status, event-status, care plans.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.grounding.checks.outcome import Outcome, agreed, contradicted, missing, several
from core.grounding.reading import Atom, Reading
from core.models import Facts


@dataclass(frozen=True, slots=True)
class StatusAtom(Atom):
    """A status word and the FHIR statuses that bear it out; `negated` for "no longer active"."""

    accepted: frozenset[str]
    negated: bool = False

    def agrees(self, facts: Facts) -> bool:
        held = bool(self.accepted & frozenset(_statuses(facts)))
        return held is not self.negated


_ACTIVE = "active recurrence relapse in-progress"
_WORDS: dict[str, str] = {
    "active": _ACTIVE,
    "ongoing": _ACTIVE,
    "in force": _ACTIVE,
    "in[- ]progress": "in-progress active",
    "(?:still|currently|presently) (?:taking|on|using|receiving|prescribed)": _ACTIVE,
    "(?:is|are|being|remains?) taking": _ACTIVE,
    "taking": _ACTIVE,
    "inactive": "inactive remission resolved stopped completed",
    "in remission|remission": "remission",
    "relapsed?": "relapse",
    "recurren(?:t|ce)|recurred": "recurrence",
    "resolved|cleared(?: up)?|subsided": "resolved",
    "stopped|discontinued|ceased|halted": "stopped cancelled ended",
    "completed|finished": "completed finished",
    "on[- ]hold|suspended|paused": "on-hold suspended",
    "cancell?ed": "cancelled",
    "revoked": "revoked",
    "draft": "draft",
    "ended": "ended stopped completed finished",
    "planned": "planned proposed",
    "preliminary": "preliminary registered",
    "amended": "amended",
    "corrected": "corrected",
    "confirmed": "confirmed",
    "unconfirmed": "unconfirmed provisional",
    "provisional": "provisional unconfirmed",
    "differential": "differential",
    "refuted": "refuted",
    "accepted": "accepted",
    "superseded": "superseded",
}
_NOT = r"(?:\b(?:no longer|not(?: currently| yet| been| recorded as| marked(?: as)?)?|never|isn't|wasn't|aren't|non)[\s-]+)?"
_PATTERNS = tuple(
    (re.compile(rf"{_NOT}\b(?:{words})\b"), frozenset(accepted.split())) for words, accepted in _WORDS.items()
)
# With a date role these words only say which date is meant; the date check judges them.
_NEGATED = re.compile(r"^(?:no longer|not|never|isn't|wasn't|aren't|non)\b")
# "The course was completed 2019-01-02": a date that ended is evidence of having ended.
_ENDED_BY = {"resolved": "abatement", "ended": ".end", "finished": ".end", "completed": ".end"}


def read(reading: Reading) -> list[StatusAtom]:
    found = []
    for pattern, accepted in _PATTERNS:
        for match in list(reading.find(pattern)):
            negated = bool(_NEGATED.match(match.group()))
            found.append(StatusAtom(match.start(), match.end(), match.group(), accepted, negated))
            reading.take(match.start(), match.end())
    return sorted(found, key=lambda a: a.start)


def _statuses(facts: Facts) -> list[str]:
    held = [s.casefold() for s in facts.statuses]
    held += [
        s.casefold()
        for d in facts.details
        if d.kind in ("achievementStatus", "activity")
        for s in _in_brackets(d.text)
    ]
    for dated in facts.dates:
        if dated.field.startswith("abatement"):
            held.append("resolved")
        if dated.field.endswith(".end"):
            held.append("ended")
    return held


def _in_brackets(text: str) -> list[str]:
    return re.findall(r"\(([a-z-]+)\)", text) or [text]


def check(atom: StatusAtom, cited: Sequence[Facts]) -> Outcome | None:
    """A status word said of several resources has to fit every one of them."""
    with_status = [f for f in cited if f.statuses]
    if not with_status:
        return missing("status", atom.said, "no status in what is cited")
    wrong = [f for f in with_status if not atom.agrees(f)]
    if not wrong:
        return agreed("status", atom.said, several([f.status for f in with_status]))
    return contradicted(
        "status", atom.said, several([f"{f.label}: {f.status or several(f.statuses)}" for f in wrong])
    )
