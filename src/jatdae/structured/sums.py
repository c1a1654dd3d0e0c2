"""Additive numbers of documents, and the plain names under which a run adds them up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import Final, NamedTuple, Self

from jatdae.structured.field_settings import OTHER

MOST_FIELDS: Final = 200
"""Patterns of one document with sums of their own in a run; the rest pool under `<other>`."""


class FieldScore(NamedTuple):
    """What the leaves of one field pattern add up to."""

    leaves: float
    exact: float
    fuzzy: float
    similarity: float


@dataclass(slots=True)
class Sums:
    """Numbers that add up over documents."""

    documents: float = 0
    leaves: float = 0
    exact: float = 0
    fuzzy: float = 0
    similarity: float = 0
    matches: float = 0
    expected: float = 0
    """Leaves of the reference that say something; `predicted` those of the prediction."""
    predicted: float = 0
    paths_common: float = 0
    paths_missing: float = 0
    paths_extra: float = 0
    keyed_distance: float = 0
    keyed_nodes: float = 0
    ted_documents: float = 0
    ted_distance: float = 0
    ted_nodes: float = 0
    ted_larger: float = 0
    schema_documents: float = 0
    schema_valid: float = 0
    depths: dict[int, tuple[float, float]] = field(default_factory=dict)
    """Leaves and exact matches by depth."""
    fields: Mapping[str, FieldScore] = field(default_factory=dict)

    def stats(self) -> dict[str, float]:
        """By name: `exact`, `depth.2.leaves`, `field.exact:procedures[*].cost`."""
        scores = _bounded(self.fields)
        numbers = chain(_numbers(self), *self.depths.values(), *scores.values())
        return dict(zip(_names(tuple(self.depths), tuple(scores)), numbers, strict=True))

    @classmethod
    def of(cls, stats: Mapping[str, float]) -> Self:
        """The sums behind named numbers."""
        made = cls()
        for name in _PLAIN:
            setattr(made, name, stats.get(name, 0.0))
        patterns: dict[str, FieldScore] = {}
        for name, value in stats.items():
            if name.startswith(_FIELD[0]):
                pattern = name.removeprefix(_FIELD[0])
                patterns[pattern] = FieldScore(value, *(stats.get(column + pattern, 0.0) for column in _FIELD[1:]))
            elif name.startswith("depth.") and name.endswith(".leaves"):
                depth = name.removeprefix("depth.").removesuffix(".leaves")
                made.depths[int(depth)] = value, stats.get(f"depth.{depth}.exact", 0.0)
        made.fields = patterns
        return made


_PLAIN: Final = tuple(column.name for column in fields(Sums) if column.name not in ("depths", "fields"))
_numbers: Final = attrgetter(*_PLAIN)
_FIELD: Final = tuple(f"field.{name}:" for name in FieldScore._fields)


@lru_cache(maxsize=1 << 7)
def _names(depths: tuple[int, ...], patterns: tuple[str, ...]) -> tuple[str, ...]:
    """What the numbers of such a document are called; documents of a batch are alike."""
    by_depth = [f"depth.{depth}.{what}" for depth in depths for what in ("leaves", "exact")]
    return *_PLAIN, *by_depth, *(column + pattern for pattern in patterns for column in _FIELD)


def _bounded(patterns: Mapping[str, FieldScore]) -> Mapping[str, FieldScore]:
    if len(patterns) <= MOST_FIELDS:
        return patterns
    names = sorted(patterns)
    rest = zip(*(patterns[name] for name in names[MOST_FIELDS:]), strict=True)
    return {name: patterns[name] for name in names[:MOST_FIELDS]} | {OTHER: FieldScore(*map(sum, rest))}
