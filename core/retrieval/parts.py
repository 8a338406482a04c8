"""The parts of retrieval, each of which an evaluation can switch off to see what it is worth. An answer uses all of them."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Parts:
    """`vector` and `text` are the arms that rank concepts; `concepts` chooses instances by what is asked instead of taking
    the nearest rows; `references` are followed; `vocabulary` tells clinical terms from words.
    """

    vector: bool = True
    text: bool = True
    concepts: bool = True
    references: bool = True
    vocabulary: bool = True

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return tuple(f.name for f in fields(cls))

    @classmethod
    def without(cls, *names: str) -> Parts:
        """All parts but these; raises TypeError for a name that is none."""
        return cls(**dict.fromkeys(names, False))


EVERY_PART = Parts()
