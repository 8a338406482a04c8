"""The evidence as a model is given it: record text is fenced as data, the best-ranked resources come first.

Record text is untrusted. Every line of it begins with "| ", and a citation written inside it loses its
brackets, so that no record can end the fence, pose as an instruction outside it or cite for the model.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from core.fhir.types import RESOURCE_TYPES, spoken
from core.models import Evidence

CHARACTERS_PER_TOKEN = (
    4  # English prose and clinical terms, the usual estimate; digits cost more, so budgets are kept low
)
_TYPES_NAMED = 5  # of what was left out
_SHARE = 4  # no single resource (a long note) may take more than a quarter of the budget
# By type name, since LOINC names hold brackets that only look alike: "Glucose [Mass/volume] in Blood".
_CITATION = re.compile(rf"\[(\s*(?:https?://\S*/)?(?:{'|'.join(sorted(RESOURCE_TYPES))})/[^\[\]]*)\]")
_UNDATED = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Context:
    """The text given to the model, the ids of the resources in it, and how many of each type did not fit."""

    text: str
    included: tuple[str, ...]
    left_out: Mapping[str, int]

    @property
    def note(self) -> str:
        """What a reader of the answer is told of what did not fit; "" when everything did."""
        count = sum(self.left_out.values())
        return (
            f"{count} of {count + len(self.included)} retrieved resources did not fit into what the model was given."
            if count
            else ""
        )


@dataclass(frozen=True, slots=True)
class _Block:
    """One text and every resource that states exactly it."""

    ids: tuple[str, ...]
    kind: str
    newest: datetime
    text: str


def build_context(evidence: Sequence[Evidence], budget_tokens: int) -> Context:
    """Choose by rank within the budget, then lay out by type, newest first; void resources are left out.

    `evidence` is in rank order. The text is at most `budget_tokens` long, at four characters a token.
    """
    budget = budget_tokens * CHARACTERS_PER_TOKEN
    blocks = _blocks(evidence, budget // _SHARE)
    room = budget - len(_remainder(_counts(blocks)))
    chosen: list[_Block] = []
    for block in blocks:
        cost = len(block.text) + 1
        if block.kind not in {c.kind for c in chosen}:
            cost += len(_heading(block.kind)) + 1
        if cost <= room:
            chosen.append(block)
            room -= cost
    left_out = _counts(b for b in blocks if b not in chosen)
    lines = _laid_out(chosen) + ([_remainder(left_out)] if left_out else [])
    return Context("\n".join(lines), tuple(i for b in chosen for i in b.ids), left_out)


def fenced(text: str) -> str:
    """Untrusted text as data: each line opens with "| ", and [Type/id] inside it reads (Type/id)."""
    lines = [" ".join(_CITATION.sub(r"(\1)", line).split()) for line in text.splitlines()]
    return "\n".join(f"| {line}" for line in lines if line)


def _blocks(evidence: Sequence[Evidence], longest: int) -> list[_Block]:
    """One block per distinct text of a type, in rank order, cut to the longest a block may be."""
    ids: dict[tuple[str, str], list[str]] = {}
    newest: dict[tuple[str, str], datetime] = {}
    for item in evidence:
        facts = item.facts
        if facts.void:
            continue
        key = (facts.resource_type, item.text)
        held = ids.setdefault(key, [])
        if facts.resource_id not in held:
            held.append(facts.resource_id)
        when = facts.date.instant if facts.date else _UNDATED
        newest[key] = max(newest.get(key, _UNDATED), when)
    return [
        _Block(tuple(held), kind, newest[kind, text], _block_text(held, text, longest))
        for (kind, text), held in ids.items()
    ]


def _block_text(ids: Sequence[str], text: str, longest: int) -> str:
    cited = " ".join(f"[{i}]" for i in ids)
    body = fenced(text)
    if len(cited) + len(body) > longest:
        kept = body[: max(longest - len(cited), 0)]
        body = kept[: kept.rfind("\n")] if "\n" in kept else kept
        body += "\n| … (the rest of this text was left out)"
    return f"{cited}\n{body}"


def _laid_out(chosen: Sequence[_Block]) -> list[str]:
    """Types in the order their best resource ranks; within a type newest first, undated last."""
    lines = []
    for kind in dict.fromkeys(b.kind for b in chosen):
        lines.append(_heading(kind))
        lines += [
            b.text
            for b in sorted((b for b in chosen if b.kind == kind), key=lambda b: b.newest, reverse=True)
        ]
    return lines


def _heading(kind: str) -> str:
    return f"## {spoken(kind)}, newest first"


def _counts(blocks: Iterable[_Block]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for block in blocks:
        counts[block.kind] += len(block.ids)
    return counts


def _remainder(counts: Counter[str]) -> str:
    """What did not fit, by type, the most frequent first."""
    named = [f"{count} {spoken(kind)}" for kind, count in counts.most_common(_TYPES_NAMED)]
    others = counts.total() - sum(count for _, count in counts.most_common(_TYPES_NAMED))
    what = ", ".join([*named, f"{others} of other types"] if others else named)
    return f"({counts.total()} further resources did not fit here: {what}. State no totals over the whole record.)"
