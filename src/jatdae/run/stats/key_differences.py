"""Compare two systems key by key: differences of rates such as the accuracy of each field, with intervals.

Samples are paired by id. Each weighs as much as A has below in it, so that a is A's rate over the paired samples and
Δ = Σ n·(share of B − share of A) / Σ n; both sides have the same n where the rate is over what the reference has.
There are no p-values: no one asked a question of each key before looking.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from jatdae.core.contract import Metric
from jatdae.run.stats import bootstrap
from jatdae.run.stats.rates import ARROW, MILLION, SIDES, RateEntry, keys_in, rate_keys, rate_of
from jatdae.run.stats.result import LazyTables, Result, columns_of

Numbers = NDArray[np.float64]


class KeyDifference(NamedTuple):
    """What `compare` needs to know of one key: its rates, per paired sample and over all of them."""

    rate: Metric
    key: str
    a: float
    b: float
    changes: Numbers
    """Share of B − share of A in each paired sample that has the key."""
    clusters: int
    ci: tuple[float, float] | None


class _Side(NamedTuple):
    """The samples of one system: their ids and clusters, and the counts of some keys in each."""

    ids: Sequence[str]
    clusters: Sequence[str]
    above: Numbers
    below: Numbers


def compared_rates(summary: Mapping[str, Any]) -> dict[str, RateEntry]:
    """The rates that are compared key by key: the first of each table of a report."""
    found: dict[str, tuple[str, RateEntry]] = {}
    for name, rate in summary.get("rates", {}).items():
        if rate.get("shown") and rate["below"]:
            found.setdefault(rate.get("table", ""), (name, rate))
    return dict(found.values())


def has_counts(result: Result) -> bool:
    """Whether the counts of samples, of which rates are made, can be loaded for a result."""
    tables = result.tables
    return isinstance(tables, LazyTables) or (len(tables) > 0 and "counts" in tables[0].column_names)


def changed_keys(rate: RateEntry, a: Result, system_a: str, b: Result, system_b: str) -> list[str]:
    """Keys of a rate that both systems have, those first that changed most."""
    ours, theirs = (result.summary["systems"][name]["counts"] for result, name in ((a, system_a), (b, system_b)))
    found = []
    for key in sorted({*rate_keys(rate, a.summary)} & {*rate_keys(rate, b.summary)}):
        before, after = rate_of(rate, key, ours), rate_of(rate, key, theirs)
        if before is not None and after is not None:
            found.append((-abs(after - before), key))
    return [key for _, key in sorted(found)]


def key_differences(
    name: str, rate: RateEntry, keys: Sequence[str], a: Result, system_a: str, b: Result, system_b: str
) -> list[KeyDifference]:
    """Differences of one rate between two systems, of each of some keys that samples of both have."""
    left, right = _side(a, system_a, rate, keys), _side(b, system_b, rate, keys)
    at = {id: row for row, id in enumerate(right.ids)}
    rows = [(row, at[id]) for row, id in enumerate(left.ids) if id in at]
    if not rows:
        return []
    ours, theirs = (np.array(side, np.int64) for side in zip(*rows, strict=True))
    clusters = np.unique([left.clusters[row] for row in ours], return_inverse=True)[1]
    n, has = left.below[ours], (left.below[ours] > 0) & (right.below[theirs] > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = [np.where(has, s.above[at] / s.below[at], 0.0) for s, at in ((left, ours), (right, theirs))]
    change = shares[1] - shares[0]
    weighed = np.where(has, n, 0.0)
    parts, wholes = _by_cluster(weighed * change, clusters), _by_cluster(weighed, clusters)
    ends = bootstrap.intervals(parts, wholes) if len(parts) > 1 else [None] * len(keys)
    metric = Metric(name, rate["better"], 0.0 if rate["better"] == "higher" else 1.0, "%", range=(0.0, 1.0))
    made = []
    for column, key in enumerate(keys):
        if total := weighed[:, column].sum():
            before, after = (float((weighed[:, column] * side[:, column]).sum() / total) for side in shares)
            mine = has[:, column]
            size = len(np.unique(clusters[mine]))
            made.append(KeyDifference(metric, key, before, after, change[mine, column], size, ends[column]))
    return made


def _by_cluster(columns: Numbers, clusters: NDArray[np.int64]) -> Numbers:
    summed = np.zeros((int(clusters.max()) + 1, columns.shape[1]))
    np.add.at(summed, clusters, columns)
    return summed


def _side(result: Result, system: str, rate: RateEntry, keys: Sequence[str]) -> _Side:
    ids: list[str] = []
    clusters: list[str] = []
    above: list[Numbers] = []
    below: list[Numbers] = []
    for table in columns_of(result, ["id", "system", "cluster", "counts"]):
        mine = table.filter(pc.equal(table.column("system"), system))
        here = mine.column("id").to_pylist()
        ids += here
        clusters += [cluster or id for cluster, id in zip(mine.column("cluster").to_pylist(), here, strict=True)]
        sides = {side: _counted(mine.column("counts"), rate.get(side, ()), rate, keys) for side in SIDES}
        above.append(sides["above"] + sides["millionths"] / MILLION)
        below.append(sides["below"])
    empty = np.zeros((0, len(keys)))
    return _Side(ids, clusters, np.vstack([empty, *above]), np.vstack([empty, *below]))


def _counted(column: pa.ChunkedArray, tables: Iterable[str], rate: RateEntry, keys: Sequence[str]) -> Numbers:
    """The counts of keys (columns) in each sample (rows), summed over some tables."""
    counts = column.combine_chunks()
    made = np.zeros((len(counts), len(keys)))
    rows, names, inner = _entries(counts)
    number = {key: at for at, key in enumerate(keys)}
    for table in tables:
        wanted = pc.equal(names, table.strip(ARROW)).to_numpy(zero_copy_only=False)
        of_tables, texts, times = _entries(inner.filter(pa.array(wanted)))
        of_rows = rows[wanted][of_tables]
        written = texts.dictionary_encode()
        codes, numbers = written.indices.to_numpy(), times.to_numpy().astype(np.float64)
        for code, text in enumerate(written.dictionary.to_pylist()):
            for key in keys_in(table, text, rate.get("group", "")):
                if key in number:
                    here = codes == code
                    np.add.at(made[:, number[key]], of_rows[here], numbers[here])
    return made


def _entries(maps: pa.MapArray) -> tuple[NDArray[np.int64], pa.Array, pa.Array]:
    """The entries of maps: the number of the map that each stands in, its key and its value."""
    offsets = maps.offsets.to_numpy()
    where = np.repeat(np.arange(len(maps)), np.diff(offsets))
    first, size = int(offsets[0]), int(offsets[-1] - offsets[0])
    return where, maps.keys.slice(first, size), maps.items.slice(first, size)
