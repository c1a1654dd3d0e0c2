"""Tables as grids: every cell with its place, its spans and its text.

Spans are resolved as the HTML standard forms a table: a cell takes the first free slot of its row, colspan is at most
1000, rowspan reaches at most to the end of its row group, rowspan 0 reaches just there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import Final, NamedTuple

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from jatdae.core.characters import as_seen
from jatdae.tables.elements import CELLS, find_tables
from jatdae.tables.table_issues import MAX_COLSPAN, MAX_SLOTS, TableError

Fault = tuple[str, Mapping[str, int]]
"""A mistake in the spans of a table: the key of its message, and the blanks."""
_GROUPS: Final = frozenset({"thead", "tbody", "tfoot"})
# Words on two sides of these are two words.
_BREAKING: Final = CELLS | {"br", "p", "div", "li", "ul", "ol", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6"}


class Cell(NamedTuple):
    """A cell of a table grid; its spans are those it really takes, not those it claims.

    A named tuple, because a table has many and they are made three times as fast as those of a frozen dataclass.
    """

    row: int
    col: int
    text: str = ""
    rowspan: int = 1
    colspan: int = 1
    header: bool = False


@dataclass(frozen=True)
class Grid:
    """A table as a grid of `rows` × `cols` slots, with its cells in document order."""

    rows: int
    cols: int
    cells: tuple[Cell, ...]
    faults: tuple[Fault, ...] = ()
    """Where spans overlap or reach beyond their row group."""
    sections: tuple[tuple[str, int], ...] = field(default=(), compare=False)
    """Row groups, each with its tag ("" for rows outside any) and its number of rows."""

    @property
    def complex(self) -> bool:
        """Whether any cell spans."""
        return any(cell.rowspan > 1 or cell.colspan > 1 for cell in self.cells)

    def slots(self) -> NDArray[np.int64]:
        """For each slot the index of the cell on it, -1 where there is none; of two overlapping cells the first."""
        return self._slots

    @cached_property
    def _slots(self) -> NDArray[np.int64]:
        """Kept, because several measures need it; not to be changed."""
        slots = np.full((self.rows, self.cols), -1, dtype=np.int64)
        slots[[cell.row for cell in self.cells], [cell.col for cell in self.cells]] = range(len(self.cells))
        if self.complex:
            for index in range(len(self.cells) - 1, -1, -1):
                cell = self.cells[index]
                slots[cell.row : cell.row + cell.rowspan, cell.col : cell.col + cell.colspan] = index
        slots.setflags(write=False)
        return slots

    def to_html(self) -> str:
        """The table as HTML; leading rows of header cells alone form its thead."""
        lines: list[list[Cell]] = [[] for _ in range(self.rows)]
        for cell in self.cells:
            lines[cell.row].append(cell)
        head = next((at for at, line in enumerate(lines) if not line or not all(c.header for c in line)), self.rows)
        if any(cell.row < head < cell.row + cell.rowspan for cell in self.cells):
            head = 0  # a thead would cut that cell off
        return f"<table>{_group('thead', lines[:head])}{_group('tbody', lines[head:])}</table>"


def grid_of(html: str) -> Grid:
    """Grid of the first table in an HTML text."""
    tables = find_tables(html)
    if not tables:
        raise TableError("no_table", "no_table_in_text")
    return lay(tables[0])[0]


def lay(table: etree._Element, *, texts: bool = True) -> tuple[Grid, list[etree._Element]]:
    """Lay out a table element as a grid; returns it with the element of each cell.

    Without `texts` cells have none: to read them is a fifth of the time of a measure that reads them in its own way.
    """
    cells: list[Cell] = []
    elements: list[etree._Element] = []
    faults: list[Fault] = []
    sections: list[tuple[str, int]] = []
    top = width = 0
    for tag, group in row_groups(table):
        taken: list[int] = []  # per column, how many rows from here on a cell above still covers
        for offset, line in enumerate(group):
            left = len(group) - offset
            col = 0
            for element in line:
                while col < len(taken) and taken[col]:
                    col += 1
                header = tag == "thead" or element.tag == "th"
                text = seen_text(element) if texts else ""
                if not element.attrib:  # as nearly every cell is
                    cells.append(Cell(top + offset, col, text, header=header))
                    elements.append(element)
                    col += 1
                    continue
                rowspan, colspan = _span(element, "rowspan"), min(_span(element, "colspan") or 1, MAX_COLSPAN)
                if rowspan > left:
                    place = {"row": top + offset + 1, "col": col + 1, "rowspan": rowspan}
                    faults.append(("rowspan_too_long", place))
                rows = left if rowspan == 0 else min(rowspan, left)
                taken.extend([0] * (col + colspan - len(taken)))
                if any(taken[col : col + colspan]):
                    faults.append(("cells_overlap", {"row": top + offset + 1, "col": col + 1}))
                taken[col : col + colspan] = [max(rows, old) for old in taken[col : col + colspan]]
                cells.append(Cell(top + offset, col, text, rows, colspan, header))
                elements.append(element)
                col += colspan
                width = _wider(width, col, top + offset + 1)
            width = _wider(width, col, top + offset + 1)
            taken = [max(rest - 1, 0) for rest in taken]
        top += len(group)
        sections.append((tag, len(group)))
    return Grid(top, width, tuple(cells), tuple(faults), tuple(sections)), elements


def _wider(width: int, col: int, rows: int) -> int:
    """The width of a grid of so many rows that reaches to `col`; a grid with too many slots is refused."""
    width = max(width, col)
    if width * rows > MAX_SLOTS:
        raise TableError("too_large", "too_many_slots", most=MAX_SLOTS)
    return width


def seen_text(element: etree._Element) -> str:
    """Text in an HTML element as a reader sees it, such as a cell of a table's grid, with white space collapsed."""
    text = text_of(element)
    return text if text.isascii() else " ".join(as_seen(text).split())


def text_of(element: etree._Element, *, raised: bool = False) -> str:
    """Text in an HTML element as it is written, with white space collapsed.

    With `raised`, what stands in a sup is written `^{…}`.
    """
    if not len(element):
        return " ".join((element.text or "").split())
    if not any(node.tag in _BREAKING or (raised and node.tag == "sup") for node in element.iterdescendants()):
        return " ".join("".join(map(str, element.itertext())).split())
    parts: list[str] = []
    for event, node in etree.iterwalk(element, events=("start", "end")):
        if node.tag in _BREAKING:
            parts.append(" ")
        text = node.text if event == "start" else node.tail if node is not element else None
        if raised and node.tag == "sup":
            text = f"^{{{text or ''}" if event == "start" else f"}}{text or ''}"
        if text:
            parts.append(text)
    return " ".join("".join(parts).split())


def row_groups(table: etree._Element) -> Iterator[tuple[str, list[list[etree._Element]]]]:
    """The row groups of a table, each with the cells of its rows; cells outside any row form a row of their own."""
    loose: list[etree._Element] = []
    for part in table:
        if part.tag not in _GROUPS:
            loose.append(part)
            continue
        if loose:
            yield "", list(_rows(loose))
            loose = []
        yield str(part.tag), list(_rows(part))
    if loose:
        yield "", list(_rows(loose))


def _rows(parts: Iterable[etree._Element]) -> Iterator[list[etree._Element]]:
    stray: list[etree._Element] = []
    for part in parts:
        if part.tag in CELLS:
            stray.append(part)
            continue
        if stray:
            yield stray
            stray = []
        if part.tag == "tr":
            yield [cell for cell in part if cell.tag in CELLS]
    if stray:
        yield stray


def _span(element: etree._Element, name: str) -> int:
    """A span as a browser reads it: what is no positive number counts as 1."""
    value = element.get(name)
    if value is None:
        return 1
    digits = value.strip()
    if not (digits.isascii() and digits.isdigit()):
        return 1
    return int(digits[:9])


def _group(tag: str, lines: Sequence[Sequence[Cell]]) -> str:
    if not lines:
        return ""
    rows = ("".join(map(_cell, line)) for line in lines)
    return f"<{tag}>{''.join(f'<tr>{row}</tr>' for row in rows)}</{tag}>"


def _cell(cell: Cell) -> str:
    tag = "th" if cell.header else "td"
    spans = "".join(
        f' {name}="{span}"' for name, span in (("rowspan", cell.rowspan), ("colspan", cell.colspan)) if span > 1
    )
    return f"<{tag}{spans}>{escape(cell.text, quote=False)}</{tag}>"
