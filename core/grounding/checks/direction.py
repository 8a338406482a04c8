"""The words of comparison and change: higher, lower, rose, fell, unchanged, doubled, and whether every step went that way.

Only read here; whether two recorded values bear a word out is `relation`'s to say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from core.grounding.reading import Atom, Reading


@dataclass(frozen=True, slots=True)
class RelationAtom(Atom):
    """`kind`: "up", "down", "same", "varied", "same day", "from to"; `over_time` for a verb of change, else a comparison.

    `steady` says every step went that way; `factor` is 2 for doubled; `than` marks a comparison that names its other side.
    """

    kind: str
    over_time: bool
    steady: bool = False
    factor: Decimal | None = None
    than: bool = False


_ADVERB = (
    r"steadily|consistently|progressively|continuously|continually|gradually|monotonically|"
    r"every (?:single )?(?:year|time|month|visit)|"
    r"each (?:year|time|month|visit)|year (?:on|after|by) year|with (?:each|every) \w+|at (?:each|every) \w+"
)
_STEADY = rf"(?:({_ADVERB})\s+)?"
_STEADY_AFTER = rf"(?:\s+({_ADVERB}))?"
_SAME = (
    r"unchanged|stable|flat|steady|constant|unaltered|(?:no|without(?: any)?) (?:\w+ )?change|remain(?:s|ed)?|"
    r"stay(?:s|ed)(?= [a-z])|to stay|"
    r"(?:held|hovered|ran) (?:at|around)|"
    r"(?:did|does|has|have|had)(?:\s?not|n't) chang(?:e|ed)"
)
_PUT_ON = (
    r"put on(?= (?:about |around |roughly |some |nearly |almost |another )?(?:\d|[a-z]+ (?:kg|kilo|pound)))"
)
_UP = (
    r"rose|risen|ris(?:es|ing)|rise|increas(?:ed|es|e|ing)|climb(?:ed|s|ing)?|grew|grown|growing|gain(?:ed|s|ing)?|"
    r"went up|gone up|c[ao]mes? up|coming up|go(?:es|ing) up|up from|up to(?= (?:an? )?\d)|upwards?|jump(?:ed|s)?|"
    rf"{_PUT_ON}|"
    r"(?:(?:more than|over|almost|nearly|roughly|about) )?(?:doubled|tripled)|back up(?= to)|crept up|surged|spiked"
)
_DOWN = (
    r"fell|fallen|fall(?:s|ing)?|decreas(?:ed|es|e|ing)|declin(?:ed|es|e|ing)|drop(?:ped|s|ping)?|lost|reduc(?:ed|tion)|"
    r"went down|came down|come down|"
    r"back down(?= to)|gone down|go(?:es|ing) down|down from|down to(?= (?:an? )?\d)|downwards?|dipped|halved|"
    r"shed(?! light)|lowered|plummeted|slipped|eased|shrank|sank"
)
# "Edged up", "drifted down": whatever the verb, the particle gives the direction.
_MOVED = (
    r"(?!picked|followed|looked|backed|signed|set|cleared|dried|healed|cropped|popped|turned|showed|opened|checked|caught|calm|settl)"
    r"(?:[a-z]{3,12}(?:ed|ing)|crept|shot|swung|went|came)(?: back| slightly| further)?"
)
_MOVED_TO = r"(?:wards?)?(?=\s*(?:to|from|by|again|slightly|since|between|over|in|and|[,.;:]|$))"
# "Lower than", "a higher value"; but "lower lobe" and "upper quadrant" are anatomy, and no comparison.
_MEETING = "day|visit|appointment|encounter|occasion|consultation|check-?up|examination|sitting"
_BESIDE = "values?|readings?|results?|levels?|again|and|or|but|in|on|at|by|this|now|still|one|dose"
_COMPARED = rf"(?: than|(?=\s*(?:[,.;:)]|$|\d)|\s+(?:{_BESIDE})\b))"
_KEPT = (
    "(?:has |have |had )?(?:stayed|remained|kept|hovered|sat|ran|held|lay|lain|stays|remains|keeps|hovers|"
    "sits|runs|lies)"
)
_TIMES = (
    r"(?:about |roughly |almost |nearly |just (?:over|under) )?"
    r"(?:(?:one )?half(?: of)?|(?:a |one )third of|a quarter of|twice|double|(?:two|three|four) times)(?: as "
    r"(?:high|much|low) as)?"
)
_OTHER_NUMBER = (
    r"(?= (?:the |what |its |that |an? |of )*(?:~|about )?(?:value|level|figure|reading|result)?"
    r"(?: of )?(?:the )?\d)"
)
_PATTERNS: tuple[tuple[str, bool, str], ...] = (
    ("within", True, rf"(?:{_KEPT}) (?:always )?(?:within|in)(?: (?:a |the )?(?:range|band|window)(?: of| from)?)?(?= \d)"),
    ("range", True, rf"(?:{_KEPT}|fluctuat(?:ed|es|ing)|varied|varies|swung|moved|been|was|were) "
        r"(?:anywhere )?between(?= \d+(?:\.\d+)?(?! (?:and|to) \d{4}\b)(?!\d|-))"),
    ("varied", True, r"fluctuat(?:ed|es|ing)|varied|up and down"),
    ("same day", False, rf"(?:on |at |during |from )?(?:the|that) (?:very )?same (?:{_MEETING}|date|time)"),
    ("that day", False, rf"(?:at|during|on|from|in|of) that (?:{_MEETING}|date)"),
    ("same", True, _SAME),
    ("ratio", False, _TIMES + _OTHER_NUMBER),
    ("same", False, r"(?:the )?same(?: as)?|identical(?: to)?|equal(?: to)?|equals"),
    ("up", False, rf"(?:higher|greater|larger|heavier|taller){_COMPARED}|"
        r"more than(?! (?:doubled|tripled))|exceed(?:s|ed|ing)?|"
        "above(?! (?:the |its )?(?:upper|normal|reference|range|limit))|ahead of|outweighs?"),
    ("down", False, rf"(?:lower|smaller|lighter|shorter){_COMPARED}|less than|below(?! (?:the |its )?(?:lower|"
        "normal|reference|range|limit))"),
    ("changed", True, r"chang(?:ed|es|ing)(?! (?:from|to))"),
    ("up", True, rf"{_MOVED} up{_MOVED_TO}"),
    ("down", True, rf"{_MOVED} down{_MOVED_TO}"),
    ("up", True, r"up(?=\s*:)"),
    ("down", True, r"down(?=\s*:)"),
    ("up", True, _UP),
    ("down", True, _DOWN),
    ("up", True, r"up(?=\s*:)"),
    ("down", True, r"down(?=\s*:)"),
    ("from to", True, r"(?:went|changed|moved) from|→|->"),
    ("range", True, r"rang(?:ed|es|ing)(?: from| between)?"),
)  # fmt: skip
_COMPILED = (
    *(
        (kind, over_time, re.compile(rf"(?:\b|(?=[→-])){_STEADY}(?:{words})(?:\b|(?<=[→>])){_STEADY_AFTER}"))
        for kind, over_time, words in _PATTERNS
    ),
    ("up", False, re.compile(r">(?![=\d\s]*\d)()()")),
    ("down", False, re.compile(r"<(?![=\d\s]*\d)()()")),
)
_ANY = re.compile(rf"\b(?:{'|'.join(words for *_, words in _PATTERNS)})|[<>→]|->")
_FACTORS = {
    "doubled": Decimal(2), "tripled": Decimal(3), "halved": Decimal("0.5"), "half": Decimal("0.5"), "third": Decimal(1) / 3,
    "quarter": Decimal("0.25"), "two times": Decimal(2), "three times": Decimal(3), "four times": Decimal(4),
    "twice": Decimal(2), "double": Decimal(2),
}  # fmt: skip


def read(reading: Reading) -> list[RelationAtom]:
    found: list[RelationAtom] = []
    if not reading.has(_ANY):
        return found
    for kind, over_time, pattern in _COMPILED:
        for match in list(reading.find(pattern)):
            said = match.group()
            factor = next((f for word, f in _FACTORS.items() if word in said), None)
            found.append(
                RelationAtom(
                    match.start(),
                    match.end(),
                    said,
                    kind,
                    over_time,
                    bool(match[1] or match[2]),
                    factor,
                    "than" in said or not over_time,
                )
            )
            reading.take(match.start(), match.end())
    return sorted(found, key=lambda a: a.start)
