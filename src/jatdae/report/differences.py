"""Tables of a comparison between systems, independent of the output format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from jatdae.core.contract import Metric
from jatdae.core.messages import say
from jatdae.report.sheets import NOTHING, Sheet, SheetCell, metric_label, number, span
from jatdae.run.stats.compare import SAMPLE, Comparison, Difference
from jatdae.run.stats.result import Result

Wording = Callable[..., str]
"""Looks up a message: `say`, or the function of a page that can switch its language."""


@dataclass(frozen=True, slots=True)
class ComparedSystem:
    """A system of a run, with the name it has in a comparison."""

    name: str
    result: Result
    system: str


def difference_sheets(comparison: Comparison) -> Iterator[Sheet]:
    """Tables of a report on two systems: differences of all metrics, then the worst regressions."""
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
        (*_row(difference), *(SheetCell(cells[at]) for _, cells in pairs))
        for at, difference in enumerate(comparison.differences)
    )
    yield Sheet(f"{comparison.a} → {comparison.b}", header, rows, comparison.signature)
    yield from regression_sheets(comparison)


def regression_sheets(comparison: Comparison, told: Wording = say) -> Iterator[Sheet]:
    """Report table, if any, of the worst differences of the primary metric: where the second system lost most."""
    primary = next((d for d in comparison.differences if d.metric.primary), None)
    if primary and primary.regressions:
        unit = primary.metric.unit
        worst = tuple(
            (SheetCell(each.label), SheetCell(number(each.a, unit)), SheetCell(number(each.b, unit)))
            for each in primary.regressions
        )
        header = (_pair_name(primary), comparison.a, comparison.b)
        yield Sheet(told("regressions", metric=primary.metric.name), header, worst)


def pair_columns(comparison: Comparison, told: Wording = say) -> list[tuple[str, list[str]]]:
    """Optional columns of a report table of differences: what is paired, clusters, how many unpaired.

    Each is there only if it says something.
    """
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


def _row(row: Difference) -> tuple[SheetCell, ...]:
    unit = row.metric.unit
    better = gain(row.metric, row.delta)
    return (
        SheetCell(metric_label(row.metric.name, row.metric.better), row.metric.primary),
        SheetCell(number(row.a, unit), better < 0),
        SheetCell(number(row.b, unit), better > 0),
        SheetCell(change(row.delta, unit)),
        SheetCell(span(row.ci, unit)),
        SheetCell(NOTHING if row.p_holm is None else f"{row.p_holm:.4f}"),
        SheetCell(f"{row.wins}/{row.ties}/{row.losses}"),
        SheetCell(str(row.n)),
    )


def change(delta: float | None, unit: str) -> str:
    """Format a metric's difference between two systems for a report, with its sign; percentages by points (pp)."""
    if delta is None:
        return NOTHING
    return f"{100 * delta:+.2f} pp" if unit in ("%", "pp") else f"{delta:+.4f}"


def gain(metric: Metric, delta: float | None) -> float:
    """Difference of a metric for a report, with its sign turned so that a value above 0 is better."""
    return 0.0 if delta is None else delta if metric.better == "higher" else -delta
