"""From sums to a summary: macro, micro, n, n/a, intervals, slices, units, counts and issues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

from jatdae.core.contract import Metric
from jatdae.core.evaluator import spec_of
from jatdae.run import bootstrap
from jatdae.run.groups import OTHER, Group
from jatdae.run.numbers import Numbers
from jatdae.run.rows import BASELINE
from jatdae.run.tally import MAX_UNIT_SLICES, Tally

SHOWN_COUNTS: Final = 1000
"""Keys of a count table that enter summary.json, the most frequent first."""

Summary = dict[str, Any]
T = TypeVar("T")


def summarise(tally: Tally, evaluator: Any, *, signature: str, about_input: Mapping[str, Any]) -> Summary:
    """The content of summary.json."""
    spec = spec_of(evaluator)
    systems: dict[str, Any] = {}
    baselines: dict[str, Any] = {}
    numbers = Numbers(evaluator)
    for (system, key, value), group in tally.groups.items():
        if system.startswith(BASELINE):
            if not key:
                baselines[system.removeprefix(BASELINE)] = _describe(group, spec.metrics, numbers)
        elif not key:
            systems.setdefault(system, {}).update(_describe(group, spec.metrics, numbers))
        else:
            inside = systems.setdefault(system, {}).setdefault("slices", {}).setdefault(key, {})
            inside[value] = _describe(group, spec.metrics, numbers)
    for described in systems.values():
        for key, values in described.get("slices", {}).items():
            described["slices"][key] = dict(in_order(values))
    return {
        "evaluator": spec.name,
        "signature": signature,
        "metrics": {
            m.name: {
                "better": m.better,
                "unit": m.unit,
                "worst": m.worst,
                "primary": m == spec.primary,
                "absent": list(m.absent),
            }
            for m in spec.metrics
        },
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
                key: {value: _unit_numbers(inside, numbers) for value, inside in in_order(by_value)}
                for key, by_value in sorted(below.slices.items())
                if 1 < len(by_value) <= MAX_UNIT_SLICES
            },
        }
        for kind, below in sorted(group.units.items())
    }
    return described


def _unit_numbers(group: Group, numbers: Numbers) -> dict[str, Any]:
    return {"n": group.n, "metrics": numbers.of(group, sorted(group.sums))}


def in_order(slices: Mapping[str, T]) -> list[tuple[str, T]]:
    """Slices by their values: as numbers where all are whole numbers, else as texts."""
    counted = all(value.removeprefix("-").isdecimal() and len(value) < 19 for value in slices)
    return sorted(slices.items(), key=lambda item: (int(item[0]) if counted else 0, item[0]))


def _commonest(table: Counter[str]) -> dict[str, int]:
    """The most frequent keys; the rest is pooled, so that the total stays what it was."""
    ordered = sorted(table.items(), key=lambda item: (-item[1], item[0]))
    kept = dict([item for item in ordered if item[0] != OTHER][:SHOWN_COUNTS])
    rest = table.total() - sum(kept.values())
    return {**kept, OTHER: rest} if rest else kept
