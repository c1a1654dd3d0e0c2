"""Two sets of outcomes side by side: paired differences, intervals, p-values, wins and losses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from jatdae.core.contract import Metric
from jatdae.core.errors import UsageError
from jatdae.core.messages import near, say
from jatdae.run import bootstrap
from jatdae.run.parts import metric_column
from jatdae.run.result import Result

PERMUTATIONS: Final = 10_000
WORST: Final = 10

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Difference:
    """One metric of B against A, over the samples that both have a value for."""

    metric: Metric
    n: int
    """Pairs with a value on both sides."""
    unpaired: int
    """Samples in which only one side has a value."""
    a: float | None
    b: float | None
    delta: float | None
    """b − a"""
    ci: tuple[float, float] | None
    p: float | None
    p_holm: float | None
    wins: int
    """Samples on which B is better."""
    ties: int
    losses: int
    regressions: tuple[tuple[str, float, float], ...]
    """(id, a, b) where B lost most."""


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
) -> Comparison:
    """Compare two results on the same references, sample by sample.

    Refuses results whose signatures are not comparable. Intervals resample clusters; p is from a sign-flip
    permutation test, p = (b + 1) / (m + 1), and is corrected over the metrics after Holm (1979).
    """
    if reasons := a.signature.differences(b.signature):
        raise UsageError(say("not_comparable", reasons="; ".join(reasons)))
    left, right = _rows(a, only(a, system_a)), _rows(b, only(b, system_b))
    shared = [key for key in left.ids if key in right.at]
    at_left = np.array([left.at[key] for key in shared], np.int64)
    at_right = np.array([right.at[key] for key in shared], np.int64)
    clusters = np.unique([left.clusters[at] for at in at_left.tolist()], return_inverse=True)[1] if shared else at_left
    rows = []
    for metric in a.metrics:
        mine, theirs = left.values[metric.name], right.values[metric.name]
        alone = sum(int(np.isfinite(np.delete(*side)).sum()) for side in ((mine, at_left), (theirs, at_right)))
        rows.append(_difference(metric, shared, mine[at_left], theirs[at_right], clusters, alone))
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
    sums = np.bincount(clusters, weights=differences)
    sums = sums[sums != 0]
    seen = abs(float(sums.sum()))
    if not len(sums):
        return 1.0
    generator = np.random.Generator(np.random.PCG64(bootstrap.SEED))
    extreme, block = 0, max(1, (4 << 20) // len(sums))
    for start in range(0, permutations, block):
        rows = min(block, permutations - start)
        flips = generator.integers(0, 2, size=(rows, len(sums)), dtype=np.int8).astype(np.float64) * 2 - 1
        extreme += int(np.count_nonzero(np.abs(np.einsum("rn,n->r", flips, sums)) >= seen * (1 - 1e-12)))
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


@dataclass(frozen=True, slots=True)
class _Rows:
    ids: list[str]
    at: dict[str, int]
    clusters: list[str]
    values: dict[str, Numbers]


def _rows(result: Result, system: str) -> _Rows:
    names = [metric.name for metric in result.metrics]
    ids: list[str] = []
    clusters: list[str] = []
    values: dict[str, list[Any]] = {name: [] for name in names}
    for table in result.tables:
        mine = table.filter([s == system for s in table.column("system").to_pylist()])
        ids += mine.column("id").to_pylist()
        clusters += mine.column("cluster").to_pylist()
        for name in names:
            values[name] += mine.column(metric_column(name)).to_pylist()
    named = [cluster or name for cluster, name in zip(clusters, ids, strict=True)]
    arrays = {name: np.array(column, np.float64) for name, column in values.items()}
    return _Rows(ids, {name: at for at, name in enumerate(ids)}, named, arrays)


def _difference(
    metric: Metric, ids: list[str], a: Numbers, b: Numbers, clusters: NDArray[np.int64], alone: int
) -> Difference:
    both = np.isfinite(a) & np.isfinite(b)
    unpaired = alone + int(np.count_nonzero(np.isfinite(a) ^ np.isfinite(b)))
    if not both.any():
        return Difference(metric, 0, unpaired, None, None, None, None, None, None, 0, 0, 0, ())
    names = [name for name, keep in zip(ids, both.tolist(), strict=True) if keep]
    a, b = a[both], b[both]
    within = np.unique(clusters[both], return_inverse=True)[1]
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
        p=sign_flip(change, within) if len(a) > 1 else None,
        p_holm=None,
        wins=int(np.count_nonzero(gain > 0)),
        ties=int(np.count_nonzero(gain == 0)),
        losses=int(np.count_nonzero(gain < 0)),
        regressions=tuple((names[at], float(a[at]), float(b[at])) for at in worst),
    )


def _paired_interval(change: Numbers, clusters: NDArray[np.int64]) -> tuple[float, float] | None:
    sums = np.column_stack([np.bincount(clusters, weights=change), np.bincount(clusters)]).astype(np.float64)
    if len(sums) < 2:
        return None
    draws = bootstrap.resample(sums)
    return bootstrap.interval(draws[:, 0] / draws[:, 1])


def _holm(rows: list[Difference]) -> list[Difference]:
    tested = [at for at, row in enumerate(rows) if row.p is not None]
    corrected = holm([rows[at].p or 0.0 for at in tested])
    made = list(rows)
    for at, value in zip(tested, corrected, strict=True):
        made[at] = replace(rows[at], p_holm=value)
    return made
