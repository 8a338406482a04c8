"""The text of documents: text and HTML decoded, tags dropped; other content is named, never lost silently."""

from __future__ import annotations

import base64
import binascii
import html
import re

from core.fhir.read import Json, string

_UNSHOWN = re.compile(r"(?is)<(script|style|head)\b.*?(?:</\1\s*>|$)|<!--.*?(?:-->|$)")
_BREAKS = re.compile(r"(?i)<(?:br|/p|/div|/li|/tr|/h[1-6])\b[^>]*>")
_TAG = re.compile(r"<[^>]*>")


def attachment_text(attachment: Json) -> str:
    """The text of an Attachment, or "attachment <title> (<content type>)" where it holds no readable text."""
    media, _, parameters = string(attachment.get("contentType")).casefold().partition(";")
    media = media.strip()
    title = string(attachment.get("title")) or string(attachment.get("url"))
    if (media.startswith("text/") and media not in _MARKED_UP) or media in ("application/xhtml+xml", ""):
        markup = "html" in media
        text = _decoded(string(attachment.get("data")), parameters, markup)
        text = plain_html(text) if markup else text
        if text:
            return text
    return f"attachment {title} ({media})".replace("  ", " ").replace(" ()", "") if title or media else ""


_MARKED_UP = ("text/rtf", "text/richtext")  # words among control words: named rather than shown as they stand
_BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_META_CHARSET = re.compile(rb"(?i)<meta[^>]{0,200}charset=[\s\"']*([\w-]{2,40})")
_HEAD = 2_048  # bytes in which HTML has to say its charset (1,024 by the standard)


def _decoded(data: str, parameters: str, markup: bool) -> str:
    """Base64 as text: in the charset stated, by its byte order mark, as HTML says, as UTF-8, else as Windows-1252."""
    try:
        raw = base64.b64decode("".join(data.split()), validate=True)
    except (binascii.Error, ValueError):
        return ""
    stated = parameters.partition("charset=")[2].partition(";")[0].strip(" \"'")
    marked = next((name for mark, name in _BYTE_ORDER_MARKS if raw.startswith(mark)), "")
    if not marked and not stated.startswith(("utf-16", "utf-32")) and b"\0" in raw[:_HEAD]:
        return ""  # no text, whatever its type says
    meta = _META_CHARSET.search(raw[:_HEAD]) if markup else None
    for charset in (marked, stated, meta[1].decode("ascii", "ignore") if meta else "", "utf-8"):
        if text := _read_as(raw, charset):
            return text
    return string(raw.decode("cp1252", errors="replace"))


def _read_as(raw: bytes, charset: str) -> str:
    """The bytes in a charset, "" where it is unknown, is no charset of text, or does not fit."""
    try:
        return string(raw.decode(charset)) if charset else ""
    except (LookupError, ValueError):
        return ""


def plain_html(markup: str) -> str:
    """HTML as words: scripts, styles, comments and tags dropped, block ends kept as line ends."""
    bare = _TAG.sub(" ", _BREAKS.sub("\n", _UNSHOWN.sub(" ", markup)))
    lines = (" ".join(line.split()) for line in html.unescape(bare).splitlines())
    return string("\n".join(line for line in lines if line))
