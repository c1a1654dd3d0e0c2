"""Cells of the tables of a page with their neighbours and headings, by the grid that the tables room lays out.

A spanning cell stands on all its slots: what lies beside any of them is its neighbour. A neighbour outside the table
is none, so a test that asks for one fails. A heading of a column is any header cell above in that column, or its first
cell. A heading of a row is any header cell to the left in that row, its first cell, or a further one as long as words
stand before the numbers: "27 | pick and place | 0.87" has two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from rapidfuzz.distance import Levenshtein

from jatdae.checks.page_tests import TableTest
from jatdae.checks.page_text import plain
from jatdae.tables.extraction import read_text
from jatdae.tables.grid import Cell, Grid, grid_of
from jatdae.tables.table_issues import TableError

SIDES: Final = ("up", "down", "left", "right")
HEADINGS: Final = ("top_heading", "left_heading")


class Asked(NamedTuple):
    """Answer to a table test."""

    passed: bool
    reason: str = ""
    """no_table, no_cell, neighbour, heading, too_large."""
    where: str = ""
    """The side or heading that does not fit."""
    found: str = ""
    """What stands there, or the cell most like the one asked for."""
    table: int = 0
    """Number of the table in which it was found, from 1."""


class PageTable(NamedTuple):
    """A table of a page, with the texts of its cells as they are compared."""

    grid: Grid
    texts: tuple[str, ...]


def tables_of(page: str, *, only_html: bool = False) -> list[PageTable]:
    """The tables of a page; one that cannot be laid out is left out."""
    tables = []
    for table in read_text(page).tables:
        if only_html and table.source == "markdown":
            continue
        try:
            grid = grid_of(table.html)
        except TableError:
            continue
        tables.append(PageTable(grid, tuple(plain(cell.text) for cell in grid.cells)))
    return tables


def ask(test: TableTest, tables: Sequence[PageTable]) -> Asked:
    """Look for a cell that fits in every respect; of those that do not, the first is told of."""
    if not tables:
        return Asked(False, "no_table")
    wanted = plain(test.cell)
    failed: Asked | None = None
    for number, table in enumerate(tables, 1):
        for cell, text in zip(table.grid.cells, table.texts, strict=True):
            if is_alike(wanted, text, test.max_diffs):
                asked = _surroundings(test, table, cell, number)
                if asked.passed:
                    return asked
                failed = failed or asked
    return failed or Asked(False, "no_cell", "cell", _most_alike(wanted, tables))


def is_alike(wanted: str, text: str, most: int) -> bool:
    """Whether two cells differ in at most so many characters, and at most in half of them."""
    most = min(most, len(wanted) // 2)
    return Levenshtein.distance(wanted, text, score_cutoff=most) <= most


def _surroundings(test: TableTest, table: PageTable, cell: Cell, number: int) -> Asked:
    for side in (*SIDES, *HEADINGS):
        wanted = getattr(test, side)
        if wanted is None or (side in HEADINGS and not wanted):
            continue
        there = list(dict.fromkeys(_headings(table, cell, side) if side in HEADINGS else _beside(table, cell, side)))
        if not any(is_alike(plain(wanted), text, test.max_diffs) for text in there):
            reason = "heading" if side in HEADINGS else "neighbour"
            return Asked(False, reason, side, " · ".join(there[:5]), number)
    return Asked(True, table=number)


def _beside(table: PageTable, cell: Cell, side: str) -> Iterator[str]:
    rows, cols = range(cell.row, cell.row + cell.rowspan), range(cell.col, cell.col + cell.colspan)
    slots = {
        "up": [(cell.row - 1, col) for col in cols],
        "down": [(cell.row + cell.rowspan, col) for col in cols],
        "left": [(row, cell.col - 1) for row in rows],
        "right": [(row, cell.col + cell.colspan) for row in rows],
    }[side]
    return _texts(table, slots)


def _headings(table: PageTable, cell: Cell, side: str) -> Iterator[str]:
    slots = table.grid.slots()
    top = side == "top_heading"
    lines = range(cell.col, cell.col + cell.colspan) if top else range(cell.row, cell.row + cell.rowspan)
    for line in lines:
        leading = True
        for at in range(cell.row if top else cell.col):
            index = int(slots[at, line] if top else slots[line, at])
            text = table.texts[index] if index >= 0 else ""
            leading = leading and (at == 0 or (not top and _has_letters(text)))
            if index >= 0 and (leading or table.grid.cells[index].header):
                yield text


def _has_letters(text: str) -> bool:
    return any(letter.isalpha() for letter in text)


def _texts(table: PageTable, places: Sequence[tuple[int, int]]) -> Iterator[str]:
    slots = table.grid.slots()
    for row, col in places:
        if 0 <= row < table.grid.rows and 0 <= col < table.grid.cols and slots[row, col] >= 0:
            yield table.texts[slots[row, col]]


def _most_alike(wanted: str, tables: Sequence[PageTable]) -> str:
    texts = [text for table in tables for text in table.texts]
    best = max(texts, key=lambda text: Levenshtein.normalized_similarity(wanted, text), default="")
    return best if Levenshtein.normalized_similarity(wanted, best) >= 0.3 else ""
