"""Evidence for table scores: both tables of each pair and the edits between them, of bounded size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from lxml import etree
from rapidfuzz.distance import Levenshtein

from jatdae.tables.cell_errors import CellErrors
from jatdae.tables.extraction import Table
from jatdae.tables.grid import Cell, Grid, lay
from jatdae.tables.pairs import ParsedTable, TablePair
from jatdae.tables.passages import passage_like
from jatdae.tables.profiles import Profile, profile_of
from jatdae.tables.table_issues import TableError
from jatdae.tables.tree_similarity import TableTree, mapping, tokens_of

Operation = Literal["match", "rename", "insert", "delete"]

MAX_TABLES: Final = 20
MAX_EXTRA: Final = 5
MAX_CELLS: Final = 600
MAX_EDITS: Final = 1200
MAX_TEXT: Final = 200
CLEARLY: Final = 0.5
"""Share of equal cells by which another partner has to be better to be spoken of."""


Marks = Mapping[int, Mapping[str, Any]]
"""What is wrong with cells, by their place in the list of their grid."""


def show_document(
    pairs: Sequence[TablePair],
    errors: Sequence[CellErrors | None],
    predictions: Sequence[ParsedTable | None],
    profile: Profile,
    text: str,
    *,
    explained: bool,
    assigned: bool,
) -> dict[str, Any]:
    """Evidence of a document: the tables of each pair, and the predicted tables without a partner.

    Where a table was missed, also what `text`, the prediction, has instead.

    `misordered`: they were paired by order, and another partner would fit one of them clearly better.
    """
    used = {pair.number for pair in pairs}
    extra = [number for number in range(len(predictions)) if number not in used]
    paired = list(zip(pairs, errors, strict=True))
    shown: dict[str, Any] = {
        "pairs": [_show_pair(pair, found, profile, text, explained) for pair, found in paired[:MAX_TABLES]],
        "extra": [{"number": at, "prediction": _show_side(predictions[at])} for at in extra[:MAX_EXTRA]],
    }
    if not assigned and _has_better_partner(pairs, predictions):
        shown["misordered"] = True
    return _with_rest(shown, max(0, len(pairs) - MAX_TABLES) + max(0, len(extra) - MAX_EXTRA))


def _has_better_partner(pairs: Sequence[TablePair], predictions: Sequence[ParsedTable | None]) -> bool:
    """Whether a table has CLEARLY more cells, as a share, in common with another prediction than with its partner."""
    if max(len(pairs), len(predictions)) < 2:
        return False
    given = [_cell_texts(each) for each in predictions[:MAX_TABLES]]
    for pair in pairs[:MAX_TABLES]:
        wanted = _cell_texts(pair.reference)
        own = 0.0 if pair.number is None or pair.number >= len(given) else _fit(wanted, given[pair.number])
        if own + CLEARLY <= 1 and any(_fit(wanted, each) >= own + CLEARLY for each in given):
            return True
    return False


def _cell_texts(table: ParsedTable | None) -> Counter[str]:
    """How often each text stands in a cell; empty for a table that cannot be laid out."""
    if table is None:
        return Counter()
    try:
        return Counter(cell.text for cell in table.grid.cells if cell.text.strip())
    except TableError:
        return Counter()


def _fit(a: Counter[str], b: Counter[str]) -> float:
    """Cells with equal text as a share of those of the larger table."""
    return (a & b).total() / max(a.total(), b.total(), 1)


def _show_grid(grid: Grid, marks: Marks) -> dict[str, Any]:
    """Evidence of a table grid: its cells, and what is wrong with each.

    Of more than MAX_CELLS the first row is shown, then rows with errors, then others; `left_out` says how many cells
    are not shown, `shown_rows` which rows are.
    """
    numbers = [*range(len(grid.cells))]
    kept = None
    if len(numbers) > MAX_CELLS:
        kept = _kept_rows(grid, {grid.cells[at].row for at in marks})
        numbers = [at for at in numbers if grid.cells[at].row in kept][:MAX_CELLS]
    shown: dict[str, Any] = {
        "rows": grid.rows,
        "cols": grid.cols,
        "cells": [_show_cell(grid.cells[at]) for at in numbers],
    }
    if marks:
        for at, cell in zip(numbers, shown["cells"], strict=True):
            cell.update(marks.get(at, ()))
    if kept is not None:
        shown["shown_rows"] = sorted(kept)
    if any(tag for tag, _ in grid.sections):
        shown["sections"] = grid.sections
    return _with_rest(shown, len(grid.cells) - len(numbers))


def _show_cell(cell: Cell) -> dict[str, Any]:
    return {
        "row": cell.row,
        "col": cell.col,
        "rowspan": cell.rowspan,
        "colspan": cell.colspan,
        "header": cell.header,
        "text": _short(cell.text),
    }


def _kept_rows(grid: Grid, wrong: set[int]) -> set[int]:
    """Rows that are shown of a grid that is too large."""
    cells = Counter(cell.row for cell in grid.cells)
    kept: set[int] = set()
    room = MAX_CELLS
    for row in dict.fromkeys((0, *sorted(wrong), *range(grid.rows))):
        room -= cells[row]
        if room < 0 and kept:
            break
        kept.add(row)
    return kept


def _marks(errors: CellErrors, prediction: Grid, reference: Grid) -> tuple[Marks, Marks]:
    """What is wrong with the cells of the prediction and of the reference, and where their partners stand."""
    predicted: dict[int, Mapping[str, Any]] = {at: {"wrong": ["extra"]} for at in errors.extra}
    expected: dict[int, Mapping[str, Any]] = {at: {"wrong": ["missed"]} for at in errors.missed}
    for i, j, kinds in errors.changed:
        a, b = prediction.cells[i], reference.cells[j]
        predicted[i] = {"wrong": kinds, "partner": [b.row, b.col]}
        expected[j] = {"wrong": kinds, "partner": [a.row, a.col]}
    return predicted, expected


def _show_edits(edits: Sequence[Edit]) -> dict[str, Any]:
    """Evidence of the edits between two tables: those that cost something, and how many of each kind.

    The most expensive come first where not all fit.
    """
    counts = {op: sum(edit.op == op for edit in edits) for op in ("match", "rename", "insert", "delete")}
    costly = [edit for edit in edits if edit.op != "match"]
    kept = costly
    if len(costly) > MAX_EDITS:
        dearest = sorted(range(len(costly)), key=lambda at: -costly[at].cost)[:MAX_EDITS]
        kept = [costly[at] for at in sorted(dearest)]
    shown = {"counts": counts, "edits": [edit.as_json() for edit in kept]}
    return _with_rest(shown, len(costly) - MAX_EDITS)


def _show_pair(
    pair: TablePair, errors: CellErrors | None, profile: Profile, text: str, explained: bool
) -> dict[str, Any]:
    marks: tuple[Marks, Marks] = ({}, {})
    if errors is not None and pair.prediction is not None:
        marks = _marks(errors, pair.prediction.grid, pair.reference.grid)
    shown: dict[str, Any] = {
        "id": pair.reference.table.id,
        "number": pair.number,
        "teds": pair.values["teds"],
        "teds_s": pair.values["teds_s"],
        "prediction": _show_side(pair.prediction, marks[0]),
        "reference": _show_side(pair.reference, marks[1]),
    }
    if pair.number is None and text:
        shown["instead"] = passage_like(text, pair.reference.grid)
    if errors is not None:
        shown["errors"] = errors.counts()
        sides = [set(shown[side].get("shown_rows", range(MAX_CELLS))) for side in ("prediction", "reference")]
        shown["rows"] = [rows for rows in errors.rows if rows[0] in sides[0] and rows[1] in sides[1]]
    if explained and pair.prediction is not None and pair.values["teds"] is not None:
        try:
            shown["script"] = _show_edits(_edits_of(pair.prediction, pair.reference, profile))
        except TableError as error:
            shown["script_missing"] = error.issue.message  # English, as all of a part is
    return shown


def _show_side(side: ParsedTable | None, marks: Marks | None = None) -> dict[str, Any] | None:
    try:
        return None if side is None else _show_grid(side.grid, marks or {})
    except TableError:
        return None


def _with_rest(shown: dict[str, Any], left_out: int) -> dict[str, Any]:
    return {**shown, "left_out": left_out} if left_out > 0 else shown


def _short(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a table's tree; its row and column are counted from 0 in the grid. A `tr` has only a row."""

    tag: str
    row: int | None = None
    col: int | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit on the way from the predicted table to the reference table.

    `delete` takes a node out of the prediction, `insert` adds one.
    """

    op: Operation
    cost: float
    prediction: Node | None
    reference: Node | None

    def as_json(self) -> dict[str, Any]:
        """Plain values, nothing that is not there."""
        made: dict[str, Any] = {"op": self.op, "cost": self.cost}
        for side, node in (("prediction", self.prediction), ("reference", self.reference)):
            if node is not None:
                place = {"row": node.row, "col": node.col}
                made[side] = {"tag": node.tag, **{name: at for name, at in place.items() if at is not None}}
        return made


def edit_script(prediction_html: str, reference_html: str, *, profile: str = "standard") -> list[Edit]:
    """Evidence for a table score: edits from one HTML table to another; costs sum to the tree edit distance."""
    return _edits_of(ParsedTable(Table(prediction_html)), ParsedTable(Table(reference_html)), profile_of(profile))


def _edits_of(prediction: ParsedTable, reference: ParsedTable, profile: Profile) -> list[Edit]:
    """Edits that turn a predicted table into its reference table, as the profile reads them."""
    a, b = prediction.tree(profile), reference.tree(profile)
    places_a, places_b = _places(prediction, profile), _places(reference, profile)
    edits = []
    for i, j in mapping(a, b):
        left = _node(a, i, places_a) if i >= 0 else None
        right = _node(b, j, places_b) if j >= 0 else None
        cost = rename_cost(a, i, b, j) if left and right else 1.0
        op: Operation = "delete" if right is None else "insert" if left is None else "rename" if cost else "match"
        edits.append(Edit(op, cost, left, right))
    return edits


def rename_cost(a: TableTree, i: int, b: TableTree, j: int) -> float:
    """Cost, for the evidence, of renaming a table node: 1 if tag or span differ, else the share of edited tokens."""
    if a.labels[i] != b.labels[j]:
        return 1.0
    tags: dict[bytes, int] = {}
    tokens = [tokens_of(content, tags) for content in (a.contents[i], b.contents[j])]
    x, y = ([ord(char) for char in side] if isinstance(side, str) else side for side in tokens)
    return Levenshtein.distance(x, y) / max(len(x), len(y)) if x or y else 0.0


def _places(side: ParsedTable, profile: Profile) -> Mapping[etree._Element, tuple[int, int | None]]:
    """Row and column of each cell, and the row of each `tr` that has cells."""
    grid, elements = lay(side.element_of(profile)) if profile.rewrite else side.placed
    places: dict[etree._Element, tuple[int, int | None]] = {}
    for element, cell in zip(elements, grid.cells, strict=True):
        places[element] = cell.row, cell.col
        line = element.getparent()
        if line is not None and line.tag == "tr":
            places[line] = cell.row, None
    return places


def _node(tree: TableTree, at: int, places: Mapping[etree._Element, tuple[int, int | None]]) -> Node:
    element = tree.nodes[at]
    if element is None:
        return Node(str(tree.labels[at]))
    return Node(str(element.tag), *places.get(element, ()))
