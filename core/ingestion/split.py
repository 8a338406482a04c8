"""The entries of a Bundle that does not parse as a whole: one bad entry must not cost the others.

Only brackets and strings are looked at, so that each entry can be parsed by itself.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]', re.DOTALL)
_LIST_FOLLOWS = re.compile(rb"\s*:\s*\[")


def split_entries(body: bytes) -> tuple[bytes, list[bytes]] | None:
    """(the Bundle without its entries, the text of each entry), or None where brackets do not close (a cut file)."""
    depth, begin, stop = 0, -1, -1
    started = -1
    found: list[bytes] = []
    after = -1  # where the last entry ended: what stands between two entries is one too, and a bad one
    for token in _TOKEN.finditer(body):
        mark = token.group()
        if mark in (b"{", b"["):
            depth += 1
            if begin >= 0 and stop < 0 and depth == 3 and started < 0:
                started = token.start()
                found += _stray(body[max(begin, after) : started])
        elif mark in (b"}", b"]"):
            depth -= 1
            if depth < 0:
                return None
            if started >= 0 and depth == 2:
                found.append(body[started : token.end()])
                started, after = -1, token.end()
            elif begin >= 0 and stop < 0 and depth == 1:
                stop = token.start()
                found += _stray(body[max(begin, after) : stop])
        elif (
            depth == 1
            and begin < 0
            and mark == b'"entry"'
            and (opened := _LIST_FOLLOWS.match(body, token.end()))
        ):
            begin = opened.end()
    if depth != 0 or begin < 0 or stop < 0:
        return None
    return body[:begin] + body[stop:], found


def _stray(between: bytes) -> list[bytes]:
    """What stands between the commas around an entry and is none: null, a text, anything that does not parse."""
    return [part for part in between.split(b",") if part.strip()]
