"""What is being asked, as a value: a word nobody accounts for is kept, so that the question can be refused for it.

Parsing knows no patient: names from the record are matched afterwards (core.retrieval.match).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from core.errors import InvalidQuestion
from core.retrieval.language import Language, Phrase, RecordKind, contains, first_place, language
from core.retrieval.limits import Limit, find_limit
from core.retrieval.shorthand import written_out
from core.retrieval.spelling import spelled
from core.retrieval.units import find_unit
from core.retrieval.window import NUMBER_WORDS, Window, find_window
from core.terminology import TermMatch, matches
from core.words import Token, tokens

# SNOMED CT semantic tags quoted from a label ("Sprain (morphologic abnormality)") name no subject of their own.
_QUOTED_TAG = re.compile(
    r"\((?:disorder|finding|situation|procedure|regime/therapy|record artifact|morphologic abnormality|substance|"
    r"organism|observable entity|person|event|product|physical object)\)"
)


class Aggregate(StrEnum):
    """What to do with the resources found."""

    LATEST = "latest"
    FIRST = "first"
    HIGHEST = "highest"
    LOWEST = "lowest"
    PREVIOUS = "previous"
    TREND = "trend"
    COMPARE = "compare"
    COUNT = "count"
    EVERY = "every"
    LIST = "list"
    HAS = "has"
    WHEN = "when"
    WHY = "why"
    WHO = "who"
    WHERE = "where"
    SEQUENCE = "sequence"
    AVERAGE = "average"
    RANGE = "range"
    STATUS = "status"


@dataclass(frozen=True, slots=True)
class Question:
    """A parsed question.

    `tokens` are its words; `subject` the indices of those that carry content (neither frame, nor time, nor a kind of
    record); `terms` the clinical terms named; `kind` the kind of record named, if any, and `kind_tokens` where.
    `status` is "", "active" or "stopped". `one` is LATEST or FIRST where a single occasion is meant
    ("why … last …"), `number` how many of the latest are. `ended` is set
    where the words speak of something over ("off", "stopped"), `judged` where they ask how a result stands ("normal").
    `advice` marks a request for a recommendation, `summary` one for an overview of the record, `aged` one for an age,
    `dying` one for whether or when the patient died, `ranged` one for a reference range.
    `limit` is a bound put to results ("above 5"), `unit` the one the answer is wanted in. `yes_no` is set where the
    words ask for a yes or a no, `taken` where they do not say that something began ("meds in 2005", not "prescribed in
    2005"); `how_long` where they ask since how long; `ordered` and `administered` where they ask for what was
    prescribed, or for what was given.
    """

    text: str
    tokens: tuple[Token, ...]
    aggregate: Aggregate
    window: Window | None
    status: str
    one: Aggregate | None
    number: int | None
    ended: bool
    judged: bool
    kind: RecordKind | None
    kind_tokens: frozenset[int]
    terms: tuple[TermMatch, ...]
    subject: tuple[int, ...]
    advice: bool
    summary: bool = False
    aged: bool = False
    dying: bool = False
    ranged: bool = False
    limit: Limit | None = None
    yes_no: bool = False
    taken: bool = True
    unit: str = ""
    how_long: bool = False
    ordered: bool = False
    administered: bool = False

    def words(self, indices: frozenset[int] | tuple[int, ...]) -> str:
        """The named words as they were written, in order."""
        return " ".join(self.text[self.tokens[i].start : self.tokens[i].end] for i in sorted(indices))


def parse(text: str, limit: int = 2000, names: Iterable[tuple[str, ...]] = ()) -> Question:
    """Parse a question; raises InvalidQuestion when it is empty or longer than `limit` characters.

    `names` are the names of the record as stems: a word that stands inside one of them ("first trimester") says
    nothing about what to do.
    """
    names = list(names)
    text = written_out(check_question(text, limit), names)
    text = _QUOTED_TAG.sub(lambda m: " " * len(m.group()), text)
    window = find_window(text)
    words = tokens(text)
    timed = {i for i, t in enumerate(words) if window and t.start < window.last and t.end > window.first}
    bound = find_limit(_without(text, window))
    if bound:
        timed |= {i for i, t in enumerate(words) if t.start < bound.last and t.end > bound.first}
    unit = find_unit(text)
    if unit:
        timed |= {i for i, t in enumerate(words) if t.start < unit.last and t.end > unit.first}
    stems = tuple("" if i in timed else t.stem for i, t in enumerate(words))
    quoted = _quoted(stems, names)
    stems = spelled(stems, quoted, names)
    terms = tuple(m for m in _named_terms(stems) if not set(range(m.first, m.last + 1)) < quoted)
    named = {i for m in terms for i in range(m.first, m.last + 1)} | quoted
    kind, kind_tokens = _kind(stems, named)
    spoken_for = quoted | {i for m in terms for i in range(m.first, m.last + 1)}
    cues = tuple("" if i in spoken_for else s for i, s in enumerate(stems))
    lang = language()
    summary = _beside(stems, lang.summary)
    number, number_at = _how_many(words, timed)
    subject = tuple(
        i
        for i, t in enumerate(words)
        if (not summary or summary[i])
        and i not in timed | kind_tokens | {number_at}
        and (i in named or _is_content(i, words, lang))
    )
    return Question(
        text=text,
        tokens=words,
        aggregate=Aggregate.EVERY if number and number > 2 else _aggregate(cues),
        window=window,
        status=_status(cues),
        one=_occasion(cues),
        number=number,
        ended=any(contains(cues, p) for p in lang.status["stopped"]),
        judged=any(s in lang.judged for s in cues),
        kind=kind,
        kind_tokens=kind_tokens,
        terms=terms,
        subject=_without_cues(subject, cues, named),
        advice=any(contains(summary or stems, phrase) for phrase in lang.advice),
        summary=bool(summary),
        aged=any(contains(stems, phrase) for phrase in lang.age),
        dying=any(contains(stems, phrase) for phrase in lang.death),
        ranged=any(s in lang.ranges for s in cues),
        limit=bound,
        unit=unit.unit if unit else "",
        yes_no=not any(w.word in _OPEN for w in words),
        taken=not any(contains(cues, phrase) for phrase in lang.begun),
        how_long=any(contains(stems, phrase) for phrase in lang.how_long),
        ordered=any(contains(cues, phrase) for phrase in lang.ordered),
        administered=any(contains(cues, phrase) for phrase in lang.administered),
    )


def _named_terms(stems: tuple[str, ...]) -> list[TermMatch]:
    """The terms named, also where a word that only says whose stands within: "complications of his diabetes"."""
    kept = [i for i, s in enumerate(stems) if s not in _WHOSE]
    apart = [TermMatch(m.term, kept[m.first], kept[m.last]) for m in matches([stems[i] for i in kept])]
    together = matches(stems)
    wider = [m for m in apart if not any(o.term is m.term for o in together)]
    inside = {i for m in wider for i in range(m.first, m.last + 1)}
    return sorted([*wider, *(m for m in together if m.first not in inside)], key=lambda m: m.first)


_WHOSE = frozenset({"his", "her", "their", "the", "my"})
# A question with one of these asks for more than a yes or a no.
_OPEN = {
    "what",
    "which",
    "when",
    "why",
    "how",
    "who",
    "whom",
    "whose",
    "where",
    "list",
    "show",
    "give",
    "tell",
    "name",
}


def _beside(stems: tuple[str, ...], phrases: frozenset[Phrase]) -> tuple[str, ...]:
    """The stems with the longest of the phrases that stands among them blanked; () when none does."""
    found = [(len(p), place) for p in phrases if (place := first_place(stems, p)) >= 0]
    if not found:
        return ()
    size, place = max(found)
    return (*stems[:place], *[""] * size, *stems[place + size :])


def _without(text: str, window: Window | None) -> str:
    """The text with the words of its window blanked, so that positions stay: "over the last 5 years" is no limit."""
    if window is None:
        return text
    return text[: window.first] + " " * (window.last - window.first) + text[window.last :]


def _is_content(index: int, words: tuple[Token, ...], lang: Language) -> bool:
    """Whether a word carries a subject. A number does (which stage, which dose, above what) and has to be accounted for."""
    return words[index].word.isdigit() or words[index].stem not in lang.frame | lang.judged


def _how_many(words: tuple[Token, ...], timed: set[int]) -> tuple[int | None, int]:
    """(n, where) of "the last 3 results", "three most recent"; (None, -1) when no number is asked for."""
    for i, token in enumerate(words):
        n = int(token.word) if token.word.isdigit() and len(token.word) < 3 else NUMBER_WORDS.get(token.word)
        if n is None or i in timed or n < 1:
            continue
        before = words[i - 1].word if i else ""
        after = tuple(w.word for w in words[i + 1 : i + 3])
        if before in _ENDS or after[:1] in (("latest",), ("newest",)) or after == ("most", "recent"):
            return n, i
    return None, -1


_ENDS = {"last", "latest", "newest", "recent", "past"}


def _quoted(stems: tuple[str, ...], names: Iterable[tuple[str, ...]]) -> set[int]:
    """The tokens of every name of the record, of two words or more, that the question quotes in full."""
    quoted: set[int] = set()
    for name in names:
        if len(name) > 1 and name not in language().kinds and (place := first_place(stems, name)) >= 0:
            quoted.update(range(place, place + len(name)))
    return quoted


def check_question(text: str, limit: int) -> str:
    """The question with its spaces put right; raises InvalidQuestion when it is empty or too long."""
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if not text:
        raise InvalidQuestion("The question is empty. Ask something about this patient's record.")
    if len(text) > limit:
        raise InvalidQuestion(
            f"The question has {len(text)} characters; at most {limit} are read. Shorten it."
        )
    return text


def _kind(stems: tuple[str, ...], named: set[int]) -> tuple[RecordKind | None, frozenset[int]]:
    """The kind of record named by the longest phrase, and every token of a phrase that names that kind of resource."""
    found = [
        (len(phrase), -place, kind, frozenset(range(place, place + len(phrase))))
        for phrase, kind in language().kinds.items()
        if (place := first_place(stems, phrase)) >= 0
    ]
    found = [f for f in found if not f[3] <= named]
    if not found:
        return None, frozenset()
    found.sort(key=lambda f: f[:2], reverse=True)
    _, place, best, span = found[0]
    # In a compound ("allergy medications") the last noun says what is meant.
    heads = [f for f in found if -f[1] == max(span) + 1]
    if heads:
        best = heads[0][2]
    same = frozenset().union(*(f[3] for f in found if set(f[2].types) & set(best.types)))
    return best, frozenset(same)


def _aggregate(stems: tuple[str, ...]) -> Aggregate:
    """The most specific aggregate whose words are there; the order is from the most to the least telling."""
    lang = language()
    order = (
        *(
            Aggregate.SEQUENCE,
            Aggregate.WHO,
            Aggregate.WHERE,
            Aggregate.AVERAGE,
            Aggregate.RANGE,
            Aggregate.COMPARE,
            Aggregate.PREVIOUS,
            Aggregate.STATUS,
            Aggregate.COUNT,
            Aggregate.HIGHEST,
        ),
        *(
            Aggregate.LOWEST,
            Aggregate.WHY,
            Aggregate.TREND,
            Aggregate.FIRST,
            Aggregate.LATEST,
            Aggregate.EVERY,
        ),
        *(Aggregate.WHEN, Aggregate.HAS, Aggregate.LIST),
    )
    if any(contains(stems, phrase) for phrase in lang.how_long):
        return Aggregate.WHEN
    if stems[:1] == ("count",):
        return Aggregate.COUNT
    for aggregate in order:
        if any(contains(stems, phrase) for phrase in lang.aggregates[aggregate]):
            return aggregate
    return Aggregate.LIST


def _occasion(stems: tuple[str, ...]) -> Aggregate | None:
    lang = language()
    found = (
        a for a in (Aggregate.LATEST, Aggregate.FIRST) if any(contains(stems, p) for p in lang.aggregates[a])
    )
    return next(found, None)


def _status(stems: tuple[str, ...]) -> str:
    lang = language()
    found = [name for name, phrases in lang.status.items() if any(contains(stems, p) for p in phrases)]
    return found[0] if len(found) == 1 else ""


def _without_cues(subject: tuple[int, ...], stems: tuple[str, ...], named: set[int]) -> tuple[int, ...]:
    """The subject without words that only say what to do ("trend", "highest"), unless a clinical term holds them."""
    cues: set[int] = set()
    lang = language()
    for phrases in (*lang.aggregates.values(), *lang.status.values(), lang.how_long):
        for phrase in phrases:
            if (place := first_place(stems, phrase)) >= 0:
                cues.update(range(place, place + len(phrase)))
    return tuple(i for i in subject if i in named or i not in cues)
