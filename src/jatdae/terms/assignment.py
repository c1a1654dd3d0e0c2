"""The one-to-one assignment with the largest sum, in closed form where it is small.

    max Σ w(i, π(i))   over one-to-one π

Kuhn, "The Hungarian method for the assignment problem", 1955. Descriptions have one to three terms on an axis, so the
cases that matter are written out; SciPy solves the rest. Weights are whole numbers, which makes sums exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

Pairs = list[tuple[int, int]]

MOST_STATES: Final = 1 << 10
"""Up to ten on the shorter side are solved exactly by dynamic programming over subsets."""


def assign(weights: Sequence[Sequence[int]]) -> Pairs:
    """(row, column) pairs with a weight above 0 and the largest total; `weights[row][column]`."""
    rows, columns = len(weights), len(weights[0]) if weights else 0
    if rows == 0 or columns == 0:
        return []
    if rows > columns:
        return sorted((row, column) for column, row in assign([*map(list, zip(*weights, strict=True))]))
    if rows == 1:
        best = max(range(columns), key=weights[0].__getitem__)
        pairs = [(0, best)]
    elif rows == columns == 2:
        straight = weights[0][0] + weights[1][1] >= weights[0][1] + weights[1][0]
        pairs = [(0, 0), (1, 1)] if straight else [(0, 1), (1, 0)]
    elif 1 << rows <= MOST_STATES:
        pairs = _by_subsets(weights)
    else:
        pairs = _by_scipy(weights)
    return [(row, column) for row, column in pairs if weights[row][column] > 0]


def _by_subsets(weights: Sequence[Sequence[int]]) -> Pairs:
    """Column after column, each taken by one of the rows still free or by none."""
    rows, columns = len(weights), len(weights[0])

    @cache
    def best(column: int, free: int) -> tuple[int, int, int]:
        """Total from `column` on, the row that takes it (-1 for none), and the rows free after it."""
        if column == columns:
            return 0, -1, free
        chosen = (best(column + 1, free)[0], -1, free)
        for row in range(rows):
            weight = weights[row][column]
            if weight and free >> row & 1:
                after = free & ~(1 << row)
                total = weight + best(column + 1, after)[0]
                if total > chosen[0]:
                    chosen = (total, row, after)
        return chosen

    pairs, free = [], (1 << rows) - 1
    for column in range(columns):
        _, row, free = best(column, free)
        if row >= 0:
            pairs.append((row, column))
    return sorted(pairs)


def _by_scipy(weights: Sequence[Sequence[int]]) -> Pairs:
    from scipy.optimize import linear_sum_assignment  # 0.3 s to import, needed here only

    rows, columns = linear_sum_assignment([[float(weight) for weight in row] for row in weights], maximize=True)
    return [(int(row), int(column)) for row, column in zip(rows, columns, strict=True)]
