"""Why a TEDS is what it is: the operations of an optimal edit mapping, each cell with its row and column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from lxml import etree
from rapidfuzz.distance import Levenshtein

from jatdae.tables.grid import Cell
from jatdae.tables.loaded import Loaded
from jatdae.tables.profiles import Profile, profile_of
from jatdae.tables.reading import Table
from jatdae.tables.tree import TableTree, mapping, tokens_of

Operation = Literal["match", "rename", "insert", "delete"]


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a table's tree; rows and columns are counted from 0 and are those of the grid."""

    tag: str
    row: int | None = None
    col: int | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """One step from the prediction to the reference. `delete` takes a node out of the prediction, `insert` adds one."""

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
    """The edits that turn one HTML table into another; their costs add up to the tree edit distance."""
    return explain(Loaded(Table(prediction_html)), Loaded(Table(reference_html)), profile_of(profile))


def explain(prediction: Loaded, reference: Loaded, profile: Profile) -> list[Edit]:
    """The edits of a pair of tables."""
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
    """1 where tag or span differ, else the share of a cell's tokens that have to be edited."""
    if a.labels[i] != b.labels[j]:
        return 1.0
    tags: dict[bytes, int] = {}
    tokens = [tokens_of(content, tags) for content in (a.contents[i], b.contents[j])]
    x, y = ([ord(char) for char in side] if isinstance(side, str) else side for side in tokens)
    return Levenshtein.distance(x, y) / max(len(x), len(y)) if x or y else 0.0


def _places(side: Loaded) -> Mapping[etree._Element, Cell]:
    grid, elements = side.placed
    return dict(zip(elements, grid.cells, strict=True))


def _node(tree: TableTree, at: int, places: Mapping[etree._Element, Cell]) -> Node:
    element = tree.nodes[at]
    if element is None:
        return Node(str(tree.labels[at]))
    cell = places.get(element)
    return Node(str(element.tag)) if cell is None else Node(str(element.tag), cell.row, cell.col)
