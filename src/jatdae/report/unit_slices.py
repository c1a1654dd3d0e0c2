"""Means of units by what they are labelled with: the turns of conversations by turn, tables by complexity."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from jatdae.run import bootstrap
from jatdae.run.result import Result
from jatdae.run.rows import BASELINE

MOST_VALUES: Final = 60
"""A label with more values is no slice but an id."""
MOST_CLUSTERS: Final = 20_000
"""With more, an interval is too narrow to be seen and too slow to be drawn."""

Slices = dict[str, dict[str, dict[str, Any]]]
"""value → system → metric → {"macro", "ci", "n"}"""

Sums = dict[str, dict[str, list[float]]]
"""cluster → metric → [sum, count]"""


def unit_slices(result: Result) -> dict[str, Slices]:
    """Per label of the units its slices; intervals resample what the units belong to."""
    sums = _sums(result)
    found: dict[str, Slices] = {}
    for (key, value, system), clusters in sums.items():
        found.setdefault(key, {}).setdefault(value, {})[system] = _describe(clusters)
    return {key: _ordered(slices) for key, slices in found.items() if 1 < len(slices) <= MOST_VALUES}


def _sums(result: Result) -> dict[tuple[str, str, str], Sums]:
    sums: dict[tuple[str, str, str], Sums] = {}
    for table in result.tables:
        part = table.select(["id", "system", "cluster", "units"])
        for row in part.to_pylist(maps_as_pydicts="strict"):
            if row["system"].startswith(BASELINE):
                continue
            cluster = row["cluster"] or row["id"]
            for unit in row["units"]:
                for key, value in unit["meta"].items():
                    inside = sums.setdefault((key, value, row["system"]), {}).setdefault(cluster, {})
                    for metric, number in unit["values"].items():
                        if number is not None:
                            entry = inside.setdefault(metric, [0.0, 0.0])
                            entry[0] += number
                            entry[1] += 1
    return sums


def _describe(clusters: Sums) -> dict[str, Any]:
    metrics = sorted({metric for inside in clusters.values() for metric in inside})
    matrix = np.array([[inside.get(m, [0.0, 0.0]) for m in metrics] for inside in clusters.values()], np.float64)
    matrix = matrix.reshape(len(clusters), 2 * len(metrics))
    totals = matrix.sum(axis=0)
    draws = bootstrap.resample(matrix) if 1 < len(clusters) <= MOST_CLUSTERS and metrics else None
    made = {}
    for at, metric in enumerate(metrics):
        total, count = totals[2 * at : 2 * at + 2].tolist()
        entry: dict[str, Any] = {"macro": total / count, "ci": None, "n": int(count)}
        if draws is not None:
            with np.errstate(invalid="ignore", divide="ignore"):
                entry["ci"] = bootstrap.interval(draws[:, 2 * at] / draws[:, 2 * at + 1])
        made[metric] = entry
    return made


def _ordered(slices: Slices) -> Slices:
    counted = all(value.lstrip("-").isdecimal() for value in slices)
    order = sorted(slices, key=lambda value: (int(value), value) if counted else (0, value))
    return {value: slices[value] for value in order}
