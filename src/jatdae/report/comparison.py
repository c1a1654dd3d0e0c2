"""HTML page of a comparison between systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final
from urllib.parse import quote

from jatdae.core.messages import LANGUAGES, speaking
from jatdae.report.charts import ForestRow, forest_scale
from jatdae.report.differences import ComparedSystem, pair_columns, side_colours
from jatdae.report.forest import Block, Compared, blocks_of, forest_row, rate_blocks, sides_of, slice_blocks, unit_of
from jatdae.report.html import Names, facts_of, render, word
from jatdae.report.numbers_only import comparisons_without_texts, sides_without_texts
from jatdae.report.overview import unbroken
from jatdae.report.samples import SampleRows, columns_of, details_of, read_rows
from jatdae.run.stats.compare import Comparison, PairedValues, gain
from jatdae.run.stats.shown import change, number, p_value
from jatdae.run.stats.verdict import primary_difference, verdict_on_all

SHOWN_FIRST: Final = 5
"""The worst regressions that the page names on its first screen."""


@dataclass(frozen=True, slots=True)
class ChangedSample:
    """A sample on which B does worse, or better, than A: its values, and where it opens."""

    label: str
    a: str
    b: str
    change: str
    loss: float
    colour: int
    name: str
    address: str


@dataclass(frozen=True, slots=True)
class PlottedRow:
    """Row of a forest plot with its places on the axis, as percentages of its width."""

    compared: Compared
    x: str
    ends: tuple[str, str] | None
    pairs: list[str]
    """Cells of the optional columns."""


@dataclass(frozen=True, slots=True)
class Plot:
    """Rows of a forest plot that share an axis."""

    unit: str
    zero: str
    ticks: list[tuple[str, str]]
    rows: list[PlottedRow]


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """A block of a forest plot, as it is shown."""

    block: Block
    plots: list[Plot]
    columns: list[str]
    """Keys of the names of the optional columns."""

    @property
    def tested(self) -> bool:
        """Whether any row has a p-value."""
        return any(each.row.p is not None for each in self.block.rows)


def to_comparison_page(
    sides: Sequence[ComparedSystem], comparisons: Sequence[Comparison], *, texts: bool = True
) -> str:
    """HTML page of a comparison: verdict, differences to the first system, and both sides of what changed most.

    Without `texts`, it shows numbers only.
    """
    sliced = [_shown(block) for block in slice_blocks(sides, comparisons, texts=texts)]
    if not texts:
        sides, comparisons = sides_without_texts(sides), comparisons_without_texts(sides, comparisons)
    rows, found = _compared_rows(sides, _wanted(comparisons))
    names, colours = [side.name for side in sides], side_colours(sides)
    order = _lost_most(rows, comparisons)
    place = {row: at for at, row in enumerate(order)}
    data = {
        **facts_of(sides[0].result.summary, names, colours),
        "base": 0,
        "rows": columns_of(rows, order, names),
        "details": {place[row]: detail for row, detail in found.items()} if texts else {},
    }
    pairs = list(zip(colours[1:], comparisons, strict=True))
    lost, won = ([list(_changed(each, colour, best)) for colour, each in pairs] for best in (False, True))
    tables = {rate.key: rate.table for each in comparisons for rate in each.rates}
    first, *family = [_shown(block) for block in blocks_of(sides, comparisons, family=True)]
    return render(
        "comparison.html.j2",
        data,
        [_names(sides[0], rows)],
        comparisons=comparisons,
        side_colours=colours,
        primary=primary_difference(comparisons[0]).metric,
        evaluator=sides[0].result.summary["evaluator"],
        verdicts=_verdicts(comparisons),
        sides=sides_of(comparisons, word),
        first=first,
        family=family,
        secondary=[_shown(block) for block in blocks_of(sides, comparisons, family=False)],
        sliced=sliced,
        rated=[(_shown(block), tables.get(block.key, "")) for block in rate_blocks(sides, comparisons)],
        texts=texts,
        worst=sorted((each for found in lost for each in found), key=lambda each: -each.loss)[:SHOWN_FIRST],
        lost=lost,
        won=won,
        signatures=dict.fromkeys(each.signature for each in comparisons),
        change=change,
        p_value=p_value,
    )


def _names(first: ComparedSystem, rows: SampleRows) -> Names:
    """What the page explains."""
    summary = first.result.summary
    codes = sorted({code for each in rows.issues for code in each})
    return Names(summary["evaluator"], summary["metrics"], codes, rates=summary.get("rates", {}))


def _verdicts(comparisons: Sequence[Comparison]) -> dict[str, str]:
    """The verdict in every language of the page."""
    made = {}
    for language in LANGUAGES:
        with speaking(language):
            made[language] = unbroken(verdict_on_all(comparisons))
    return made


def _wanted(comparisons: Sequence[Comparison]) -> set[str]:
    """Ids of the samples that the page holds: where B lost most by any metric, and gained most by the primary one."""
    lost = {each.id for made in comparisons for row in made.differences for each in row.regressions}
    return lost | {each.id for made in comparisons for each in primary_difference(made).improvements}


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
        (gain(row.metric, lost.b - lost.a), lost.id)
        for row in map(primary_difference, comparisons)
        for lost in row.regressions
    )
    rank = {name: at for at, (_, name) in reversed(list(enumerate(ranked)))}
    return sorted(range(len(rows.ids)), key=lambda row: (rank.get(rows.ids[row], len(rank)), rows.ids[row], row))


def _changed(comparison: Comparison, colour: int, best: bool) -> Iterator[ChangedSample]:
    """The samples or units on which the primary metric lost, or gained, most."""
    row = primary_difference(comparison)
    unit = row.metric.unit
    pairs: tuple[PairedValues, ...] = row.improvements if best else row.regressions
    for each in pairs:
        yield ChangedSample(
            each.label,
            number(each.a, unit),
            number(each.b, unit),
            change(each.b - each.a, unit),
            -gain(row.metric, each.b - each.a),
            colour,
            comparison.b,
            f"#sample={quote(each.id, safe='')}&system={quote(comparison.b, safe='')}",
        )


def _shown(block: Block) -> ShownBlock:
    columns = pair_columns([each.row for each in block.rows], word)
    cells = [[cells[at] for _, cells in columns] for at in range(len(block.rows))]
    rows = zip(block.rows, cells, strict=True)
    plots = [_plot(unit, list(each)) for unit, each in groupby(rows, key=lambda pair: unit_of(pair[0].row))]
    return ShownBlock(block, plots, [key for key, _ in columns])


def _plot(unit: str, rows: Sequence[tuple[Compared, list[str]]]) -> Plot:
    placed = [(forest_row(compared), compared, cells) for compared, cells in rows]
    scale = forest_scale([row for row, _, _ in placed], 0, 100)

    def at(value: float) -> str:
        return f"{scale(value):.2f}%"

    def plotted(row: ForestRow, compared: Compared, cells: list[str]) -> PlottedRow:
        ends = (at(row.interval[0]), at(row.interval[1])) if row.interval else None
        return PlottedRow(compared, "" if row.gain is None else at(row.gain), ends, cells)

    # Without their sign: Δ of a metric for which lower is better has the other.
    ticks = [(at(tick), scale.label(abs(tick), unit)) for tick in scale.ticks()]
    return Plot(unit, at(0), ticks, [plotted(*each) for each in placed])
