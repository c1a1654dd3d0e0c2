"""Sums over the compared leaves of a JSON document: by field pattern, by depth and by outcome."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from jatdae.structured.leaves import Row

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
        self.leaves = self.exact = self.fuzzy = 0
        self.similarity = 0.0


def sum_leaves(
    rows: Sequence[Row],
) -> tuple[dict[str, FieldScore], dict[int, tuple[int, int]], dict[str, dict[str, int]]]:
    """Sum JSON leaves for the metrics, by field pattern, by depth (leaves, exact), and by outcome and pattern."""
    by_pattern: dict[str, _Score] = {}
    by_depth: dict[int, _Score] = {}
    outcomes: dict[str, dict[str, int]] = {}
    unlike: list[tuple[_Score, float]] = []
    level, table = _Score(), dict[str, int]()
    last_depth, last_outcome = -1, ""
    for _, _, _, _, exact, fuzzy, similarity, depth, outcome, pattern in rows:
        score = by_pattern.get(pattern)
        if score is None:
            score = by_pattern[pattern] = _Score()
        if depth != last_depth:
            level = by_depth.setdefault(depth, _Score())
            last_depth = depth
        if outcome != last_outcome:
            table = outcomes.setdefault(outcome, {})
            last_outcome = outcome
        score.leaves += 1
        level.leaves += 1
        if exact:
            score.exact += 1
            level.exact += 1
        if fuzzy:
            score.fuzzy += 1
        table[pattern] = table.get(pattern, 0) + 1
        if similarity != 1.0:
            unlike.append((score, similarity))
    # The similarity is the number of leaves less what each lacks of 1, in the order of the rows: no bit may differ.
    for score in by_pattern.values():
        score.similarity = float(score.leaves)
    for score, similarity in unlike:
        score.similarity -= 1.0 - similarity
    scores: dict[str, FieldScore] = {
        pattern: _made(FieldScore, (score.leaves, score.exact, score.fuzzy, score.similarity))
        for pattern, score in by_pattern.items()
    }
    return scores, {depth: (level.leaves, level.exact) for depth, level in by_depth.items()}, outcomes
