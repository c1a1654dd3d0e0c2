"""Tables of a comparison between systems, independent of the output format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from jatdae.core.messages import say
from jatdae.core.registry import find_meanings
from jatdae.report.sheets import Sheet, SheetCell, key_text, metric_label, rates_title, table_word
from jatdae.report.svg import COLOURS
from jatdae.run.stats.compare import LEAST_CLUSTERS, Comparison, Difference
from jatdae.run.stats.pairing import SAMPLE
from jatdae.run.stats.result import Result
from jatdae.run.stats.shown import NOTHING, change, kind_label, number, p_value, span


@dataclass(frozen=True, slots=True)
class ComparedSystem:
    """A system of a run, with the name it has in a comparison."""

    name: str
    result: Result
    system: str


MOST_COMPARED: Final = 100
"""Samples of which the page of a comparison has evidence, unless more are asked for."""
NAME_WIDTH: Final = 34
"""Characters of a system's name that fit into the head of a table of a comparison."""


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Names of compared systems for a report: of long ones the begin and the end, where that tells them apart."""
    short = {name: _cut_inside(name) for name in names}
    return short if len(set(short.values())) == len(short) else {name: name for name in names}


def _cut_inside(name: str) -> str:
    if len(name) <= NAME_WIDTH:
        return name
    begin = NAME_WIDTH // 3
    return f"{name[:begin]}…{name[begin + 1 - NAME_WIDTH :]}"


def side_colours(sides: Sequence[ComparedSystem]) -> list[int]:
    """Number of the colour of each compared system in a report: the one it has on the page of its own run.

    Where two would have the same, as those of two runs of one system, the later gets the first that is free.
    """
    wanted = [list(side.result.summary["systems"]).index(side.system) % COLOURS for side in sides]
    free = [each for each in range(COLOURS) if each not in wanted]
    taken: set[int] = set()
    made = []
    for each in wanted:
        made.append(each if each not in taken or not free else free.pop(0))
        taken.add(each)
    return made


def difference_sheets(comparison: Comparison) -> Iterator[Sheet]:
    """Tables of a report on two systems: differences of all metrics, then the worst regressions."""
    pairs = pair_columns(comparison.differences, partial(_kind, comparison))
    header = (
        say("metric"),
        comparison.a,
        comparison.b,
        "Δ",
        say("interval"),
        "p",
        "p (Holm)",
        say("win_tie_loss"),
        "n",
        *(say(key) for key, _ in pairs),
    )
    rows = tuple(
        (*_row(difference), *(SheetCell(cells[at]) for _, cells in pairs))
        for at, difference in enumerate(comparison.differences)
    )
    few = next((row.clusters for row in comparison.differences if row.too_few), 0)
    hint = say("p_withheld", n=few, least=LEAST_CLUSTERS) if few else ""
    yield Sheet(f"{comparison.a} → {comparison.b}", header, rows, comparison.signature, hint)
    yield from _regression_sheets(comparison)
    yield from _rate_sheets(comparison)


def _regression_sheets(comparison: Comparison) -> Iterator[Sheet]:
    """Report table, if any, of the worst differences of the primary metric: where the second system lost most."""
    primary = next((d for d in comparison.differences if d.metric.primary), None)
    if primary and primary.regressions:
        unit = primary.metric.unit
        worst = tuple(
            (SheetCell(each.label), SheetCell(number(each.a, unit)), SheetCell(number(each.b, unit)))
            for each in primary.regressions
        )
        named = "id" if primary.by == SAMPLE else f"id · {_kind(comparison, primary.by)}"
        header = (named, comparison.a, comparison.b)
        yield Sheet(say("regressions", metric=primary.metric.name), header, worst)


def _rate_sheets(comparison: Comparison) -> Iterator[Sheet]:
    """Report tables of the differences of rates, key by key: those that differ most first."""
    for sliced in comparison.rates:
        if rows := tuple(
            _key_row(key_text(key, sliced.labels), row) for key, row in sliced.slices.items() if row.delta
        ):
            meanings = find_meanings(comparison.evaluator)
            key = meanings.of("words", table_word("key", sliced.table)) or say("mistake_key")
            header = (key, comparison.a, comparison.b, "Δ", say("interval"), say("win_tie_loss"), "n")
            yield Sheet(rates_title(meanings, sliced.table), header, rows)


def _key_row(label: str, row: Difference) -> tuple[SheetCell, ...]:
    unit = row.metric.unit
    return (
        SheetCell(label),
        SheetCell(number(row.a, unit), row.gain < 0),
        SheetCell(number(row.b, unit), row.gain > 0),
        SheetCell(change(row.delta, unit)),
        SheetCell(span(row.ci, unit)),
        SheetCell(f"{row.wins}/{row.ties}/{row.losses}"),
        SheetCell(str(row.n)),
    )


def pair_columns(rows: Sequence[Difference], kind: Callable[[str], str]) -> list[tuple[str, list[str]]]:
    """Optional columns of a report table of differences: what is paired, clusters, how many unpaired.

    Each is there, under the key of its name, only if it says something. `kind` is the word for what is paired.
    """
    found = []
    if any(row.by != SAMPLE for row in rows):
        found.append(("paired_by", [kind(row.by) for row in rows]))
    if any(0 < row.clusters < row.n for row in rows):
        found.append(("clusters", [str(row.clusters) for row in rows]))
    if any(row.unpaired for row in rows):
        found.append(("unpaired", [str(row.unpaired) for row in rows]))
    return found


def _kind(comparison: Comparison, kind: str) -> str:
    return say("sample") if kind == SAMPLE else kind_label(kind, find_meanings(comparison.evaluator))


def _row(row: Difference) -> tuple[SheetCell, ...]:
    unit = row.metric.unit
    name = SheetCell(metric_label(row.metric.name, row.metric.better), row.metric.primary)
    if row.delta is None:  # each side may have values, but none on the same sample: that is no N/A
        return (name, *[SheetCell(NOTHING)] * 2, SheetCell(say("no_pairs")), *[SheetCell(NOTHING)] * 4, SheetCell("0"))
    return (
        name,
        SheetCell(number(row.a, unit), row.gain < 0),
        SheetCell(number(row.b, unit), row.gain > 0),
        SheetCell(change(row.delta, unit)),
        SheetCell(span(row.ci, unit)),
        SheetCell(p_value(row.p)),
        SheetCell(p_value(row.p_holm)),
        SheetCell(f"{row.wins}/{row.ties}/{row.losses}"),
        SheetCell(str(row.n)),
    )
