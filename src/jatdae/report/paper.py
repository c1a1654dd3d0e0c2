"""The table for a paper: one row per system, and how certain the differences between systems are.

A run may say in `paper.json` which metrics are its columns and what is written about them; without it the evaluator's
family is. Differences are paired by sample, for every pair of systems and every ranked column; p-values come from sign
flips and are corrected after Holm (1979) over all of them together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jatdae.core.meanings import Meanings
from jatdae.core.messages import LANGUAGES, language, say, speaking
from jatdae.core.registry import find_meanings
from jatdae.report.sheets import Sheet, SheetCell, absence, metric_label
from jatdae.run.input.model import choose
from jatdae.run.stats.compare import (
    LEAST_CLUSTERS,
    SIGNIFICANT,
    Comparison,
    Difference,
    comparable_part,
    compare,
    together,
)
from jatdae.run.stats.pairing import SAMPLE
from jatdae.run.stats.result import Result, choose_metrics
from jatdae.run.stats.shown import NOTHING, kind_label, number, p_value, system_label
from jatdae.run.stats.summary import Summary

if TYPE_CHECKING:
    from jatdae.report.layout import LayoutTexts, Show

FILE: Final = "paper.json"
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
    group: str = ""
    """What its columns are a table of in print, such as a benchmark."""

    def text(self, value: float) -> str:
        """A value as text: 12.3%, +3.4pp or 0.912."""
        if self.show == "score":
            return f"{value:.3f}"
        return f"{100 * value:.1f}%" if self.show == "percent" else f"{100 * value:+z.1f}pp"

    def change(self, value: float) -> str:
        """A difference of two values as text, with a digit more than percentages have: it may be small."""
        return f"{value:+z.3f}" if self.show == "score" else f"{100 * value:+z.2f}pp"


@dataclass(frozen=True, slots=True)
class Paper:
    """Table for a paper with its notes, independent of the output format."""

    name: str
    """Of the evaluator."""
    table: Sheet
    """Its title is the caption."""
    differences: tuple[Sheet, ...]
    """The differences between systems: a list of metrics for two, a matrix for each metric for more."""
    scope: str
    """The note below the table."""
    methods: str
    warnings: tuple[str, ...]
    signature: str
    columns: tuple[PaperColumn, ...]
    numbers: Mapping[str, Mapping[str, Any]]
    """Per system its part of the summary."""

    @property
    def tables(self) -> tuple[Sheet, ...]:
        """The table as it fits a page: one for each group of columns."""
        groups = list(dict.fromkeys(column.group for column in self.columns))
        return tuple(self._table_of(group) for group in groups) if len(groups) > 1 else (self.table,)

    def _table_of(self, group: str) -> Sheet:
        taken = [at for at, column in enumerate(self.columns, 1) if column.group == group]
        return replace(
            self.table,
            title=f"{group}: {self.table.title}" if group else self.table.title,
            header=(self.table.header[0], *(_heading(self.columns[at - 1], alone=True) for at in taken)),
            rows=tuple((row[0], *(row[at] for at in taken)) for row in self.table.rows),
            about=("", *(self.table.about[at] for at in taken)),
        )


def make_paper(
    run: Path,
    only: Sequence[str] = (),
    skip: Sequence[str] = (),
    *,
    metrics: Sequence[str] | None = None,
    compared: bool = True,
) -> Paper:
    """Make the report table for a paper from a finished run, of all its systems or some.

    Its columns are the given metrics; None is what the run's layout says, else the evaluator's family. Without
    `compared` there are no differences between systems in it.
    """
    result = Result.load(run)
    systems = choose(result.systems, only, skip)
    pairs = _compared(run, result, systems, metrics) if compared else ()
    return _paper(run, result, systems, pairs, metrics)


def every_paper(run: Path, *, compared: bool = True) -> dict[str, Paper]:
    """Make the report table for a paper from a finished run in every language, by language code."""
    result = Result.load(run)
    pairs = _compared(run, result, result.systems, None) if compared else ()
    made = {}
    for name in LANGUAGES:
        with speaking(name):
            made[name] = _paper(run, result, result.systems, pairs, None)
    return made


def has_layout(run: Path) -> bool:
    """Whether a run brings its own layout for the report table for a paper (`paper.json`)."""
    return (run / FILE).is_file()


def _paper(
    run: Path, result: Result, systems: Sequence[str], pairs: Sequence[Comparison], asked: Sequence[str] | None
) -> Paper:
    columns, texts = _layout(run, result.summary, asked)
    numbers = {name: result.summary["systems"][name] for name in systems}
    name = str(result.summary["evaluator"])
    rows = tuple(_rows(numbers, columns, result.summary["metrics"], find_meanings(name)))
    header = (texts.row or say("system"), *(_heading(column) for column in columns))
    return Paper(
        name=name,
        table=Sheet(
            texts.caption or name, header, rows, about=("", *(f"metric:{column.metric}" for column in columns))
        ),
        differences=tuple(_differences(pairs, columns)) if pairs else (),
        scope=texts.scope,
        methods=texts.methods,
        warnings=(*texts.warnings, *(text for system in numbers for text in texts.warnings_of.get(system, ()))),
        signature=str(result.signature),
        columns=columns,
        numbers=numbers,
    )


def _layout(run: Path, summary: Summary, asked: Sequence[str] | None) -> tuple[tuple[PaperColumn, ...], LayoutTexts]:
    """The columns, and the texts about them in the chosen language."""
    from jatdae.report.layout import LayoutColumn, PaperLayout, read_layout

    metrics = summary["metrics"]
    layout = read_layout(run / FILE, metrics) if has_layout(run) else PaperLayout()
    laid_out = {column.metric: column for column in layout.columns}
    names = list(laid_out) if laid_out and asked is None else choose_metrics(summary, asked)
    made = []
    for name in names:
        each = laid_out.get(name) or LayoutColumn(metric=name, show=_SHOW.get(metrics[name]["unit"], "score"))
        made.append(PaperColumn(name, each.title or name, each.show, each.ranked, metrics[name]["better"], each.group))
    return tuple(made), layout.ko if language() == "ko" else layout.en


def _heading(column: PaperColumn, *, alone: bool = False) -> str:
    """Title of a column; `alone` where the columns of its group have a table of their own."""
    title = column.title if alone else f"{column.group} {column.title}".strip()
    return metric_label(title, column.better if column.ranked else None)


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


def _compared(run: Path, result: Result, systems: Sequence[str], asked: Sequence[str] | None) -> tuple[Comparison, ...]:
    """Every pair of systems in every ranked column."""
    columns, _ = _layout(run, result.summary, asked)
    ranked = [column.metric for column in columns if column.ranked]
    read = comparable_part(result, ranked)
    pairs = combinations(systems, 2)
    return together([compare(read, read, system_a=a, system_b=b, names=(a, b), metrics=ranked) for a, b in pairs])


def _differences(pairs: Sequence[Comparison], columns: Sequence[PaperColumn]) -> Iterator[Sheet]:
    """Differences between two systems as a list of metrics, between more as a matrix for each metric."""
    ranked = [column for column in columns if column.ranked]
    if len(pairs) == 1:
        yield from _difference_list(pairs[0], ranked)
    else:
        for column in ranked:
            yield from _difference_matrix(pairs, column)


def _difference_list(pair: Comparison, columns: Sequence[PaperColumn]) -> Iterator[Sheet]:
    found = [(column, pair[column.metric]) for column in columns]
    rows = tuple(_difference(column, row) for column, row in found if row.delta is not None)
    if rows:
        title = f"{say('paired_differences')}: {system_label(pair.a)} → {system_label(pair.b)}"
        header = (say("metric"), "Δ", say("interval"), "p", "p (Holm)", "n")
        about = ("", "about_delta", "about_interval", "about_p", "about_p_holm", "about_pairs")
        yield Sheet(title, header, rows, hint=_notes("differences_note", pair, [row for _, row in found]), about=about)


def _difference(column: PaperColumn, row: Difference) -> tuple[SheetCell, ...]:
    return (
        SheetCell(_heading(column), about=f"metric:{column.metric}"),
        SheetCell(NOTHING if row.delta is None else column.change(row.delta)),
        SheetCell(NOTHING if row.ci is None else f"{column.change(row.ci[0])} … {column.change(row.ci[1])}"),
        SheetCell(p_value(row.p)),
        SheetCell(p_value(row.p_holm), _is_shown(row)),
        SheetCell(str(row.n)),
    )


def _difference_matrix(pairs: Sequence[Comparison], column: PaperColumn) -> Iterator[Sheet]:
    """Above the diagonal the difference, column minus row, in bold if it is shown; below it p after Holm."""
    found = {(pair.a, pair.b): pair[column.metric] for pair in pairs}
    if all(row.delta is None for row in found.values()):
        return
    systems = list(dict.fromkeys(name for pair in found for name in pair))
    rows = []
    for at, system in enumerate(systems, 1):
        cells = [SheetCell(f"{at} {system_label(system)}")]
        for other in systems:
            above, below = found.get((system, other)), found.get((other, system))
            if above is not None and above.delta is not None:
                cells.append(SheetCell(column.change(above.delta), _is_shown(above)))
            else:
                cells.append(SheetCell(p_value(below.p_holm) if below is not None else ""))
        rows.append(tuple(cells))
    title = f"{say('paired_differences')}: {_heading(column)}"
    header = (say("system"), *map(str, range(1, len(systems) + 1)))
    yield Sheet(
        title,
        header,
        tuple(rows),
        hint=_notes("matrix_note", pairs[0], list(found.values())),
        title_about=f"metric:{column.metric}",
    )


def _is_shown(row: Difference) -> bool:
    return row.p_holm is not None and row.p_holm < SIGNIFICANT


def _notes(key: str, pair: Comparison, rows: Sequence[Difference]) -> str:
    """How the differences were made: what is paired, and why there is no p, if there is none."""
    meanings = find_meanings(pair.evaluator)
    kinds = dict.fromkeys(row.by for row in rows if row.n)
    by = " · ".join(say("sample") if kind == SAMPLE else kind_label(kind, meanings) for kind in kinds)
    few = min((row.clusters for row in rows if row.too_few), default=0)
    withheld = say("p_withheld", n=few, least=LEAST_CLUSTERS) if few else ""
    return f"{say(key, by=by)} {withheld}".strip()
