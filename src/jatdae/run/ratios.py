"""Which micro averages are one sum over another, or made of such: those can be resampled all at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle
from typing import Final, NamedTuple

import numpy as np

Stats = Mapping[str, float]
Values = Mapping[str, float | None]
Reduce = Callable[[Stats], Values]

STEP: Final = 0.5
"""By what share of itself a statistic is moved to see what depends on it."""
FINE: Final = 4
"""Sums are tried as so many times themselves, which moves no ratio and leaves counts whole when they are moved."""
TOGETHER: Final = ((3, 5, 4, 7, 2), (6, 3, 5, 4), (2, 7, 3))
"""How many times itself each statistic is, in turn, where several are moved at once."""
CLOSE: Final = 1e-9
_NOISE: Final = 1e-12


class Ratio(NamedTuple):
    """Σ above·stats / Σ below·stats; a name that is not there weighs nothing."""

    above: dict[str, float]
    below: dict[str, float]

    def of(self, stats: Stats) -> float:
        """Its value, not a number where there is none."""
        below = math.fsum(weight * stats.get(name, 0.0) for name, weight in self.below.items())
        above = math.fsum(weight * stats.get(name, 0.0) for name, weight in self.above.items())
        return above / below if below else math.nan


class Found(NamedTuple):
    """What `reduce` computes, as far as that could be found."""

    ratios: dict[str, Ratio]
    mixtures: dict[str, dict[str, float]]
    """Weighted sums of those ratios: an overall score, a difference of two rates."""


class _Trial(NamedTuple):
    stats: Stats
    values: Values


def find_ratios(reduce: Reduce, totals: Stats) -> Found:
    """The ratios of sums among what `reduce` gives, found by moving one statistic at a time.

    Let f = Σ a·s / Σ b·s, scaled so that Σ b·s = 1, and f± its values with one statistic moved to s·(1 ± h). Then
    f± = (f ± h·a·s) / (1 ± h·b·s), two equations for that statistic's a·s and b·s:
    b·s = (2f − f₊ − f₋) / (h·(f₊ − f₋)) and h·a·s = f₊·(1 + h·b·s) − f.
    Whether f is such a ratio at all shows where several statistics are moved at once.
    """
    base = {name: FINE * total for name, total in totals.items()}
    middle = _tried(reduce, base)
    moved = {
        name: [_tried(reduce, {**base, name: total * (1 + way * STEP)}) for way in (1, -1)]
        for name, total in base.items()
        if total
    }
    checks = [_tried(reduce, {n: k * t for (n, t), k in zip(totals.items(), cycle(ks))}) for ks in TOGETHER]
    solved = {metric: _solved(metric, middle, moved) for metric in middle.values}
    ratios = {
        metric: ratio
        for metric, ratio in solved.items()
        if ratio and all(agrees(ratio.of(each.stats), each.values.get(metric)) for each in checks)
    }
    trials = [middle, *checks, *(trial for pair in moved.values() for trial in pair)]
    return Found(ratios, _mixtures(ratios, [trial.values for trial in trials]))


def agrees(found: float, value: float | None) -> bool:
    """Whether what was found is what `reduce` gave."""
    return value is not None and math.isclose(found, value, rel_tol=CLOSE, abs_tol=CLOSE)


def _solved(metric: str, middle: _Trial, moved: Mapping[str, Sequence[_Trial]]) -> Ratio | None:
    ratio, f = Ratio({}, {}), middle.values[metric]
    for name, (higher, lower) in moved.items():
        up, down = higher.values.get(metric), lower.values.get(metric)
        if f is None or up is None or down is None:
            return None
        if up == down:
            continue
        b = (2 * f - up - down) / (STEP * (up - down))
        b = b if abs(b) > _NOISE else 0.0
        a = (up * (1 + STEP * b) - f) / STEP
        ratio.above[name] = (a if abs(a) > _NOISE * abs(f) else 0.0) / middle.stats[name]
        ratio.below[name] = b / middle.stats[name]
    return ratio


def _mixtures(ratios: Mapping[str, Ratio], trials: Sequence[Values]) -> dict[str, dict[str, float]]:
    """Weights of ratios that give every value of a metric, by least squares."""
    whole = [trial for trial in trials if all(trial.get(metric) is not None for metric in ratios)]
    others = [metric for metric in trials[0] if metric not in ratios]
    known = np.array([[trial[metric] for metric in ratios] for trial in whole], np.float64)
    found = {}
    for metric in others if ratios and len(whole) > len(ratios) else ():
        values = np.array([trial.get(metric) for trial in whole], np.float64)
        if np.isfinite(values).all():
            weights = np.linalg.lstsq(known, values)[0].round(9)
            if np.allclose(known @ weights, values, rtol=0, atol=CLOSE):
                found[metric] = {name: w for name, w in zip(ratios, weights.tolist(), strict=True) if w}
    return found


def _tried(reduce: Reduce, stats: Stats) -> _Trial:
    """What `reduce` gives for sums that may not occur, at which it may fail."""
    try:
        return _Trial(stats, reduce(stats))
    except Exception:
        return _Trial(stats, {})
