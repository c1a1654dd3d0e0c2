"""Evidence for table scores: both tables of each pair and the edits between them, of bounded size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from lxml import etree
from rapidfuzz.distance import Levenshtein

from jatdae.tables.extraction import Table
from jatdae.tables.grid import Cell, Grid
from jatdae.tables.pairs import ParsedTable, TablePair
from jatdae.tables.profiles import Profile, profile_of
from jatdae.tables.table_issues import TableError
from jatdae.tables.tree_similarity import TableTree, mapping, tokens_of

Operation = Literal["match", "rename", "insert", "delete"]

MAX_TABLES: Final = 20
MAX_EXTRA: Final = 5
MAX_CELLS: Final = 600
MAX_EDITS: Final = 1200
MAX_TEXT: Final = 200


def show_document(
    pairs: Sequence[TablePair], predictions: Sequence[ParsedTable | None], profile: Profile, *, explained: bool
) -> dict[str, Any]:
    """Evidence of a document: the tables of each pair, and the predicted tables without a partner."""
    used = {pair.number for pair in pairs}
    extra = [number for number in range(len(predictions)) if number not in used]
    shown = {
        "pairs": [_show_pair(pair, profile, explained) for pair in pairs[:MAX_TABLES]],
        "extra": [{"number": at, "prediction": _show_side(predictions[at])} for at in extra[:MAX_EXTRA]],
    }
    return _with_rest(shown, max(0, len(pairs) - MAX_TABLES) + max(0, len(extra) - MAX_EXTRA))


def _show_grid(grid: Grid) -> dict[str, Any]:
    """Evidence of a table grid: its first MAX_CELLS cells; `left_out` says how many more there are."""
    shown: dict[str, Any] = {
        "rows": grid.rows,
        "cols": grid.cols,
        "cells": [
            {
                "row": cell.row,
                "col": cell.col,
                "rowspan": cell.rowspan,
                "colspan": cell.colspan,
                "header": cell.header,
                "text": _short(cell.text),
            }
            for cell in grid.cells[:MAX_CELLS]
        ],
    }
    return _with_rest(shown, len(grid.cells) - MAX_CELLS)


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


def _show_pair(pair: TablePair, profile: Profile, explained: bool) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "id": pair.reference.table.id,
        "number": pair.number,
        "teds": pair.values["teds"],
        "teds_s": pair.values["teds_s"],
        "prediction": _show_side(pair.prediction),
        "reference": _show_side(pair.reference),
    }
    if explained and pair.prediction is not None and pair.values["teds"] is not None:
        try:
            shown["script"] = _show_edits(_edits_of(pair.prediction, pair.reference, profile))
        except TableError as error:
            shown["script_missing"] = error.issue.message  # English, as all of a part is
    return shown


def _show_side(side: ParsedTable | None) -> dict[str, Any] | None:
    try:
        return None if side is None else _show_grid(side.grid)
    except TableError:
        return None


def _with_rest(shown: dict[str, Any], left_out: int) -> dict[str, Any]:
    return {**shown, "left_out": left_out} if left_out > 0 else shown


def _short(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a table's tree; its row and column are counted from 0 in the grid."""

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
                place = {} if node.row is None else {"row": node.row, "col": node.col}
                made[side] = {"tag": node.tag, **place}
        return made


def edit_script(prediction_html: str, reference_html: str, *, profile: str = "standard") -> list[Edit]:
    """Evidence for a table score: edits from one HTML table to another; costs sum to the tree edit distance."""
    return _edits_of(ParsedTable(Table(prediction_html)), ParsedTable(Table(reference_html)), profile_of(profile))


def _edits_of(prediction: ParsedTable, reference: ParsedTable, profile: Profile) -> list[Edit]:
    """Edits that turn a predicted table into its reference table, as the profile reads them."""
    a, b = prediction.tree(profile), reference.tree(profile)
    places_a, places_b = _places(prediction), _places(reference)
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


def _places(side: ParsedTable) -> Mapping[etree._Element, Cell]:
    grid, elements = side.placed
    return dict(zip(elements, grid.cells, strict=True))


def _node(tree: TableTree, at: int, places: Mapping[etree._Element, Cell]) -> Node:
    element = tree.nodes[at]
    if element is None:
        return Node(str(tree.labels[at]))
    cell = places.get(element)
    return Node(str(element.tag)) if cell is None else Node(str(element.tag), cell.row, cell.col)
