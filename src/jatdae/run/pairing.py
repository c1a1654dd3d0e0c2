"""What two results have in common, row by row: their samples by id, or units of a kind by sample and unit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jatdae.core.errors import UsageError
from jatdae.core.messages import near, say
from jatdae.run.parts import metric_column
from jatdae.run.result import Result

SAMPLE: Final = "sample"
"""What is paired where nothing else is said."""

Numbers = NDArray[np.float64]


class Key(NamedTuple):
    """What makes two rows a pair."""

    sample: str
    unit: str = ""


@dataclass(frozen=True)
class Side:
    """The rows of one system."""

    keys: Sequence[Key]
    clusters: Sequence[str]
    values: Mapping[str, Numbers]

    @cached_property
    def at(self) -> dict[Key, int]:
        """Where a row is."""
        return {key: row for row, key in enumerate(self.keys)}


@dataclass(frozen=True)
class Pairing:
    """Two sides with the rows that both have, in the order of the first."""

    by: str
    left: Side
    right: Side

    @cached_property
    def keys(self) -> list[Key]:
        """The rows that both have."""
        return [key for key in self.left.keys if key in self.right.at]

    @cached_property
    def clusters(self) -> NDArray[np.int64]:
        """What each shared row is resampled with, numbered."""
        if not self.keys:
            return np.zeros(0, np.int64)
        names = [self.left.clusters[self.left.at[key]] for key in self.keys]
        return np.unique(names, return_inverse=True)[1].astype(np.int64)

    def holds(self, metric: str) -> bool:
        """Whether any side has such a value in its rows."""
        return metric in self.left.values or metric in self.right.values

    def values(self, metric: str) -> tuple[Numbers, Numbers, int]:
        """The values of the shared rows on both sides, and how many values stand in rows of one side only."""
        found, alone = [], 0
        for side in (self.left, self.right):
            column = side.values.get(metric, np.full(len(side.keys), np.nan))
            rows = np.array([side.at[key] for key in self.keys], np.int64)
            found.append(column[rows])
            alone += int(np.isfinite(np.delete(column, rows)).sum())
        return found[0], found[1], alone


def pairings(a: Result, system_a: str, b: Result, system_b: str, by: str | None) -> tuple[Pairing, ...]:
    """How metrics may be paired, the first that holds a metric first; samples hold them all.

    `by` is `sample` or a kind of unit; None is what the evaluator declares (`paired_by`).
    """
    samples = Pairing(SAMPLE, _samples(a, system_a), _samples(b, system_b))
    kind = by if by is not None else a.summary.get("paired_by") or SAMPLE
    if kind == SAMPLE:
        return (samples,)
    units = Pairing(kind, _units(a, system_a, kind), _units(b, system_b, kind))
    if by is not None and not (units.left.keys or units.right.keys):
        known = [SAMPLE, *sorted({*_kinds(a, system_a), *_kinds(b, system_b)})]
        raise UsageError(say("unknown_unit_kind", name=by, near=near(by, known), known=", ".join(known)))
    return (units, samples)


def _samples(result: Result, system: str) -> Side:
    names = [metric.name for metric in result.metrics]
    keys: list[Key] = []
    clusters: list[str] = []
    values: dict[str, list[Any]] = {name: [] for name in names}
    for table in result.tables:
        mine = table.filter([s == system for s in table.column("system").to_pylist()])
        ids = mine.column("id").to_pylist()
        keys += map(Key, ids)
        clusters += [cluster or id for cluster, id in zip(mine.column("cluster").to_pylist(), ids, strict=True)]
        for name in names:
            values[name] += mine.column(metric_column(name)).to_pylist()
    return Side(keys, clusters, {name: np.array(column, np.float64) for name, column in values.items()})


def _units(result: Result, system: str, kind: str) -> Side:
    """Units of one name within a sample are told apart by their order."""
    keys: list[Key] = []
    clusters: list[str] = []
    columns: dict[str, dict[int, float]] = {}
    for row in _rows(result, system):
        seen: Counter[str] = Counter()
        for unit in (each for each in row["units"] if each["kind"] == kind):
            seen[unit["id"]] += 1
            again = f"#{seen[unit['id']]}" if seen[unit["id"]] > 1 else ""
            for name, value in unit["values"].items():
                column = columns.setdefault(name, {})
                if value is not None:
                    column[len(keys)] = value
            keys.append(Key(row["id"], unit["id"] + again))
            clusters.append(row["cluster"] or row["id"])
    values = {}
    for name, column in columns.items():
        values[name] = np.full(len(keys), np.nan)
        values[name][list(column)] = list(column.values())
    return Side(keys, clusters, values)


def _kinds(result: Result, system: str) -> set[str]:
    return {unit["kind"] for row in _rows(result, system) for unit in row["units"]}


def _rows(result: Result, system: str) -> Iterator[dict[str, Any]]:
    for table in result.tables:
        mine = table.filter([s == system for s in table.column("system").to_pylist()])
        yield from mine.select(["id", "cluster", "units"]).to_pylist(maps_as_pydicts="strict")
