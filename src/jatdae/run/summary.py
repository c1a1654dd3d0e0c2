"""From sums to a summary: macro, micro, n, n/a, intervals, slices, units, counts and issues."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from jatdae.core.contract import Metric
from jatdae.core.errors import EngineError
from jatdae.core.evaluator import spec_of
from jatdae.core.messages import say
from jatdae.run import bootstrap
from jatdae.run.groups import OTHER, Group
from jatdae.run.rows import BASELINE
from jatdae.run.tally import Tally

SHOWN_COUNTS: Final = 1000
"""Keys of a count table that enter summary.json, the most frequent first."""

Summary = dict[str, Any]


def summarise(tally: Tally, evaluator: Any, *, signature: str, about_input: Mapping[str, Any]) -> Summary:
    """The content of summary.json."""
    spec = spec_of(evaluator)
    systems: dict[str, Any] = {}
    baselines: dict[str, Any] = {}
    for (system, key, value), group in tally.groups.items():
        if system.startswith(BASELINE):
            if not key:
                baselines[system.removeprefix(BASELINE)] = _describe(group, spec.metrics, evaluator)
        elif not key:
            systems.setdefault(system, {}).update(_describe(group, spec.metrics, evaluator))
        else:
            inside = systems.setdefault(system, {}).setdefault("slices", {}).setdefault(key, {})
            inside[value] = _describe(group, spec.metrics, evaluator)
    for described in systems.values():
        for key, values in described.get("slices", {}).items():
            described["slices"][key] = dict(sorted(values.items()))
    return {
        "evaluator": spec.name,
        "signature": signature,
        "metrics": {
            m.name: {"better": m.better, "unit": m.unit, "worst": m.worst, "primary": m == spec.primary}
            for m in spec.metrics
        },
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


def _describe(group: Group, metrics: Sequence[Metric], evaluator: Any) -> dict[str, Any]:
    names = [metric.name for metric in metrics]
    described: dict[str, Any] = {"n": group.n, "metrics": _numbers(group, names, evaluator)}
    described["issues"] = {code: dict(sorted(by.items())) for code, by in sorted(group.issues.items())}
    described["counts"] = {name: _commonest(table) for name, table in sorted(group.counts.items())}
    described["stats"] = {name: total.value for name, total in sorted(group.stats.items())}
    described["units"] = {
        kind: {"n": below.n, "metrics": _numbers(below, sorted(below.sums), evaluator)}
        for kind, below in sorted(group.units.items())
    }
    return described


def _numbers(group: Group, names: Sequence[str], evaluator: Any) -> dict[str, Any]:
    stats = sorted(group.stats)
    micro = _reduced(evaluator, {name: group.stats[name].value for name in stats}) if stats else {}
    present = group.clusters.present("n")
    columns = [f"sum.{n}" for n in names] + [f"known.{n}" for n in names] + [f"stat.{s}" for s in stats]
    draws = bootstrap.resample(group.clusters.matrix(columns, present)) if len(present) > 1 else None
    micro_draws = _micro_draws(draws[:, 2 * len(names) :], stats, evaluator) if draws is not None and stats else {}
    numbers = {}
    for at, name in enumerate(names):
        known = group.known[name]
        entry: dict[str, Any] = {
            "macro": group.sums[name].value / known if known else None,
            "micro": micro.get(name),
            "n": known,
            "na": group.n - known,
            "ci": None,
            "micro_ci": None,
        }
        if draws is not None and known:
            with np.errstate(invalid="ignore", divide="ignore"):
                entry["ci"] = bootstrap.interval(draws[:, at] / draws[:, len(names) + at])
        if entry["micro"] is not None and name in micro_draws:
            entry["micro_ci"] = bootstrap.interval(micro_draws[name])
        numbers[name] = entry
    return numbers


def _micro_draws(draws: bootstrap.Matrix, stats: Sequence[str], evaluator: Any) -> dict[str, bootstrap.Matrix]:
    reduced = [_reduced(evaluator, dict(zip(stats, row, strict=True))) for row in draws.tolist()]
    names = dict.fromkeys(name for each in reduced for name in each)
    return {name: np.array([each.get(name, np.nan) for each in reduced], np.float64) for name in names}


def _reduced(evaluator: Any, stats: Mapping[str, float]) -> dict[str, float | None]:
    """Micro averages. What divides by a sum of 0, as a draw without the right samples may, has none."""
    try:
        reduced = evaluator.reduce(stats)
        return {name: float(v) if v is not None and math.isfinite(v) else None for name, v in reduced.items()}
    except ZeroDivisionError:
        return {}
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        raise EngineError(say("reduce_failed", name=spec_of(evaluator).name, problem=problem)) from error


def _commonest(table: Counter[str]) -> dict[str, int]:
    """The most frequent keys; the rest is pooled, so that the total stays what it was."""
    ordered = sorted(table.items(), key=lambda item: (-item[1], item[0]))
    kept = dict([item for item in ordered if item[0] != OTHER][:SHOWN_COUNTS])
    rest = table.total() - sum(kept.values())
    return {**kept, OTHER: rest} if rest else kept
