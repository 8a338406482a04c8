"""Markdown in which every word of the record is only a word: whatever Markdown or HTML could act on is escaped."""

from __future__ import annotations

import re

from core.export.content import NOTICE, Content, Source

_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>$:&])")


def markdown(content: Content) -> str:
    """The answer with its numbered sources; also what is copied."""
    parts = [
        f"# {escaped(content.question)}",
        escaped(content.identity),
        f"**{escaped(content.verdict)}**",
        "\n".join(
            f"- {escaped(b.text)}" if b.item else f"\n{escaped(b.text)}\n" for b in content.blocks
        ).strip(),
    ]
    if content.sources:
        parts += ["## Sources in this record", "\n".join(map(_source, content.sources))]
    if content.checks:
        rows = [
            f"- {escaped(t)}: {escaped(s)}{f' ({escaped(d)})' if d else ''}" for t, s, d in content.checks
        ]
        parts += ["## What was checked", "\n".join(rows)]
    signed = f"{content.answerer}, asked by {content.user}, {content.at:%Y-%m-%d %H:%M %Z}"
    return "\n\n".join([*parts, "---", escaped(signed), escaped(NOTICE)]) + "\n"


def escaped(text: str) -> str:
    """One line of text for Markdown."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def plain(content: Content) -> str:
    """The answer with its sources as plain text, for a note or a message."""
    body = "\n".join(f"- {b.text}" if b.item else b.text for b in content.blocks)
    sources = "\n".join(
        f"[{s.number}] {(s.lines or [''])[0]} ({s.citation.resource_id})" for s in content.sources
    )
    parts = [content.question, body, sources, content.verdict + ". " + NOTICE]
    return "\n\n".join(part for part in parts if part)


def _source(source: Source) -> str:
    first, *rest = source.lines or [""]
    more = f" {escaped('; '.join(rest))}" if rest else ""
    # An ordered list would be renumbered by a reader: the number is part of the text.
    return f"- **\\[{source.number}\\]** {escaped(first)} `{source.citation.resource_id}`{more}"
