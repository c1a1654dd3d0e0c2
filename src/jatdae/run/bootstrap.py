"""95 % bootstrap intervals: percentile, 1,000 resamples of clusters, seed 0."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

RESAMPLES: Final = 1000
SEED: Final = 0
LEVEL: Final = 0.95
METHOD: Final = "percentile"

Matrix = NDArray[np.float64]


def resample(clusters: Matrix, resamples: int = RESAMPLES) -> Matrix:
    """Column sums of `resamples` draws, with replacement, of as many rows as there are (Efron, 1979).

    Row r of the result is Σ of n rows of `clusters` drawn by the r-th stretch of one seeded stream, so that matrices
    of equal height are drawn alike and differences between them are paired.
    """
    n = len(clusters)
    sums = np.empty((resamples, clusters.shape[1]))
    at = 0
    for weights in _weights(n, resamples):
        block = weights.astype(np.float64)
        # einsum adds in one fixed order; a threaded matrix product need not.
        sums[at : at + len(block)] = np.einsum("rn,nk->rk", block, clusters)
        at += len(block)
    return sums


def interval(draws: Matrix, level: float = LEVEL) -> tuple[float, float] | None:
    """The percentile interval of the draws that have a value; None where fewer than half have one.

    Rounded to nine digits after the point, beyond which resampling says nothing.
    """
    known = draws[np.isfinite(draws)]
    if len(known) * 2 < len(draws) or not len(known):
        return None
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return round(float(low), 9), round(float(high), 9)


def _weights(n: int, resamples: int) -> Iterator[NDArray[np.int64]]:
    """How often each of n rows is drawn, a block of resamples at a time (about 32 MB)."""
    generator = np.random.Generator(np.random.PCG64(SEED))
    kind = np.uint16 if n <= 1 << 16 else np.uint32
    block = max(1, min(resamples, (4 << 20) // max(n, 1)))
    for start in range(0, resamples, block):
        rows = min(block, resamples - start)
        draws = generator.integers(0, n, size=(rows, n), dtype=kind)
        yield np.stack([np.bincount(draw, minlength=n) for draw in draws])
