"""Tables as olmOCR-bench reads and asks them, its peculiarities included: for `--as-published` alone.

Every run of lines with a `|` is a table whose first row and first column are headings. In an HTML table a `th` makes
its row and its column headings; one that spans columns heads every column from there to the right. A neighbour that
would lie outside the table is not asked for. Texts are alike by the indel ratio, never with less than one half.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from lxml import etree
from rapidfuzz import fuzz

from jatdae.checks.page_tests import TableTest
from jatdae.checks.page_text import published
from jatdae.tables.elements import parse
from jatdae.tables.table_issues import MAX_SLOTS, TableError

_RULE: Final = frozenset("- :")
_SIDES: Final = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
_CELLS: Final = ("td", "th")


@dataclass
class PublishedTable:
    """A table: its rows, and what heads its rows and columns."""

    rows: list[list[str]]
    header_rows: set[int] = field(default_factory=set)
    header_cols: set[int] = field(default_factory=set)
    col_headings: dict[int, list[str]] = field(default_factory=dict)
    row_headings: dict[int, list[str]] = field(default_factory=dict)

    def padded(self) -> PublishedTable:
        """The same with rows of equal length."""
        width = max(map(len, self.rows), default=0)
        self.rows = [row + [""] * (width - len(row)) for row in self.rows]
        return self


def passes(test: TableTest, page: str) -> tuple[bool, str]:
    """Whether a page passes a table test, and the reason why not: no_table, no_cell, neighbour or heading."""
    reason = "no_table"
    for table in _tables(page, markdown=not test.ignore_markdown_tables):
        reason = "no_cell" if reason == "no_table" else reason
        for row, line in enumerate(table.rows):
            for col, text in enumerate(line):
                if not _alike(published(test.cell), text, test.max_diffs):
                    continue
                if not _neighbours_fit(test, table, row, col):
                    reason = "neighbour"
                elif not _headings_fit(test, table, row, col):
                    reason = "heading"
                else:
                    return True, ""
    return False, reason


def _tables(page: str, *, markdown: bool) -> Iterator[PublishedTable]:
    if markdown:
        yield from filter(None, map(_pipe_table, _pipe_blocks(page)))
    root = parse(page) if "<table" in page.lower() else None
    if root is not None:
        yield from filter(None, map(_html_table, root.iter("table")))


def _alike(wanted: str, text: str, most: int) -> bool:
    return fuzz.ratio(wanted, published(text)) / 100.0 >= max(0.5, 1.0 - most / (len(wanted) or 1))


def _neighbours_fit(test: TableTest, table: PublishedTable, row: int, col: int) -> bool:
    for side, (down, right) in _SIDES.items():
        wanted, at, across = published(getattr(test, side) or ""), row + down, col + right
        inside = 0 <= at < len(table.rows) and 0 <= across < len(table.rows[row])
        if wanted and inside and not _alike(wanted, table.rows[at][across], test.max_diffs):
            return False
    return True


def _headings_fit(test: TableTest, table: PublishedTable, row: int, col: int) -> bool:
    above = [line[col] for line in table.rows[:row]]
    before = table.rows[row][:col]
    of_column = [*table.col_headings.get(col, ()), *(above[at] for at in table.header_rows if at < row)]
    of_row = [*table.row_headings.get(row, ()), *(before[at] for at in table.header_cols if at < col)]
    return all(
        _is_headed(published(wanted or ""), headings, others, test.max_diffs)
        for wanted, headings, others in ((test.top_heading, of_column, above), (test.left_heading, of_row, before))
    )


def _is_headed(wanted: str, headings: Iterable[str], others: Iterable[str], most: int) -> bool:
    """Other cells on the way count only where no heading has anything in common with what is wanted."""
    if not wanted:
        return True
    if any(fuzz.ratio(wanted, published(heading)) for heading in headings):
        return any(_alike(wanted, heading, most) for heading in headings)
    return any(_alike(wanted, other, most) for other in others if other.strip())


def _pipe_blocks(page: str) -> Iterator[list[str]]:
    block: list[str] = []
    for line in (*page.strip().split("\n"), ""):
        if "|" in line:
            block.append(line)
            continue
        if len(block) >= 2:
            yield block
        block = []


def _pipe_table(lines: list[str]) -> PublishedTable | None:
    bare = [line.replace("|", "").strip() for line in lines]
    rule = next((at for at, text in enumerate(bare) if text and set(text) <= _RULE), None)
    rows = []
    for at, line in enumerate(lines):
        if at == rule or (line.strip() and set(line) <= _RULE | {"|"}):
            continue
        cells = [cell.strip() for cell in line.split("|")]
        cells = cells[1:] if cells and not cells[0] else cells
        cells = cells[:-1] if cells and not cells[-1] else cells
        if cells:
            rows.append(cells)
    if not rows:
        return None
    table = PublishedTable(rows, {0}, {0}).padded()
    table.col_headings = {col: [text] for col, text in enumerate(table.rows[0])}
    table.row_headings = {at: [row[0]] for at, row in enumerate(table.rows) if at}
    return table


def _html_table(element: etree._Element) -> PublishedTable | None:
    lines = list(element.iter("tr"))
    in_head = {line for head in list(element.iter("thead"))[:1] for line in head.iter("tr")}
    table = PublishedTable([], {at for at, line in enumerate(lines) if line in in_head})
    covered: dict[tuple[int, int], str] = {}
    spanning: dict[str, int] = {}  # heading that spans columns, and the first of them
    tall: dict[str, set[int]] = {}  # heading that spans rows, and these
    for at, line in enumerate(lines):
        row: list[str] = []
        col = 0
        for cell in line.iter(*_CELLS):
            while (at, col) in covered:
                row.append(covered[at, col])
                col += 1
            text, colspan = _text(cell), _span(cell, "colspan")
            rowspan = min(_span(cell, "rowspan"), len(lines) - at)
            if len(covered) + rowspan * colspan > MAX_SLOTS:
                raise TableError("too_large", "too_many_slots", most=MAX_SLOTS)
            row.append(text)
            covered |= {
                (at + down, col + right): text if not right else ""
                for down in range(rowspan)
                for right in range(colspan)
                if down or right
            }
            below = range(at + 1, min(at + rowspan, len(lines)))
            if cell.tag == "th":
                table.header_rows |= {at, *below}
                for across in range(col, col + colspan):
                    table.header_cols.add(across)
                    table.col_headings.setdefault(across, []).append(text)
                if text and colspan > 1:
                    spanning[text] = min(col, spanning.get(text, col))
                if text and rowspan > 1:
                    tall.setdefault(text, set()).update(range(at, at + rowspan))
            elif col in table.header_cols:
                for other in below:
                    table.row_headings.setdefault(other, []).append(text)
            col += colspan
        table.rows.append(row)
    _spread_headings(table, spanning, tall)
    return table.padded() if table.rows else None


def _spread_headings(table: PublishedTable, spanning: dict[str, int], tall: dict[str, set[int]]) -> None:
    """Give spanning headings to the rows and columns that olmOCR-bench gives them to."""
    width = max((len(row) for at, row in enumerate(table.rows) if at not in table.header_rows), default=0)
    for text, first in spanning.items():
        for col in range(first, width):
            table.col_headings.setdefault(col, []).append(text)
    for text, rows in tall.items():
        for at in rows:
            table.row_headings.setdefault(at, []).append(text)
    for at, row in enumerate(table.rows):
        table.row_headings.setdefault(at, []).extend(
            row[col] for col in table.header_cols if col < len(row) and row[col].strip()
        )


def _text(cell: etree._Element) -> str:
    parts = []
    for node in cell.iter():
        if node.tag == "br":
            parts.append("\n")
        elif isinstance(node.tag, str) and node.text:
            parts.append(node.text)
        if node is not cell and node.tail:
            parts.append(node.tail)
    return "".join(parts).strip()


def _span(cell: etree._Element, name: str) -> int:
    given = cell.get(name, "1").strip()
    if not given.isdecimal() or len(given) > 9:
        raise TableError("parse_error", "html_given_up", problem=f"{name}={given[:20]}")
    return int(given)
