"""95 % bootstrap intervals of metrics: bootstrap-t, 1,000 resamples of clusters, seed 0."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

RESAMPLES: Final = 1000
SEED: Final = 0
LEVEL: Final = 0.95
METHOD: Final = "bootstrap-t"
BUCKETS: Final = 4096
"""More clusters than these are drawn by the bucket: the width of an interval is then still known to about 1 %."""
LEAST_SPREAD: Final = 0.1
"""A draw's variance counts as at least this share of the sample's: one of hardly any variation says nothing of it."""
SMALLEST: Final = 5e-324
"""The smallest number above 0: no unit is smaller."""
_FEW: Final = 1 << 15
_BLOCK: Final = 1 << 20
"""Weights made at a time."""

Matrix = NDArray[np.float64]
Interval = tuple[float, float]


def intervals(parts: Matrix, wholes: Matrix, resamples: int = RESAMPLES) -> list[Interval | None]:
    """Bootstrap-t interval of Σ part / Σ whole for each column; rows are clusters.

    For a mean the wholes are counts.

    With ratio θ, residuals r = part − θ·whole and s² = Σ r², a draw with θ* has the studentised distance
    t* = Σ* r / √(Σ* (part − θ*·whole)²), and the interval is θ − q·s / Σ whole at the upper and the lower quantile q
    of t* (Efron and Tibshirani, 1993, section 12.5), cut to the least and greatest ratio of a cluster, between which
    every weighting of them lies. None where fewer than two clusters, or fewer than half of the draws, have a ratio.
    """
    known = np.count_nonzero(wholes, axis=0)
    parts, part_unit = _scaled(parts)
    wholes, whole_unit = _scaled(wholes)
    parts, wholes = np.hsplit(gathered(np.hstack([parts, wholes])), 2)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        total = wholes.sum(axis=0)
        ratio = parts.sum(axis=0) / total
        residuals = np.where(np.isfinite(ratio), parts - ratio * wholes, 0.0)
        spread = (residuals**2).sum(axis=0)
        products = [residuals, wholes, residuals**2, residuals * wholes, wholes**2]
        r, w, rr, rw, ww = np.hsplit(resample(np.hstack(products), resamples), 5)
        shift = np.where(w > 0, r / w, np.nan)
        drawn = rr - 2 * shift * rw + shift**2 * ww
        least = LEAST_SPREAD * spread * (w / total) ** 2
        distance = np.where(spread > 0, r / np.sqrt(np.maximum(drawn, least)), 0 * shift)
        low, high = _quantiles(distance)
        step = np.sqrt(spread) / total
        ends = np.clip([ratio - high * step, ratio - low * step], *_reach(parts, wholes))
    pairs = (ends * (part_unit / whole_unit)).T.tolist()
    return [rounded(*pair) if several else None for pair, several in zip(pairs, known > 1, strict=True)]


def percentiles(draws: Matrix) -> list[Interval | None]:
    """Percentile bootstrap interval of each column of draws (Efron, 1979), for metrics that are no ratio of sums."""
    return [rounded(*pair) for pair in np.transpose(_quantiles(draws)).tolist()]


def resample(clusters: Matrix, resamples: int = RESAMPLES) -> Matrix:
    """Column sums of `resamples` bootstrap draws of all rows, with replacement, for intervals (Efron, 1979).

    Row r of the result is Σ of n rows of `clusters` drawn by the r-th stretch of one seeded stream, so that matrices
    of equal height are drawn alike.
    """
    whole, unit = countable(clusters)
    # The threads of a matrix product cost more than they save where there is little to add.
    few = clusters.size <= _FEW
    blocks = _weights(len(clusters), resamples)
    return np.vstack([np.einsum("rn,nk->rk", w, whole) if few else w @ whole for w in blocks]) * unit


def countable(columns: Matrix) -> tuple[Matrix, Matrix]:
    """Split columns into whole multiples and their unit, so that bootstrap sums for intervals are exact.

    Whatever the order in which a threaded matrix product adds, the result is then the same to the last bit.
    """
    n = len(columns)
    _, exponent = np.frexp(np.abs(columns).max(axis=0, initial=0.0))
    unit = np.maximum(np.ldexp(1.0, exponent - (52 - n.bit_length())), SMALLEST)
    return np.rint(columns / unit), unit


def gathered(clusters: Matrix) -> Matrix:
    """Sum cluster rows for bootstrap intervals at random into at most 4,096 equal buckets, whatever their order."""
    n, width = clusters.shape
    if n <= BUCKETS:
        return clusters
    high = -(-n // BUCKETS)
    shuffled = np.zeros((high * BUCKETS, width))
    shuffled[:n] = clusters[np.random.Generator(np.random.PCG64(SEED)).permutation(n)]
    return np.asarray(shuffled.reshape(high, BUCKETS, width).sum(axis=0))


def _quantiles(draws: Matrix) -> tuple[Matrix, Matrix]:
    """Lower and upper end of the middle 95 % of each column of bootstrap draws; NaN draws are left out.

    Without a value themselves where fewer than half of the draws have one.
    """
    ordered = np.sort(draws, axis=0)  # what is no number comes last
    known = np.count_nonzero(~np.isnan(ordered), axis=0)
    columns = np.arange(draws.shape[1])

    def at(share: float) -> Matrix:
        place = share * np.maximum(known - 1, 0)
        before = place.astype(np.int64)
        low, high = ordered[before, columns], ordered[np.minimum(before + 1, np.maximum(known - 1, 0)), columns]
        return np.where(2 * known >= len(draws), low + (high - low) * (place - before), np.nan)

    return at((1 - LEVEL) / 2), at((1 + LEVEL) / 2)


def rounded(low: float, high: float) -> Interval | None:
    """Round a bootstrap interval to nine decimals, beyond which resampling says nothing; None for NaN."""
    return (round(low, 9), round(high, 9)) if np.isfinite(low) and np.isfinite(high) else None


def _scaled(columns: Matrix) -> tuple[Matrix, Matrix]:
    """Columns as multiples of their greatest size, so that no square is too great or too small, and that size."""
    size = np.abs(columns).max(axis=0, initial=0.0)
    size = np.where(size > 0, size, 1.0)
    return columns / size, size


def _reach(parts: Matrix, wholes: Matrix) -> tuple[Matrix, Matrix]:
    """Between which ratios every weighting of the rows has its own.

    Unbounded where a whole is below 0, or where a row adds to the part alone.
    """
    ratios = np.where(wholes > 0, parts / wholes, np.nan)
    bounded = ((wholes > 0) | ((wholes == 0) & (parts == 0))).all(axis=0) & (wholes > 0).any(axis=0)
    low = np.where(bounded, np.fmin.reduce(ratios, axis=0), -np.inf)
    return low, np.where(bounded, np.fmax.reduce(ratios, axis=0), np.inf)


def _weights(n: int, resamples: int) -> Iterator[Matrix]:
    """How often each of n rows is drawn, a block of resamples at a time."""
    generator = np.random.Generator(np.random.PCG64(SEED))
    kind = np.uint16 if n <= 1 << 16 else np.uint32
    block = max(1, min(resamples, _BLOCK // max(n, 1)))
    for start in range(0, resamples, block):
        rows = min(block, resamples - start)
        draws = generator.integers(0, n, size=(rows, n), dtype=kind)
        places = draws + np.arange(0, rows * n, n)[:, None]
        yield np.bincount(places.ravel(), minlength=rows * n).reshape(rows, n).astype(np.float64)
