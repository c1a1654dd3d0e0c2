"""HTML page of a comparison between systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any, Final
from urllib.parse import quote

import numpy as np
import pyarrow as pa
from markupsafe import Markup

from jatdae.core.contract import Metric
from jatdae.core.messages import LANGUAGES, speaking
from jatdae.report.charts import ForestRow, forest_scale
from jatdae.report.differences import MOST_COMPARED, ComparedSystem, pair_columns, short_names, side_colours
from jatdae.report.forest import Block, Compared, blocks_of, forest_row, rate_blocks, sides_of, slice_blocks, unit_of
from jatdae.report.html import PAGE_STYLE, Names, counted_tables, facts_of, kind_word, render, word
from jatdae.report.numbers_only import comparisons_without_texts, sides_without_texts
from jatdae.report.overview import isolated, unbroken
from jatdae.report.samples import (
    MOST_VALUES,
    SampleRows,
    SampleValues,
    columns_of,
    details_of,
    read_rows,
    read_values,
)
from jatdae.run.stats.compare import Comparison, PairedValues, gain
from jatdae.run.stats.pairing import SAMPLE
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
    sides: Sequence[ComparedSystem],
    comparisons: Sequence[Comparison],
    samples: int | None = MOST_COMPARED,
    *,
    texts: bool = True,
    docs: str | None = None,
) -> str:
    """HTML page of a comparison: verdict, differences to the first system, and both sides of what changed most.

    It has evidence for `samples` of the samples (None: for all). Without `texts`, it shows numbers only. Names link
    to the documentation at `docs` (default: as the environment says).
    """
    full_names = [side.name for side in sides]
    sides, comparisons = _shortened(sides, comparisons)
    sliced = [_shown(block, sides) for block in slice_blocks(sides, comparisons, texts=texts)]
    if not texts:
        sides, comparisons = sides_without_texts(sides), comparisons_without_texts(sides, comparisons)
    names, colours = [side.name for side in sides], side_colours(sides)
    held = _held_samples(sides, comparisons, samples if texts else 0)
    data = {
        **facts_of(sides[0].result.summary, names, colours),
        "base": 0,
        "texts": texts,
        "rows": columns_of(held.rows, range(len(held.rows.ids)), names),
        "details": held.details,
    }
    pairs = list(zip(colours[1:], comparisons, strict=True))
    lost, won = ([list(_changed(each, colour, best)) for colour, each in pairs] for best in (False, True))
    tables = {rate.key: rate.table for each in comparisons for rate in each.rates}
    first, *family = [_shown(block, sides) for block in blocks_of(sides, comparisons, family=True)]
    rated = rate_blocks(sides, comparisons)
    return render(
        "comparison.html.j2",
        data,
        [_names(sides[0], held.rows, {key: by for block in rated for key, by in block.labels.items()})],
        styles=(PAGE_STYLE, "comparison.css"),
        docs=docs,
        comparisons=comparisons,
        full_names=full_names,
        side_colours=colours,
        primary=primary_difference(comparisons[0]).metric,
        evaluator=sides[0].result.summary["evaluator"],
        verdicts=_verdicts(comparisons),
        sides=sides_of(comparisons, word),
        first=first,
        family=family,
        secondary=[_shown(block, sides) for block in blocks_of(sides, comparisons, family=False)],
        sliced=sliced,
        rated=[(_shown(block, sides), tables.get(block.key, "")) for block in rated],
        kind_word=partial(kind_word, sides[0].result.summary["evaluator"]),
        texts=texts,
        held=held,
        worst=sorted((each for found in lost for each in found), key=lambda each: -each.loss)[:SHOWN_FIRST],
        paired=_paired_by(sides, comparisons),
        lost=lost,
        won=won,
        signatures=dict.fromkeys(each.signature for each in comparisons),
        change=change,
        p_value=p_value,
    )


def _shortened(
    sides: Sequence[ComparedSystem], comparisons: Sequence[Comparison]
) -> tuple[list[ComparedSystem], list[Comparison]]:
    """The same under names that fit into the heads of tables; the page gives the full ones once."""
    short = short_names([side.name for side in sides])
    return (
        [replace(side, name=short[side.name]) for side in sides],
        [replace(each, a=short[each.a], b=short[each.b]) for each in comparisons],
    )


def _names(first: ComparedSystem, rows: SampleRows, labels: Mapping[str, Mapping[str, str]]) -> Names:
    """What the page explains."""
    summary = first.result.summary
    codes = sorted({code for each in rows.issues for code in each})
    counts = counted_tables(summary)
    return Names(summary["evaluator"], summary["metrics"], codes, counts, summary.get("rates", {}), labels)


def _verdicts(comparisons: Sequence[Comparison]) -> dict[str, str]:
    """The verdict in every language of the page."""
    names = [comparisons[0].a, *(each.b for each in comparisons)]
    made = {}
    for language in LANGUAGES:
        with speaking(language):
            made[language] = isolated(unbroken(verdict_on_all(comparisons)), names)
    return made


@dataclass(frozen=True, slots=True)
class HeldSamples:
    """The samples that the page holds, all systems of one together, and how many there are."""

    rows: SampleRows
    details: dict[int, dict[str, Any]]
    """By row: its evidence."""
    held: int
    total: int
    explained: int
    """Samples with evidence."""


def _held_samples(
    sides: Sequence[ComparedSystem], comparisons: Sequence[Comparison], explained: int | None
) -> HeldSamples:
    """As many samples as a page has room for: those that lost most by any metric, then by what the primary one lost."""
    read = {id(side.result): read_values(side.result) for side in sides}
    found = [(side, read[id(side.result)]) for side in sides]
    places = [_rows_by_id(side, values) for side, values in found]
    losses = _losses(found, places, primary_difference(comparisons[0]).metric)
    first = dict.fromkeys(_lost_most(comparisons))
    rest = sorted((name for name in losses if name not in first), key=lambda name: -losses[name])
    kept = [*first, *rest][: MOST_VALUES // len(sides)]
    gained = [each.id for made in comparisons for each in primary_difference(made).improvements]
    wanted = list(dict.fromkeys([*first, *gained, *kept]))[:explained]
    rows, details = _joined(found, places, kept, set(wanted))
    return HeldSamples(rows, details, len(kept), len(losses), len(wanted))


def _rows_by_id(side: ComparedSystem, values: SampleValues) -> dict[str, int]:
    number = list(side.result.summary["systems"]).index(side.system)
    rows = np.flatnonzero(values.systems == number)
    return dict(zip(values.ids.take(pa.array(values.samples[rows])).to_pylist(), rows.tolist(), strict=True))


def _losses(
    found: Sequence[tuple[ComparedSystem, SampleValues]], places: Sequence[Mapping[str, int]], metric: Metric
) -> dict[str, float]:
    """By sample: the most that a system loses to the first by a metric; -∞ where none can be compared."""
    at = [each.name for each in found[0][0].result.metrics].index(metric.name)
    columns = [values.values[at] for _, values in found]
    losses = dict.fromkeys((name for rows in places for name in rows), -math.inf)
    for column, rows in zip(columns[1:], places[1:], strict=True):
        for name in rows.keys() & places[0].keys():
            loss = -gain(metric, float(column[rows[name]] - columns[0][places[0][name]]))
            losses[name] = max(losses[name], -math.inf if math.isnan(loss) else loss)
    return losses


def _lost_most(comparisons: Sequence[Comparison]) -> list[str]:
    """Samples by the most that any metric lost in them, as a share of the largest loss of that metric."""
    ranked = sorted(
        (
            gain(row.metric, lost.b - lost.a) / abs(gain(row.metric, row.regressions[0].b - row.regressions[0].a)),
            lost.id,
        )
        for made in comparisons
        for row in made.differences
        for lost in row.regressions
    )
    return [name for _, name in ranked]


def _joined(
    found: Sequence[tuple[ComparedSystem, SampleValues]],
    places: Sequence[Mapping[str, int]],
    kept: Sequence[str],
    explained: set[str],
) -> tuple[SampleRows, dict[int, dict[str, Any]]]:
    """Samples of every compared system under the name it has in the comparison, with the evidence of some."""
    rank = {name: at for at, name in enumerate(kept)}
    read = []
    for order, ((side, values), rows) in enumerate(zip(found, places, strict=True)):
        own = read_rows(side.result, values, [rows[name] for name in kept if name in rows])
        described = details_of(side.result, own, [at for at, name in enumerate(own.ids) if name in explained])
        read += [(rank[name], order, own, at, described.get(at)) for at, name in enumerate(own.ids)]
    joined, details = SampleRows(values=[[] for _ in found[0][0].result.metrics]), {}
    for _, order, own, at, described_here in sorted(read, key=lambda each: each[:2]):
        if described_here is not None:
            details[len(joined.ids)] = described_here
        joined.ids.append(own.ids[at])
        joined.systems.append(found[order][0].name)
        joined.meta.append(own.meta[at])
        joined.issues.append(own.issues[at])
        for to, column in zip(joined.values, own.values, strict=True):
            to.append(column[at])
    return joined, details


def _paired_by(sides: Sequence[ComparedSystem], comparisons: Sequence[Comparison]) -> Markup | None:
    """What the second part of the name of a changed sample is, if units such as turns were paired; else None."""
    by = primary_difference(comparisons[0]).by
    return None if by == SAMPLE else kind_word(sides[0].result.summary["evaluator"], by)


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
            f"#sample={quote(each.id, safe='')}&system={quote(comparison.b, safe='')}"
            + (f"&part={quote(each.unit, safe='')}" if each.unit else ""),
        )


def _shown(block: Block, sides: Sequence[ComparedSystem]) -> ShownBlock:
    kind = partial(kind_word, sides[0].result.summary["evaluator"])
    columns = pair_columns([each.row for each in block.rows], kind)
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
