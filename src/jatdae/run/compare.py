"""Two sets of outcomes side by side: paired differences, intervals, p-values, wins and losses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from jatdae.core.contract import Metric
from jatdae.core.errors import UsageError
from jatdae.core.messages import near, say
from jatdae.run import bootstrap
from jatdae.run.pairing import SAMPLE, Numbers, Pairing, pairings
from jatdae.run.result import Result

PERMUTATIONS: Final = 10_000
WORST: Final = 10


@dataclass(frozen=True, slots=True)
class Regression:
    """A pair on which B is worse."""

    id: str
    """The sample."""
    unit: str
    """The row below it, such as a turn; nothing where whole samples are paired."""
    a: float
    b: float

    @property
    def label(self) -> str:
        """The pair as a reader meets it."""
        return f"{self.id} · {self.unit}" if self.unit else self.id


@dataclass(frozen=True, slots=True)
class Difference:
    """One metric of B against A, over the samples, or units of them, that both have a value for."""

    metric: Metric
    n: int
    """Pairs with a value on both sides."""
    unpaired: int
    """Samples or units in which only one side has a value."""
    a: float | None
    b: float | None
    delta: float | None
    """b − a"""
    ci: tuple[float, float] | None
    p: float | None
    p_holm: float | None
    wins: int
    """Pairs on which B is better."""
    ties: int
    losses: int
    regressions: tuple[Regression, ...]
    """Where B lost most."""
    by: str = SAMPLE
    """What is paired: samples, or the kind of their units."""
    clusters: int = 0
    """How many clusters the pairs are in: what is resampled and flipped."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """B against A."""

    a: str
    b: str
    signature: str
    differences: tuple[Difference, ...]

    def __getitem__(self, metric: str) -> Difference:
        for difference in self.differences:
            if difference.metric.name == metric:
                return difference
        known = [d.metric.name for d in self.differences]
        raise UsageError(say("unknown_metric", name=metric, near=near(metric, known), known=", ".join(known)))


def compare(
    a: Result,
    b: Result,
    *,
    system_a: str | None = None,
    system_b: str | None = None,
    names: tuple[str, str] = ("A", "B"),
    by: str | None = None,
) -> Comparison:
    """Compare two results on the same references, pair by pair.

    Pairs are samples of one id or, `by` a kind of unit, units of one (sample, unit); None is what the evaluator
    declares. A metric that those units do not have stays paired by sample.

    Refuses results whose signatures are not comparable. Intervals resample clusters; p is from a sign-flip
    permutation test, p = (b + 1) / (m + 1), and is corrected over the metrics after Holm (1979).
    """
    if reasons := a.signature.differences(b.signature):
        raise UsageError(say("not_comparable", reasons="; ".join(reasons)))
    found = pairings(a, only(a, system_a), b, only(b, system_b), by)
    rows = [_difference(metric, next(each for each in found if each.holds(metric.name))) for metric in a.metrics]
    return Comparison(*names, str(a.signature), tuple(_holm(rows)))


def together(comparisons: Sequence[Comparison]) -> tuple[Comparison, ...]:
    """Several comparisons read as one: p is corrected over systems × metrics (Holm, 1979)."""
    rows = _holm([difference for each in comparisons for difference in each.differences])
    corrected = iter(rows)
    return tuple(replace(each, differences=tuple(next(corrected) for _ in each.differences)) for each in comparisons)


def sign_flip(differences: Numbers, clusters: NDArray[np.int64], permutations: int = PERMUTATIONS) -> float:
    """Two-sided p that the mean difference is 0: the signs of whole clusters are flipped at random.

    p = (b + 1) / (m + 1), b of m flips at least as far from 0 as what was seen (Phipson and Smyth, 2010).
    """
    sums = np.bincount(clusters, weights=differences).astype(np.float64)
    sums = bootstrap.gathered(sums[sums != 0, None])  # to flip whole buckets is as fair a test
    if not len(sums):
        return 1.0
    whole = bootstrap.countable(sums)[0][:, 0]
    total = whole.sum()
    least = abs(total) - len(whole)  # what rounding may have parted is still a tie
    generator = np.random.Generator(np.random.PCG64(bootstrap.SEED))
    extreme, block = 0, max(1, (1 << 20) // len(whole))
    for start in range(0, permutations, block):
        rows = min(block, permutations - start)
        flipped = generator.integers(0, 2, size=(rows, len(whole)), dtype=np.int8).astype(np.float64) @ whole
        extreme += int(np.count_nonzero(np.abs(total - 2 * flipped) >= least))
    return (extreme + 1) / (permutations + 1)


def holm(values: Sequence[float]) -> list[float]:
    """Step-down correction of p-values for how many there are (Holm, 1979)."""
    corrected, running = [0.0] * len(values), 0.0
    for rank, at in enumerate(sorted(range(len(values)), key=lambda i: values[i])):
        running = max(running, min(1.0, (len(values) - rank) * values[at]))
        corrected[at] = running
    return corrected


def only(result: Result, system: str | None) -> str:
    """The system meant: the named one, or the only one there is."""
    if system is None:
        if len(result.systems) != 1:
            raise UsageError(
                say("which_system", systems=", ".join(result.systems)) if result.systems else say("no_samples")
            )
        return result.systems[0]
    if system not in result.systems:
        raise UsageError(
            say(
                "unknown_system",
                name=system,
                near=near(system, result.systems),
                known=", ".join(result.systems),
            )
        )
    return system


def _difference(metric: Metric, pairing: Pairing) -> Difference:
    a, b, alone = pairing.values(metric.name)
    both = np.isfinite(a) & np.isfinite(b)
    unpaired = alone + int(np.count_nonzero(np.isfinite(a) ^ np.isfinite(b)))
    if not both.any():
        return Difference(metric, 0, unpaired, None, None, None, None, None, None, 0, 0, 0, (), pairing.by)
    keys = [key for key, keep in zip(pairing.keys, both.tolist(), strict=True) if keep]
    a, b = a[both], b[both]
    within = np.unique(pairing.clusters[both], return_inverse=True)[1]
    change = b - a
    gain = change if metric.better == "higher" else -change
    worst = [at for at in np.argsort(gain, kind="stable")[:WORST].tolist() if gain[at] < 0]
    return Difference(
        metric,
        n=len(a),
        unpaired=unpaired,
        a=float(a.mean()),
        b=float(b.mean()),
        delta=float(b.mean() - a.mean()),
        ci=_paired_interval(change, within),
        p=sign_flip(change, within) if within.any() else None,
        p_holm=None,
        wins=int(np.count_nonzero(gain > 0)),
        ties=int(np.count_nonzero(gain == 0)),
        losses=int(np.count_nonzero(gain < 0)),
        regressions=tuple(Regression(keys[at].sample, keys[at].unit, float(a[at]), float(b[at])) for at in worst),
        by=pairing.by,
        clusters=int(within.max()) + 1,
    )


def _paired_interval(change: Numbers, clusters: NDArray[np.int64]) -> tuple[float, float] | None:
    counts = np.bincount(clusters).astype(np.float64)
    sums = np.bincount(clusters, weights=change).astype(np.float64)
    return bootstrap.intervals(sums[:, None], counts[:, None])[0] if len(sums) > 1 else None


def _holm(rows: list[Difference]) -> list[Difference]:
    tested = [at for at, row in enumerate(rows) if row.p is not None]
    corrected = holm([rows[at].p or 0.0 for at in tested])
    made = list(rows)
    for at, value in zip(tested, corrected, strict=True):
        made[at] = replace(rows[at], p_holm=value)
    return made
