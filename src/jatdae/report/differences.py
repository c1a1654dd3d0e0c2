"""A comparison as tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jatdae.core.contract import Metric
from jatdae.core.messages import say
from jatdae.report.sheets import NOTHING, Cell, Sheet, metric_label, number, span
from jatdae.run.compare import Comparison, Difference
from jatdae.run.result import Result


@dataclass(frozen=True, slots=True)
class Side:
    """One of those that are compared."""

    name: str
    result: Result
    system: str


def difference_sheets(comparison: Comparison) -> Iterator[Sheet]:
    """The differences, then where the second lost most on the primary metric."""
    header = (
        say("metric"),
        comparison.a,
        comparison.b,
        "Δ",
        say("interval"),
        "p (Holm)",
        say("win_tie_loss"),
        "n",
    )
    rows = tuple(_row(difference) for difference in comparison.differences)
    yield Sheet(f"{comparison.a} → {comparison.b}", header, rows, comparison.signature)
    primary = next((d for d in comparison.differences if d.metric.primary), None)
    if primary and primary.regressions:
        unit = primary.metric.unit
        worst = tuple((Cell(name), Cell(number(a, unit)), Cell(number(b, unit))) for name, a, b in primary.regressions)
        yield Sheet(say("regressions", metric=primary.metric.name), ("id", comparison.a, comparison.b), worst)


def _row(row: Difference) -> tuple[Cell, ...]:
    unit = row.metric.unit
    better = gain(row.metric, row.delta)
    return (
        Cell(metric_label(row.metric.name, row.metric.better), row.metric.primary),
        Cell(number(row.a, unit), better < 0),
        Cell(number(row.b, unit), better > 0),
        Cell(NOTHING if row.delta is None else f"{row.delta * (100 if unit == '%' else 1):+.4g}"),
        Cell(span(row.ci, unit)),
        Cell(NOTHING if row.p_holm is None else f"{row.p_holm:.4f}"),
        Cell(f"{row.wins}/{row.ties}/{row.losses}"),
        Cell(str(row.n)),
    )


def gain(metric: Metric, delta: float | None) -> float:
    """How far a difference is to the better; below 0 it is to the worse."""
    return 0.0 if delta is None else delta if metric.better == "higher" else -delta
