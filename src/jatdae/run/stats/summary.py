"""Make the summary of a run: macro and micro averages, n, n/a, intervals, slices, units, counts and issues."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

import numpy as np

from jatdae.core.contract import BASELINE, OTHER, Metric, Mix, Ratio
from jatdae.core.evaluator import EvaluatorSpec, hook, micro_of, reduced, spec_of
from jatdae.run.output.folder import FORMAT
from jatdae.run.output.tally import MAX_UNIT_SLICES, Group, Tally
from jatdae.run.stats import bootstrap
from jatdae.run.stats.rates import ARROW, rate_keys

SHOWN_COUNTS: Final = 1000
"""Keys of a count table that enter summary.json, the most frequent first."""

Summary = dict[str, Any]
Values = dict[str, float | None]
Ends = dict[str, bootstrap.Interval | None]
T = TypeVar("T")


def summarise(tally: Tally, evaluator: Any, *, signature: str, about_input: Mapping[str, Any]) -> Summary:
    """Make the summary of a run (summary.json) from the sums of its parts."""
    spec = spec_of(evaluator)
    systems: dict[str, Any] = {}
    baselines: dict[str, Any] = {}
    numbers = Numbers(evaluator)
    metrics = [metric for metric in spec.metrics if not metric.optional or _occurs(metric, tally)]
    for (system, key, value), group in tally.groups.items():
        if system.startswith(BASELINE):
            if not key:
                baselines[system.removeprefix(BASELINE)] = _describe(group, metrics, numbers)
        elif not key:
            described = _describe(group, metrics, numbers)
            systems.setdefault(system, {}).update(
                described, examples=_examples(group, described["counts"], spec.errors)
            )
        else:
            inside = systems.setdefault(system, {}).setdefault("slices", {}).setdefault(key, {})
            inside[value] = _describe(group, metrics, numbers)
    for described in systems.values():
        for key, values in described.get("slices", {}).items():
            described["slices"][key] = dict(_in_order(values))
    summary = {
        "format": FORMAT,
        "evaluator": spec.name,
        "signature": signature,
        **measures_of(spec, metrics),
        "issues": {kind.code: {"severity": kind.severity} for kind in spec.issues},
        "counts": _count_tables(evaluator, spec, systems),
        "paired_by": spec.paired_by,
        "interval": {
            "level": bootstrap.LEVEL,
            "method": bootstrap.METHOD,
            "resamples": bootstrap.RESAMPLES,
            "seed": bootstrap.SEED,
        },
        "input": dict(about_input),
        "systems": systems,
        "baselines": baselines,
    }
    _label_rates(evaluator, summary)
    return summary


def _occurs(metric: Metric, tally: Tally) -> bool:
    return any(group.known[metric.name] for group in tally.groups.values())


def measures_of(spec: EvaluatorSpec, metrics: Sequence[Metric] | None = None) -> dict[str, Any]:
    """What a summary says of the metrics (default: all) and rates that an evaluator declares."""
    return {
        "metrics": {
            m.name: {
                "better": m.better,
                "unit": m.unit,
                "worst": m.worst,
                "primary": m == spec.primary,
                "absent": list(m.absent),
                "range": m.ends,
                "family": m in spec.family,
                **({"margin": m.margin} if m.margin is not None else {}),
                **({"effort": True} if m.effort else {}),
                **({"told": list(m.told)} if m.told else {}),
                **({"causes": dict(m.causes)} if m.causes is not None else {}),
            }
            for m in (spec.metrics if metrics is None else metrics)
        },
        "rates": {
            rate.name: {
                "above": list(rate.above),
                "below": list(rate.below),
                "better": rate.better,
                **({"shown": True, "group": rate.group, "instead": list(rate.instead)} if rate.shown else {}),
                **({"millionths": list(rate.millionths)} if rate.millionths else {}),
                **({"table": rate.table} if rate.table else {}),
            }
            for rate in spec.rates
        },
    }


def _count_tables(evaluator: Any, spec: EvaluatorSpec, systems: Mapping[str, Any]) -> dict[str, Any]:
    """What a summary says of each count table: whether its keys are errors, and what its keys are known by.

    That is a name beside the key, or labels in its place by language. Of keys that are no codes, also which of them the
    configuration declares: a report without texts keeps these.
    """
    named = _key_names(evaluator)
    made: dict[str, Any] = {}
    for count in spec.counts:
        counted = {key for system in systems.values() for key in system["counts"].get(count.name, ())}
        known = named.get(count.name, {})
        found = {key: known[key] for key in sorted(counted) if key in known}
        labels = {key: dict(name) for key, name in found.items() if isinstance(name, Mapping)}
        names = {key: str(name) for key, name in found.items() if key not in labels}
        made[count.name] = {
            "error": count.error,
            **({"names": names} if names else {}),
            **({"labels": labels} if labels else {}),
            **({"declared": declared} if not count.coded and (declared := _declared(evaluator, counted)) else {}),
        }
    return made


def _declared(evaluator: Any, keys: Iterable[str]) -> list[str]:
    """Keys of a count table that the configuration of the evaluator declares."""
    with hook(evaluator, "declares"):
        return sorted(filter(evaluator.declares, keys)) if hasattr(evaluator, "declares") else []


def _label_rates(evaluator: Any, summary: Summary) -> None:
    """Add to the rates that reports show the labels of their keys by language, and of what stands in their place."""
    named = _key_names(evaluator)
    for name, rate in summary["rates"].items():
        if rate.get("shown") and (known := named.get(name)):
            keys = {*rate_keys(rate, summary)}
            for described in summary["systems"].values():
                keys.update(
                    key.partition(ARROW)[2] for table in rate["instead"] for key in described["counts"].get(table, ())
                )
            rate["labels"] = {key: dict(known[key]) for key in sorted(keys) if key in known}


def _key_names(evaluator: Any) -> Mapping[str, Mapping[str, Any]]:
    """By count table or rate: what its keys are known by."""
    with hook(evaluator, "key_names"):
        return evaluator.key_names() if hasattr(evaluator, "key_names") else {}


def _describe(group: Group, metrics: Sequence[Metric], numbers: Numbers) -> dict[str, Any]:
    names = [metric.name for metric in metrics]
    described: dict[str, Any] = {"n": group.n, "metrics": numbers.of(group, names)}
    described["issues"] = {code: dict(sorted(by.items())) for code, by in sorted(group.issues.items())}
    described["counts"] = {name: _commonest(table) for name, table in sorted(group.counts.items())}
    described["stats"] = {name: total.value for name, total in sorted(group.stats.items())}
    described["units"] = {
        kind: {
            **_unit_numbers(below, numbers),
            "slices": {
                key: {value: _unit_numbers(inside, numbers) for value, inside in _in_order(by_value)}
                for key, by_value in sorted(below.slices.items())
                if 1 < len(by_value) <= MAX_UNIT_SLICES
            },
        }
        for kind, below in sorted(group.units.items())
    }
    return described


def _unit_numbers(group: Group, numbers: Numbers) -> dict[str, Any]:
    return {"n": group.n, "metrics": numbers.of(group, sorted(group.sums))}


def _in_order(slices: Mapping[str, T]) -> list[tuple[str, T]]:
    """Sort slices of a summary by value: as numbers where all are whole numbers, else as texts."""
    counted = all(value.removeprefix("-").isdecimal() and len(value) < 19 for value in slices)
    return sorted(slices.items(), key=lambda item: (int(item[0]) if counted else 0, item[0]))


def _commonest(table: Counter[str]) -> dict[str, int]:
    """The most frequent keys; the rest is pooled, so that the total stays what it was."""
    ordered = sorted(table.items(), key=lambda item: (-item[1], item[0]))
    kept = dict([item for item in ordered if item[0] != OTHER][:SHOWN_COUNTS])
    rest = table.total() - sum(kept.values())
    return {**kept, OTHER: rest} if rest else kept


def _examples(group: Group, counts: Mapping[str, Mapping[str, int]], errors: Sequence[str]) -> dict[str, Any]:
    """Of each key of the error tables: the number of samples behind it, and the ids of the worst."""
    made: dict[str, Any] = {}
    for table in (name for name in errors if name in counts):
        found = {key: group.examples.of(table, key) for key in counts[table] if key != OTHER}
        made[table] = {
            key: {"samples": samples, "worst": ids, "times": times} for key, (samples, ids, times) in found.items()
        }
    return made


class Numbers:
    """Computes the metric entries of a summary: declared micro averages, and `reduce` for the rest."""

    def __init__(self, evaluator: Any) -> None:
        self._evaluator = evaluator
        metrics = spec_of(evaluator).metrics
        self._declared = {metric.name: metric.micro for metric in metrics if metric.micro is not None}

    def of(self, group: Group, names: Sequence[str]) -> dict[str, Any]:
        """Per metric its entry in a summary."""
        stats = {name: total.value for name, total in sorted(group.stats.items())}
        micro = self._micro(group, stats) if stats else {}
        ends, micro_ends = self._intervals(group, names, micro)
        return {
            name: {
                "macro": group.sums[name].value / group.known[name] if group.known[name] else None,
                "micro": micro.get(name),
                "n": group.known[name],
                "na": group.n - group.known[name],
                "ci": ends.get(name),
                "micro_ci": micro_ends.get(name),
            }
            for name in names
        }

    def _micro(self, group: Group, stats: Mapping[str, float]) -> Values:
        """Micro averages; one that is declared is not applicable where no sample has a value."""
        with hook(self._evaluator, "reduce"):
            found = micro_of(self._evaluator, stats, +group.known)
            return {name: _finite(value) for name, value in found.items()}

    def _intervals(self, group: Group, names: Sequence[str], micro: Values) -> tuple[Ends, Ends]:
        """Intervals of macro means and of micro averages: of ratios with the means, of others by percentiles."""
        present = group.clusters.present("n")
        if len(present) < 2:
            return {}, {}
        stats = sorted(group.stats)
        columns = [f"{sort}.{name}" for sort in ("sum", "known") for name in names] + [f"stat.{name}" for name in stats]
        clusters = bootstrap.gathered(group.clusters.matrix(columns, present))
        means, counts, sums = np.split(clusters, [len(names), 2 * len(names)], axis=1)
        declared = {name: made for name, made in self._declared.items() if micro.get(name) is not None}
        ratios = {name: made for name, made in declared.items() if isinstance(made, Ratio)}
        mixes = {name: made for name, made in declared.items() if isinstance(made, Mix)}
        above, below = _sides(ratios, sums, stats)
        found = bootstrap.intervals(np.hstack([means, above]), np.hstack([counts, below]))
        ends = dict(zip(ratios, found[len(names) :], strict=True))
        if mixes:
            ends |= _mixed(mixes, ratios, bootstrap.resample(above), bootstrap.resample(below))
        if other := [name for name in names if name not in ends and micro.get(name) is not None]:
            ends |= self._by_reduce(sums, stats, other)
        return dict(zip(names, found, strict=False)), ends

    def _by_reduce(self, sums: bootstrap.Matrix, stats: Sequence[str], names: Sequence[str]) -> Ends:
        rows = bootstrap.resample(sums).tolist()
        with hook(self._evaluator, "reduce"):
            draws = [reduced(self._evaluator, dict(zip(stats, row, strict=True))) for row in rows]
            values = np.array([[each.get(name) for name in names] for each in draws], np.float64)
        values[~np.isfinite(values)] = np.nan
        return dict(zip(names, bootstrap.percentiles(values), strict=True))


def _finite(value: float | None) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None


def _sides(ratios: Mapping[str, Ratio], sums: bootstrap.Matrix, stats: Sequence[str]) -> bootstrap.Matrix:
    """What stands above and below each ratio, for every cluster."""
    weights = np.zeros((2, len(ratios), len(stats)))
    for at, ratio in enumerate(ratios.values()):
        weights[:, at] = ratio.weights(stats)
    return np.asarray(np.einsum("ns,wrs->wnr", sums, weights))


def _mixed(
    mixes: Mapping[str, Mix], ratios: Mapping[str, Ratio], above: bootstrap.Matrix, below: bootstrap.Matrix
) -> Ends:
    """Intervals of mixes, from what the draws of their ratios come to; a ratio over 0 is none."""
    draws = np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
    for at, ratio in enumerate(ratios.values()):
        if isinstance(ratio.otherwise, (int, float)):
            draws[(above[:, at] == 0) & (below[:, at] == 0), at] = ratio.otherwise
    columns = [_mixed_draws(mix, {name: draws[:, at] for at, name in enumerate(ratios)}) for mix in mixes.values()]
    return dict(zip(mixes, bootstrap.percentiles(np.column_stack(columns)), strict=True))


def _mixed_draws(mix: Mix, draws: Mapping[str, bootstrap.Matrix]) -> bootstrap.Matrix:
    weights = np.array([mix.weights[name] for name in mix.weights if name in draws])
    values = np.column_stack([1 - draws[n] if n in mix.complements else draws[n] for n in mix.weights if n in draws])
    if not mix.mean:
        return np.asarray(values @ weights)
    known = np.isfinite(values) @ weights
    summed = np.nan_to_num(values) @ weights
    return np.asarray(np.divide(summed, known, out=np.full(len(values), np.nan), where=known > 0))
