"""An answer as statements: sentences, list items and table rows, each with what it cites and what it stands under.

No text of the answer is left out: whatever is not layout becomes a statement. A list or table under a cited heading,
lead-in or parent item inherits that citation; a lead-in is judged on what its list cites.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from core.grounding.citations import MARK, mask


@dataclass(frozen=True)
class Statement:
    """One piece of an answer. `text` has a MARK for each citation bracket, `marks` says what each one cites.

    `inherited` are citations of the heading, lead-in or parent above, `below` those of the list it introduces.
    `context` is the text above that may name its subject. `polarity` is a leading "yes" or "no", taken off the text.
    """

    text: str
    marks: tuple[tuple[str, ...], ...]
    layout: str  # "sentence", "item", "row", "heading"
    inherited: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    polarity: str = ""

    @property
    def cited(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(c for group in self.marks for c in group))

    @property
    def shown(self) -> str:
        """The statement as a reader sees it, without citation brackets."""
        plain = re.sub(r"\s+", " ", self.text.replace(MARK, " ")).strip(" |")
        plain = re.sub(r"\s+([.,;:!?)])", r"\1", plain)
        return f"{self.polarity.capitalize()}. {plain}" if self.polarity else plain


# A full stop after one of these ends no sentence.
_ABBREVIATIONS = frozenset(
    [
        "dr",
        "mr",
        "mrs",
        "ms",
        "prof",
        "st",
        "jr",
        "sr",
        "e.g",
        "eg",
        "i.e",
        "ie",
        "vs",
        "approx",
        "ca",
        "cf",
        "etc",
        "incl",
        "resp",
        "fig",
        "no",
        "nos",
        "vol",
        "est",
        "dept",
        "min",
        "max",
        "avg",
        "wk",
        "mo",
        "yr",
        "hr",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
        "inc",
        "ltd",
        "co",
        "p.o",
        "q.d",
        "b.i.d",
        "t.i.d",
        "q.i.d",
        "p.r.n",
        "i.v",
        "i.m",
        "s.c",
        "a.m",
        "p.m",
        "tab",
        "caps",
        "sol",
        "inj",
    ]
)
_FOLLOWED_BY_NUMBER = frozenset({"no", "nos", "fig", "vol", "approx", "ca", "est"})
_END = re.compile(rf"[.!?]+[\"'”’)\]]*(?:\s*{MARK})*(?=\s|$)")
_WORD_BEFORE = re.compile(r"([A-Za-z][A-Za-z.]*)$")
_HEADING = re.compile(r"^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_BOLD_LINE = re.compile(r"^\s*\*\*([^*]+)\*\*\s*:?\s*$")
_ITEM = re.compile(r"^(\s*)(?:[-*+•‣◦–—]|\(?\d{1,3}[.)])\s+(.*)$")
_RULE = re.compile(r"^[\s|:\-=*_+]+$")
_EMPHASIS = re.compile(r"`+|(?<!\d)\*+|\*+(?!\d)|(?<![\w/])_+|_+(?!\w)|<br\s*/?>|&nbsp;", re.IGNORECASE)
_YES_NO = re.compile(rf"^(yes|no|correct|indeed)\b(?:\s*[,.:;!–—-]+\s*|\s*{MARK}?\s*$)", re.IGNORECASE)


@dataclass
class _Block:
    layout: str
    text: str
    depth: int = 0
    header: str = ""
    gap: bool = False  # a blank line stood before it


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
_HIDE, _SHOW = str.maketrans(_STOPS), str.maketrans({hidden: stop for stop, hidden in _STOPS.items()})


def statements(answer: str, names: Iterable[str] = ()) -> list[Statement]:
    """The statements of an answer, in order. `names` may hold full stops and question marks that end no sentence."""
    masked, cited = mask(answer.translate(_SHOW))
    for name in names:
        if any(stop in name for stop in _STOPS):
            masked = re.sub(re.escape(name), lambda m: m[0].translate(_HIDE), masked, flags=re.IGNORECASE)
    found = list(_introduced(list(_blocks(masked))))
    for draft in found:
        draft.text = draft.text.translate(_SHOW)
        draft.context = tuple(c.translate(_SHOW) for c in draft.context)
    return _with_yes_no(_with_marks(found, cited))


def sentences(text: str) -> list[str]:
    """Split a paragraph into sentences; citations after a full stop stay with the sentence before them."""
    found, begin = [], 0
    for match in _END.finditer(text):
        if _is_abbreviation(text, match.start(), match.group()):
            continue
        found.append(text[begin : match.end()])
        begin = match.end()
    found.append(text[begin:])
    # A bracket alone belongs to the sentence before it.
    joined: list[str] = []
    for piece in found:
        if joined and not piece.replace(MARK, "").strip(" .;,"):
            joined[-1] += piece
        elif piece.strip():
            joined.append(piece)
    return [piece.strip() for piece in joined]


def _is_abbreviation(text: str, stop: int, ending: str) -> bool:
    if not ending.startswith(".") or MARK in ending:
        return False
    word = _WORD_BEFORE.search(text[max(0, stop - 12) : stop])
    if not word:
        return False
    following = text[stop + len(ending) :].lstrip()
    token = word[1].casefold()
    if token in _FOLLOWED_BY_NUMBER:
        return following[:1].isdigit()
    if token in _ABBREVIATIONS:
        return bool(following)
    # An initial inside a name: "John A. Smith"; but "hepatitis B. The …" ends.
    if len(word[1]) == 1 and word[1].isupper():
        before = text[: stop - 1].split()
        return bool(before) and before[-1][:1].isupper() and following[:1].isupper()
    return False


def _blocks(masked: str) -> Iterator[_Block]:
    """Lines joined into headings, paragraphs, items and rows."""
    open_block: _Block | None = None
    gap = False
    table_header = ""
    lines = masked.splitlines()
    for number, line in enumerate(lines):
        line = re.sub(r"^\s*>+\s?", "", line)
        if not line.strip() or line.strip().startswith("```"):
            if open_block:
                yield open_block
            open_block, gap = None, True
            table_header = ""
            continue
        if _RULE.match(line):
            continue
        kind, text, depth = _line_kind(line)
        if kind == "row" or kind in ("heading", "item") or open_block is None:
            if open_block:
                yield open_block
            open_block = _Block(kind, text, depth, gap=gap)
            if kind == "row":
                following = lines[number + 1] if number + 1 < len(lines) else ""
                if not table_header and MARK not in text and "-" in following and _RULE.match(following):
                    table_header = text
                    open_block.layout = "header"
                else:
                    open_block.header = table_header
            if kind != "paragraph" and kind != "item":
                yield open_block
                open_block = None
        else:
            open_block.text += " " + text
        gap = False
    if open_block:
        yield open_block


def _line_kind(line: str) -> tuple[str, str, int]:
    if heading := _HEADING.match(line):
        return "heading", _clean(heading[2]), len(heading[1])
    if bold := _BOLD_LINE.match(line):
        return "heading", _clean(bold[1]), 7
    if item := _ITEM.match(line):
        return "item", _clean(item[2]), len(item[1].expandtabs(4))
    stripped = line.strip()
    if stripped.startswith("|") or stripped.count("|") >= 2:
        return "row", _clean(stripped.strip("|").strip()), 0
    return "paragraph", _clean(stripped), 0


def _clean(text: str) -> str:
    return re.sub(r"\s+", " ", _EMPHASIS.sub(" " if "<br" in text or "&nbsp" in text else "", text)).strip()


@dataclass
class _Draft:
    """A statement before its citations are counted off: `lead` points at the drafts it stands under."""

    text: str
    layout: str
    context: tuple[str, ...]
    above: tuple[int, ...]
    introduces: bool = False


def _introduced(blocks: list[_Block]) -> Iterator[_Draft]:
    """Drafts in order, each knowing which drafts it stands under."""
    drafts: list[_Draft] = []
    headings: dict[int, int] = {}  # level -> draft
    lead: list[int] = []  # the sentences of the paragraph just before a list
    parents: list[tuple[int, int]] = []  # (indent, draft) of open items
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
            drafts.append(_Draft(block.text, "header", (), above + tuple(lead)))
        elif block.layout == "row":
            drafts.append(_Draft(block.text, "row", (block.header,), above + tuple(lead)))
        else:
            parents = [(indent, d) for indent, d in parents if indent < block.depth]
            over = above + tuple(lead) + tuple(d for _, d in parents)
            for text in _item_pieces(block.text):
                drafts.append(_Draft(text, "item", (), over))
            parents.append((block.depth, len(drafts) - 1))
    for draft in drafts:
        for d in draft.above:
            drafts[d].introduces = True
    yield from drafts


def _followed_by_list(blocks: list[_Block], position: int) -> bool:
    return position + 1 < len(blocks) and blocks[position + 1].layout in ("item", "row", "header")


def _item_pieces(text: str) -> list[str]:
    """The sentences of a list item, uncited ones joined to the cited one they go with: an item is one claim."""
    pieces: list[str] = []
    waiting = ""
    for sentence in sentences(text):
        waiting = f"{waiting} {sentence}".strip()
        if MARK in sentence:
            pieces.append(waiting)
            waiting = ""
    if waiting:
        if pieces:
            pieces[-1] += f" {waiting}"
        else:
            pieces.append(waiting)
    return pieces


def _with_marks(drafts: list[_Draft], cited: tuple[tuple[str, ...], ...]) -> list[Statement]:
    """Give every draft its citations, counted off in order, then hand them down to lists and up to lead-ins."""
    marks: list[tuple[tuple[str, ...], ...]] = []
    position = 0
    for draft in drafts:
        count = draft.text.count(MARK)
        marks.append(cited[position : position + count])
        position += count
    below: list[list[str]] = [[] for _ in drafts]
    for i, draft in enumerate(drafts):
        for d in draft.above:
            below[d].extend(c for group in marks[i] for c in group)
    found = []
    for i, draft in enumerate(drafts):
        if draft.layout == "header":
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
                layout="heading" if draft.layout == "heading" else draft.layout,
                inherited=inherited if not marks[i] else (),
                below=tuple(dict.fromkeys(below[i])) if draft.introduces else (),
                context=tuple(c for c in context if c.strip()),
            )
        )
    return found


def _with_yes_no(found: list[Statement]) -> list[Statement]:
    """Take a leading "Yes." or "No," off the statement it answers for; alone, it goes to the next statement."""
    out: list[Statement] = []
    pending = ""
    for statement in found:
        match = _YES_NO.match(statement.text)
        if match:
            polarity = "no" if match[1].casefold() == "no" else "yes"
            rest = statement.text[match.end() :].strip()
            if not rest.replace(MARK, "").strip(" .") and not statement.marks:
                pending = polarity
                continue
            if MARK not in match.group():
                statement = replace(statement, text=rest, polarity=polarity)
        elif pending:
            statement = replace(statement, polarity=pending)
        pending = ""
        out.append(statement)
    if pending:
        out.append(Statement(text=pending.capitalize() + ".", marks=(), layout="sentence"))
    return out
