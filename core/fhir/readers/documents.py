"""What reports, documents, compositions and binaries say: their own text, decoded; other content named."""

from __future__ import annotations

from core.fhir import codes
from core.fhir.attachments import attachment_text, plain_html
from core.fhir.read import obj, objects, string
from core.fhir.readers.wording import period, plain, plains, qualified
from core.fhir.source import Source


def diagnostic_report(source: Source) -> None:
    body = source.resource
    source.add("result", "result", *map(codes.plain, source.names("result")))
    for i, media in enumerate(objects(body.get("media"))):
        source.add(
            "image", f"media[{i}]", qualified(source.name(media.get("link")), string(media.get("comment")))
        )
    for i, form in enumerate(objects(body.get("presentedForm"))):
        source.add("document", f"presentedForm[{i}]", attachment_text(form))


def document(source: Source) -> None:
    body = source.resource
    for i, content in enumerate(objects(body.get("content"))):
        attachment = obj(content.get("attachment"))
        text = attachment_text(attachment)
        title = string(attachment.get("title"))
        source.add("title", f"content[{i}].attachment.title", title if title not in text else "")
        source.add("document", f"content[{i}].attachment", text)
    source.add("author", "author", *source.names("author"))
    for i, other in enumerate(objects(body.get("relatesTo"))):
        relation = codes.label(other.get("code")) or "related to"
        source.add(relation, f"relatesTo[{i}]", source.name(other.get("target")))
    context = obj(body.get("context"))
    source.add("covers", "context.period", period(context.get("period")))
    source.add("setting", "context.practiceSetting", plain(context.get("practiceSetting")))
    source.add("setting", "context.facilityType", plain(context.get("facilityType")))
    source.add("event", "context.event", *plains(context.get("event")))


def composition(source: Source) -> None:
    """Sections in document order, each under its title; nested ones follow their parent."""
    body = source.resource
    stack = [(f"section[{i}]", s) for i, s in reversed(list(enumerate(objects(body.get("section")))))]
    while stack:
        path, section = stack.pop()
        text = plain_html(string(obj(section.get("text")).get("div")))
        title = string(section.get("title")) or codes.label(section.get("code"))
        entries = "; ".join(dict.fromkeys(n for e in objects(section.get("entry")) if (n := source.name(e))))
        empty = plain(section.get("emptyReason"))
        parts = (title, text, entries, f"(empty: {empty})" if empty else "")
        source.add("document", f"{path}.text", "\n".join(p for p in parts if p))
        inner = [(f"{path}.section[{i}]", s) for i, s in enumerate(objects(section.get("section")))]
        stack.extend(reversed(inner))
    source.add("author", "author", *source.names("author"))
    for i, attester in enumerate(objects(body.get("attester"))):
        mode = codes.label(attester.get("mode"))
        source.add("attested by", f"attester[{i}]", qualified(source.name(attester.get("party")), mode))
    for i, event in enumerate(objects(body.get("event"))):
        said = ", ".join(plains(event.get("code")))
        source.add("event", f"event[{i}]", qualified(said, period(event.get("period"))))


def questionnaire(source: Source) -> None:
    """The headings of the form and what was left unanswered; the answers are Facts.values."""
    stack = [
        (f"item[{i}]", item) for i, item in reversed(list(enumerate(objects(source.resource.get("item")))))
    ]
    while stack:
        path, item = stack.pop()
        inner = objects(item.get("item"))
        if not item.get("answer"):
            source.add("section" if inner else "not answered", path, string(item.get("text")))
        inner += [child for answer in objects(item.get("answer")) for child in objects(answer.get("item"))]
        stack.extend(reversed([(f"{path}.item[{i}]", child) for i, child in enumerate(inner)]))


def binary(source: Source) -> None:
    source.add("document", "data", attachment_text(source.resource))
