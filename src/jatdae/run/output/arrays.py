"""The columns of a part as arrays, to add up their rows by system, slice and unit."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from jatdae.core.contract import Metric
from jatdae.run.output.part import Numbers, metric_column


@dataclass(frozen=True, slots=True)
class Column:
    """Column of numbers in a part, in which rows may lack a value."""

    given: NDArray[np.bool_]
    values: NDArray[np.float64]
    """NaN where there is none."""


@dataclass(frozen=True, slots=True)
class Labels:
    """Column of repeating texts in a part, stored as numbers into a list."""

    texts: list[str]
    codes: Numbers
    """-1 where a row has none."""

    def groups(self, rows: Numbers) -> Iterator[tuple[str, Numbers]]:
        """Each text among `rows` with its rows in order."""
        codes = self.codes[rows]
        order = np.argsort(codes, kind="stable")
        for same in np.split(order, np.flatnonzero(np.diff(codes[order])) + 1):
            if len(same) and codes[same[0]] >= 0:
                yield self.texts[int(codes[same[0]])], rows[same]


class PartArrays:
    """Content of a part as arrays, by column."""

    def __init__(self, table: pa.Table, metrics: Sequence[Metric]) -> None:
        self._table = table
        everywhere = np.ones(len(table), np.bool_)
        self.values = {m.name: Column(everywhere, _floats(table.column(metric_column(m.name)))) for m in metrics}
        self.stats = _columns(_one_chunk(table.column("stats")))
        self.issues = _issue_totals(_one_chunk(table.column("issues")))
        self.counts = _count_totals(_one_chunk(table.column("counts")))
        self.units = UnitArrays(_one_chunk(table.column("units")))

    def systems(self) -> Labels:
        """The system of each row."""
        return _labels(self._table.column("system"))

    def sliced(self, key: str) -> Labels:
        """The value of a slice key in each row; "" where it has none."""
        return _labels(pc.fill_null(pc.map_lookup(self._table.column("meta"), key, "first"), ""))

    def ids(self, rows: Numbers) -> pa.Array:
        """The samples of `rows`."""
        return _one_chunk(self._table.column("id")).take(pa.array(rows))

    def clusters(self, rows: Numbers) -> list[str]:
        """The clusters of `rows` as they were named."""
        column = _one_chunk(self._table.column("cluster"))
        named: list[str] = (column if len(rows) == len(column) else column.take(pa.array(rows))).to_pylist()
        return named


class UnitArrays:
    """Units of all rows of a part as arrays, one after the other."""

    def __init__(self, column: pa.ListArray) -> None:
        units = column.flatten()
        self.rows = _rows(column)
        """The row that each unit belongs to."""
        self.kinds = _labels(units.field("kind"))
        self.values = _columns(units.field("values"))
        self.stats = _columns(units.field("stats"))
        self.labels = _labels_by_key(units.field("meta"))


@dataclass(frozen=True, slots=True)
class _Counted:
    """Two labels and a number, any times a row."""

    n: int
    rows: Numbers
    pairs: Numbers
    """first label · number of second labels + second label"""
    firsts: list[str]
    seconds: list[str]
    amounts: Numbers

    def totals(self, rows: Numbers) -> Iterator[tuple[str, str, int]]:
        """Sums over `rows`, in the order of first sight."""
        if not len(self.pairs):
            return
        pairs, amounts = self.pairs, self.amounts
        if len(rows) < self.n:
            inside = np.isin(self.rows, rows)
            pairs, amounts = pairs[inside], amounts[inside]
        encoded = pa.array(pairs).dictionary_encode()
        sums = np.zeros(len(encoded.dictionary), amounts.dtype)
        np.add.at(sums, encoded.indices.to_numpy(), amounts)
        for pair, total in zip(encoded.dictionary.to_pylist(), sums.tolist(), strict=True):
            first, second = divmod(pair, len(self.seconds))
            yield self.firsts[first], self.seconds[second], total

    def by_pair(
        self, firsts: Collection[str], rows: Numbers
    ) -> tuple[list[tuple[str, str]], Numbers, Numbers, Numbers]:
        """Entries of `rows` with one of the first labels: the pairs of labels, then pair, row and amount of each."""
        is_wanted = np.array([text in firsts for text in self.firsts], bool)
        is_asked = np.zeros(self.n, bool)
        is_asked[rows] = True
        counted = is_wanted[self.pairs // max(1, len(self.seconds))] & (self.amounts > 0)
        inside = np.flatnonzero(counted & is_asked[self.rows])
        encoded = pa.array(self.pairs[inside]).dictionary_encode()
        named = [divmod(pair, len(self.seconds)) for pair in encoded.dictionary.to_pylist()]
        labels = [(self.firsts[first], self.seconds[second]) for first, second in named]
        return labels, encoded.indices.to_numpy(), self.rows[inside], self.amounts[inside]


def _issue_totals(column: pa.ListArray) -> _Counted:
    found = column.flatten()
    codes, severities = found.field("code"), found.field("severity")
    return _counted(len(column), _rows(column), codes, severities, np.ones(len(found), np.int64))


def _count_totals(column: pa.MapArray) -> _Counted:
    """Maps of maps, laid flat; numbers so large that their sum may not fit are added as Python's."""
    rows, tables = _rows(column), _items(column)
    inner = _rows(tables)
    names = _keys(column).take(pa.array(inner))
    amounts = _items(tables).to_numpy(zero_copy_only=False)
    if len(amounts) and max(int(amounts.max()), -int(amounts.min())) > 2**62 // len(amounts):
        amounts = amounts.astype(object)
    return _counted(len(column), rows[inner], names, _keys(tables), amounts)


def _counted(n: int, rows: Numbers, first: pa.Array, second: pa.Array, amounts: Numbers) -> _Counted:
    left, right = _labels(first), _labels(second)
    return _Counted(n, rows, left.codes * len(right.texts) + right.codes, left.texts, right.texts, amounts)


def _rows(column: Any) -> Numbers:
    """Which row each item of a column of lists or maps is in."""
    return np.repeat(np.arange(len(column)), np.diff(column.offsets.to_numpy()))


def _keys(maps: pa.MapArray) -> pa.Array:
    return maps.keys.slice(maps.offsets[0].as_py(), maps.offsets[-1].as_py() - maps.offsets[0].as_py())


def _items(maps: pa.MapArray) -> pa.Array:
    return maps.items.slice(maps.offsets[0].as_py(), maps.offsets[-1].as_py() - maps.offsets[0].as_py())


def _labels(column: Any) -> Labels:
    encoded = _one_chunk(column).dictionary_encode()
    return Labels(encoded.dictionary.to_pylist(), encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64))


def _floats(column: Any) -> NDArray[np.float64]:
    return np.asarray(_one_chunk(column).to_numpy(zero_copy_only=False), np.float64)


def _one_chunk(column: Any) -> Any:
    if isinstance(column, pa.ChunkedArray):
        return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    return column


def _columns(maps: pa.MapArray) -> dict[str, Column]:
    """Maps from names to numbers, by name."""
    items, found = _floats(_items(maps)), {}
    for name, mine, rows in _by_key(maps):
        given, values = np.zeros(len(maps), np.bool_), np.full(len(maps), np.nan)
        given[rows] = True
        values[rows] = items[mine]
        found[name] = Column(given, values)
    return found


def _labels_by_key(maps: pa.MapArray) -> dict[str, Labels]:
    """Maps from names to texts, by name."""
    texts, found = _labels(_items(maps)), {}
    for name, mine, rows in _by_key(maps):
        codes = np.full(len(maps), -1)
        codes[rows] = texts.codes[mine]
        found[name] = Labels(texts.texts, codes)
    return found


def _by_key(maps: pa.MapArray) -> Iterator[tuple[str, Numbers, Numbers]]:
    """Each key with its places among all items, and the rows they are in."""
    rows, keys = _rows(maps), _labels(_keys(maps))
    for at, name in enumerate(keys.texts):
        mine = np.flatnonzero(keys.codes == at)
        yield name, mine, rows[mine]
