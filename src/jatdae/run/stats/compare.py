"""Compare two results: paired differences, confidence intervals, p-values, wins and losses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NoReturn

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from jatdae.core.contract import Metric
from jatdae.core.errors import UsageError
from jatdae.core.messages import listed, near, say
from jatdae.run.output.part import metric_column
from jatdae.run.stats import bootstrap
from jatdae.run.stats.key_differences import KeyDifference, changed_keys, compared_rates, has_counts, key_differences
from jatdae.run.stats.pairing import SAMPLE, Numbers, Pairing, by_label, labels_of, pairings, rows_of, slice_keys
from jatdae.run.stats.result import Result, choose_metrics, columns_of, library, only
from jatdae.run.stats.shown import bracketed, change, p_equals, p_value, system_label

PERMUTATIONS: Final = 10_000
WORST: Final = 10
LEAST_CLUSTERS: Final = 20
"""With fewer clusters no p-value is given: sign flips of so few say little, and their number bounds p from below."""
SIGNIFICANT: Final = 0.05
MOST_SLICES: Final = 40
"""Slices of one key that are compared, those with most pairs; more cannot be read in one chart."""
SHOWN_DIFFERENCES: Final = 4
"""Metrics that the `repr` of a comparison names."""

TABLE: Final = pa.schema(
    [("metric", pa.string())]
    + [(name, pa.float64()) for name in ("a", "b", "delta", "ci_low", "ci_high", "p", "p_holm")]
    + [(name, pa.int64()) for name in ("wins", "ties", "losses", "n", "unpaired")]
)
"""Of `Comparison.table`."""
GUESSED: Final = {
    **dict.fromkeys(("df", "dataframe", "to_frame", "to_df", "summary", "items", "values"), "comparison.to_pandas()"),
    **dict.fromkeys(("to_csv", "to_json", "to_markdown", "to_latex", "report"), "comparison.to_pandas()"),
    **dict.fromkeys(("to_dict", "as_dict"), "dict(comparison)"),
    **dict.fromkeys(("p", "p_value", "pvalue", "p_holm"), 'comparison["METRIC"].p'),
    **dict.fromkeys(("delta", "difference", "diff"), 'comparison["METRIC"].delta'),
    **dict.fromkeys(("ci", "interval", "confidence_interval"), 'comparison["METRIC"].ci'),
}
"""Attributes of results of other libraries, and what to write instead."""


def gain(metric: Metric, delta: float) -> float:
    """Difference of a metric with its sign turned so that a value above 0 is better, to compare metrics."""
    return delta if metric.better == "higher" else -delta


@dataclass(frozen=True, slots=True)
class PairedValues:
    """A sample, or unit of one, with its values of systems A and B."""

    id: str
    """The sample."""
    unit: str
    """The row below it, such as a turn; nothing where whole samples are paired."""
    a: float
    b: float

    @property
    def label(self) -> str:
        """The pair as a reader meets it."""
        return f"{self.id} · {self.unit}" if self.unit else self.id


@dataclass(frozen=True, slots=True)
class Difference:
    """Difference of one metric between systems A and B, over the samples or units that both have a value for."""

    metric: Metric
    n: int = 0
    """Pairs with a value on both sides."""
    unpaired: int = 0
    """Samples or units in which only one side has a value."""
    a: float | None = None
    b: float | None = None
    delta: float | None = None
    """b − a"""
    ci: tuple[float, float] | None = None
    p: float | None = None
    """None below 20 clusters."""
    p_holm: float | None = None
    """p, corrected for all differences that were tested with it."""
    wins: int = 0
    """Pairs on which B is better."""
    ties: int = 0
    losses: int = 0
    regressions: tuple[PairedValues, ...] = ()
    """Where B lost most."""
    improvements: tuple[PairedValues, ...] = ()
    """Where B gained most."""
    by: str = SAMPLE
    """What is paired: samples, or the kind of their units."""
    clusters: int = 0
    """How many clusters the pairs are in: what is resampled and flipped."""
    only_a: int = 0
    """Samples or units in which A alone has a value."""
    samples: int = 0
    """How many samples the pairs are of."""

    @property
    def gain(self) -> float:
        """The difference with its sign turned so that above 0 B is better."""
        return gain(self.metric, self.delta or 0.0)

    @property
    def too_few(self) -> bool:
        """Whether there are pairs, but in too few clusters for a p-value."""
        return 0 < self.clusters < LEAST_CLUSTERS


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """Comparison of system B with system A on the metrics that were asked for.

    It is a mapping from metrics to their differences: `comparison["METRIC"]`, `dict(comparison)`.
    """

    a: str
    b: str
    signature: str
    differences: tuple[Difference, ...]
    evaluator: str = ""
    rates: tuple[SlicedDifference, ...] = ()
    """Differences of the rates that the evaluator shows, such as the accuracy of each field, by key; without p-values.
    The key of each is the name of its rate."""

    def __getitem__(self, metric: str) -> Difference:
        for difference in self.differences:
            if difference.metric.name == metric:
                return difference
        known = self.keys()
        raise UsageError(say("unknown_metric", name=metric, near=near(str(metric), known), known=", ".join(known)))

    def keys(self) -> list[str]:
        """Names of the metrics, so that `dict(comparison)` has their differences."""
        return [difference.metric.name for difference in self.differences]

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self.differences)

    def __contains__(self, metric: object) -> bool:
        return metric in self.keys()

    def __bool__(self) -> bool:
        return True

    def __getattr__(self, name: str) -> Any:
        """Say what to write instead of an attribute that people guess."""
        if name.startswith("_") or name in self.__slots__:  # asked for by a library, or while being unpickled
            raise AttributeError(name)
        known = [each for each in dir(type(self)) if not each.startswith("_")]
        instead = GUESSED.get(name)
        if instead is None:
            told = say("comparison_lacks", name=name, near=near(name, known), known=listed(known))
        else:
            told = say("comparison_guessed", name=name, instead=instead)
        raise AttributeError(told)

    def table(self) -> pa.Table:
        """An Arrow table with a row per metric: its values, difference, interval, p-values, wins and losses."""
        return pa.Table.from_pylist([_table_row(row) for row in self.differences], TABLE)

    def to_pandas(self) -> Any:
        """The same table as a pandas frame."""
        library("pandas")
        return self.table().to_pandas()

    def to_polars(self) -> Any:
        """The same table as a polars frame."""
        return library("polars").from_arrow(self.table())

    def __repr__(self) -> str:
        rows = "; ".join(map(_in_short, self.differences[:SHOWN_DIFFERENCES]))
        more = f" … (+{len(self.differences) - SHOWN_DIFFERENCES})" if len(self.differences) > SHOWN_DIFFERENCES else ""
        return f"Comparison({self.a} → {self.b}: {rows}{more})"

    def _repr_html_(self) -> str:
        from jatdae.report.notebook import comparison_html

        return comparison_html(self)


def _table_row(row: Difference) -> dict[str, Any]:
    low, high = row.ci or (None, None)
    numbers = {name: getattr(row, name) for name in TABLE.names if name not in ("metric", "ci_low", "ci_high")}
    return {"metric": row.metric.name, "ci_low": low, "ci_high": high, **numbers}


def _in_short(row: Difference) -> str:
    """A difference for a line of code output."""
    unit = row.metric.unit
    tested = f", {p_equals(row.p)}" if row.p is not None else ""
    if row.p_holm is not None and p_value(row.p_holm) != p_value(row.p):
        tested += f", {p_equals(row.p_holm).replace('p', 'p (Holm)', 1)}"
    return f"Δ {row.metric.name} = {change(row.delta, unit)}{bracketed(row.ci, unit)}{tested}"


def compare(
    a: Result,
    b: Result | None = None,
    *,
    system_a: str | None = None,
    system_b: str | None = None,
    names: tuple[str, str] | None = None,
    by: str | None = None,
    metrics: Sequence[str] | None = None,
    **guessed: Any,
) -> Comparison:
    """Compare two results on the same references: paired differences of metrics.

    Without `b`, two systems of one result: `system_a` and `system_b`, or the two that it has.

    `names` are those of the two in what is shown; None are the names of their systems if these differ, else A and B.

    Metrics are the given ones; None is the short family that the evaluator declares.

    Pairs are samples of one id or, `by` a kind of unit, units of one (sample, unit); None is what the evaluator
    declares. A metric that those units do not have stays paired by sample.

    Refuses results whose signatures are not comparable. Intervals resample clusters; p is from a sign-flip
    permutation test, p = (b + 1) / (m + 1), and is corrected over the metrics after Holm (1979); metrics that differ
    in nothing count once. Below 20 clusters there is no p.
    """
    if guessed:
        _refuse_keyword(next(iter(guessed)))
    if b is None and isinstance(a, Result):
        if system_a is None and system_b is None and len(a.systems) == 2:
            system_a, system_b = a.systems
        if system_a is None or system_b is None or system_a == system_b:
            raise UsageError(say("compare_two_systems", systems=listed(map(system_label, a.systems))))
        _refuse_unlike_references(a, only(a, system_a), only(a, system_b))
    a, b = _given_result("a", a), _given_result("b", a if b is None else b)
    if reasons := a.signature.differences(b.signature):
        raise UsageError(say("not_comparable", reasons="; ".join(reasons)))
    if names is not None and (not isinstance(names, tuple | list) or len(names) != 2):
        raise UsageError(say("bad_names", value=repr(names)))
    of_a, of_b = only(a, system_a), only(b, system_b)
    names = names or ((of_a, of_b) if of_a != of_b and of_a and of_b else ("A", "B"))
    found = pairings(a, of_a, b, of_b, by)
    known = {metric.name: metric for metric in a.metrics}
    rows = [
        _difference(known[name], next(each for each in found if each.holds(name)))
        for name in choose_metrics(a.summary, metrics)
    ]
    tested = tuple(_holm([(names, row) for row in rows]))
    rates = tuple(_compare_rates(a, of_a, b, of_b))
    return Comparison(*names, str(a.signature), tested, a.summary["evaluator"], rates)


def _refuse_keyword(name: str) -> NoReturn:
    known = ("system_a", "system_b", "names", "by", "metrics")
    raise UsageError(say("compare_keyword", name=name, near=near(name, known), known=", ".join(known)))


def _refuse_unlike_references(result: Result, system_a: str, system_b: str) -> None:
    """Refuse systems that have the same ids and other references; of unlike ids only those of both are paired."""
    digests = result.summary["input"].get("references", {})
    mine, others = digests.get(system_a), digests.get(system_b)
    if mine != others and _ids(result, system_a) == _ids(result, system_b):
        raise UsageError(say("not_comparable", reasons=f"refs: {mine} ≠ {others}"))


def _ids(result: Result, system: str) -> set[str]:
    return {row["id"] for row in rows_of(result, system, ["id"])}


def _given_result(side: str, given: Any) -> Result:
    if not isinstance(given, Result):
        raise UsageError(say("no_result_given", side=side, kind=type(given).__name__))
    return given


def _compare_rates(a: Result, system_a: str, b: Result, system_b: str) -> Iterator[SlicedDifference]:
    """Differences of rates key by key; none where the counts were not loaded (`comparable_part`)."""
    if not (has_counts(a) and has_counts(b)):
        return
    for name, rate in compared_rates(a.summary).items():
        keys = changed_keys(rate, a, system_a, b, system_b)
        found = key_differences(name, rate, keys[:MOST_SLICES], a, system_a, b, system_b)
        slices = {each.key: _difference_of_key(each) for each in found}
        if slices:
            labels = {key: by for key, by in rate.get("labels", {}).items() if key in slices}
            yield SlicedDifference(name, slices, len(keys[MOST_SLICES:]), rate.get("table", ""), labels)


def _difference_of_key(found: KeyDifference) -> Difference:
    gains = found.changes if found.rate.better == "higher" else -found.changes
    return Difference(
        found.rate,
        n=len(gains),
        a=found.a,
        b=found.b,
        delta=found.b - found.a,
        ci=found.ci,
        wins=int(np.count_nonzero(gains > 0)),
        ties=int(np.count_nonzero(gains == 0)),
        losses=int(np.count_nonzero(gains < 0)),
        clusters=found.clusters,
    )


@dataclass(frozen=True, slots=True)
class SlicedDifference:
    """Differences of one metric between systems A and B by slice: by value of one key."""

    key: str
    slices: Mapping[str, Difference]
    """By value; without p-values, because no one asked a question of each slice before looking."""
    left_out: int
    """Slices with fewer pairs than those, or keys that changed less."""
    table: str = ""
    """Report table of a rate, where the slices are its keys."""
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By key of a rate: what stands in its place, by language."""


def compare_slices(
    a: Result,
    b: Result,
    metric: str,
    *,
    system_a: str | None = None,
    system_b: str | None = None,
    by: str | None = None,
    most: int = MOST_SLICES,
) -> list[SlicedDifference]:
    """Compare two results on one metric inside each slice: differences paired as in `compare`.

    Keys are those that the run of A was sliced by and, where units are paired, the labels of its units. A key with a
    single slice is left out. Labels are those of A; B's own where A has no such sample or unit.
    """
    system_a, system_b = only(a, system_a), only(b, system_b)
    pairing = next(each for each in pairings(a, system_a, b, system_b, by) if each.holds(metric))
    measured = next(each for each in a.metrics if each.name == metric)
    keys = slice_keys(a.summary["systems"][system_a], pairing.by)
    labels = {**labels_of(b, system_b, pairing.by), **labels_of(a, system_a, pairing.by)}
    found = []
    for key, known in keys.items():
        inside: dict[str, Pairing] = {
            value: pairing.restricted(metric, rows) for value, rows in by_label(pairing, labels, key).items()
        }
        largest = sorted(inside, key=lambda value: -len(inside[value].keys))[:most]
        order = [value for value in dict.fromkeys([*known, *inside]) if value in largest]
        if len(inside) > 1:
            slices = {value: _difference(measured, inside[value], tested=False) for value in order}
            found.append(SlicedDifference(key, slices, len(inside) - len(order)))
    return found


def together(comparisons: Sequence[Comparison]) -> tuple[Comparison, ...]:
    """Correct the p-values of several compared results as one family: systems × metrics (Holm, 1979)."""
    rows = _holm([(at, row) for at, each in enumerate(comparisons) for row in each.differences])
    corrected = iter(rows)
    return tuple(replace(each, differences=tuple(next(corrected) for _ in each.differences)) for each in comparisons)


def count_tests(comparisons: Sequence[Comparison]) -> int:
    """How many tests the p-values of compared results were corrected for (`together`)."""
    return len(
        {(at, _numbers(row)) for at, each in enumerate(comparisons) for row in each.differences if row.p is not None}
    )


def comparable_part(result: Result, metrics: Sequence[str]) -> Result:
    """A result with only what a comparison of these metrics reads, loaded once however often it is compared."""
    kept = {name: about for name, about in result.summary["metrics"].items() if name in metrics}
    columns = ["id", "system", "cluster", *map(metric_column, kept)]
    if result.summary.get("paired_by"):
        columns.append("units")
    rows = [pa.concat_tables(found).combine_chunks()] if (found := columns_of(result, columns)) else []
    return Result(result.signature, {**result.summary, "metrics": kept}, rows)


def sign_flip(differences: Numbers, clusters: NDArray[np.int64], permutations: int = PERMUTATIONS) -> float:
    """Compare two results: two-sided p-value of a mean difference of 0, by random sign flips of whole clusters.

    p = (b + 1) / (m + 1), b of m flips at least as far from 0 as what was seen (Phipson and Smyth, 2010).
    """
    sums = np.bincount(clusters, weights=differences).astype(np.float64)
    sums = bootstrap.gathered(sums[sums != 0, None])  # to flip whole buckets is as fair a test
    if not len(sums):
        return 1.0
    whole = bootstrap.countable(sums)[0][:, 0]
    total = whole.sum()
    least = abs(total) - len(whole)  # what rounding may have parted is still a tie
    generator = np.random.Generator(np.random.PCG64(bootstrap.SEED))
    extreme, block = 0, max(1, (1 << 20) // len(whole))
    for start in range(0, permutations, block):
        rows = min(block, permutations - start)
        flipped = generator.integers(0, 2, size=(rows, len(whole)), dtype=np.int8).astype(np.float64) @ whole
        extreme += int(np.count_nonzero(np.abs(total - 2 * flipped) >= least))
    return (extreme + 1) / (permutations + 1)


def holm(values: Sequence[float]) -> list[float]:
    """Correct p-values where several results are compared, by the step-down method (Holm, 1979)."""
    corrected, running = [0.0] * len(values), 0.0
    for rank, at in enumerate(sorted(range(len(values)), key=lambda i: values[i])):
        running = max(running, min(1.0, (len(values) - rank) * values[at]))
        corrected[at] = running
    return corrected


def _difference(metric: Metric, pairing: Pairing, *, tested: bool = True) -> Difference:
    a, b, only_a, only_b = pairing.values(metric.name)
    both = np.isfinite(a) & np.isfinite(b)
    only_a += int(np.count_nonzero(np.isfinite(a) & ~both))
    only_b += int(np.count_nonzero(np.isfinite(b) & ~both))
    if not both.any():
        return Difference(metric, unpaired=only_a + only_b, by=pairing.by, only_a=only_a)
    keys = [key for key, keep in zip(pairing.keys, both.tolist(), strict=True) if keep]
    a, b = a[both], b[both]
    within = np.unique(pairing.clusters[both], return_inverse=True)[1]
    change = b - a
    gains = change if metric.better == "higher" else -change
    worst = [at for at in np.argsort(gains, kind="stable")[:WORST].tolist() if gains[at] < 0]
    best = [at for at in np.argsort(-gains, kind="stable")[:WORST].tolist() if gains[at] > 0]

    def pair(at: int) -> PairedValues:
        return PairedValues(keys[at].sample, keys[at].unit, float(a[at]), float(b[at]))

    return Difference(
        metric,
        n=len(a),
        unpaired=only_a + only_b,
        a=float(a.mean()),
        b=float(b.mean()),
        delta=float(b.mean() - a.mean()),
        ci=_paired_interval(change, within),
        p=sign_flip(change, within) if tested and within.max() + 1 >= LEAST_CLUSTERS else None,
        p_holm=None,
        wins=int(np.count_nonzero(gains > 0)),
        ties=int(np.count_nonzero(gains == 0)),
        losses=int(np.count_nonzero(gains < 0)),
        regressions=tuple(pair(at) for at in worst),
        improvements=tuple(pair(at) for at in best),
        by=pairing.by,
        clusters=int(within.max()) + 1,
        only_a=only_a,
        samples=len({key.sample for key in keys}),
    )


def _paired_interval(change: Numbers, clusters: NDArray[np.int64]) -> tuple[float, float] | None:
    counts = np.bincount(clusters).astype(np.float64)
    sums = np.bincount(clusters, weights=change).astype(np.float64)
    return bootstrap.intervals(sums[:, None], counts[:, None])[0] if len(sums) > 1 else None


def _holm(rows: Sequence[tuple[Any, Difference]]) -> list[Difference]:
    """Differences with p corrected over all of them; those of one pair of systems that differ in nothing count once."""
    tested = {(pair, _numbers(row)): row.p for pair, row in rows if row.p is not None}
    corrected = dict(zip(tested, holm(list(tested.values())), strict=True))
    return [replace(row, p_holm=corrected.get((pair, _numbers(row)))) for pair, row in rows]


def _numbers(row: Difference) -> tuple[Any, ...]:
    return (row.n, row.a, row.b, row.ci, row.p, row.wins, row.ties, row.losses)
