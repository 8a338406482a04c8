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
    if media.startswith("text/") or media in ("application/xhtml+xml", ""):
        text = _decoded(string(attachment.get("data")), parameters)
        if "html" in media:
            text = plain_html(text)
        if text:
            return text
    return f"attachment {title} ({media})".replace("  ", " ").replace(" ()", "") if title or media else ""


def _decoded(data: str, parameters: str) -> str:
    try:
        raw = base64.b64decode(data, validate=False)
    except (binascii.Error, ValueError):
        return ""
    charset = parameters.partition("charset=")[2].strip(" \"'") or "utf-8"
    try:
        return string(raw.decode(charset, errors="replace"))
    except (LookupError, ValueError):
        return string(raw.decode("utf-8", errors="replace"))


def plain_html(markup: str) -> str:
    """HTML as words: scripts, styles, comments and tags dropped, block ends kept as line ends."""
    bare = _TAG.sub(" ", _BREAKS.sub("\n", _UNSHOWN.sub(" ", markup)))
    lines = (" ".join(line.split()) for line in html.unescape(bare).splitlines())
    return string("\n".join(line for line in lines if line))
