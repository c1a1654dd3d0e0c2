"""The numbers of one system or slice: macro mean, micro average, n, n/a and the intervals of both averages."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from jatdae.run import bootstrap
from jatdae.run.groups import Group
from jatdae.run.ratios import Found, Ratio, Values, agrees, find_ratios
from jatdae.run.score import hook

SAMPLES = ""
"""The kind of what is no unit."""

Ends = dict[str, bootstrap.Interval | None]


class Numbers:
    """What an evaluator makes of sums; how its micro averages are made is found once, on the sums of all."""

    def __init__(self, evaluator: Any, groups: Iterable[Group]) -> None:
        self._evaluator = evaluator
        totals: dict[str, dict[str, float]] = {}
        for whole in groups:
            for kind, group in ((SAMPLES, whole), *whole.units.items()):
                pooled = totals.setdefault(kind, {})
                for name, total in group.stats.items():
                    pooled[name] = pooled.get(name, 0.0) + total.value
        with self._calling:
            self._found = {kind: find_ratios(self._reduced, pooled) for kind, pooled in totals.items() if pooled}

    def of(self, group: Group, names: Sequence[str], kind: str = SAMPLES) -> dict[str, Any]:
        """Per metric its entry in a summary."""
        stats = {name: total.value for name, total in sorted(group.stats.items())}
        with self._calling:
            micro = self._reduced(stats) if stats else {}
        ends, micro_ends = self._intervals(group, names, micro, self._holding(kind, stats, micro))
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

    @property
    def _calling(self) -> AbstractContextManager[None]:
        return hook(self._evaluator, "reduce")

    def _holding(self, kind: str, stats: Mapping[str, float], micro: Values) -> Found:
        """What was found of micro averages, as far as it holds for these sums too."""
        known = self._found.get(kind, Found({}, {}))
        ratios = {name: ratio for name, ratio in known.ratios.items() if agrees(ratio.of(stats), micro.get(name))}
        mixtures = {}
        for name, weights in known.mixtures.items():
            parts = [weight * (micro.get(part) or 0.0) for part, weight in weights.items() if part in ratios]
            if len(parts) == len(weights) and agrees(math.fsum(parts), micro.get(name)):
                mixtures[name] = weights
        return Found(ratios, mixtures)

    def _intervals(self, group: Group, names: Sequence[str], micro: Values, known: Found) -> tuple[Ends, Ends]:
        """Intervals of macro means and of micro averages: of ratios with the means, of others by percentiles."""
        present = group.clusters.present("n")
        if len(present) < 2:
            return {}, {}
        stats = sorted(group.stats)
        columns = [f"{sort}.{name}" for sort in ("sum", "known") for name in names] + [f"stat.{name}" for name in stats]
        clusters = bootstrap.gathered(group.clusters.matrix(columns, present))
        means, counts, sums = np.split(clusters, [len(names), 2 * len(names)], axis=1)
        above, below = _sides(known.ratios, sums, stats)
        found = bootstrap.intervals(np.hstack([means, above]), np.hstack([counts, below]))
        ends = dict(zip(known.ratios, found[len(names) :], strict=True))
        if known.mixtures:
            ends |= _mixed(known, bootstrap.resample(above), bootstrap.resample(below))
        if other := [name for name in names if name not in ends and micro.get(name) is not None]:
            ends |= self._by_reduce(sums, stats, other)
        return dict(zip(names, found, strict=False)), ends

    def _by_reduce(self, sums: bootstrap.Matrix, stats: Sequence[str], names: Sequence[str]) -> Ends:
        rows = bootstrap.resample(sums).tolist()
        with self._calling:
            draws = [self._reduced(dict(zip(stats, row, strict=True))) for row in rows]
        values = np.array([[each.get(name) for name in names] for each in draws], np.float64)
        return dict(zip(names, bootstrap.percentiles(values), strict=True))

    def _reduced(self, stats: Mapping[str, float]) -> dict[str, float | None]:
        """Micro averages. What divides by a sum of 0, as a draw without the right samples may, has none."""
        try:
            reduced = self._evaluator.reduce(stats)
        except ZeroDivisionError:
            return {}
        return {name: float(v) if v is not None and math.isfinite(v) else None for name, v in reduced.items()}


def _sides(ratios: Mapping[str, Ratio], sums: bootstrap.Matrix, stats: Sequence[str]) -> bootstrap.Matrix:
    """What stands above and below each ratio, for every cluster."""
    weights = np.zeros((2, len(ratios), len(stats)))
    for at, ratio in enumerate(ratios.values()):
        weights[:, at] = [[side.get(name, 0.0) for name in stats] for side in ratio]
    return np.asarray(np.einsum("ns,wrs->wnr", sums, weights))


def _mixed(known: Found, above: bootstrap.Matrix, below: bootstrap.Matrix) -> Ends:
    """Intervals of weighted sums of ratios, from what their draws add up to; a ratio over 0 is none."""
    draws = np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
    weights = [[mixture.get(name, 0.0) for name in known.ratios] for mixture in known.mixtures.values()]
    values = np.einsum("dr,mr->dm", draws, np.array(weights))
    return dict(zip(known.mixtures, bootstrap.percentiles(values), strict=True))
