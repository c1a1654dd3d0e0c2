"""Size of a paired difference (Cohen's d_z), and how many clusters it takes to see a difference of a given size."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from jatdae.core.contract import Metric
from jatdae.run.stats.pairing import SAMPLE, Numbers, pairings
from jatdae.run.stats.result import Result, choose_metrics, only

LEVEL: Final = 0.95
ALPHA: Final = 0.05
POWER: Final = 0.80
MOST: Final = 1 << 20
"""Clusters above which none are counted: nobody will have as many."""


@dataclass(frozen=True, slots=True)
class Effect:
    """Difference of one metric between systems A and B over clusters (patients, books), and its size."""

    metric: Metric
    clusters: int
    """Clusters with a value on both sides."""
    delta: float | None = None
    """Mean over clusters of the mean difference b − a inside each."""
    sd: float | None = None
    """Standard deviation of these differences; None with fewer than two clusters."""
    dz: float | None = None
    """delta / sd; None where no cluster differs from another."""
    dz_ci: tuple[float, float] | None = None
    needed: int | None = None
    """Clusters with which a paired t-test sees the asked difference with power 0.80 at α = 0.05, two-sided."""
    needed_ci: tuple[int, int] | None = None
    """The same at both ends of the 95 % interval of the standard deviation."""

    @property
    def more(self) -> int | None:
        """How many clusters are lacking."""
        return None if self.needed is None else max(0, self.needed - self.clusters)


def effects(
    result: Result, system_a: str, system_b: str, *, difference: float, metrics: Sequence[str] | None = None
) -> list[Effect]:
    """Effect of one system against another of the same run on each metric, by cluster.

    Samples are paired by id; what a cluster has several of, such as repeats, is averaged first. `difference` is the one
    that is to be seen (`Effect.needed`).
    """
    a, b = only(result, system_a), only(result, system_b)
    (pairing,) = pairings(result, a, result, b, SAMPLE)
    known = {metric.name: metric for metric in result.metrics}
    found = []
    for name in choose_metrics(result.summary, metrics):
        left, right, *_ = pairing.values(name)
        both = np.isfinite(left) & np.isfinite(right)
        found.append(effect_of(known[name], _means((right - left)[both], pairing.clusters[both]), difference))
    return found


def _means(changes: Numbers, clusters: NDArray[np.int64]) -> Numbers:
    """Mean difference inside each cluster."""
    if not len(changes):
        return changes
    within = np.unique(clusters, return_inverse=True)[1]
    means: Numbers = np.bincount(within, weights=changes) / np.bincount(within)
    return means


def effect_of(metric: Metric, changes: Numbers, difference: float) -> Effect:
    """Effect of differences, one for each cluster: d_z = mean / standard deviation (Cohen, 1988, section 2.3.5).

    The interval of d_z inverts the noncentral t distribution of d_z·√n (Cumming and Finch, 2001); that of the standard
    deviation, for `needed_ci`, is the chi-squared one. Both are exact for normal differences.
    """
    n = len(changes)
    if n < 2:
        return Effect(metric, n, float(changes[0]) if n else None)
    delta, sd = float(changes.mean()), float(changes.std(ddof=1))
    if sd <= 1e-12 * max(1.0, abs(delta)):
        return Effect(metric, n, delta, 0.0)
    low, high = _sd_interval(sd, n)
    ends = (needed_for(difference / low), needed_for(difference / high))
    between = None if ends[0] is None or ends[1] is None else (ends[0], ends[1])
    dz = delta / sd
    return Effect(metric, n, delta, sd, dz, dz_interval(dz, n), needed_for(difference / sd), between)


def dz_interval(dz: float, n: int) -> tuple[float, float]:
    """95 % interval of an effect d_z of n differences: noncentralities under which d_z·√n is 2.5 % and 97.5 % far."""
    t, tail = dz * math.sqrt(n), (1 - LEVEL) / 2
    low, high = (_noncentrality(t, n - 1, share) for share in (1 - tail, tail))
    return low / math.sqrt(n), high / math.sqrt(n)


def needed_for(dz: float) -> int | None:
    """Fewest clusters with which a two-sided paired t-test sees an effect of this size with power 0.80 at α = 0.05.

    None above a million.
    """
    below = 1
    for enough in _doubled():
        if power_of(dz, enough) >= POWER:
            break
        below = enough
    else:
        return None
    while enough - below > 1:
        middle = (enough + below) // 2
        below, enough = (below, middle) if power_of(dz, middle) >= POWER else (middle, enough)
    return enough


def power_of(dz: float, n: int) -> float:
    """Power of a two-sided paired t-test of n differences for an effect d_z, at α = 0.05 (Cohen, 1988)."""
    from scipy.special import stdtrit

    critical, shift = float(stdtrit(n - 1, 1 - ALPHA / 2)), abs(dz) * math.sqrt(n)
    return 1 - _below(critical, n - 1, shift) + _below(-critical, n - 1, shift)


def _doubled() -> Iterator[int]:
    n = 2
    while n <= MOST:
        yield n
        n *= 2


def _noncentrality(t: float, df: int, share: float) -> float:
    """The noncentrality of a t distribution that has this share below t."""
    low, high = t - 10 - abs(t), t + 10 + abs(t)
    for _ in range(200):
        middle = (low + high) / 2
        if _below(t, df, middle) > share:  # a greater noncentrality leaves less below t
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _below(t: float, df: int, noncentrality: float) -> float:
    """Share of a noncentral t distribution below t.

    scipy gives NaN where that is too near to 0 or 1 to be worked out.
    """
    from scipy.special import nctdtr

    share = float(nctdtr(df, noncentrality, t))
    return share if math.isfinite(share) else float(noncentrality < t)


def _sd_interval(sd: float, n: int) -> tuple[float, float]:
    from scipy.special import chdtri

    tail = (1 - LEVEL) / 2
    return sd * math.sqrt((n - 1) / chdtri(n - 1, tail)), sd * math.sqrt((n - 1) / chdtri(n - 1, 1 - tail))
