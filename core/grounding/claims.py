"""An answer as statements: sentences, list items and table rows, each with what it cites and what it stands under.

No text of the answer is left out: whatever is not layout becomes a statement. A list or table under a cited heading,
lead-in or parent item inherits that citation; a lead-in is judged on what its list cites.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from core.grounding.checks import numbers
from core.grounding.citations import MARK, mask
from core.grounding.layout import Block, beside_headers, blocks
from core.grounding.rewriting import Rewriter
from core.grounding.sentences import item_pieces, sentences


@dataclass(frozen=True)
class Statement:
    """One piece of an answer. `text` has a MARK for each citation bracket, `marks` says what each one cites.

    `inherited` are citations of the heading, lead-in or parent above, `below` those of the list it introduces.
    `context` is the text above that may name its subject. `polarity` is a leading "yes" or "no", taken off the text.
    `is_label` marks a heading, lead-in or table header, which speaks of everything below it.
    `listed` is the number of items and rows below it.
    `written` is the text as it stands in the answer, where `text` has the column headers of a table row beside its cells.
    """

    text: str
    marks: tuple[tuple[str, ...], ...]
    layout: str  # "sentence", "item", "row", "heading"
    inherited: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    polarity: str = ""
    written: str = ""
    is_label: bool = False
    listed: int = 0

    @property
    def cited(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(c for group in self.marks for c in group))

    @property
    def shown(self) -> str:
        """The statement as a reader sees it, without citation brackets."""
        plain = re.sub(r"\s+", " ", (self.written or self.text).replace(MARK, " ")).strip(" |")
        plain = re.sub(r"\s+([.,;:!?)])", r"\1", plain)
        return f"{self.polarity.capitalize()}. {plain}" if self.polarity else plain


_YES_NO = re.compile(rf"^(yes|no|correct|indeed)\b(?:\s*[,.:;!–—-]+\s*|\s*(?={MARK}?[\s.]*$))", re.IGNORECASE)


# "It did not." answers a yes-or-no question as "No." does.
_REPLY = re.compile(
    r"^(?:it|he|she|they|this|that) (?:is|was|did|does|has|had|are|were|do|have)(?P<no>n't| not)?[.!]$",
    re.IGNORECASE,
)
# "Twice." counts what the next sentence cites.
_COUNT = re.compile(rf"^(?:once|twice|thrice|\d{{1,3}}|{numbers.WORD})(?: times)?[.!]$", re.IGNORECASE)


# What ends a sentence or is layout in an answer, but may be part of a name.
_STOPS = {
    ".": "\ue001",
    "?": "\ue002",
    "!": "\ue003",
    "*": "\ue004",
    "_": "\ue005",
    "|": "\ue006",
    "`": "\ue007",
}
# Characters that a reader does not see: left in, they would hide a word ("n\u200bot") from the checks and not from the eye.
_UNSEEN = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad"))
_HIDE, _SHOW = str.maketrans(_STOPS), str.maketrans({hidden: stop for stop, hidden in _STOPS.items()})


def statements(answer: str, names: Iterable[str] = ()) -> list[Statement]:
    """The statements of an answer, in order. `names` may hold full stops and question marks that end no sentence."""
    masked, cited = mask(answer.translate(_UNSEEN).translate(_SHOW))
    names = tuple(names)
    for name in names:
        if any(stop in name for stop in _STOPS):
            masked = re.sub(re.escape(name), lambda m: m[0].translate(_HIDE), masked, flags=re.IGNORECASE)
    found = list(_introduced(list(blocks(masked))))
    rewriter = Rewriter.of(names)
    for draft in found:
        written = draft.text.translate(_SHOW)
        draft.text = rewriter.rewrite(written)
        if draft.text != written:
            draft.written = draft.written or written
        draft.context = tuple(c.translate(_SHOW) for c in draft.context)
    return _with_yes_no(_with_marks(found, cited))


@dataclass
class _Draft:
    """A statement before its citations are counted off: `lead` points at the drafts it stands under."""

    text: str
    layout: str
    context: tuple[str, ...]
    above: tuple[int, ...]
    introduces: bool = False
    written: str = ""


def _introduced(blocks: list[Block]) -> Iterator[_Draft]:
    """Drafts in order, each knowing which drafts it stands under."""
    drafts: list[_Draft] = []
    headings: dict[int, int] = {}  # level -> draft
    lead: list[int] = []  # the sentences of the paragraph just before a list
    parents: list[tuple[int, int]] = []  # (indent, draft) of open items
    header = 0
    for position, block in enumerate(blocks):
        above = tuple(headings.values())
        if block.layout == "heading":
            headings = {level: d for level, d in headings.items() if level < block.depth}
            drafts.append(_Draft(block.text, "heading", (), tuple(headings.values())))
            headings[block.depth] = len(drafts) - 1
            lead, parents = [], []
        elif block.layout == "paragraph":
            before = drafts[-1].text if drafts else ""
            first = len(drafts)
            for text in sentences(block.text):
                drafts.append(_Draft(text, "sentence", (before,), above))
                before = text
            lead = list(range(first, len(drafts)))
            if not _followed_by_list(blocks, position):
                lead = []
            parents = []
        elif block.layout == "header":
            header = len(drafts)
            drafts.append(_Draft(block.text, "header", (), above + tuple(lead)))
        elif block.layout == "row":
            beside = beside_headers(block.text, block.header)
            over = above + tuple(lead)
            if block.header and not beside:
                over += (
                    header,
                )  # its columns cannot be told apart: the header is judged on all that stands under it
            drafts.append(_Draft(beside or block.text, "row", (block.header,), over, written=block.text))
        else:
            parents = [(indent, d) for indent, d in parents if indent < block.depth]
            over = above + tuple(lead) + tuple(d for _, d in parents)
            for text in item_pieces(block.text):
                drafts.append(_Draft(text, "item", (), over))
            parents.append((block.depth, len(drafts) - 1))
    for draft in drafts:
        for d in draft.above:
            drafts[d].introduces = True
    yield from drafts


def _followed_by_list(blocks: list[Block], position: int) -> bool:
    return position + 1 < len(blocks) and blocks[position + 1].layout in ("item", "row", "header")


def _with_marks(drafts: list[_Draft], cited: tuple[tuple[str, ...], ...]) -> list[Statement]:
    """Give every draft its citations, counted off in order, then hand them down to lists and up to lead-ins."""
    marks: list[tuple[tuple[str, ...], ...]] = []
    position = 0
    for draft in drafts:
        count = draft.text.count(MARK)
        marks.append(cited[position : position + count])
        position += count
    below: list[list[str]] = [[] for _ in drafts]
    listed = [0] * len(drafts)
    for i, draft in enumerate(drafts):
        for d in draft.above:
            listed[d] += draft.layout in ("item", "row")
            below[d].extend(c for group in marks[i] for c in group)
    found = []
    for i, draft in enumerate(drafts):
        if draft.layout == "header" and not draft.introduces:
            continue
        inherited: tuple[str, ...] = ()
        for d in reversed(draft.above):
            own = tuple(c for group in marks[d] for c in group)
            if own:
                inherited = own
                break
        context = (
            *(drafts[d].text.replace(MARK, " ") for d in draft.above),
            *(c.replace(MARK, " ") for c in draft.context),
        )
        found.append(
            Statement(
                text=draft.text,
                marks=marks[i],
                layout="heading" if draft.layout == "header" else draft.layout,
                inherited=inherited if not marks[i] else (),
                below=tuple(dict.fromkeys(below[i])) if draft.introduces else (),
                context=tuple(c for c in context if c.strip()),
                listed=listed[i],
                written=draft.written.translate(_SHOW),
            )
        )
    return found


def _with_yes_no(found: list[Statement]) -> list[Statement]:
    """Take a leading "Yes." or "No," off the statement it answers for; alone, it goes to the next statement.

    So do other one-word answers: "It did not.", "Twice."
    """
    out: list[Statement] = []
    pending = count = ""
    for statement in found:
        if _COUNT.match(statement.text):
            count = statement.text.rstrip(".!")
            continue
        if count:
            statement = replace(statement, text=f"{count}: {statement.text}")
            count = ""
        if reply := _REPLY.match(statement.text):
            pending = "no" if reply["no"] else "yes"
            continue
        match = _YES_NO.match(statement.text)
        if match:
            polarity = "no" if match[1].casefold() == "no" else "yes"
            rest = statement.text[match.end() :].strip()
            if not rest.replace(MARK, "").strip(" .") and not statement.marks:
                pending = polarity
                continue
            statement = replace(statement, text=rest, polarity=polarity)
        elif pending:
            statement = replace(statement, polarity=pending)
        pending = ""
        out.append(statement)
    if pending:
        out.append(Statement(text="", marks=(), layout="sentence", polarity=pending))
    if count:
        out.append(Statement(text=count, marks=(), layout="sentence"))
    return out
