"""Which predicted table is compared with which reference table."""

from __future__ import annotations

from collections.abc import Callable

from jatdae.tables.issues import TableError
from jatdae.tables.limits import MAX_TABLE_PAIRS

Pairing = list[int | None]
"""For each reference table the number of its predicted table, None for a missed one."""


def by_order(references: int, predictions: int) -> Pairing:
    """The n-th with the n-th."""
    return [number if number < predictions else None for number in range(references)]


def by_assignment(references: int, predictions: int, score: Callable[[int, int], float]) -> Pairing:
    """One to one with the largest total score; `score(prediction, reference)`."""
    if references * predictions > MAX_TABLE_PAIRS:
        pairs = f"{predictions:,} predicted and {references:,} reference tables"
        raise TableError("too_large", f"an assignment takes at most {MAX_TABLE_PAIRS:,} pairs, not {pairs}")
    from scipy.optimize import linear_sum_assignment  # 0.3 s to import, needed here only

    scores = [[score(prediction, reference) for prediction in range(predictions)] for reference in range(references)]
    pairing: Pairing = [None] * references
    if predictions:
        for reference, prediction in zip(*linear_sum_assignment(scores, maximize=True), strict=True):
            pairing[int(reference)] = int(prediction)
    return pairing
