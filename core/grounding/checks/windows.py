"""A window frames a claim: every cited result has to lie inside it, and record-wide words count only what does.

"Active since 1991" is no window: for a condition or a prescription it is the date it started, checked as that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from core.grounding.checks.dates import DateAtom, WindowAtom
from core.grounding.checks.outcome import Outcome, agreed, contradicted, named, several
from core.grounding.reading import Reading
from core.models import Facts, Precision

_FIRST, _LAST = date(1800, 1, 1), date(2200, 1, 1)
_BETWEEN = re.compile(
    r"\b(?:between|from)\s+(?:the\s+)?(?:(?:start|beginning|end)\s+of\s+)?(?:early|late|mid)?[\s-]*$"
)
_RANGE_MIDDLE = re.compile(
    r"^\s*(?:and|to|until|till|through|thru|[-–—]|up to)\s*(?:the\s+)?(?:(?:start|end)\s+of\s+)?$"
)
_SINCE = re.compile(
    r"\b(?:since|from|starting(?: in| from)?|beginning(?: in)?)\s+(?:the\s+)?(?:(?:start|beginning)\s+of\s+)?$"
)
_FROM = re.compile(r"\bfrom\s+$")
_ONWARDS = re.compile(r"^\s*(?:onwards?|and (?:later|after)|or later)\b")
_AFTER = re.compile(r"\bafter\s+$")
_BEFORE = re.compile(r"\b(?:before|prior to)\s+$")
_UNTIL = re.compile(r"\b(?:until|till|through|up to|by|to|as of)\s+(?:the\s+)?(?:end\s+of\s+)?$")
_UNTIL_END = re.compile(r"\b(?:until|till|up to)\s+(?:the\s+)?(?:end\s+of\s+)?$")
# "Three colonoscopies, the last in 2013": the year of that one, not of the count.
_OF_ONE = re.compile(
    r"\b(?:last|latest|most recent|first|earliest)(?: one| was| being| of (?:them|these|which))*(?: (?:in|on|from))?\s+$"
)
# "Nine results, the highest 8.7 % in 2014": a date past the counted part is a date.
_APART = re.compile(r"[,;:(]\s*(?!(?:all |both )?(?:in|during|since|between|from|on|over)\b)|\d")
_ONCE = re.compile(r"\b(?:once|one|a single)\s*$")
_IN = re.compile(
    r"\b(?:in|during|for|throughout|within|over|of)\s+(?:the\s+)?(?:year\s+|month\s+of\s+)?(?:early|late|mid)?[\s-]*$"
)
# Resources that last: for these "since" and "until" are their own start and end.
LASTING = frozenset(
    {"Condition", "MedicationRequest", "MedicationStatement", "AllergyIntolerance", "CarePlan", "CareTeam", "Coverage",
     "Goal", "Device", "Flag"}
)  # fmt: skip


@dataclass(frozen=True)
class Frame:
    """The dates of a statement, told apart: those of the cited resources and those that frame the claim."""

    dates: tuple[DateAtom, ...]
    windows: tuple[WindowAtom, ...]

    def holds(self, facts: Facts) -> bool:
        return all(w.holds(facts) for w in self.windows)

    def during(self, first_value_at: int | None) -> tuple[WindowAtom, ...]:
        """Windows a record-wide word is read in: "in 2019" only where it stands before the value it frames."""
        return tuple(
            w for w in self.windows if w.kind != "in" or first_value_at is None or w.start < first_value_at
        )


def frame(
    reading: Reading, atoms: Sequence[DateAtom], cited: Sequence[Facts], counted_to: int | None
) -> Frame:
    """Tell windows from dates. `counted_to` is where what the claim counts is said, if it counts: "in 2019" frames it."""
    counted = counted_to is not None
    lasting = bool(cited) and all(f.resource_type in LASTING for f in cited) and not counted
    dates: list[DateAtom] = []
    windows: list[WindowAtom] = []
    skip: set[int] = set()
    for i, atom in enumerate(atoms):
        if i in skip:
            continue
        before, after = reading.before(atom.start), reading.after(atom.end)
        following = atoms[i + 1] if i + 1 < len(atoms) else None
        middle = reading.folded[atom.end : following.start] if following else ""
        if not atom.intervals or len(atom.intervals) > 2:
            dates.append(atom)
        elif following and following.intervals and _opens_range(before, middle):
            first, last = atom.intervals[0][0], following.intervals[0][1]
            if _is_own_period(atom, following, cited) or (lasting and len(cited) == 1):
                dates += [_as_role(atom, "onset"), _as_role(following, "ended")]
            else:
                if _are_ends(atom, following, before, cited):
                    dates += [atom, _as_role(following, atom.role)]
                windows.append(
                    WindowAtom(
                        atom.start, following.end, f"{atom.said} to {following.said}", first, last, "between"
                    )
                )
            reading.take(atom.end, following.start)
            _claim(reading, before, atom.start, _BETWEEN)
            skip.add(i + 1)
        elif counted and _OF_ONE.search(before):
            dates.append(atom)
        elif (lasting or (not counted and _starts_one(atom, cited))) and (
            _SINCE.search(before) or _UNTIL.search(before)
        ):
            role = "onset" if _SINCE.search(before) else "ended" if _UNTIL_END.search(before) else ""
            _claim(reading, before, atom.start, _SINCE, _UNTIL)
            dates.append(atom if atom.role or not role else _as_role(atom, role))
        elif not counted and not _ONWARDS.match(after) and _FROM.search(before):
            dates.append(atom)  # "a result from 2013" is one of that year
        elif _SINCE.search(before) or _ONWARDS.match(after):
            _claim(reading, before, atom.start, _SINCE)
            if onwards := _ONWARDS.match(after):
                reading.take(atom.end, atom.end + onwards.end())
            windows.append(_window(atom, atom.intervals[0][0], _LAST, "since"))
        elif _AFTER.search(before):
            _claim(reading, before, atom.start, _AFTER)
            windows.append(_window(atom, atom.intervals[0][1] + timedelta(days=1), _LAST, "after"))
        elif _BEFORE.search(before):
            _claim(reading, before, atom.start, _BEFORE)
            windows.append(_window(atom, _FIRST, atom.intervals[0][0] - timedelta(days=1), "before"))
        elif _UNTIL.search(before) and not atom.role and not re.search(r"\d[^.;]{0,24}\bto\s+$", before):
            _claim(reading, before, atom.start, _UNTIL)
            windows.append(_window(atom, _FIRST, atom.intervals[0][1], "until"))
        elif (
            _ONCE.search(reading.folded[: counted_to or 0]) and "," in reading.folded[counted_to : atom.start]
        ):
            dates.append(atom)  # "once, in 2016": when that was; "once in 2016" counts the year
        elif counted and (
            _one_of_several(reading, atoms, i) or _APART.search(reading.folded[counted_to or 0 : atom.start])
        ):
            dates.append(atom)
        elif counted and (atom.precision in (Precision.YEAR, Precision.MONTH) or _IN.search(before)):
            windows.append(_window(atom, *atom.intervals[0], "in"))
        else:
            dates.append(atom)
            if atom.role == "ended":
                _claim(reading, before, atom.start, _UNTIL)
            if atom.precision in (Precision.YEAR, Precision.MONTH) and _IN.search(before):
                windows.append(_window(atom, *atom.intervals[0], "in"))
    return Frame(tuple(dates), tuple(windows))


def _starts_one(atom: DateAtom, cited: Sequence[Facts]) -> bool:
    """Whether something that lasts, cited among others, began then: "prescribed since 17 March, after the reaction"."""
    lasting = [f for f in cited if f.resource_type in LASTING and f.date]
    return any(first <= f.date.start <= last for f in lasting if f.date for first, last in atom.intervals)


def _one_of_several(reading: Reading, atoms: Sequence[DateAtom], position: int) -> bool:
    """Whether a year stands in a list of years ("twice, in 2004 and 2018"): each is a date of one of those counted."""
    for one, other in ((position - 1, position), (position, position + 1)):
        if one >= 0 and other < len(atoms):
            between = reading.folded[atoms[one].end : atoms[other].start]
            if re.fullmatch(r"\s*(?:,|,? and)\s*(?:again )?(?:in |on )?", between):
                return not _BETWEEN.search(reading.before(atoms[one].start))
    return False


def _claim(reading: Reading, before: str, at: int, *patterns: re.Pattern[str]) -> None:
    """The words that make a date a window belong to it."""
    for pattern in patterns:
        if match := pattern.search(before):
            reading.take(at - len(before) + match.start(), at)
            return


def _opens_range(before: str, middle: str) -> bool:
    middle_is_range = bool(_RANGE_MIDDLE.match(middle))
    return middle_is_range and (bool(_BETWEEN.search(before)) or not re.match(r"^\s*(?:and|up to)\b", middle))


def _is_own_period(first: DateAtom, last: DateAtom, cited: Sequence[Facts]) -> bool:
    """Whether the two dates are the start and the end of the one cited resource."""
    if len(cited) != 1:
        return False
    starts = [d for d in cited[0].dates if d.field.endswith(".start") or d.field.startswith("onset")]
    ends = [d for d in cited[0].dates if d.field.endswith(".end") or d.field.startswith("abatement")]
    return bool(starts and ends)


def _are_ends(first: DateAtom, last: DateAtom, before: str, cited: Sequence[Facts]) -> bool:
    """Whether "prescribed from 2008-12-16 to 2010-11-23" tells the first and last of several of one thing.

    "Between" frames them, and so do years; what is told of different things is the time asked about.
    """
    days = first.precision is last.precision is Precision.DAY
    return bool(first.role) and days and "between" not in before and len({f.concept_key for f in cited}) == 1


def _as_role(atom: DateAtom, role: str) -> DateAtom:
    return DateAtom(atom.start, atom.end, atom.said, atom.intervals, atom.precision, role, atom.clock)


def _window(atom: DateAtom, first: date, last: date, kind: str) -> WindowAtom:
    return WindowAtom(atom.start, atom.end, f"{kind} {atom.said}", first, last, kind, atom.precision)


def check(window: WindowAtom, cited: Sequence[Facts]) -> Outcome | None:
    """Every dated cited resource has to lie in the window."""
    if window.kind == "in":
        return None  # checked as a date, or by the count
    dated = [f for f in cited if f.date and f.resource_type != "Patient"]
    outside = [f for f in dated if not window.holds(f)]
    if outside:
        return contradicted("window", window.said, several([named(f) for f in outside]))
    return agreed("window", window.said, several([f.date.shown for f in dated if f.date])) if dated else None
