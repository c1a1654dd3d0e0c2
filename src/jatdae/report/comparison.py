"""HTML page of a comparison between systems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jatdae.report.charts import Dot, dot_plot
from jatdae.report.differences import ComparedSystem, pair_columns, regression_sheets
from jatdae.report.figures import Figure
from jatdae.report.html import facts_of, render, word
from jatdae.report.samples import SampleRows, columns_of, details_of, read_rows
from jatdae.report.sheets import metric_label
from jatdae.run.stats.compare import Comparison, gain
from jatdae.run.stats.shown import change, p_value


def to_comparison_page(sides: Sequence[ComparedSystem], comparisons: Sequence[Comparison]) -> str:
    """HTML page of a comparison: differences to the first system, and evidence for the worst regressions."""
    wanted = {lost.id for each in comparisons for d in each.differences for lost in d.regressions}
    rows, found = _compared_rows(sides, wanted)
    names = [side.name for side in sides]
    order = _lost_most(rows, comparisons)
    place = {row: at for at, row in enumerate(order)}
    data = {
        **facts_of(sides[0].result.summary, names),
        "base": 0,
        "rows": columns_of(rows, order, names),
        "details": {place[row]: detail for row, detail in found.items()},
    }
    codes = sorted({code for codes in rows.issues for code in codes})
    return render(
        "comparison.html.j2",
        data,
        issues=codes,
        comparisons=comparisons,
        evaluator=sides[0].result.summary["evaluator"],
        charts=_difference_charts(comparisons),
        change=change,
        p_value=p_value,
        pair_columns=pair_columns,
        lost=[sheet for each in comparisons for sheet in regression_sheets(each, word)],
    )


def _compared_rows(sides: Sequence[ComparedSystem], wanted: set[str]) -> tuple[SampleRows, dict[int, dict[str, Any]]]:
    """The wanted samples of every compared system, under the name it has in the comparison."""
    metrics = len(sides[0].result.metrics)
    rows = SampleRows(values=[[] for _ in range(metrics)])
    found: dict[int, dict[str, Any]] = {}
    for side in sides:
        own = read_rows(side.result)
        kept = [at for at, name in enumerate(own.ids) if name in wanted and own.systems[at] == side.system]
        described = details_of(side.result, own, kept)
        for at in kept:
            found[len(rows.ids)] = described[at]
            rows.ids.append(own.ids[at])
            rows.systems.append(side.name)
            rows.meta.append(own.meta[at])
            rows.issues.append(own.issues[at])
            for to, column in zip(rows.values, own.values, strict=True):
                to.append(column[at])
    return rows, found


def _lost_most(rows: SampleRows, comparisons: Sequence[Comparison]) -> list[int]:
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


def _difference_charts(comparisons: Sequence[Comparison]) -> list[Figure]:
    """For each metric a chart with the differences of all systems."""
    made = []
    for at, first in enumerate(comparisons[0].differences):
        rows = [(each.b, each.differences[at]) for each in comparisons]
        dots = [Dot(name, row.delta, row.ci, row.n, number) for number, (name, row) in enumerate(rows, 1)]
        if any(dot.value is not None for dot in dots):
            title = f"Δ {metric_label(first.metric.name, first.metric.better)}"
            chart = dot_plot(title, first.metric.unit, dots, zero=True)
            made.append(Figure("difference", "", first.metric.name, chart))
    return made
