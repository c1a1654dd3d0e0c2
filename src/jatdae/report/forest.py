"""Differences between systems as forest plots: over metrics, systems and slices, on a page and as figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from jatdae.core.meanings import Meanings
from jatdae.core.messages import Wording, say
from jatdae.core.registry import find_meanings
from jatdae.report.charts import ForestRow, forest
from jatdae.report.differences import ComparedSystem, side_colours
from jatdae.report.figures import Figure
from jatdae.report.numbers_only import numbered_labels
from jatdae.report.sheets import metric_label
from jatdae.report.svg import Node, fit
from jatdae.run.stats.compare import (
    Comparison,
    Difference,
    SlicedDifference,
    compare,
    compare_slices,
    gain,
    together,
)
from jatdae.run.stats.result import Result
from jatdae.run.stats.shown import bracketed, change, kind_label, p_equals
from jatdae.run.stats.verdict import MOST_TESTED, primary_difference

MOST_ROWS: Final = 60
"""Rows of a chart of slices: all systems of as many slices as there is room for."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One row of a forest plot: a difference, and whose it is."""

    colour: int
    """Of B (`side_colours`)."""
    name: str
    row: Difference
    slice: str | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """Rows of a forest plot that belong together: of all metrics of two systems, of one metric, or of one slice key."""

    rows: tuple[Compared, ...]
    metric: str = ""
    """The metric, if all rows are of one."""
    key: str = ""
    """What it is sliced by; "" where it is not."""
    left_out: int = 0
    """Slices that it has no room for."""
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By slice, if it is the key of a rate: what stands in its place, by language."""


def blocks_of(sides: Sequence[ComparedSystem], comparisons: Sequence[Comparison], *, family: bool) -> list[Block]:
    """Differences by metric: those of the evaluator's family, or the others; the primary metric first.

    Of two systems the metrics are the rows of one block; of more, each metric has a block with a row for each system.
    """
    rows_of_first = comparisons[0].differences
    leading = {at for at, row in enumerate(rows_of_first) if row.metric.family or row.metric.primary}
    leading = leading or set(range(len(rows_of_first)))  # only others were asked for
    chosen = [at for at in range(len(rows_of_first)) if (at in leading) == family]
    chosen.sort(key=lambda at: not rows_of_first[at].metric.primary)
    pairs = list(zip(side_colours(sides)[1:], comparisons, strict=True))
    rows = {at: tuple(Compared(colour, each.b, each.differences[at]) for colour, each in pairs) for at in chosen}
    if len(comparisons) == 1:
        return [Block(_by_unit([row for each in rows.values() for row in each]))] if rows else []
    return [Block(each, each[0].row.metric.name) for each in rows.values()]


def _by_unit(rows: Sequence[Compared]) -> tuple[Compared, ...]:
    """Rows of one unit together, because they share an axis; the unit of the first row comes first."""
    units = list(dict.fromkeys(unit_of(each.row) for each in rows))
    return tuple(sorted(rows, key=lambda each: units.index(unit_of(each.row))))


def slice_blocks(
    sides: Sequence[ComparedSystem], comparisons: Sequence[Comparison], *, texts: bool = True
) -> list[Block]:
    """Differences of the primary metric by slice: a block for each key that the first run was sliced by.

    Without `texts`, labels of units are numbers; those of slices that were asked for stay.
    """
    metric = primary_difference(comparisons[0]).metric.name
    found: dict[str, dict[int, SlicedDifference]] = {}
    for to, (side, each) in enumerate(zip(sides[1:], comparisons, strict=True), 1):
        for sliced in compare_slices(
            sides[0].result,
            side.result,
            metric,
            system_a=sides[0].system,
            system_b=side.system,
            by=primary_difference(each).by,
            most=max(1, MOST_ROWS // len(comparisons)),
        ):
            found.setdefault(sliced.key, {})[to] = sliced
    asked = sides[0].result.summary["systems"][sides[0].system].get("slices", ())
    return [
        _slice_block(metric, key, by_system, sides, named=texts or key in asked) for key, by_system in found.items()
    ]


def rate_blocks(sides: Sequence[ComparedSystem], comparisons: Sequence[Comparison]) -> list[Block]:
    """Differences of rates by key, such as the accuracy of each field: a block for each rate that any differs in."""
    found: dict[str, dict[int, SlicedDifference]] = {}
    for to, each in enumerate(comparisons, 1):
        for sliced in each.rates:
            changed = {key: row for key, row in sliced.slices.items() if row.delta}
            if changed:
                found.setdefault(sliced.key, {})[to] = replace(sliced, slices=changed)
    return [_slice_block(rate, rate, by_system, sides, named=True) for rate, by_system in found.items()]


def _slice_block(
    metric: str, key: str, by_system: Mapping[int, SlicedDifference], sides: Sequence[ComparedSystem], *, named: bool
) -> Block:
    values = list(dict.fromkeys(value for sliced in by_system.values() for value in sliced.slices))
    labels = values if named else numbered_labels(values)
    colours = side_colours(sides)
    rows = [
        Compared(colours[to], sides[to].name, sliced.slices[value], label)
        for value, label in zip(values, labels, strict=True)
        for to, sliced in by_system.items()
        if value in sliced.slices
    ]
    known = {value: by for sliced in by_system.values() for value, by in sliced.labels.items()}
    return Block(tuple(rows), metric, key, max(sliced.left_out for sliced in by_system.values()), known)


def differences_of(result: Result, *, texts: bool = True) -> list[Figure]:
    """Draw the figures (charts) of the differences of all systems of a run to its first; none of a very large run."""
    first, *others = result.systems
    if not others or result.summary["input"]["rows"] > MOST_TESTED:
        return []
    asked = [*result.summary["metrics"]] if result.summary.get("left_out") else None
    sides = [ComparedSystem(name, result, name) for name in (first, *others)]
    made = [
        compare(result, result, system_a=first, system_b=name, names=(first, name), metrics=asked) for name in others
    ]
    return figures_of_comparison(sides, together(made), texts=texts)


def figures_of_comparison(
    sides: Sequence[ComparedSystem], comparisons: Sequence[Comparison], *, texts: bool = True
) -> list[Figure]:
    """Draw the figures (charts) of a comparison: differences by metric, then by slice of the primary one."""
    meanings = find_meanings(sides[0].result.summary["evaluator"])
    by_metric = [block for family in (True, False) for block in blocks_of(sides, comparisons, family=family)]
    if len(comparisons) == 1:
        by_metric = [Block(_by_unit([row for block in by_metric for row in block.rows]))]
    return [
        Figure("differences", block.key, block.metric, _chart(block, comparisons, meanings), block.left_out)
        for block in (*by_metric, *slice_blocks(sides, comparisons, texts=texts))
    ]


def _chart(block: Block, comparisons: Sequence[Comparison], meanings: Meanings) -> Node:
    first, several = comparisons[0], len(comparisons) > 1
    title = f"{first.a} → {first.b}"
    if block.metric:
        title = "Δ " + metric_label(block.metric, block.rows[0].row.metric.better)
    if block.key:
        title += f" · {say('by_slice', key=kind_label(block.key, meanings))}"
    rows = [_labelled(each, several) for each in block.rows]
    corrected = any(each.row.p_holm is not None for each in block.rows)
    tested = any(each.row.p is not None for each in block.rows)
    columns = ("Δ [95 %]" + (", p (Holm)" if corrected else ", p" if tested else ""), say("win_tie_loss"))
    return forest(title, sides_of(comparisons, say, most=22), columns, rows)


def _labelled(each: Compared, several: bool) -> ForestRow:
    if each.slice is None:
        return forest_row(each, each.name if several else metric_label(each.row.metric.name, each.row.metric.better))
    value = each.slice or say("no_value")
    return forest_row(each, each.name, value) if several else forest_row(each, value)


def forest_row(each: Compared, label: str = "", group: str = "") -> ForestRow:
    """Row of a forest chart: the difference is turned so that better is on the right; Δ is told as it is."""
    row, unit = each.row, each.row.metric.unit
    ends = sorted(gain(row.metric, end) for end in row.ci) if row.ci else None
    told = say("no_pairs") if row.delta is None else change(row.delta, unit) + bracketed(row.ci, unit)
    p = row.p if row.p_holm is None else row.p_holm
    return ForestRow(
        label,
        unit_of(row),
        None if row.delta is None else row.gain,
        (ends[0], ends[1]) if ends else None,
        told if p is None else f"{told}, {p_equals(p)}",
        "" if row.delta is None else f"{row.wins}/{row.ties}/{row.losses}",
        each.colour,
        group,
    )


def unit_of(row: Difference) -> str:
    """What differences of a metric are told in; those told alike share an axis."""
    return "pp" if row.metric.unit in ("%", "pp") else ""


def sides_of(comparisons: Sequence[Comparison], told: Wording, most: int = 40) -> tuple[str, str]:
    """What lies left and right of no difference: A and B; of several systems, worse and better than A.

    Names are cut after `most` columns.
    """
    a, b = fit(comparisons[0].a, most), fit(comparisons[0].b, most)
    if len(comparisons) > 1:
        return told("page_side_worse", a=a), told("page_side_better", a=a)
    return told("page_side_a", a=a), told("page_side_b", b=b)
