"""The lines of an answer as blocks: headings, paragraphs, list items, table rows with the header they stand under.

No text is left out: whatever is neither layout nor a code fence belongs to a block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.grounding.citations import MARK

_HEADING = re.compile(r"^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_BOLD_LINE = re.compile(r"^\s*\*\*([^*]+)\*\*\s*:?\s*$")
_ITEM = re.compile(r"^(\s*)(?:[-*+•‣◦–—]|\(?\d{1,3}[.)])\s+(.*)$")
_RULE = re.compile(r"^[\s|:\-=*_+]+$")
_EMPHASIS = re.compile(r"`+|(?<!\d)\*+|\*+(?!\d)|(?<![\w/])_+|_+(?!\w)|<br\s*/?>|&nbsp;", re.IGNORECASE)


@dataclass
class Block:
    """`layout` is "heading", "paragraph", "item", "header" or "row"; `depth` a heading's level or an item's indent."""

    layout: str
    text: str
    depth: int = 0
    header: str = ""
    gap: bool = False  # a blank line stood before it


def blocks(masked: str) -> Iterator[Block]:
    """Lines joined into headings, paragraphs, items and rows."""
    open_block: Block | None = None
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
            open_block = Block(kind, text, depth, gap=gap)
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


def beside_headers(row: str, header: str) -> str:
    """A table row with each column's header before its cell ("2015: 132 mg/dL"); "" where the columns do not match."""
    cells, names = row.split("|"), header.split("|")
    if not header or len(cells) != len(names):
        return ""
    return " | ".join(
        f"{name.strip()}: {cell.strip()}" if name.strip() and cell.strip(_EMPTY) else cell.strip()
        for name, cell in zip(names, cells, strict=True)
    )


# What a cell without content holds.
_EMPTY = " .,;:-–—/"
