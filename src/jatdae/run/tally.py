"""Adding up parts: exact sums, counts and cluster totals for every system and slice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import pyarrow as pa

from jatdae.core.contract import Metric
from jatdae.core.errors import UsageError
from jatdae.core.messages import say
from jatdae.run.arrays import Numbers, PartArrays, UnitArrays
from jatdae.run.clusters import Clusters
from jatdae.run.groups import Group, add_count
from jatdae.run.items import MAX_SLICE_VALUES

MAX_SLICE_CLUSTERS: Final = 4_096
MAX_UNIT_SLICES: Final = 60

Key = tuple[str, str, str]
"""(system, slice key, slice value); the last two are "" for the whole system."""


class Tally:
    """A fold over parts in the order of the plan."""

    def __init__(self, metrics: Sequence[Metric], slices: Sequence[str] = ()) -> None:
        self._metrics = tuple(metrics)
        self._slices = tuple(dict.fromkeys(slices))  # whoever asks for a key twice means it once
        self._clusters: dict[str, Clusters] = {}
        self.groups: dict[Key, Group] = {}

    def add(self, table: pa.Table) -> None:
        """Add the rows of one part."""
        if not len(table):
            return
        part = PartArrays(table.combine_chunks(), self._metrics)
        everything = np.arange(len(table))
        for system, rows in part.systems().groups(everything):
            clusters = np.zeros(len(table), np.int64)
            clusters[rows] = self._clusters.setdefault(system, Clusters()).numbers(part.clusters(rows))
            whole = self._add_group((system, "", ""), part, rows, clusters)
            _add_unit_slices(whole, part, rows, clusters % MAX_SLICE_CLUSTERS)
            for key in self._slices:
                for value, inside in part.sliced(key).groups(rows):
                    self._add_group((system, key, value), part, inside, clusters % MAX_SLICE_CLUSTERS)
        for key in self._slices:
            if len({value for _, k, value in self.groups if k == key}) > MAX_SLICE_VALUES:
                raise UsageError(say("slice_too_wide", key=key, most=MAX_SLICE_VALUES))

    def _add_group(self, key: Key, part: PartArrays, rows: Numbers, clusters: Numbers) -> Group:
        group = self.groups.setdefault(key, Group())
        _add_numbers(group, part, rows, clusters)
        for code, severity, n in part.issues.totals(rows):
            group.issues.setdefault(code, Counter())[severity] += n
        for name, counted, n in part.counts.totals(rows):
            add_count(group.counts.setdefault(name, Counter()), counted, n)
        for kind, units in _units(part, rows):
            _add_numbers(group.units.setdefault(kind, Group()), part.units, units, clusters[part.units.rows])
        return group


def _add_numbers(group: Group, table: PartArrays | UnitArrays, rows: Numbers, clusters: Numbers) -> None:
    group.n += len(rows)
    group.clusters.count("n", clusters[rows])
    for name, column in table.values.items():
        if column.given[rows].any():  # a name that only others have must leave no trace here
            known = rows[np.isfinite(column.values[rows])]
            group.add_values(name, clusters[known], column.values[known])
    for name, column in table.stats.items():
        given = rows[column.given[rows]]
        if len(given):
            group.add_stats(name, clusters[given], column.values[given])


def _add_unit_slices(group: Group, part: PartArrays, rows: Numbers, clusters: Numbers) -> None:
    """Units by what they are labelled with. A label with very many values is no slice but an id."""
    for kind, units in _units(part, rows):
        slices = group.units[kind].slices
        for key, labels in part.units.labels.items():
            inside = slices.setdefault(key, {})
            for value, same in labels.groups(units):
                if value in inside or len(inside) <= MAX_UNIT_SLICES:
                    _add_numbers(inside.setdefault(value, Group()), part.units, same, clusters[part.units.rows])


def _units(part: PartArrays, rows: Numbers) -> Iterator[tuple[str, Numbers]]:
    """The units of `rows` by kind."""
    return part.units.kinds.groups(np.flatnonzero(np.isin(part.units.rows, rows)))
