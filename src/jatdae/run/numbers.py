"""The numbers of one system or slice: macro mean, micro average, n, n/a and the intervals of both averages."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from jatdae.core.contract import Mix, Ratio
from jatdae.core.evaluator import micro_of, reduced, spec_of
from jatdae.run import bootstrap
from jatdae.run.groups import Group
from jatdae.run.score import hook

Values = dict[str, float | None]
Ends = dict[str, bootstrap.Interval | None]


class Numbers:
    """What an evaluator makes of sums: by the micro averages its metrics declare, and by its `reduce` for the rest."""

    def __init__(self, evaluator: Any) -> None:
        self._evaluator = evaluator
        metrics = spec_of(evaluator).metrics
        self._declared = {metric.name: metric.micro for metric in metrics if metric.micro is not None}

    def of(self, group: Group, names: Sequence[str]) -> dict[str, Any]:
        """Per metric its entry in a summary."""
        stats = {name: total.value for name, total in sorted(group.stats.items())}
        micro = self._micro(group, stats) if stats else {}
        ends, micro_ends = self._intervals(group, names, micro)
        return {
            name: {
                "macro": group.sums[name].value / group.known[name] if group.known[name] else None,
                "micro": micro.get(name),
                "n": group.known[name],
                "na": group.n - group.known[name],
                "ci": ends.get(name),
                "micro_ci": micro_ends.get(name),
            }
            for name in names
        }

    def _micro(self, group: Group, stats: Mapping[str, float]) -> Values:
        """Micro averages; one that is declared is not applicable where no sample has a value."""
        with hook(self._evaluator, "reduce"):
            values = {name: _finite(value) for name, value in micro_of(self._evaluator, stats).items()}
        lacking = {name for name in self._declared if not group.known[name]}
        return {name: None if name in lacking else value for name, value in values.items()}

    def _intervals(self, group: Group, names: Sequence[str], micro: Values) -> tuple[Ends, Ends]:
        """Intervals of macro means and of micro averages: of ratios with the means, of others by percentiles."""
        present = group.clusters.present("n")
        if len(present) < 2:
            return {}, {}
        stats = sorted(group.stats)
        columns = [f"{sort}.{name}" for sort in ("sum", "known") for name in names] + [f"stat.{name}" for name in stats]
        clusters = bootstrap.gathered(group.clusters.matrix(columns, present))
        means, counts, sums = np.split(clusters, [len(names), 2 * len(names)], axis=1)
        declared = {name: made for name, made in self._declared.items() if micro.get(name) is not None}
        ratios = {name: made for name, made in declared.items() if isinstance(made, Ratio)}
        mixes = {name: made for name, made in declared.items() if isinstance(made, Mix)}
        above, below = _sides(ratios, sums, stats)
        found = bootstrap.intervals(np.hstack([means, above]), np.hstack([counts, below]))
        ends = dict(zip(ratios, found[len(names) :], strict=True))
        if mixes:
            ends |= _mixed(mixes, list(ratios), bootstrap.resample(above), bootstrap.resample(below))
        if other := [name for name in names if name not in ends and micro.get(name) is not None]:
            ends |= self._by_reduce(sums, stats, other)
        return dict(zip(names, found, strict=False)), ends

    def _by_reduce(self, sums: bootstrap.Matrix, stats: Sequence[str], names: Sequence[str]) -> Ends:
        rows = bootstrap.resample(sums).tolist()
        with hook(self._evaluator, "reduce"):
            draws = [reduced(self._evaluator, dict(zip(stats, row, strict=True))) for row in rows]
        values = np.array([[each.get(name) for name in names] for each in draws], np.float64)
        values[~np.isfinite(values)] = np.nan
        return dict(zip(names, bootstrap.percentiles(values), strict=True))


def _finite(value: float | None) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None


def _sides(ratios: Mapping[str, Ratio], sums: bootstrap.Matrix, stats: Sequence[str]) -> bootstrap.Matrix:
    """What stands above and below each ratio, for every cluster."""
    weights = np.zeros((2, len(ratios), len(stats)))
    for at, ratio in enumerate(ratios.values()):
        weights[:, at] = ratio.weights(stats)
    return np.asarray(np.einsum("ns,wrs->wnr", sums, weights))


def _mixed(mixes: Mapping[str, Mix], parts: list[str], above: bootstrap.Matrix, below: bootstrap.Matrix) -> Ends:
    """Intervals of mixes, from what the draws of their ratios come to; a ratio over 0 is none."""
    draws = np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
    columns = [_mixed_draws(mix, {name: draws[:, at] for at, name in enumerate(parts)}) for mix in mixes.values()]
    return dict(zip(mixes, bootstrap.percentiles(np.column_stack(columns)), strict=True))


def _mixed_draws(mix: Mix, draws: Mapping[str, bootstrap.Matrix]) -> bootstrap.Matrix:
    weights = np.array([mix.weights[name] for name in mix.weights if name in draws])
    values = np.column_stack([1 - draws[n] if n in mix.complements else draws[n] for n in mix.weights if n in draws])
    if not mix.mean:
        return np.asarray(values @ weights)
    known = np.isfinite(values) @ weights
    summed = np.nan_to_num(values) @ weights
    return np.asarray(np.divide(summed, known, out=np.full(len(values), np.nan), where=known > 0))
