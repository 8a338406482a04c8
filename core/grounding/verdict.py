"""The verdict on an answer: no text without a valid citation is ever grounded, and no text makes this raise.

Each statement is read against the resources it cites and, for record-wide words, against the whole record.
Nothing is inferred and nothing is looked up: the same answer and record give the same verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.grounding import citations, claims, refusal
from core.grounding.claims import Statement
from core.grounding.examine import examine, examine_label
from core.grounding.lexicon import Lexicon
from core.grounding.record import Record
from core.grounding.statement import LISTED, Parsed
from core.grounding.talk import is_talk
from core.models import Check, Claim, ClaimStatus, Facts, Verdict, VerdictStatus


def verify(answer: str, record: Record, *, question: str = "") -> Verdict:
    """Check every claim of an answer against the record it cites.

    `question` lets a short answer ("7.1 % on 2024-03-01 [Observation/x].") take its subject from what was asked.
    """
    if refusal.is_refusal(answer):
        return Verdict(verdict=VerdictStatus.UNGROUNDED, refused=True)
    lexicon = Lexicon.of(record)
    found: list[Claim] = []
    before: tuple[Facts, ...] = ()
    for statement in claims.statements(answer, _names_cited(answer, record)):
        claim, cited = _claim(statement, record, lexicon, question, before)
        if claim:
            found.append(claim)
        before = cited or before
    return Verdict(verdict=overall(found), refused=False, claims=found)


def _names_cited(answer: str, record: Record) -> set[str]:
    """The names of what an answer cites: a question that is a name ("Do you feel safe?") is one word of a sentence."""
    _, cited = citations.mask(answer)
    found = (record.resources[i] for group in cited for i in group if i in record.resources)
    return {name for facts in found for name in (facts.label, *facts.names) if name}


def overall(found: Sequence[Claim]) -> VerdictStatus:
    """DESIGN: grounded when every claim is supported, ungrounded when none is or any is contradicted."""
    statuses = [c.status for c in found]
    supported = statuses.count(ClaimStatus.SUPPORTED)
    if not supported or ClaimStatus.CONTRADICTED in statuses:
        return VerdictStatus.UNGROUNDED
    return VerdictStatus.GROUNDED if supported == len(statuses) else VerdictStatus.PARTIALLY_GROUNDED


def _claim(
    statement: Statement, record: Record, lexicon: Lexicon, question: str, before: tuple[Facts, ...]
) -> tuple[Claim | None, tuple[Facts, ...]]:
    """The claim a statement makes (None when it states nothing), and the resources it rests on."""
    ids = statement.cited or statement.inherited
    rests_below = not statement.cited and bool(statement.below)
    if rests_below and (statement.layout == "heading" or statement.text.rstrip().endswith(":") or not ids):
        ids = statement.below
    bad = [c for i in ids if (c := _unusable(i, record))]
    cited = _evidence(ids, record)
    introduces = statement.layout == "heading" or (rests_below and statement.text.rstrip().endswith(":"))
    parsed = Parsed(statement.text, cited, record, lexicon, label=introduces)
    if not statement.cited:
        counts = introduces and LISTED.search(statement.text)
        stated = (parsed.states_a_fact() and not is_talk(parsed)) or statement.polarity or counts
        if not stated or refusal.is_gap(statement.text, question):
            return None, ()
        if introduces and statement.below and parsed.is_label():
            statement = replace(statement, is_label=True)
            status, outcomes = examine_label(statement, parsed)
            if status is ClaimStatus.SUPPORTED and not parsed.says_of_all():
                return None, ()  # it only names what is listed under it
            if not bad:
                return _made(statement, ids, status, [o.check() for o in outcomes]), ()
    if bad or not ids:
        checks = bad or [Check(kind="citation", ok=False, expected="a citation", found="none")]
        return _made(statement, ids, ClaimStatus.UNCITED, checks), cited
    asked = None
    if question:
        about = _evidence(dict.fromkeys((*ids, *statement.below)), record)
        asked = Parsed(question, about, record, lexicon)
    status, outcomes = examine(statement, parsed, asked, before)
    return _made(statement, ids, status, [o.check() for o in outcomes]), cited


def _evidence(ids: Iterable[str], record: Record) -> tuple[Facts, ...]:
    return tuple(record.resources[i] for i in ids if i in record.resources and not record.resources[i].void)


def _unusable(resource_id: str, record: Record) -> Check | None:
    facts = record.resources.get(resource_id)
    if facts is None:
        return Check(kind="citation", ok=False, expected=resource_id, found="no such resource in this record")
    if facts.void:
        return Check(
            kind="citation", ok=False, expected=resource_id, found=f"not evidence: {facts.void_reason}"
        )
    return None


def _made(statement: Statement, ids: Sequence[str], status: ClaimStatus, checks: list[Check]) -> Claim:
    return Claim(text=statement.shown, status=status, citations=list(ids), checks=checks)
