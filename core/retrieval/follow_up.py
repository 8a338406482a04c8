"""A question that leans on the one before it ("and before that?", "and potassium?"), put as a question of its own.

Nothing is kept between questions: the one before is passed in, and what is made of both is a plain question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.retrieval.question import Aggregate, Question, parse

_OPENING = re.compile(
    r"^\W*(?:and|also|ok(?:ay)?|then|so|but)?\W*(?:(?:what|how) about|what of|(?:the )?same for|and)?\W*",
    re.IGNORECASE,
)


def leans(text: str, previous: str, limit: int) -> bool:
    """Whether a question may lean on the one before, as far as its words tell without a record."""
    return text.strip().casefold() != previous.strip().casefold() and any(leaned(text, previous, limit, ()))


def leaned(text: str, previous: str, limit: int, names: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """What the question may mean after the previous one, the likeliest first; nothing where it stands by itself."""
    opening = _OPENING.match(text)
    rest = text[opening.end() :] if opening else text
    if not rest.strip(" ?.!"):
        return
    now, before = parse(rest, limit, names), parse(previous, limit, names)
    if now.summary or now.advice:
        return
    about = _subject(before)
    if not now.subject and now.kind is None:
        if now.window and now.aggregate is Aggregate.LIST:
            kept = _without_window(before)
            yield f"{kept} {now.text[now.window.first : now.window.last]}"
        elif about:
            yield f"{about}: {rest.strip(' ?.!')}"
    elif opening and opening.group().strip() and now.subject and before.subject and _alike(now, before):
        first, last = before.tokens[before.subject[0]].start, before.tokens[before.subject[-1]].end
        yield before.text[:first] + now.words(now.subject) + before.text[last:]


def _alike(now: Question, before: Question) -> bool:
    """Whether a question only names a thing of the kind the one before was about, and leaves to it what to do."""
    kinds = [{m.term.kind for m in q.terms} for q in (now, before)]
    bare = now.aggregate is Aggregate.LIST and now.window is None and now.kind is None
    return bare and bool(kinds[0] & kinds[1])


def _subject(question: Question) -> str:
    return question.words(question.subject) or question.words(question.kind_tokens)


def _without_window(question: Question) -> str:
    window, text = question.window, question.text.rstrip(" ?.!")
    return text if window is None else (text[: window.first] + text[window.last :]).strip()
