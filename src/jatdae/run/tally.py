"""Adding up parts: exact sums, counts and cluster totals for every system and slice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from jatdae.core.contract import Metric
from jatdae.core.errors import UsageError
from jatdae.core.messages import say
from jatdae.run.exact import ExactSum
from jatdae.run.items import MAX_SLICE_VALUES
from jatdae.run.parts import metric_column

MAX_CLUSTERS: Final = 65_536
MAX_SLICE_CLUSTERS: Final = 4_096
MAX_COUNT_KEYS: Final = 10_000
OTHER: Final = "<other>"

Key = tuple[str, str, str]
"""(system, slice key, slice value); the last two are "" for the whole system."""


class Columns:
    """Named columns of floats by cluster, growing as clusters appear."""

    def __init__(self) -> None:
        self._arrays: dict[str, NDArray[np.float64]] = {}

    def add(self, name: str, clusters: NDArray[np.int64], values: NDArray[np.float64], size: int) -> None:
        array = self._arrays.get(name)
        if array is None or len(array) < size:
            grown = np.zeros(max(size, 64, 2 * (0 if array is None else len(array))))
            if array is not None:
                grown[: len(array)] = array
            array = self._arrays[name] = grown
        np.add.at(array, clusters, values)  # one after the other, so that the cut into parts leaves no trace

    def matrix(self, names: Sequence[str], rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """The named columns at the given clusters; what was never added is 0."""
        made = np.zeros((len(rows), len(names)))
        for at, name in enumerate(names):
            array = self._arrays.get(name)
            if array is not None:
                inside = rows < len(array)
                made[inside, at] = array[rows[inside]]
        return made

    def present(self, name: str) -> NDArray[np.int64]:
        """Clusters at which a column is not 0."""
        array = self._arrays.get(name)
        return np.empty(0, np.int64) if array is None else np.flatnonzero(array)


@dataclass(slots=True)
class Group:
    """Everything added up for one system or slice (or for one kind of unit in it)."""

    n: int = 0
    sums: dict[str, ExactSum] = field(default_factory=dict)
    known: Counter[str] = field(default_factory=Counter)
    stats: dict[str, ExactSum] = field(default_factory=dict)
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    issues: dict[str, Counter[str]] = field(default_factory=dict)
    units: dict[str, Group] = field(default_factory=dict)
    clusters: Columns = field(default_factory=Columns)


class Tally:
    """A fold over parts in the order of the plan."""

    def __init__(self, metrics: Sequence[Metric], slices: Sequence[str] = (), *, hashed: bool = False) -> None:
        self._metrics = tuple(metrics)
        self._slices = tuple(slices)
        self._hashed = hashed
        self._cluster_numbers: dict[str, int] = {}
        self.groups: dict[Key, Group] = {}

    def add(self, table: pa.Table) -> None:
        """Add the rows of one part."""
        if not len(table):
            return
        part = _Part(table.combine_chunks(), self._metrics)
        clusters = self._clusters(part)
        systems, codes = part.labels("system")
        for at, system in enumerate(systems):
            rows = np.flatnonzero(codes == at)
            self._add_group((system, "", ""), part, rows, clusters)
            for key in self._slices:
                for value, inside in part.sliced(key, rows):
                    self._add_group((system, key, value), part, inside, clusters % MAX_SLICE_CLUSTERS)
        for key in self._slices:
            if len({value for _, k, value in self.groups if k == key}) > MAX_SLICE_VALUES:
                raise UsageError(say("slice_too_wide", key=key, most=MAX_SLICE_VALUES))

    def _add_group(self, key: Key, part: _Part, rows: NDArray[np.int64], clusters: NDArray[np.int64]) -> None:
        group = self.groups.setdefault(key, Group())
        group.n += len(rows)
        inside = clusters[rows]
        size = int(inside.max()) + 1
        group.clusters.add("n", inside, np.ones(len(rows)), size)
        for name, values in part.values.items():
            chosen = values[rows]
            known = np.isfinite(chosen)
            group.known[name] += int(known.sum())
            group.sums.setdefault(name, ExactSum()).add(chosen[known])
            group.clusters.add(f"sum.{name}", inside[known], chosen[known], size)
            group.clusters.add(f"known.{name}", inside[known], np.ones(int(known.sum())), size)
        for name, (at, values) in part.stats.items():
            given = at[rows] >= 0
            if given.any():  # a name that only others have must leave no trace here
                chosen = values[at[rows[given]]]
                group.stats.setdefault(name, ExactSum()).add(chosen)
                group.clusters.add(f"stat.{name}", inside[given], chosen, size)
        for _, issues in part.found("issues", rows):
            for issue in issues:
                group.issues.setdefault(issue["code"], Counter())[issue["severity"]] += 1
        for _, tables in part.found("counts", rows):
            for name, table in tables:
                add_counts(group.counts.setdefault(name, Counter()), table)
        for row, units in part.found("units", rows):
            self._add_units(group, units, int(clusters[row]))

    def _add_units(self, group: Group, units: list[dict[str, Any]], cluster: int) -> None:
        at = np.array([cluster])
        for unit in units:
            below = group.units.setdefault(unit["kind"], Group())
            below.n += 1
            below.clusters.add("n", at, np.ones(1), cluster + 1)
            for name, value in unit["values"]:
                if value is not None:
                    one = np.array([value])
                    below.known[name] += 1
                    below.sums.setdefault(name, ExactSum()).add(one)
                    below.clusters.add(f"sum.{name}", at, one, cluster + 1)
                    below.clusters.add(f"known.{name}", at, np.ones(1), cluster + 1)
                else:
                    below.sums.setdefault(name, ExactSum())
            for name, value in unit["stats"]:
                below.stats.setdefault(name, ExactSum()).add(np.array([value]))
                below.clusters.add(f"stat.{name}", at, np.array([value]), cluster + 1)

    def _clusters(self, part: _Part) -> NDArray[np.int64]:
        names = part.cluster_names()
        if self._hashed:
            hashes = (xxh3_64_intdigest(name.encode()) % MAX_CLUSTERS for name in names)
            return np.fromiter(hashes, np.int64, len(names))
        numbers = self._cluster_numbers
        return np.fromiter((numbers.setdefault(name, len(numbers)) for name in names), np.int64, len(names))


def needs_hashing(tables: Iterable[pa.Table]) -> bool:
    """Whether there are more clusters than are kept apart."""
    seen: set[str] = set()
    for table in tables:
        seen.update(_cluster_column(table).unique().to_pylist())
        if len(seen) > MAX_CLUSTERS:
            return True
    return False


def add_counts(total: Counter[str], more: Iterable[tuple[str, int]] | Mapping[str, int]) -> None:
    """Add a table of open keys; beyond 10,000 keys the rest pools under `<other>`."""
    items = more.items() if isinstance(more, Mapping) else more
    for key, value in items:
        known = key in total or len(total) < MAX_COUNT_KEYS
        total[key if known else OTHER] += value


class _Part:
    """A part's columns as arrays, decoded once."""

    def __init__(self, table: pa.Table, metrics: Sequence[Metric]) -> None:
        self._table = table
        self._decoded: dict[str, dict[int, Any]] = {}
        self.values: dict[str, NDArray[np.float64]] = {
            metric.name: _floats(table.column(metric_column(metric.name))) for metric in metrics
        }
        self.stats = _stats(table.column("stats"))

    def labels(self, name: str) -> tuple[list[str], NDArray[np.int64]]:
        return _labels(self._table.column(name))

    def sliced(self, key: str, rows: NDArray[np.int64]) -> Iterator[tuple[str, NDArray[np.int64]]]:
        """The values of a slice key among `rows`, each with its rows in order."""
        labels, codes = _labels(pc.fill_null(pc.map_lookup(self._table.column("meta"), key, "first"), ""))
        inside = codes[rows]
        order = np.argsort(inside, kind="stable")
        for same in np.split(order, np.flatnonzero(np.diff(inside[order])) + 1):
            yield labels[int(inside[same[0]])], rows[same]

    def cluster_names(self) -> list[str]:
        return list(_cluster_column(self._table).to_pylist())

    def found(self, name: str, rows: NDArray[np.int64]) -> Iterator[tuple[int, Any]]:
        """What a column of lists or maps holds at `rows`, where it holds anything."""
        if name not in self._decoded:
            column = _one_chunk(self._table.column(name))
            filled = np.flatnonzero(np.diff(column.offsets.to_numpy())).tolist()
            self._decoded[name] = {row: column[row].as_py() for row in filled}
        if decoded := self._decoded[name]:
            yield from ((row, decoded[row]) for row in rows.tolist() if row in decoded)


def _cluster_column(table: pa.Table) -> pa.ChunkedArray:
    cluster = table.column("cluster")
    return pc.if_else(pc.equal(cluster, ""), table.column("id"), cluster)


def _labels(column: pa.ChunkedArray) -> tuple[list[str], NDArray[np.int64]]:
    encoded = _one_chunk(column).dictionary_encode()
    return encoded.dictionary.to_pylist(), encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)


def _floats(column: pa.ChunkedArray) -> NDArray[np.float64]:
    return np.asarray(_one_chunk(column).to_numpy(zero_copy_only=False), np.float64)


def _one_chunk(column: Any) -> Any:
    if isinstance(column, pa.ChunkedArray):
        return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    return column


def _stats(column: pa.ChunkedArray) -> dict[str, tuple[NDArray[np.int64], NDArray[np.float64]]]:
    """Per name: where among its values each row's is (-1 for none), and its values."""
    maps = _one_chunk(column)
    offsets = maps.offsets.to_numpy()
    rows = np.repeat(np.arange(len(maps)), np.diff(offsets))
    keys = maps.keys.slice(offsets[0], offsets[-1] - offsets[0]).dictionary_encode()
    items = maps.items.slice(offsets[0], offsets[-1] - offsets[0]).to_numpy(zero_copy_only=False)
    codes = keys.indices.to_numpy(zero_copy_only=False)
    found = {}
    for at, name in enumerate(keys.dictionary.to_pylist()):
        where = np.full(len(maps), -1)
        where[rows[codes == at]] = np.arange(np.count_nonzero(codes == at))
        found[name] = (where, np.asarray(items[codes == at], np.float64))
    return found
