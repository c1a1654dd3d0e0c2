"""A comparison as one page: differences, and the samples that lost most with the evidence of both sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jatdae.core.contract import Metric
from jatdae.report.charts.dots import Dot, dot_plot
from jatdae.report.charts.svg import Node
from jatdae.report.columns import Rows, columns, details, read_rows
from jatdae.report.differences import Side, change, gain, pair_columns, regression_sheets
from jatdae.report.figures import Figure
from jatdae.report.html import about
from jatdae.report.page import render, word
from jatdae.report.sheets import metric_label
from jatdae.run.stats.compare import Comparison


def to_comparison_page(sides: Sequence[Side], comparisons: Sequence[Comparison]) -> str:
    """The page of several systems against the first."""
    wanted = {lost.id for each in comparisons for d in each.differences for lost in d.regressions}
    rows, found = _gathered(sides, wanted)
    names = [side.name for side in sides]
    order = _lost_most(rows, comparisons)
    place = {row: at for at, row in enumerate(order)}
    data = {
        **about(sides[0].result.summary, names),
        "base": 0,
        "rows": columns(rows, order, names),
        "details": {place[row]: detail for row, detail in found.items()},
    }
    codes = sorted({code for codes in rows.issues for code in codes})
    return render(
        "comparison.html.j2",
        data,
        codes,
        comparisons=comparisons,
        evaluator=sides[0].result.summary["evaluator"],
        charts=[Figure("difference", "", metric.name, chart) for metric, chart in _charts(comparisons)],
        change=change,
        gain=gain,
        pair_columns=pair_columns,
        lost=[sheet for each in comparisons for sheet in regression_sheets(each, word)],
    )


def _gathered(sides: Sequence[Side], wanted: set[str]) -> tuple[Rows, dict[int, dict[str, Any]]]:
    """The wanted samples of every side, under the names the sides have here."""
    metrics = len(sides[0].result.metrics)
    rows = Rows(values=[[] for _ in range(metrics)])
    found: dict[int, dict[str, Any]] = {}
    for side in sides:
        own = read_rows(side.result)
        kept = [at for at, name in enumerate(own.ids) if name in wanted and own.systems[at] == side.system]
        described = details(side.result, own, kept)
        for at in kept:
            found[len(rows.ids)] = described[at]
            rows.ids.append(own.ids[at])
            rows.systems.append(side.name)
            rows.meta.append(own.meta[at])
            rows.issues.append(own.issues[at])
            for to, column in zip(rows.values, own.values, strict=True):
                to.append(column[at])
    return rows, found


def _lost_most(rows: Rows, comparisons: Sequence[Comparison]) -> list[int]:
    """Row numbers, the worst regressions of the primary metric first, both sides of a sample together."""
    ranked = sorted(
        (gain(d.metric, lost.b - lost.a), lost.id)
        for each in comparisons
        for d in each.differences
        for lost in d.regressions
        if d.metric.primary
    )
    rank = {name: at for at, (_, name) in reversed(list(enumerate(ranked)))}
    return sorted(range(len(rows.ids)), key=lambda row: (rank.get(rows.ids[row], len(rank)), rows.ids[row], row))


def _charts(comparisons: Sequence[Comparison]) -> list[tuple[Metric, Node]]:
    """Per metric the differences of all systems on one axis."""
    made = []
    for at, first in enumerate(comparisons[0].differences):
        rows = [(each.b, each.differences[at]) for each in comparisons]
        dots = [Dot(name, row.delta, row.ci, row.n, number) for number, (name, row) in enumerate(rows, 1)]
        if any(dot.value is not None for dot in dots):
            title = f"Δ {metric_label(first.metric.name, first.metric.better)}"
            made.append((first.metric, dot_plot(title, first.metric.unit, dots, zero=True)))
    return made
