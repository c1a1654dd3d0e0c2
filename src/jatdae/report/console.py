"""Tables on the terminal: those of a summary, and the table for a paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, Literal

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from jatdae.core.messages import printable, say
from jatdae.report.differences import difference_sheets
from jatdae.report.paper import Paper
from jatdae.report.sheets import Sheet, holds_numbers, sheets
from jatdae.run.stats.compare import Comparison
from jatdae.run.stats.verdict import verdict_on_all

FOLDED: Final = 16
"""Width to which a column of words may be folded; numbers are never folded."""
LONG_WORD: Final = 20
"""A word is broken only if it is longer than this."""
MOST_ROWS: Final = 40
"""Rows shown of each table below the headline."""
SHOWN_MISTAKES: Final = 3
"""What goes wrong: keys shown of each count table."""
_GAP: Final = 2


def show_summary(summary: dict[str, Any], console: Console, verdict: str = "") -> None:
    """Report a run on the console: the verdict, then the tables of its summary; model output is never markup."""
    if verdict:
        console.print(_text(verdict), soft_wrap=True)
        console.print()
    headline, *others = sheets(summary, SHOWN_MISTAKES)
    show_sheet(headline, console)
    for sheet in others:
        left_out = len(sheet.rows) - MOST_ROWS
        show_sheet(replace(sheet, rows=sheet.rows[:MOST_ROWS]), console)
        if left_out > 0:
            console.print(_text(say("rows_left_out", n=left_out), "dim"), soft_wrap=True)
            console.print()


def show_comparisons(found: Sequence[Comparison], console: Console) -> None:
    """Report on compared systems on the console: the verdict, then for each pair differences and worst regressions."""
    console.print(_text(verdict_on_all(found)), soft_wrap=True)
    console.print()
    for sheet in (sheet for each in found for sheet in difference_sheets(each)):
        show_sheet(sheet, console)


def show_paper(paper: Paper, console: Console) -> None:
    """Report on the console: print the table for a paper with its note, warnings and differences."""
    for table in paper.tables:
        show_sheet(table, console)
    notes = [_text(paper.scope, "dim")] if paper.scope else []
    notes += [_text(f"{say('beware')}: {warning}", "yellow") for warning in paper.warnings]
    for note in notes:
        console.print(note)
    if notes:
        console.print()
    for sheet in paper.differences:
        show_sheet(sheet, console)


def show_sheet(sheet: Sheet, console: Console) -> None:
    """Print a table of a report to the console, cut into several below each other if that is too narrow."""
    console.print(_text(sheet.title, "bold"))
    for columns in _fitting(sheet, console.width):
        table = Table(header_style="dim", box=None, pad_edge=False, padding=(0, _GAP, 0, 0))
        for at, width in zip(columns, _widths(sheet, columns, console.width), strict=True):
            justify: Literal["left", "right"] = "right" if holds_numbers(sheet, at) else "left"
            table.add_column(_text(sheet.header[at]), justify=justify, overflow="fold", width=width)
        for row in sheet.rows:
            table.add_row(*(_text(row[at].text, "bold" if row[at].best else "") for at in columns))
        console.print(table)
    if sheet.note:
        console.print(_text(sheet.note, "dim"), soft_wrap=True)
    if sheet.hint:
        console.print(_text(sheet.hint, "dim"))
    console.print()


def _fitting(sheet: Sheet, width: int) -> Iterator[list[int]]:
    """The columns of each table: always those that name a row, then as many as there is room for."""
    names = list(range(sheet.names))
    start = sum(_GAP + _least_width(sheet, at) for at in names)
    columns, used = names, start
    for at in range(sheet.names, len(sheet.header)):
        needed = _least_width(sheet, at)
        if used + needed > width and len(columns) > len(names):
            yield columns
            columns, used = names, start
        columns = [*columns, at]
        used += needed + _GAP
    yield columns


def _widths(sheet: Sheet, columns: Sequence[int], width: int) -> list[int]:
    """Width of each column: what it needs at least, and then of what is left as much as it can use."""
    widths = [_least_width(sheet, at) for at in columns]
    spare = width - sum(widths) - _GAP * (len(columns) - 1)
    for place, at in enumerate(columns):
        more = max(0, min(spare, _full_width(sheet, at) - widths[place]))
        widths[place] += more
        spare -= more
    return widths


def _least_width(sheet: Sheet, at: int) -> int:
    """Width below which numbers would be cut, or a name that is no longer than most be folded."""
    texts = [printable(text) for text in (sheet.header[at], *(row[at].text for row in sheet.rows))]
    longest = max((cell_len(text) for text in texts[1:]), default=0)
    word = max((cell_len(part) for text in texts for part in text.split()), default=0)
    return max(min(LONG_WORD, word), longest if holds_numbers(sheet, at) else min(FOLDED, longest))


def _full_width(sheet: Sheet, at: int) -> int:
    return max(cell_len(printable(text)) for text in (sheet.header[at], *(row[at].text for row in sheet.rows)))


def _text(text: str, style: str = "") -> Text:
    return Text(printable(text), style=style)
