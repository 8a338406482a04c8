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
    "in force|in place|(?:still|currently|is|are) (?:open|running|valid|current)|(?:still|currently) (?:running|"
    "open)": _ACTIVE,
    "in[- ]progress": "in-progress active",
    "(?:still|currently|presently) (?:taking|on|using|receiving|prescribed)": _ACTIVE,
    "inactive": "inactive remission resolved stopped completed",
    "in remission|remission": "remission",
    "relapsed?": "relapse",
    "recurren(?:t|ce)|recurred": "recurrence",
    "resolved|cleared(?: up)?|subsided|healed(?: up)?|cured|went away|settled(?! (?:at|on|around|in|down)\\b)|recovered|"
    "(?:was|is|were|been) over(?! \\d)|(?:has|have|had) passed|(?:full |complete )?recovery|free of it": "resolved",
    "gone(?! (?:from|to|up|down)\\b)": "resolved",
    "stopped|discontinued|ceased|halted": "stopped cancelled ended",
    "completed|finished": "completed finished",
    "on[- ]hold|suspended|paused": "on-hold suspended",
    "cancell?ed": "cancelled",
    "revoked": "revoked",
    "draft": "draft",
    "ended|c[ao]me to an end|ran out|wound up|closed": "ended stopped completed finished resolved",
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
_ANY = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b")
# An order is taken as long as it is in force, as far as a record can tell.
_OF_DRUGS = tuple(
    (re.compile(rf"{_NOT}\b(?:{words})\b"), frozenset(accepted.split()))
    for words, accepted in {
        "(?:came|come|went|gone|goes|is|was|been|taken) off": "stopped cancelled ended completed",
        "(?:(?:is|are|being|be) )?taking|takes|(?:is|are|being|be) taken|uses|(?:is|are) using": _ACTIVE,
        "(?:is|are|remains?|stays?|he's|she's|they're|(?<!had )been|patient|continues?|continued) on(?= "
        "(?!record|file|(?:the|his|her) "
        "(?:record|list|chart))[a-z])": _ACTIVE,
    }.items()
)
# What was, and by the sentence is no more.
_NO_MORE = re.compile(
    r"\b(?:previously|formerly|former|in the past|past(?! (?:medical |surgical )?history)|used to (?:be on|take|have|use))\b"
)
# With a date role these words only say which date is meant; the date check judges them.
_NEGATED = re.compile(r"^(?:no longer|not|never|isn't|wasn't|aren't|non)\b")
# "The course was completed 2019-01-02": a date that ended is evidence of having ended.
_ENDED_BY = {"resolved": "abatement", "ended": ".end", "finished": ".end", "completed": ".end"}


def read(reading: Reading, cited: Sequence[Facts]) -> list[StatusAtom]:
    """Status words; where a drug is cited, the ways to say that it is or is not taken too."""
    found = []
    drugs = any(f.resource_type.startswith("Medication") for f in cited)
    for match in list(reading.find(_NO_MORE)):
        found.append(StatusAtom(match.start(), match.end(), match.group(), frozenset(_ACTIVE.split()), True))
        reading.take(match.start(), match.end())
    known = _PATTERNS if reading.has(_ANY) else ()
    for pattern, accepted in (*(_OF_DRUGS if drugs else ()), *known):
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


_OF_ILLNESS = frozenset({"resolved", "remission", "relapse", "recurrence"})
_ILLNESS = ("Condition", "AllergyIntolerance")


def check(atom: StatusAtom, cited: Sequence[Facts]) -> Outcome | None:
    """A status word said of several resources has to fit every one of them."""
    with_status = [f for f in cited if f.statuses]
    if atom.accepted <= _OF_ILLNESS:  # no prescription resolves: of what is cited, the illness did
        with_status = [f for f in with_status if f.resource_type in _ILLNESS] or with_status
    if not with_status:
        return missing("status", atom.said, "no status in what is cited")
    wrong = [f for f in with_status if not atom.agrees(f)]
    if not wrong:
        return agreed("status", atom.said, several([f.status for f in with_status]))
    return contradicted(
        "status", atom.said, several([f"{f.label}: {f.status or several(f.statuses)}" for f in wrong])
    )
