"""Rows of two results side by side: by sample, or by the units inside samples, and by slice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from jatdae.core.errors import UsageError
from jatdae.core.messages import near, say
from jatdae.run.output.part import metric_column
from jatdae.run.stats.result import Result

SAMPLE: Final = "sample"
"""What is paired where nothing else is said."""

Numbers = NDArray[np.float64]


class PairKey(NamedTuple):
    """Key by which rows of two systems are paired: the sample, and the unit if units are compared."""

    sample: str
    unit: str = ""


@dataclass(frozen=True)
class SystemRows:
    """Keys, clusters and metric values of one system's samples or units."""

    keys: Sequence[PairKey]
    clusters: Sequence[str]
    values: Mapping[str, Numbers]

    @cached_property
    def at(self) -> dict[PairKey, int]:
        """Where a row is."""
        return {key: row for row, key in enumerate(self.keys)}

    def restricted(self, metric: str, keys: Collection[PairKey]) -> SystemRows:
        """Only one metric of the rows with these keys."""
        kept = sorted(self.at[key] for key in keys if key in self.at)
        values = {metric: self.values[metric][kept]} if metric in self.values else {}
        return SystemRows([self.keys[at] for at in kept], [self.clusters[at] for at in kept], values)


@dataclass(frozen=True)
class Pairing:
    """The samples or units of two systems, paired by key, in the order of the first system."""

    by: str
    left: SystemRows
    right: SystemRows

    @cached_property
    def keys(self) -> list[PairKey]:
        """The rows that both have."""
        return [key for key in self.left.keys if key in self.right.at]

    @cached_property
    def clusters(self) -> NDArray[np.int64]:
        """What each shared row is resampled with, numbered."""
        if not self.keys:
            return np.zeros(0, np.int64)
        names = [self.left.clusters[self.left.at[key]] for key in self.keys]
        return np.unique(names, return_inverse=True)[1].astype(np.int64)

    def restricted(self, metric: str, keys: Collection[PairKey]) -> Pairing:
        """Only one metric of the rows with these keys."""
        return Pairing(self.by, self.left.restricted(metric, keys), self.right.restricted(metric, keys))

    def holds(self, metric: str) -> bool:
        """Whether any side has such a value in its rows."""
        return metric in self.left.values or metric in self.right.values

    def values(self, metric: str) -> tuple[Numbers, Numbers, int, int]:
        """The values of the shared rows on both sides, and how many values stand in rows of the one or other alone."""
        found, alone = [], []
        for side in (self.left, self.right):
            column = side.values.get(metric, np.full(len(side.keys), np.nan))
            rows = np.array([side.at[key] for key in self.keys], np.int64)
            found.append(column[rows])
            alone.append(int(np.isfinite(np.delete(column, rows)).sum()))
        return found[0], found[1], alone[0], alone[1]


def pairings(a: Result, system_a: str, b: Result, system_b: str, by: str | None) -> tuple[Pairing, ...]:
    """Ways to pair two systems to compare their results (by unit, by sample); a metric uses the first it can.

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


def _samples(result: Result, system: str) -> SystemRows:
    names = [metric.name for metric in result.metrics]
    read = ["id", "cluster", *map(metric_column, names)]
    keys: list[PairKey] = []
    clusters: list[str] = []
    values: dict[str, list[Any]] = {name: [] for name in names}
    for table in result.tables:
        mine = table.select(read).filter(_is_of(table, system))
        ids = mine.column("id").to_pylist()
        keys += map(PairKey, ids)
        clusters += [cluster or id for cluster, id in zip(mine.column("cluster").to_pylist(), ids, strict=True)]
        for name in names:
            values[name] += mine.column(metric_column(name)).to_pylist()
    return SystemRows(keys, clusters, {name: np.array(column, np.float64) for name, column in values.items()})


def _units(result: Result, system: str, kind: str) -> SystemRows:
    keys: list[PairKey] = []
    clusters: list[str] = []
    columns: dict[str, dict[int, float]] = {}
    for row in rows_of(result, system, ["id", "cluster", "units"]):
        for own, unit in _named(row, kind):
            for name, value in unit["values"].items():
                column = columns.setdefault(name, {})
                if value is not None:
                    column[len(keys)] = value
            keys.append(PairKey(row["id"], own))
            clusters.append(row["cluster"] or row["id"])
    values = {}
    for name, column in columns.items():
        values[name] = np.full(len(keys), np.nan)
        values[name][list(column)] = list(column.values())
    return SystemRows(keys, clusters, values)


def _named(row: Mapping[str, Any], kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Units of a kind with their names; those of one name within a sample are told apart by their order."""
    seen: Counter[str] = Counter()
    for unit in (each for each in row["units"] if each["kind"] == kind):
        seen[unit["id"]] += 1
        yield unit["id"] + (f"#{seen[unit['id']]}" if seen[unit["id"]] > 1 else ""), unit


def slice_keys(described: Mapping[str, Any], by: str) -> dict[str, list[str]]:
    """Keys of the slices of a system with their values in order; if units are paired, labels of these come first."""
    units = described["units"].get(by, {}).get("slices", {}) if by != SAMPLE else {}
    return {key: list(values) for key, values in {**described.get("slices", {}), **units}.items()}


def labels_of(result: Result, system: str, by: str) -> dict[PairKey, dict[str, str]]:
    """What samples or units are labelled with; a unit has the labels of its sample as well as its own."""
    found: dict[PairKey, dict[str, str]] = {}
    for row in rows_of(result, system, ["id", "meta"] if by == SAMPLE else ["id", "meta", "units"]):
        if by == SAMPLE:
            found[PairKey(row["id"])] = row["meta"]
        else:
            found.update({PairKey(row["id"], name): {**row["meta"], **unit["meta"]} for name, unit in _named(row, by)})
    return found


def by_label(pairing: Pairing, labels: Mapping[PairKey, Mapping[str, str]], key: str) -> dict[str, list[PairKey]]:
    """Rows of either side by the value of a label; "" is none."""
    found: dict[str, list[PairKey]] = {}
    for row in dict.fromkeys([*pairing.left.keys, *pairing.right.keys]):
        found.setdefault(labels[row].get(key, ""), []).append(row)
    return found


def _kinds(result: Result, system: str) -> set[str]:
    return {unit["kind"] for row in rows_of(result, system, ["units"]) for unit in row["units"]}


def rows_of(result: Result, system: str, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    for table in result.tables:
        mine = table.select(columns).filter(_is_of(table, system))
        yield from mine.to_pylist(maps_as_pydicts="strict")


def _is_of(table: pa.Table, system: str) -> Any:
    """Which rows are of a system."""
    return pc.equal(table.column("system").cast(pa.string()), system)
