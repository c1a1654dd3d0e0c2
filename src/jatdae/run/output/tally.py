"""Add up the parts of a run: exact sums, counts and cluster totals for every system and slice."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from jatdae.core.contract import BASELINE, MAX_SLICE_VALUES, MAX_SYSTEMS, OTHER, Metric
from jatdae.core.errors import UsageError
from jatdae.core.messages import say
from jatdae.run.output.arrays import PartArrays, UnitArrays
from jatdae.run.output.part import Numbers

MAX_SLICE_CLUSTERS: Final = 4_096
MAX_UNIT_SLICES: Final = 60
MAX_COUNT_KEYS: Final = 10_000
MAX_CLUSTERS: Final = 65_536
"""More are not kept apart: later ones join earlier ones, evenly and whatever the cut of the input into parts."""
MAX_EXAMPLES: Final = 20
"""Samples that each key of an error table keeps of each system."""
MAX_WAITING: Final = 1 << 18
"""Samples behind keys that wait to be merged; more would be memory for nothing."""
SCALE: Final = 1074
"""Every double is a whole multiple of 2⁻¹⁰⁷⁴."""
MOST_ADDED: Final = 1 << 20
"""Numbers that are added at a time: not even the sum of so many of the largest is infinite."""

Scalar = TypeVar("Scalar", bound=np.generic)
Key = tuple[str, str, str]
"""(system, slice key, slice value); the last two are "" for the whole system."""
TableKey = tuple[str, str]
"""Name of a count table, and a key in it."""


class Tally:
    """Sums over the parts of a run, added in the order of the plan."""

    def __init__(self, metrics: Sequence[Metric], slices: Sequence[str] = (), errors: Collection[str] = ()) -> None:
        self._metrics = tuple(metrics)
        self._slices = tuple(dict.fromkeys(slices))  # whoever asks for a key twice means it once
        self._errors = frozenset(errors)
        """The count tables whose keys keep their worst samples."""
        self._clusters: dict[str, Clusters] = {}
        self._primary = next((m for m in self._metrics if m.primary), self._metrics[0])
        self.groups: dict[Key, Group] = {}

    def add(self, table: pa.Table) -> None:
        """Add the rows of one part."""
        if not len(table):
            return
        part = PartArrays(table.combine_chunks(), self._metrics)
        everything = np.arange(len(table))
        for system, rows in part.systems().groups(everything):
            if system not in self._clusters:
                self._refuse_systems()
            clusters = np.zeros(len(table), np.int64)
            clusters[rows] = self._clusters.setdefault(system, Clusters()).numbers(part.clusters(rows))
            whole = self._add_group((system, "", ""), part, rows, clusters)
            _add_unit_slices(whole, part, rows, clusters % MAX_SLICE_CLUSTERS)
            if self._errors and not system.startswith(BASELINE):
                whole.examples.add(part, rows, whole.counts, self._errors, self._primary)
            for key in self._slices:
                for value, inside in part.sliced(key).groups(rows):
                    self._add_group((system, key, value), part, inside, clusters % MAX_SLICE_CLUSTERS)
        for key in self._slices:
            if len({value for _, k, value in self.groups if k == key}) > MAX_SLICE_VALUES:
                raise UsageError(say("slice_too_wide", key=key, most=MAX_SLICE_VALUES))

    def _refuse_systems(self) -> None:
        """Refuse one more system where there are too many; those of the baselines are not counted."""
        if sum(not system.startswith(BASELINE) for system in self._clusters) == MAX_SYSTEMS:
            raise UsageError(say("too_many_systems", place="system", field="system", most=MAX_SYSTEMS))

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
    mine = _at(rows, clusters)
    group.clusters.count("n", mine)
    for name, column in table.values.items():
        if _at(rows, column.given).any():  # a name that only others have must leave no trace here
            values = _at(rows, column.values)
            known = np.flatnonzero(np.isfinite(values))
            group.add_values(name, _at(known, mine), _at(known, values))
    for name, column in table.stats.items():
        given = np.flatnonzero(_at(rows, column.given))
        if len(given):
            group.add_stats(name, _at(given, mine), _at(given, _at(rows, column.values)))


def _at(rows: Numbers, column: NDArray[Scalar]) -> NDArray[Scalar]:
    """A column at some rows, which are in order and each there once: most often they are all."""
    return column if len(rows) == len(column) else column[rows]


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


class ClusterColumns:
    """Named sums by cluster of samples, which grow as clusters appear."""

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


class Examples:
    """The samples behind each key of a system's error tables: how many they are, and the ids of the worst.

    Worst is where the key counts most, then where the primary metric is worst, then what comes first in the input.
    """

    def __init__(self) -> None:
        self._seen = 0
        self._keys: dict[TableKey, int] = {}
        self._samples = np.zeros(0, np.int64)
        self._chunks: list[_Worst] = []
        self._waiting = 0
        self._starts: list[int] = []
        """Where each key starts, if there is only one chunk."""
        self._bounds = np.zeros((2, 0))
        """Of each key, loss and gain of the best sample that it keeps of a part; infinite where it would keep more."""

    def add(
        self,
        part: PartArrays,
        rows: Numbers,
        counts: Mapping[str, Counter[str]],
        tables: Collection[str],
        primary: Metric,
    ) -> None:
        """Add the rows of one part; a key that `counts` has pooled with others keeps no samples."""
        labels, pairs, places, amounts = part.counts.by_pair(tables, rows)
        known = [label for label in labels if label[1] in counts[label[0]]]
        for label in known:
            self._keys.setdefault(label, len(self._keys))
        keys = np.array([self._keys.get(label, -1) for label in labels], np.int64)[pairs]
        if len(known) < len(labels):
            inside = np.flatnonzero(keys >= 0)
            keys, places, amounts = keys[inside], places[inside], amounts[inside]
        values = part.values[primary.name].values[places]
        gains = np.where(np.isnan(values), np.inf, values if primary.better == "higher" else -values)
        found = self._worst_of_part(keys, -amounts.astype(np.float64), gains, places)
        self._chunks.append(found._replace(order=self._seen + found.order, ids=part.ids(found.order)))
        self._waiting += len(found.keys)
        self._starts = []
        counted = np.bincount(keys, minlength=len(self._keys))
        counted[: len(self._samples)] += self._samples
        self._samples = counted
        self._seen += part.counts.n
        if self._waiting > MAX_WAITING:
            self._merge()

    def _worst_of_part(
        self, keys: Numbers, losses: NDArray[np.float64], gains: NDArray[np.float64], order: Numbers
    ) -> _Worst:
        """The worst samples of each key; not those that are no worse than what enough earlier samples are."""
        new = np.full((2, len(self._keys) - self._bounds.shape[1]), np.inf)
        self._bounds = np.concatenate([self._bounds, new], axis=1)
        least_loss, least_gain = self._bounds[:, keys]
        worse = np.flatnonzero((losses < least_loss) | ((losses == least_loss) & (gains < least_gain)))
        found = _worst_of(keys[worse], losses[worse], gains[worse], order[worse])
        last = np.flatnonzero(np.arange(len(found.keys)) - np.searchsorted(found.keys, found.keys) == MAX_EXAMPLES - 1)
        self._bounds[:, found.keys[last]] = found.losses[last], found.gains[last]
        return found

    def of(self, table: str, key: str) -> tuple[int, list[str], list[int]]:
        """Number of samples behind a key, the ids of the worst of them, the worst first, and how often in each."""
        number = self._keys.get((table, key))
        if number is None:
            return 0, [], []
        if not self._starts:
            self._merge()
        inside = slice(self._starts[number], self._starts[number + 1])
        found = self._chunks[0]
        return int(self._samples[number]), found.ids[inside].to_pylist(), (-found.losses[inside]).astype(int).tolist()

    def _merge(self) -> None:
        keys, losses, gains, order, ids = zip(*self._chunks, strict=True)
        joined = np.concatenate
        self._chunks = [_worst_of(joined(keys), joined(losses), joined(gains), joined(order), pa.concat_arrays(ids))]
        self._waiting = 0
        self._starts = np.searchsorted(self._chunks[0].keys, np.arange(len(self._keys) + 1)).tolist()


class _Worst(NamedTuple):
    """Samples behind keys, sorted by key and then the worst first."""

    keys: NDArray[np.int64]
    losses: NDArray[np.float64]
    """The count with its sign turned: less is worse, as of the gains."""
    gains: NDArray[np.float64]
    order: NDArray[np.int64]
    """Place in the input."""
    ids: pa.Array


def _worst_of(
    keys: NDArray[np.int64],
    losses: NDArray[np.float64],
    gains: NDArray[np.float64],
    order: NDArray[np.int64],
    ids: pa.Array | None = None,
) -> _Worst:
    """The worst samples of each key; without ids they are to be filled in."""
    sort = np.lexsort((order, gains, losses, keys))
    within = np.arange(len(sort)) - np.searchsorted(keys[sort], keys[sort])
    kept = sort[within < MAX_EXAMPLES]
    named = pa.array([], pa.string()) if ids is None else ids.take(pa.array(kept))
    return _Worst(keys[kept], losses[kept], gains[kept], order[kept], named)


@dataclass(slots=True)
class Group:
    """Sums, counts and issues of one system or slice, or of one kind of unit in it."""

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
    clusters: ClusterColumns = field(default_factory=ClusterColumns)
    examples: Examples = field(default_factory=Examples)
    """Of a whole system."""

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
    """Add to a key's count in the tally that sums up parts; beyond 10,000 keys the rest goes to `<other>`."""
    known = key in table or len(table) < MAX_COUNT_KEYS
    table[key if known else OTHER] += n


class Clusters:
    """Numbers the clusters of one system's samples in the order in which they first appear."""

    def __init__(self) -> None:
        self._named: dict[str, int] = {}
        self._seen = 0

    def numbers(self, names: Sequence[str]) -> NDArray[np.int64]:
        """The cluster of each sample; "" is a cluster that is this sample alone."""
        if not any(names):
            first = self._seen
            self._seen += len(names)
            return np.arange(first, self._seen, dtype=np.int64) % MAX_CLUSTERS
        return np.fromiter(map(self._number, names), np.int64, len(names)) % MAX_CLUSTERS

    def _number(self, name: str) -> int:
        if name and (known := self._named.get(name)) is not None:
            return known
        if name and len(self._named) == MAX_CLUSTERS:  # a name is not forgotten, but no more are remembered
            return xxh3_64_intdigest(name.encode()) % MAX_CLUSTERS
        number = self._seen
        self._seen += 1
        if name:
            self._named[name] = number
        return number


class ExactSum:
    """Sum of floats without rounding, kept as one whole number of 2⁻ˢᶜᵃˡᵉ."""

    __slots__ = ("_whole",)

    def __init__(self) -> None:
        self._whole = 0

    def add(self, values: NDArray[np.float64]) -> None:
        """Add an array of finite numbers.

        Adding a power of two and taking it away again leaves the upper bits of each number. It is so large that the sum
        of these needs no more than 53 bits, and no rounding. What is left is added in the same way. (Rump, Ogita,
        Oishi, "Accurate floating-point summation, part I", 2008.)
        """
        for start in range(0, len(values), MOST_ADDED):
            rest = values[start : start + MOST_ADDED]
            while largest := max(rest.max(), -rest.min()):
                power = math.ldexp(1.0, math.frexp(largest)[1] + len(rest).bit_length() + 1)
                upper = rest + power
                upper -= power
                above, below = float(upper.sum()).as_integer_ratio()
                self._whole += above << (SCALE + 1 - below.bit_length())
                rest = rest - upper

    @property
    def value(self) -> float:
        """The sum, rounded once."""
        return self._whole / (1 << SCALE)
