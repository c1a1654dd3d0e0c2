"""The charts of a run: which there are, and writing them to files (`--figures`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Final

import numpy as np

from jatdae.core.errors import DataError
from jatdae.core.messages import os_problem, say
from jatdae.core.registry import find_meanings
from jatdae.core.writing import file_name, write_atomically
from jatdae.report.charts import (
    MOST_DOTS,
    MOST_STRIPS,
    BarRow,
    Dot,
    DotPanel,
    MetricAxis,
    Point,
    TrendStep,
    bars,
    dot_panels,
    dot_plot,
    histogram,
    scatter,
    trend,
)
from jatdae.report.samples import SampleValues, read_values
from jatdae.report.sheets import MOST_MISTAKES, count_label, key_label, metric_label
from jatdae.report.svg import Node, to_figure
from jatdae.report.typeset import FORMATS, can_typeset, typeset
from jatdae.run.stats.mistakes import mistakes_of
from jatdae.run.stats.result import Result, primary_metric
from jatdae.run.stats.shown import kind_label, system_label

MOST_SLICE_CHARTS: Final = 60
"""Where there are more, each key keeps only the chart of its foremost metric."""

Slices = dict[str, dict[str, dict[str, Any]]]
"""value → system → metric → {"macro", "ci", "n", …}"""


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart of a run or a comparison, and the place in the report where it belongs."""

    section: str
    """means, mistakes, tradeoff, slices, distribution or differences"""
    key: str
    """What it is sliced by; "" where it is not."""
    metric: str
    chart: Node
    left_out: int = 0
    """Slices or systems that it has no room for."""
    metrics: tuple[str, ...] = ()
    """Metrics that its title names: a page says them itself, so that they explain themselves."""

    @property
    def file(self) -> str:
        """The name of the file it is written to."""
        return file_name("-".join(part for part in (self.section, self.key, self.metric) if part)) + ".svg"


def figures_of(result: Result, values: SampleValues | None = None) -> list[Figure]:
    """Draw the figures (charts) of a run, in reading order; `values` are its samples if read already."""
    summary = result.summary
    return [
        *_tradeoff(summary),
        *_slices(summary),
        *_distributions(summary, read_values(result) if values is None else values),
    ]


def every_figure(result: Result) -> list[Figure]:
    """Draw all figures (charts) of a run, for files: beside those of its page, its means and what goes wrong."""
    return [*mean_figures(result.summary), *mistake_figures(result.summary), *figures_of(result)]


def write_figures(found: Sequence[Figure], folder: Path) -> list[Path]:
    """Write each figure (chart) to an SVG file, and to PDF and PNG where the extra `figures` is installed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise DataError(say("figures_not_written", place=folder, problem=os_problem(error))) from None
    written = []
    formats = FORMATS if can_typeset() else ()
    for figure in found:
        target = folder / figure.file
        drawn = to_figure(figure.chart)
        write_atomically(target, drawn)
        written.append(target)
        for format in formats:
            other = folder / f"{target.stem}.{format}"
            write_atomically(other, typeset(drawn, figure.chart.get("aria-label", ""), format))
            written.append(other)
    return written


def mean_figures(summary: Mapping[str, Any]) -> list[Figure]:
    """Draw a figure of the means of all metrics with their intervals; of several systems, a panel for each metric."""
    systems = {name: about["metrics"] for name, about in summary["systems"].items()}
    shown = sorted((name for name in summary["metrics"] if _is_family(summary, name)), key=lambda m: _rank(summary, m))
    if not systems or not shown:
        return []
    if len(systems) > 1:
        panels = [
            DotPanel(
                _title(metric, summary["metrics"][metric]),
                summary["metrics"][metric]["unit"],
                [_dot(system_label(name), about[metric], at) for at, (name, about) in enumerate(systems.items())],
            )
            for metric in shown
        ]
    else:
        (about,) = systems.values()
        by_unit: dict[str, list[Dot]] = {}
        for name in shown:
            known = summary["metrics"][name]
            by_unit.setdefault(known["unit"], []).append(_dot(metric_label(name, known["better"]), about[name], 0))
        panels = [DotPanel(unit, unit, dots) for unit, dots in by_unit.items()]
    return [Figure("means", "", "", dot_panels(say("figure_means"), panels))]


def mistake_figures(summary: Mapping[str, Any]) -> list[Figure]:
    """Draw figures of what goes wrong: ranked bars for each count table of errors, by system."""
    meanings = find_meanings(summary["evaluator"])
    names = [system_label(name) for name in summary["systems"]]
    return [
        Figure(
            "mistakes",
            "",
            table,
            bars(
                f"{say('mistakes')}: {count_label(table, meanings)}",
                names,
                [BarRow(key_label(each, meanings), list(each.counts.values())) for each in found[:MOST_MISTAKES]],
            ),
            len(found[MOST_MISTAKES:]),
        )
        for table, found in mistakes_of(summary).items()
    ]


def _is_family(summary: Mapping[str, Any], metric: str) -> bool:
    about = summary["metrics"][metric]
    return bool(about.get("family", True) or about["primary"])


def _dot(label: str, entry: Mapping[str, Any], system: int) -> Dot:
    return Dot(label, entry["macro"], entry["ci"] and tuple(entry["ci"]), entry["n"], system)


def _distributions(summary: Mapping[str, Any], values: SampleValues) -> Iterator[Figure]:
    for (metric, about), column in zip(summary["metrics"].items(), values.values, strict=True):
        if np.isfinite(column).any():
            systems = enumerate(summary["systems"])
            by_system = {system_label(name): column[values.systems == at] for at, name in systems}
            chart = histogram(_title(metric, about), about["unit"], by_system)
            yield Figure("distribution", "", metric, chart, max(0, len(by_system) - MOST_STRIPS), (metric,))


def _tradeoff(summary: Mapping[str, Any]) -> Iterator[Figure]:
    """The primary metric against what results cost, else against the first metric with the opposite direction."""
    first = primary_metric(summary)
    better = summary["metrics"][first]["better"]
    others = [name for name, about in summary["metrics"].items() if about.get("effort")]
    others = others or [name for name, about in summary["metrics"].items() if about["better"] != better][:1]
    for other in others if len(summary["systems"]) > 1 else ():
        yield from _tradeoff_of(summary, first, other)


def _tradeoff_of(summary: Mapping[str, Any], first: str, other: str) -> Iterator[Figure]:
    points = [
        Point(system_label(name), described["metrics"][first]["macro"], described["metrics"][other]["macro"], at)
        for at, (name, described) in enumerate(summary["systems"].items())
        if described["metrics"][first]["macro"] is not None and described["metrics"][other]["macro"] is not None
    ]
    if len(points) > 1:
        chart = scatter(f"{first} × {other}", _axis(summary, first), _axis(summary, other), points)
        yield Figure("tradeoff", "", f"{first}-{other}", chart, metrics=(first, other))


def _axis(summary: Mapping[str, Any], metric: str) -> MetricAxis:
    about = summary["metrics"][metric]
    return MetricAxis(_title(metric, about), about["unit"])


def _slices(summary: Mapping[str, Any]) -> Iterator[Figure]:
    systems = list(summary["systems"])
    found: dict[str, Slices] = {}
    for name, described in summary["systems"].items():
        for key, values in described.get("slices", {}).items():
            for value, inside in values.items():
                found.setdefault(key, {}).setdefault(value, {})[name] = inside["metrics"]
    wanted = []
    for key, slices in (*found.items(), *_unit_slices(summary).items()):
        if len(slices) > 1:
            measured = {metric for inside in slices.values() for numbers in inside.values() for metric in numbers}
            wanted += [(key, metric, slices) for metric in sorted(measured, key=lambda name: _rank(summary, name))]
    if len(wanted) > MOST_SLICE_CHARTS:
        firsts = {key: metric for key, metric, _ in reversed(wanted)}
        wanted = [each for each in wanted if firsts[each[0]] == each[1]]
    for key, metric, slices in wanted:
        yield Figure("slices", key, metric, *_slice_chart(summary, key, metric, slices, systems), (metric,))


def _unit_slices(summary: Mapping[str, Any]) -> dict[str, Slices]:
    """Means of units by their labels (turns by turn, tables by complexity): label → slices of all systems."""
    found: dict[str, Slices] = {}
    for system, described in summary["systems"].items():
        for units in described["units"].values():
            for key, slices in units["slices"].items():
                for value, inside in slices.items():
                    known = {name: entry for name, entry in inside["metrics"].items() if entry["n"]}
                    found.setdefault(key, {}).setdefault(value, {})[system] = known
    return found


def _rank(summary: Mapping[str, Any], metric: str) -> tuple[bool, int, str]:
    order = list(summary["metrics"])
    known = metric in summary["metrics"]
    return not (known and summary["metrics"][metric]["primary"]), order.index(metric) if known else len(order), metric


def _slice_chart(
    summary: Mapping[str, Any], key: str, metric: str, slices: Slices, systems: Sequence[str]
) -> tuple[Node, int]:
    """The chart, and how many slices it leaves out."""
    about = summary["metrics"].get(metric, {"better": None, "unit": ""})
    title = _title(metric, about)
    counted = all(value.lstrip("-").isdecimal() and len(value) < 7 for value in slices)
    if counted:
        lines = {system_label(system): _steps(slices, system, metric) for system in systems}
        if any(lines.values()):
            return trend(title, about["unit"], kind_label(key, find_meanings(summary["evaluator"])), lines), 0
    dots = [
        Dot(value or "–", entry["macro"], entry["ci"] and tuple(entry["ci"]), entry["n"], at, system)
        for value, by_system in slices.items()
        for at, system in enumerate(systems)
        if (entry := by_system.get(system, {}).get(metric))
    ]
    kept = _largest(dots) if len(dots) > MOST_DOTS else dots
    return dot_plot(title, about["unit"], kept), len({dot.label for dot in dots}) - len({dot.label for dot in kept})


def _title(metric: str, about: Mapping[str, Any]) -> str:
    label = metric_label(metric, about["better"])
    return f"{label} ({about['unit']})" if about["unit"] else label


def _steps(slices: Slices, system: str, metric: str) -> list[TrendStep]:
    entries = ((int(value), by_system.get(system, {}).get(metric)) for value, by_system in slices.items())
    return sorted(
        TrendStep(at, entry["macro"], entry["ci"] and tuple(entry["ci"]))
        for at, entry in entries
        if entry and entry["macro"] is not None
    )


def _largest(dots: Sequence[Dot]) -> list[Dot]:
    """The slices with most samples, as many as there is room for, in the order they had."""
    groups = [list(group) for _, group in groupby(dots, key=lambda dot: dot.label)]
    order = sorted(range(len(groups)), key=lambda at: -sum(dot.n for dot in groups[at]))
    room = max(1, MOST_DOTS // max(len(group) for group in groups))
    return [dot for at in sorted(order[:room]) for dot in groups[at]]
