"""Attachments: text and HTML decoded safely, other types named, markup never shown."""

from __future__ import annotations

import base64

import pytest

from core.fhir.attachments import attachment_text, plain_html


def encoded(text: str | bytes) -> str:
    return base64.b64encode(text if isinstance(text, bytes) else text.encode()).decode()


@pytest.mark.parametrize(
    ("attachment", "text"),
    [
        ({"contentType": "text/plain", "data": encoded("Seen today.")}, "Seen today."),
        ({"contentType": "text/plain; charset=utf-8", "data": encoded("Größe 180 cm")}, "Größe 180 cm"),
        (
            {"contentType": "text/plain; charset=iso-8859-1", "data": encoded("Größe".encode("latin-1"))},
            "Größe",
        ),
        ({"contentType": "text/plain; charset=no-such", "data": encoded("x")}, "x"),
        ({"contentType": "text/plain; charset=hex; a=b", "data": encoded("x")}, "x"),
        ({"contentType": "text/plain", "data": encoded("Größe".encode("cp1252"))}, "Größe"),
        ({"contentType": "text/plain; charset=utf-8", "data": encoded("Größe".encode("cp1252"))}, "Größe"),
        ({"contentType": "text/plain", "data": encoded("Größe".encode("utf-16"))}, "Größe"),
        ({"contentType": "text/plain", "data": encoded(b"\xef\xbb\xbfSeen")}, "Seen"),
        ({"contentType": "text/plain", "data": "U2Vl\n biB0b2RheS4="}, "Seen today."),
        (
            {
                "contentType": "text/html",
                "data": encoded("<meta charset='iso-8859-2'><p>Żółć</p>".encode("iso-8859-2")),
            },
            "Żółć",
        ),
        (
            {"contentType": "text/plain", "title": "Scan", "data": encoded(b"\x89PNG\x00\x01")},
            "attachment Scan (text/plain)",
        ),
        (
            {"contentType": "text/plain", "title": "Note", "data": "Seen today."},
            "attachment Note (text/plain)",
        ),
        (
            {"contentType": "text/rtf", "title": "Letter", "data": encoded("{\\rtf1 x}")},
            "attachment Letter (text/rtf)",
        ),
        (
            {"contentType": "text/html", "data": encoded("<p>BP <b>138</b></p><script>alert(1)</script>")},
            "BP 138",
        ),
        ({"data": encoded("No type given")}, "No type given"),
        (
            {"contentType": "application/pdf", "title": "Letter", "data": "JVBERi0="},
            "attachment Letter (application/pdf)",
        ),
        ({"contentType": "text/plain", "url": "Binary/1"}, "attachment Binary/1 (text/plain)"),
        ({"url": "Binary/1"}, "attachment Binary/1"),
        ({"contentType": "text/plain", "data": "%%%"}, "attachment (text/plain)"),
        ({}, ""),
        ({"contentType": 5, "data": []}, "attachment (5)"),
    ],
)
def test_text_is_decoded_and_anything_else_is_named(attachment: dict[str, object], text: str) -> None:
    assert attachment_text(attachment) == text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<div>One<br/>Two</div>", "One\nTwo"),
        ("<ul><li>Aspirin</li><li>Statin</li></ul>", "Aspirin\nStatin"),
        ("a &lt; b &amp; c", "a < b & c"),
        ("<style>p{}</style><!-- hidden -->shown", "shown"),
        ("<script>never closed", ""),
        ("<img src=x onerror=alert(1)>text", "text"),
    ],
)
def test_html_becomes_words(markup: str, text: str) -> None:
    assert plain_html(markup) == text
