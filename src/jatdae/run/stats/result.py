"""Results of a run: its summary and the rows it comes from, in memory or from a run folder."""

from __future__ import annotations

import json
import math
from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Literal, NoReturn

import pyarrow as pa
import pyarrow.compute as pc

from jatdae.core.addresses import remote_problem
from jatdae.core.contract import Metric
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import metric_and_average
from jatdae.core.messages import listed, near, of_system, python_wording, say, shown
from jatdae.core.registry import find
from jatdae.core.signature import Signature
from jatdae.run.input.files import refuse_remote_target
from jatdae.run.output.folder import MANIFEST, RunFolder
from jatdae.run.output.part import metric_column, read_part
from jatdae.run.stats.shown import bracketed, number, system_label
from jatdae.run.stats.summary import Summary

EVERY: Final = "all"
"""Asks for all metrics."""
SHOWN_SYSTEMS: Final = 4
"""Systems that the `repr` of a result names."""
SHOWN_IDS: Final = 5
LONGEST_NAME: Final = 40
"""Characters of the name of each."""


GUESSED: Final = {
    **dict.fromkeys(("df", "dataframe", "to_frame", "to_df", "samples", "scores", "outcomes"), "result.to_pandas()"),
    **dict.fromkeys(("mean", "score", "values", "get", "metric"), 'result.value("METRIC")'),
    **dict.fromkeys(("ci", "confidence_interval"), 'result.interval("METRIC")'),
    **dict.fromkeys(("to_dict", "as_dict", "items"), "dict(result)"),
    **{f"to_{form}": f'result.report("result.{form}")' for form in ("csv", "json", "html", "markdown", "latex")},
    "to_markdown": 'result.report("result.md")',
    "to_latex": 'result.report("result.tex")',
}
"""Attributes of results of other libraries, and what to write instead."""


class _SummaryDict(dict[str, Any]):
    """Summary of a result; whoever takes it for a method is told that it is none."""

    def __call__(self) -> NoReturn:
        raise UsageError(say("summary_is_dict"))


@dataclass(frozen=True, repr=False)
class Result:
    """Result of a run: its summary and the rows it comes from, in memory or from a run folder.

    It is a mapping from metrics to macro means: `result["METRIC"]`, `dict(result)`.
    """

    signature: Signature
    summary: Summary
    tables: Sequence[pa.Table]
    """One fixed schema: id, system, cluster, meta, a column per metric, stats, counts, units, evidence, issues."""
    notes: tuple[str, ...] = ()
    """What a person should be told of the input: columns that were not used, ids that hardly match."""
    origin: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """What the manifest of a saved run says of how it was scored."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "summary", _SummaryDict(self.summary))

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

    def interval(self, metric: str, system: str | None = None) -> tuple[float, float] | None:
        """The 95 % interval of a metric's macro mean, or of its micro average as `NAME.micro`; None if there is none.

        With a single sample, or cluster of samples, there is no interval.
        """
        found = lookup_interval(self.summary, metric, only(self, system))
        return (found[0], found[1]) if found else None

    def __getitem__(self, metric: str) -> float | None:
        return self.value(metric)

    def keys(self) -> list[str]:
        """Names of the metrics, so that `dict(result)` has their macro means."""
        return list(self.summary["metrics"])

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self.keys())

    def __contains__(self, metric: object) -> bool:
        return metric in self.summary["metrics"]

    def __bool__(self) -> bool:
        return True

    def __getattr__(self, name: str) -> Any:
        """Say what to write instead of an attribute that people guess."""
        if name.startswith("_") or "summary" not in self.__dict__:  # asked for by a library, or while being unpickled
            raise AttributeError(name)
        if name in self.summary["metrics"]:
            raise AttributeError(say("attribute_is_metric", name=name))
        if name in GUESSED:
            raise AttributeError(say("attribute_guessed", name=name, instead=GUESSED[name]))
        known = [each for each in dir(self) if not each.startswith("_")]
        raise AttributeError(say("attribute_unknown", name=name, near=near(name, known), known=listed(known)))

    def sample(self, id: str, system: str | None = None) -> SampleResult:
        """One sample: its values, its issues and the evidence that shows why."""
        name = only(self, system)
        for at, table in enumerate(columns_of(self, ["id", "system"])):
            found = pc.and_(pc.equal(table.column("id"), str(id)), pc.equal(table.column("system"), name))
            if (row := pc.index(found, True).as_py()) >= 0:
                (one,) = replace(self, tables=[self.tables[at].slice(row, 1)]).rows()
                return SampleResult(one["id"], name, one["values"], one["issues"], one["evidence"], self.summary)
        tables = columns_of(self, ["id", "system"])
        ids = [row["id"] for table in tables for row in table.to_pylist() if row["system"] == name]
        hint = near(str(id), ids) or say("ids_are", ids=listed(ids, SHOWN_IDS))
        raise UsageError(say("no_sample_called", id=shown(str(id)), of_system=of_system(name), near=hint))

    def table(self, of: Literal["samples", "summary"] = "samples") -> pa.Table:
        """An Arrow table with a row per sample, or per system, slice and metric of the summary.

        Of samples: id, system, a column per metric, the slice keys, and the codes of the issues. Of the summary:
        system, slice, value, metric, macro, ci_low, ci_high, micro, micro_ci_low, micro_ci_high, n, na.
        """
        if of == "samples":
            return _samples_table(self)
        if of == "summary":
            return _summary_table(self.summary)
        known = ("samples", "summary")
        raise UsageError(say("unknown_table", value=of, near=near(str(of), known), known=", ".join(known)))

    def to_pandas(self, of: Literal["samples", "summary"] = "samples") -> Any:
        """The same table as a pandas frame."""
        library("pandas")
        return self.table(of).to_pandas()

    def to_polars(self, of: Literal["samples", "summary"] = "samples") -> Any:
        """The same table as a polars frame."""
        return library("polars").from_arrow(self.table(of))

    @python_wording()
    def save(self, folder: str | Path, *, overwrite: bool = False) -> Path:
        """Save as a run folder, which `jatdae.load`, `jatdae report` and `jatdae compare` read; returns its path."""
        from jatdae.run.output.saving import save_run

        refuse_remote_target(folder)
        return save_run(Path(folder), self.origin, self.summary, self.tables, overwrite=overwrite)

    @python_wording()
    def report(self, path: str | Path = "report.html") -> Path:
        """Write a report; the suffix tells its format: html, md, tex, csv, json or xml (JUnit)."""
        from jatdae.report.notebook import write_report

        refuse_remote_target(path)
        return write_report(self, Path(path))

    def __repr__(self) -> str:
        return f"Result({self.summary['evaluator']}: {_in_short(self.summary)})"

    def _repr_html_(self) -> str:
        from jatdae.report.notebook import result_html

        return result_html(self)

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
        if problem := remote_problem(str(run)):
            raise UsageError(problem)
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
        return cls(signature, summary, _PartsOnDisk(parts), (), manifest)


@dataclass(frozen=True, repr=False)
class SampleResult:
    """One sample of a result: its values, its issues and the evidence that shows why."""

    id: str
    system: str
    values: Mapping[str, float | None]
    issues: Sequence[Mapping[str, str]]
    evidence: Any
    """JSON values, as the evaluator gives them."""
    summary: Summary = field(compare=False)
    """Of the whole run: what the metrics are."""

    def __repr__(self) -> str:
        name = primary_metric(self.summary)
        value = number(self.values[name], self.summary["metrics"][name]["unit"])
        return f"SampleResult({shown(self.id)!r}: {name} = {value})"

    def __str__(self) -> str:
        from jatdae.report.notebook import sample_text

        return sample_text(self)

    def _repr_html_(self) -> str:
        from jatdae.report.notebook import sample_html

        return sample_html(self)


def _in_short(summary: Summary) -> str:
    """The primary metric of each system with its interval, for a line of code output."""
    if not summary["systems"]:
        return say("no_samples")
    name = primary_metric(summary)
    unit = summary["metrics"][name]["unit"]
    found = []
    for system, described in summary["systems"].items():
        entry = described["metrics"][name]
        label = f"{shown(system, LONGEST_NAME)}: " if system else ""
        lacking = f" ({entry['na']} N/A)" if entry["na"] else ""
        value = f"{number(entry['macro'], unit)}{bracketed(entry['ci'], unit)}"
        found.append(f"{label}{name} = {value}, n = {entry['n']}{lacking}")
    more = f" … (+{len(found) - SHOWN_SYSTEMS})" if len(found) > SHOWN_SYSTEMS else ""
    return "; ".join(found[:SHOWN_SYSTEMS]) + more


def library(name: str) -> Any:
    """A library that is not among our dependencies."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise UsageError(say("needs_library", name=name)) from None


def _samples_table(result: Result) -> pa.Table:
    """A row per sample: id, system, metrics, slice keys and codes of issues, in columns of plain types."""
    metrics = [metric.name for metric in result.metrics]
    read = ["id", "system", "cluster", "meta", *map(metric_column, metrics), "issues"]
    columns: dict[str, list[Any]] = {name: [] for name in ("id", "system", "cluster", *metrics)}
    metas: list[dict[str, str]] = []
    issues: list[list[str]] = []
    for table in columns_of(result, read):
        for name in ("id", "system", "cluster"):
            columns[name] += table.column(name).to_pylist()
        for name in metrics:
            columns[name] += table.column(metric_column(name)).to_pylist()
        metas += table.column("meta").to_pylist(maps_as_pydicts="strict")
        issues += [[each["code"] for each in found or ()] for found in table.column("issues").to_pylist()]
    made = {name: pa.array(columns[name], pa.string()) for name in ("id", "system", "cluster")}
    made |= {name: pa.array(columns[name], pa.float64()) for name in metrics}
    for key in dict.fromkeys(key for meta in metas for key in meta):
        name = f"meta.{key}" if key in made or key == "issues" else key
        made[name] = pa.array([meta.get(key) for meta in metas], pa.string())
    made["issues"] = pa.array(issues, pa.list_(pa.string()))
    return pa.table(made)


SUMMARY_COLUMNS: Final = pa.schema(
    [(name, pa.string()) for name in ("system", "slice", "value", "metric")]
    + [(name, pa.float64()) for name in ("macro", "ci_low", "ci_high", "micro", "micro_ci_low", "micro_ci_high")]
    + [(name, pa.int64()) for name in ("n", "na")]
)
"""Of `Result.table("summary")`, in the order of the CSV report."""


def _summary_table(summary: Summary) -> pa.Table:
    rows = []
    for system, described in summary["systems"].items():
        groups = [("", "", described)]
        groups += [
            (key, v, found) for key, values in described.get("slices", {}).items() for v, found in values.items()
        ]
        for key, value, group in groups:
            for metric, entry in group["metrics"].items():
                ends = (*(entry["ci"] or (None, None)), entry["micro"], *(entry.get("micro_ci") or (None, None)))
                cells = (system, key, value, metric, entry["macro"], *ends, entry["n"], entry["na"])
                rows.append(dict(zip(SUMMARY_COLUMNS.names, cells, strict=True)))
    return pa.Table.from_pylist(rows, SUMMARY_COLUMNS)


def only(result: Result, system: str | None) -> str:
    """Name of the system asked for in a result: the given one, or the only one there is."""
    if system is None:
        if len(result.systems) != 1:
            several = listed(result.systems)
            raise UsageError(say("which_system", systems=several) if several else say("no_samples"))
        return result.systems[0]
    system = str(system)
    if [system_label(each) for each in result.systems] == [system]:  # a lone one without a name
        return result.systems[0]
    if system not in result.systems:
        known = listed(map(system_label, result.systems))
        raise UsageError(say("unknown_system", name=shown(system), near=near(system, result.systems), known=known))
    return system


def primary_metric(summary: Mapping[str, Any]) -> str:
    """Name of the primary (headline) metric of a run's result."""
    return str(next(name for name, about in summary["metrics"].items() if about["primary"]))


def choose_metrics(summary: Summary, asked: Sequence[str] | None) -> list[str]:
    """Names of the metrics asked for, in that order: None is the evaluator's family, `all` is all."""
    known = summary["metrics"]
    if asked is None:
        return [name for name, about in known.items() if about.get("family", True)]
    if isinstance(asked, str) or not isinstance(asked, Sequence):
        asked = [str(asked)]
    learn_former_names(summary)
    for name in asked or [""]:
        if name not in known and name != EVERY:
            named = [*known, EVERY]
            raise UsageError(say("unknown_metric", name=name, near=near(name, named), known=listed(named)))
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
    known, metric = summary["metrics"], str(metric)
    found = metric_and_average(metric, known)
    if found is None:
        learn_former_names(summary)
        guess = near(metric.partition(".")[0], known)
        raise UsageError(say("unknown_metric", name=metric, near=guess, known=listed(known)))
    name, average = found
    value: float | None = summary["systems"][system]["metrics"][name][average]
    return value


def lookup_interval(summary: Summary, metric: str, system: str) -> Sequence[float] | None:
    """Interval of one system's metric in a result, under the same names as its value."""
    lookup(summary, metric, system)
    name, average = metric_and_average(str(metric), summary["metrics"]) or (metric, "macro")
    found: Sequence[float] | None = summary["systems"][system]["metrics"][name][
        "ci" if average == "macro" else "micro_ci"
    ]
    return found


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
