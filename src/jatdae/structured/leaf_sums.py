"""Sums over the compared leaves of a JSON document: by field pattern, by depth and by outcome."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import Any, Final, NamedTuple

_made: Final = tuple.__new__  # a third of the time of calling a named tuple


class FieldScore(NamedTuple):
    """Sums over the JSON leaves of one field pattern."""

    leaves: int
    exact: int
    fuzzy: int
    similarity: float


class _Score:
    """Leaves of one field pattern or depth, and those of them that match or are near."""

    def __init__(self) -> None:
        self.leaves = self.exact = self.fuzzy = self.matches = 0
        self.similarity = 0.0


class LeafSums(NamedTuple):
    """Sums over all leaves of a JSON document."""

    fields: dict[str, FieldScore]
    depths: dict[int, tuple[int, int]]
    """By depth: leaves, and those of them that match."""
    outcomes: dict[str, dict[str, int]]
    """By outcome and field pattern: leaves."""
    similarity: float


def sum_leaves(rows: Sequence[tuple[Any, ...]]) -> LeafSums:
    """Sum JSON leaves for the metrics."""
    by_pattern: dict[str, _Score] = {}
    by_depth: dict[int, _Score] = {}
    outcomes: dict[str, dict[str, int]] = {}
    unlike: list[tuple[_Score, float]] = []
    matching: dict[str, _Score] = {}
    level = _Score()
    last_depth = -1
    for row in rows:  # by index, since half of the cells are not asked for
        pattern: str = row[9]
        depth: int = row[7]
        outcome: str = row[8]
        score = by_pattern.get(pattern)
        if score is None:
            score = by_pattern[pattern] = _Score()
        if depth != last_depth:
            level = by_depth.setdefault(depth, _Score())
            last_depth = depth
        score.leaves += 1
        level.leaves += 1
        if outcome == "match":  # nine in ten: counted with the pattern, and made a table at the end
            if not score.matches:
                matching[pattern] = score
                outcomes.setdefault(outcome, {})
            score.matches += 1
        else:
            table = outcomes.setdefault(outcome, {})
            table[pattern] = table.get(pattern, 0) + 1
        if row[4]:
            score.exact += 1
            level.exact += 1
        if row[5]:
            score.fuzzy += 1
        similarity: float = row[6]
        if similarity != 1.0:
            unlike.append((score, similarity))
    if matching:
        outcomes["match"] = {pattern: score.matches for pattern, score in matching.items()}
    # The similarity is the number of leaves less what each lacks of 1, in the order of the rows: no bit may differ.
    for score in by_pattern.values():
        score.similarity = float(score.leaves)
    for score, similarity in unlike:
        score.similarity -= 1.0 - similarity
    scores: dict[str, FieldScore] = {
        pattern: _made(FieldScore, (score.leaves, score.exact, score.fuzzy, score.similarity))
        for pattern, score in by_pattern.items()
    }
    depths = {depth: (level.leaves, level.exact) for depth, level in by_depth.items()}
    likeness = [similarity for _, similarity in unlike]
    likeness.append(float(len(rows) - len(unlike)))  # fsum rounds once, whatever the order and the parts
    return _made(LeafSums, (scores, depths, outcomes, fsum(likeness)))
