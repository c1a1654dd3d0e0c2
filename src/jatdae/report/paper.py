"""The table for a paper: one row per system, and how certain the differences between systems are.

A run may say in `paper.json` which metrics are its columns and what is written about them; without it every metric is a
column. Differences are paired by sample, for every pair of systems and every ranked column; p-values come from sign
flips and are corrected after Holm (1979) over all of them together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jatdae.core.meanings import Meanings
from jatdae.core.messages import LANGUAGES, language, say, speaking
from jatdae.core.registry import find_meanings
from jatdae.report.sheets import NOTHING, Sheet, SheetCell, absence, metric_label, number, system_label
from jatdae.run.input.model import choose
from jatdae.run.output.part import metric_column
from jatdae.run.stats.compare import Comparison, Difference, compare, together
from jatdae.run.stats.result import Result

if TYPE_CHECKING:
    from jatdae.report.layout import LayoutTexts, Show

FILE: Final = "paper.json"
SIGNIFICANT: Final = 0.05

_SHOW: Final[dict[str, Show]] = {"%": "percent", "pp": "points"}


@dataclass(frozen=True, slots=True)
class PaperColumn:
    """A metric as a column of the table for a paper."""

    metric: str
    title: str
    show: Show = "score"
    ranked: bool = True
    """Whether one value can be better than another."""
    better: str = "higher"

    def text(self, value: float) -> str:
        """A value as text: 12.3%, +3.4pp or 0.912."""
        if self.show == "score":
            return f"{value:.3f}"
        return f"{100 * value:.1f}%" if self.show == "percent" else f"{100 * value:+.1f}pp"

    def change(self, value: float) -> str:
        """A difference of two values as text."""
        return f"{value:+.3f}" if self.show == "score" else f"{100 * value:+.1f}pp"


@dataclass(frozen=True, slots=True)
class Paper:
    """Table for a paper with its notes, independent of the output format."""

    name: str
    """Of the evaluator."""
    table: Sheet
    """Its title is the caption."""
    differences: Sheet | None
    """The differences between systems; None if there are none."""
    scope: str
    """The note below the table."""
    methods: str
    warnings: tuple[str, ...]
    signature: str
    columns: tuple[PaperColumn, ...]
    numbers: Mapping[str, Mapping[str, Any]]
    """Per system its part of the summary."""


def make_paper(run: Path, only: Sequence[str] = (), skip: Sequence[str] = (), *, compared: bool = True) -> Paper:
    """Make the report table for a paper from a finished run, of all its systems or some.

    Without `compared` there are no differences between systems in it.
    """
    result = Result.load(run)
    systems = choose(result.systems, only, skip)
    return _paper(run, result, systems, _compared(run, result, systems) if compared else ())


def every_paper(run: Path) -> dict[str, Paper]:
    """Make the report table for a paper from a finished run in every language, by language code."""
    result = Result.load(run)
    pairs = _compared(run, result, result.systems)
    made = {}
    for name in LANGUAGES:
        with speaking(name):
            made[name] = _paper(run, result, result.systems, pairs)
    return made


def has_layout(run: Path) -> bool:
    """Whether a run brings its own layout for the report table for a paper (`paper.json`)."""
    return (run / FILE).is_file()


def _paper(run: Path, result: Result, systems: Sequence[str], pairs: Sequence[Comparison]) -> Paper:
    columns, texts = _layout(run, result.summary["metrics"])
    numbers = {name: result.summary["systems"][name] for name in systems}
    name = str(result.summary["evaluator"])
    rows = tuple(_rows(numbers, columns, result.summary["metrics"], find_meanings(name)))
    header = (texts.row or say("system"), *(_heading(column) for column in columns))
    return Paper(
        name=name,
        table=Sheet(texts.caption or name, header, rows),
        differences=_differences(pairs, columns),
        scope=texts.scope,
        methods=texts.methods,
        warnings=(*texts.warnings, *(text for system in numbers for text in texts.warnings_of.get(system, ()))),
        signature=str(result.signature),
        columns=columns,
        numbers=numbers,
    )


def _layout(run: Path, metrics: Mapping[str, Any]) -> tuple[tuple[PaperColumn, ...], LayoutTexts]:
    """The columns, and the texts about them in the chosen language."""
    from jatdae.report.layout import LayoutColumn, PaperLayout, read_layout

    layout = read_layout(run / FILE, metrics) if has_layout(run) else PaperLayout()
    columns = layout.columns or tuple(
        LayoutColumn(metric=name, show=_SHOW.get(about["unit"], "score")) for name, about in metrics.items()
    )
    made = tuple(
        PaperColumn(each.metric, each.title or each.metric, each.show, each.ranked, metrics[each.metric]["better"])
        for each in columns
    )
    return made, layout.ko if language() == "ko" else layout.en


def _heading(column: PaperColumn) -> str:
    return metric_label(column.title, column.better if column.ranked else None)


def _rows(
    numbers: Mapping[str, Any], columns: Sequence[PaperColumn], metrics: Mapping[str, Any], meanings: Meanings
) -> Iterator[tuple[SheetCell, ...]]:
    best = {column.metric: _best(numbers, column) for column in columns if column.ranked and len(numbers) > 1}
    for system, described in numbers.items():
        cells = [SheetCell(system_label(system))]
        for column in columns:
            entry = described["metrics"][column.metric]
            if entry["macro"] is None:
                why = absence(entry, metrics[column.metric], described["issues"], meanings)
                cells.append(SheetCell(number(None, "", why)))
                continue
            text = column.text(entry["macro"])
            few = f" (n={entry['n']})" if entry["na"] else ""
            cells.append(SheetCell(text + few, text == best.get(column.metric)))
        yield tuple(cells)


def _best(numbers: Mapping[str, Any], column: PaperColumn) -> str | None:
    """The best value as text: values that look equal in print are equally good."""
    values = [described["metrics"][column.metric]["macro"] for described in numbers.values()]
    known = [value for value in values if value is not None]
    if not known:
        return None
    return column.text(max(known) if column.better == "higher" else min(known))


def _compared(run: Path, result: Result, systems: Sequence[str]) -> tuple[Comparison, ...]:
    """Every pair of systems in every ranked column."""
    columns, _ = _layout(run, result.summary["metrics"])
    reduced = _reduced(result, [column.metric for column in columns if column.ranked])
    pairs = combinations(systems, 2)
    return together([compare(reduced, reduced, system_a=a, system_b=b, names=(a, b)) for a, b in pairs])


def _differences(pairs: Sequence[Comparison], columns: Sequence[PaperColumn]) -> Sheet | None:
    ranked = {column.metric: column for column in columns if column.ranked}
    rows = tuple(
        _difference(f"{system_label(pair.a)} → {system_label(pair.b)}", ranked[row.metric.name], row)
        for pair in pairs
        for row in pair.differences
        if row.n
    )
    header = (say("system"), say("metric"), "Δ", say("interval"), "p (Holm)", "n")
    return Sheet(say("paired_differences"), header, rows) if rows else None


def _difference(pair: str, column: PaperColumn, row: Difference) -> tuple[SheetCell, ...]:
    p = row.p_holm
    return (
        SheetCell(pair),
        SheetCell(column.title),
        SheetCell(NOTHING if row.delta is None else column.change(row.delta)),
        SheetCell(NOTHING if row.ci is None else f"{column.change(row.ci[0])} … {column.change(row.ci[1])}"),
        SheetCell(NOTHING if p is None else f"{p:.4f}", p is not None and p < SIGNIFICANT),
        SheetCell(str(row.n)),
    )


def _reduced(result: Result, metrics: Sequence[str]) -> Result:
    """A result with only the columns that a comparison of these metrics reads, loaded once for all pairs."""
    kept = {name: about for name, about in result.summary["metrics"].items() if name in metrics}
    columns = ["id", "system", "cluster", *map(metric_column, kept)]
    tables = [table.select(columns) for table in result.tables]
    return Result(result.signature, {**result.summary, "metrics": kept}, tables)
