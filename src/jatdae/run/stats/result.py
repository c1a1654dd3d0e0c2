"""Results of a run: its summary and the rows it comes from, in memory or from a run folder."""

from __future__ import annotations

import json
import math
from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from jatdae.core.contract import Metric
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import metric_and_average
from jatdae.core.messages import near, say
from jatdae.core.registry import find
from jatdae.core.signature import Signature
from jatdae.run.output.folder import MANIFEST, RunFolder
from jatdae.run.output.part import metric_column, read_part
from jatdae.run.stats.summary import Summary

EVERY: Final = "all"
"""Asks for all metrics."""


@dataclass(frozen=True)
class Result:
    """Result of a run: its summary and the rows it comes from, in memory or from a run folder."""

    signature: Signature
    summary: Summary
    tables: Sequence[pa.Table]
    """One fixed schema: id, system, cluster, meta, a column per metric, stats, counts, units, evidence, issues."""

    @property
    def systems(self) -> list[str]:
        """What was scored."""
        return list(self.summary["systems"])

    @property
    def metrics(self) -> list[Metric]:
        """What was measured."""
        return metrics_of(self.summary)

    def value(self, metric: str, system: str | None = None) -> float | None:
        """A metric's macro mean, or its micro average as `NAME.micro`."""
        return lookup(self.summary, metric, only(self, system))

    def rows(self) -> Iterator[dict[str, Any]]:
        """Each sample's outcome as plain values."""
        names = [metric.name for metric in self.metrics]
        for table in self.tables:
            for row in table.to_pylist(maps_as_pydicts="strict"):
                row["values"] = {name: row.pop(metric_column(name)) for name in names}
                row["evidence"] = json.loads(row["evidence"]) if row["evidence"] else None
                yield row

    @classmethod
    def load(cls, run: str | Path) -> Result:
        """A finished run folder, all of whose parts are there and undamaged."""
        folder = RunFolder(Path(run))
        summary = folder.summary()
        manifest = folder.manifest()
        if manifest is None or "signature_parts" not in manifest:
            raise UsageError(say("not_a_run", place=folder.path))
        parts = folder.checked_parts()
        try:
            signature = Signature(**manifest["signature_parts"])
        except TypeError:  # other names than those of a signature
            raise folder.damaged(MANIFEST, say("run_file_key", key="signature_parts")) from None
        return cls(signature, summary, _PartsOnDisk(parts))


def only(result: Result, system: str | None) -> str:
    """Name of the system asked for in a result: the given one, or the only one there is."""
    if system is None:
        if len(result.systems) != 1:
            several = ", ".join(result.systems)
            raise UsageError(say("which_system", systems=several) if several else say("no_samples"))
        return result.systems[0]
    if system not in result.systems:
        known = ", ".join(result.systems)
        raise UsageError(say("unknown_system", name=system, near=near(system, result.systems), known=known))
    return system


def primary_metric(summary: Mapping[str, Any]) -> str:
    """Name of the primary (headline) metric of a run's result."""
    return str(next(name for name, about in summary["metrics"].items() if about["primary"]))


def choose_metrics(summary: Summary, asked: Sequence[str] | None) -> list[str]:
    """Names of the metrics asked for, in that order: None is the evaluator's family, `all` is all."""
    known = summary["metrics"]
    if asked is None:
        return [name for name, about in known.items() if about.get("family", True)]
    learn_former_names(summary)
    for name in asked or [""]:
        if name not in known and name != EVERY:
            named = [*known, EVERY]
            raise UsageError(say("unknown_metric", name=name, near=near(name, named), known=", ".join(named)))
    return list(known if EVERY in asked else dict.fromkeys(asked))


def narrowed(summary: Summary, metrics: Sequence[str]) -> Summary:
    """A summary with some of its metrics, and the names of the others in `left_out`.

    The first that is named is primary if the primary one is left out.
    """
    kept = {name: about for name, about in summary["metrics"].items() if name in metrics}
    dropped = [name for name in summary["metrics"] if name not in kept]
    if not dropped:
        return summary
    if not any(about["primary"] for about in kept.values()):
        kept[metrics[0]] = {**kept[metrics[0]], "primary": True}
    made = {**summary, "metrics": kept, "left_out": dropped}
    for key in ("systems", "baselines"):
        made[key] = {name: _without(group, dropped) for name, group in summary[key].items()}
    return made


def _without(group: dict[str, Any], dropped: Collection[str]) -> dict[str, Any]:
    """A group of a summary, and all groups inside it, without some metrics."""
    made = {**group, "metrics": {name: entry for name, entry in group["metrics"].items() if name not in dropped}}
    if "units" in group:
        made["units"] = {kind: _without(inside, dropped) for kind, inside in group["units"].items()}
    if "slices" in group:
        made["slices"] = {
            key: {value: _without(inside, dropped) for value, inside in values.items()}
            for key, values in group["slices"].items()
        }
    return made


def columns_of(result: Result, columns: Sequence[str]) -> list[pa.Table]:
    """Some columns of a result's rows; of a run folder, nothing else is read."""
    return [columns_of_part(result, at, columns) for at in range(len(result.tables))]


def columns_of_part(result: Result, at: int, columns: Sequence[str]) -> pa.Table:
    """Some columns of one table of a result's rows; of a run folder, nothing else is read."""
    if isinstance(result.tables, LazyTables):
        return result.tables.part(at, columns)
    return result.tables[at].select(columns)


def metrics_of(summary: Summary) -> list[Metric]:
    """Metrics that the result of a run (its summary) reports."""
    return [
        Metric(
            name,
            about["better"],
            about["worst"],
            about["unit"],
            about["primary"],
            range=_range_of(about),
            family=about.get("family", True),
        )
        for name, about in summary["metrics"].items()
    ]


def _range_of(about: dict[str, Any]) -> tuple[float, float]:
    """Range of a metric in a summary, where None is no bound; an older summary has none."""
    low, high = about.get("range", (None, None))
    return (-math.inf if low is None else low, math.inf if high is None else high)


def learn_former_names(summary: Summary) -> None:
    """Load the evaluator of a result, so that an error that meets a former name of a metric suggests the new one."""
    with suppress(UsageError):
        find(summary["evaluator"])


def lookup(summary: Summary, metric: str, system: str) -> float | None:
    """Value of one system's metric in a result: `METRIC` is the macro mean, `METRIC.micro` the micro average."""
    known = summary["metrics"]
    found = metric_and_average(metric, known)
    if found is None:
        learn_former_names(summary)
        guess = near(metric.partition(".")[0], known)
        raise UsageError(say("unknown_metric", name=metric, near=guess, known=", ".join(known)))
    name, average = found
    value: float | None = summary["systems"][system]["metrics"][name][average]
    return value


class LazyTables(Sequence[pa.Table]):
    """Tables of a result that are read one at a time, and of which single columns can be read."""

    @abstractmethod
    def part(self, at: int, names: Sequence[str] | None = None) -> pa.Table:
        """One table, or some columns of it."""

    def __getitem__(self, at: Any) -> Any:
        return [self.part(each) for each in range(len(self))[at]] if isinstance(at, slice) else self.part(at)


class _PartsOnDisk(LazyTables):
    """The parts of a run folder."""

    def __init__(self, paths: list[Path]) -> None:
        self._paths = paths

    def __len__(self) -> int:
        return len(self._paths)

    def part(self, at: int, names: Sequence[str] | None = None) -> pa.Table:
        return read_part(self._paths[at]).table(names)
