"""What is added up for one system or slice: exact sums, counts, issues, and totals by cluster for resampling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from jatdae.run.exact import ExactSum

MAX_COUNT_KEYS: Final = 10_000
OTHER: Final = "<other>"


class Columns:
    """Named columns of floats by cluster, growing as clusters appear."""

    def __init__(self) -> None:
        self._arrays: dict[str, NDArray[np.float64]] = {}

    def count(self, name: str, clusters: NDArray[np.int64]) -> None:
        """Add 1 for each cluster given."""
        self.add(name, clusters, np.ones(len(clusters)))

    def add(self, name: str, clusters: NDArray[np.int64], values: NDArray[np.float64]) -> None:
        """Add each value to its cluster."""
        array, size = self._arrays.get(name), int(clusters.max(initial=0)) + 1
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
    """By kind."""
    slices: dict[str, dict[str, Group]] = field(default_factory=dict)
    """Of units: by label and its value."""
    clusters: Columns = field(default_factory=Columns)

    def add_values(self, name: str, clusters: NDArray[np.int64], values: NDArray[np.float64]) -> None:
        """Known values of a metric."""
        self.known[name] += len(values)
        self.sums.setdefault(name, ExactSum()).add(values)
        self.clusters.add(f"sum.{name}", clusters, values)
        self.clusters.count(f"known.{name}", clusters)

    def add_stats(self, name: str, clusters: NDArray[np.int64], values: NDArray[np.float64]) -> None:
        """Additive numbers."""
        self.stats.setdefault(name, ExactSum()).add(values)
        self.clusters.add(f"stat.{name}", clusters, values)


def add_count(table: Counter[str], key: str, n: int) -> None:
    """Add to a table of open keys; beyond 10,000 keys the rest pools under `<other>`."""
    known = key in table or len(table) < MAX_COUNT_KEYS
    table[key if known else OTHER] += n
