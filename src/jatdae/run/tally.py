"""Adding up parts: exact sums, counts and cluster totals for every system and slice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from jatdae.core.contract import Metric
from jatdae.core.errors import UsageError
from jatdae.core.messages import say
from jatdae.run.groups import Group, add_counts
from jatdae.run.items import MAX_SLICE_VALUES
from jatdae.run.parts import metric_column

MAX_CLUSTERS: Final = 65_536
MAX_SLICE_CLUSTERS: Final = 4_096

Key = tuple[str, str, str]
"""(system, slice key, slice value); the last two are "" for the whole system."""


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
        group.clusters.count("n", inside)
        for name, values in part.values.items():
            known = np.isfinite(values[rows])
            group.add_values(name, inside[known], values[rows[known]])
        for name, (at, values) in part.stats.items():
            given = at[rows] >= 0
            if given.any():  # a name that only others have must leave no trace here
                group.add_stats(name, inside[given], values[at[rows[given]]])
        for _, issues in part.found("issues", rows):
            for issue in issues:
                group.issues.setdefault(issue["code"], Counter())[issue["severity"]] += 1
        for _, tables in part.found("counts", rows):
            for name, table in tables:
                add_counts(group.counts.setdefault(name, Counter()), table)
        self._add_units(group, part, rows, clusters)

    def _add_units(self, group: Group, part: _Part, rows: NDArray[np.int64], clusters: NDArray[np.int64]) -> None:
        """Columns of units first, by kind and name: adding one unit at a time would take most of the time."""
        kinds: dict[str, list[int]] = {}
        values: dict[tuple[str, str], list[tuple[int, float]]] = {}
        stats: dict[tuple[str, str], list[tuple[int, float]]] = {}
        for row, units in part.found("units", rows):
            at = int(clusters[row])
            for unit in units:
                kind = unit["kind"]
                kinds.setdefault(kind, []).append(at)
                for name, value in unit["values"]:
                    known = values.setdefault((kind, name), [])
                    if value is not None:
                        known.append((at, value))
                for name, value in unit["stats"]:
                    stats.setdefault((kind, name), []).append((at, value))
        for kind, places in kinds.items():
            below = group.units.setdefault(kind, Group())
            below.n += len(places)
            below.clusters.count("n", np.array(places))
        for (kind, name), found in values.items():
            group.units[kind].add_values(name, *_columns(found))
        for (kind, name), found in stats.items():
            group.units[kind].add_stats(name, *_columns(found))

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


def _columns(found: list[tuple[int, float]]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    return np.array([at for at, _ in found], np.int64), np.array([value for _, value in found], np.float64)


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
