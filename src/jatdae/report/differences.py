"""A comparison as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from jatdae.core.contract import Metric
from jatdae.core.messages import say
from jatdae.report.sheets import NOTHING, Cell, Sheet, metric_label, number, span
from jatdae.run.stats.compare import SAMPLE, Comparison, Difference
from jatdae.run.stats.result import Result

Told = Callable[..., str]
"""How a text of the catalogue is put: said in one language, or as a page's word that can be said in the other too."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of those that are compared."""

    name: str
    result: Result
    system: str


def difference_sheets(comparison: Comparison) -> Iterator[Sheet]:
    """The differences, then where the second lost most on the primary metric."""
    pairs = pair_columns(comparison)
    header = (
        say("metric"),
        comparison.a,
        comparison.b,
        "Δ",
        say("interval"),
        "p (Holm)",
        say("win_tie_loss"),
        "n",
        *(name for name, _ in pairs),
    )
    rows = tuple(
        (*_row(difference), *(Cell(cells[at]) for _, cells in pairs))
        for at, difference in enumerate(comparison.differences)
    )
    yield Sheet(f"{comparison.a} → {comparison.b}", header, rows, comparison.signature)
    yield from regression_sheets(comparison)


def regression_sheets(comparison: Comparison, told: Told = say) -> Iterator[Sheet]:
    """Where the second lost most on the primary metric, if anywhere: samples, or units as `sample · unit`."""
    primary = next((d for d in comparison.differences if d.metric.primary), None)
    if primary and primary.regressions:
        unit = primary.metric.unit
        worst = tuple(
            (Cell(each.label), Cell(number(each.a, unit)), Cell(number(each.b, unit))) for each in primary.regressions
        )
        header = (_pair_name(primary), comparison.a, comparison.b)
        yield Sheet(told("regressions", metric=primary.metric.name), header, worst)


def pair_columns(comparison: Comparison, told: Told = say) -> list[tuple[str, list[str]]]:
    """What more there is to say of the pairs, each where it says something: their kind, clusters, and the unpaired."""
    rows = comparison.differences
    found = []
    if any(row.by != SAMPLE for row in rows):
        found.append((told("paired_by"), [told("sample") if row.by == SAMPLE else row.by for row in rows]))
    if any(0 < row.clusters < row.n for row in rows):
        found.append((told("clusters"), [str(row.clusters) for row in rows]))
    if any(row.unpaired for row in rows):
        found.append((told("unpaired"), [str(row.unpaired) for row in rows]))
    return found


def _pair_name(row: Difference) -> str:
    return "id" if row.by == SAMPLE else f"id · {row.by}"


def _row(row: Difference) -> tuple[Cell, ...]:
    unit = row.metric.unit
    better = gain(row.metric, row.delta)
    return (
        Cell(metric_label(row.metric.name, row.metric.better), row.metric.primary),
        Cell(number(row.a, unit), better < 0),
        Cell(number(row.b, unit), better > 0),
        Cell(change(row.delta, unit)),
        Cell(span(row.ci, unit)),
        Cell(NOTHING if row.p_holm is None else f"{row.p_holm:.4f}"),
        Cell(f"{row.wins}/{row.ties}/{row.losses}"),
        Cell(str(row.n)),
    )


def change(delta: float | None, unit: str) -> str:
    """A difference as it is shown, with its sign: that of two values in per cent is in percentage points."""
    if delta is None:
        return NOTHING
    return f"{100 * delta:+.2f} pp" if unit in ("%", "pp") else f"{delta:+.4f}"


def gain(metric: Metric, delta: float | None) -> float:
    """How far a difference is to the better; below 0 it is to the worse."""
    return 0.0 if delta is None else delta if metric.better == "higher" else -delta
