"""Errors in the cells of a predicted table, counted as a careful person would count them.

Rows and columns of the two tables are laid on each other as GriTS-Con lays them, by their texts, so that a row too many
does not make every cell below it wrong. GriTS pairs lines for the least likeness, and may leave lines out on both sides
for it. Here lines that agree in less than half are paired in order where that makes more pairs. Two cells on the same
slot are partners. What is counted:

    spans          partners that cover different rows or columns, of those that both tables have
    headers        partners of which one is a header cell
    text           partners with different text
    notation       partners whose text is written differently and says the same, as cell F1 folds it
    cells_missed   cells of the reference without a partner
    cells_extra    cells of the prediction without a partner

Where one table has a merged cell and the other has several, one of these is its partner. The rest are not counted if
they are empty or repeat its text: they are the same mistake in the span.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from jatdae.tables.cell_text import fold
from jatdae.tables.grid import Cell, Grid
from jatdae.tables.grid_similarity import Alignment, Lines

NOTATION: Final = "notation"
"""Kind of difference that is no error."""
_ENOUGH: Final = 0.5
"""How similar two rows or columns are that surely belong together."""


@dataclass(frozen=True, slots=True)
class CellErrors:
    """Errors in the cells of a predicted table. A cell is given by its place in the list of its grid."""

    rows: list[tuple[int, int]]
    """Rows of the prediction and of the reference that lie on each other."""
    changed: list[tuple[int, int, list[str]]]
    """Partners that differ, of prediction and reference, and in what: text or notation, headers, spans."""
    missed: list[int]
    """Cells of the reference without a partner."""
    extra: list[int]
    """Cells of the prediction without a partner."""

    def counts(self) -> dict[str, int]:
        """Count the errors by their kinds, without kinds that do not occur."""
        counted = Counter(kind for _, _, kinds in self.changed for kind in kinds)
        counted["cells_extra"], counted["cells_missed"] = len(self.extra), len(self.missed)
        return dict(+counted)


def find_cell_errors(prediction: Grid, reference: Grid, alignment: Alignment, *, nfkc: bool = False) -> CellErrors:
    """Find the errors in the cells of a predicted table.

    With `nfkc`, texts of the same compatibility form are the same.
    """
    rows = _settle(alignment.rows, prediction.rows, reference.rows)
    cols = _settle(alignment.cols, prediction.cols, reference.cols)
    sides = [
        _Side(grid, _texts(grid, nfkc), [pair[side] for pair in rows], [pair[side] for pair in cols])
        for side, grid in enumerate((prediction, reference))
    ]
    touching = list(_touching(*sides))
    partners = _partners(touching, *sides)
    missed: list[int] = []
    extra: list[int] = []
    if len(partners) < len(sides[0].texts):
        extra = _alone(touching, partners, sides[0], sides[1])
    if len(partners) < len(sides[1].texts):
        backwards = [(j, i) for i, j in touching], [(j, i) for i, j in partners]
        missed = _alone(*backwards, sides[1], sides[0])
    return CellErrors(rows, list(_differing(partners, *sides)), missed, extra)


@dataclass(frozen=True, slots=True)
class _Side:
    """One of two tables: its grid, the texts of its cells, and the rows and columns that lie on those of the other."""

    grid: Grid
    texts: list[str]
    rows: list[int]
    cols: list[int]

    def slots(self) -> list[int]:
        """The cells on the slots that both tables have, row by row."""
        slots = self.grid.slots()
        if slots.shape != (len(self.rows), len(self.cols)):
            slots = slots[self.rows][:, self.cols]
        numbers: list[int] = slots.ravel().tolist()
        return numbers

    def covered(self, cell: Cell) -> tuple[int, ...]:
        """The rows and columns a cell covers, from and to, counted in those that both tables have."""
        return (
            bisect_left(self.rows, cell.row),
            bisect_left(self.rows, cell.row + cell.rowspan),
            bisect_left(self.cols, cell.col),
            bisect_left(self.cols, cell.col + cell.colspan),
        )


def _settle(lines: Lines, predicted: int, expected: int) -> list[tuple[int, int]]:
    """Pairs of rows, or columns: as many as there can be between those that surely belong together."""
    pairs = list(zip(lines.prediction, lines.reference, strict=True))
    if len(pairs) == predicted == expected:
        return pairs
    made: list[tuple[int, int]] = []
    last, unsure = (-1, -1), []
    for pair, agreement in (*zip(pairs, lines.agreement, strict=True), ((predicted, expected), 1.0)):
        if agreement < _ENOUGH:
            unsure.append(pair)
            continue
        found = _fill([last, *unsure, pair])
        most = min(pair[0] - last[0], pair[1] - last[1])
        made += found if len(found) == most else _fill([last, pair])
        last, unsure = pair, []
    return made[:-1]  # without the end of both tables


def _fill(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """All pairs but the first, with the lines between two of them paired in order."""
    made: list[tuple[int, int]] = []
    for a, b in pairwise(pairs):
        made += zip(range(a[0] + 1, b[0]), range(a[1] + 1, b[1]), strict=False)
        made.append(b)
    return made


def _texts(grid: Grid, nfkc: bool) -> list[str]:
    if nfkc:
        return [unicodedata.normalize("NFKC", cell.text) for cell in grid.cells]
    return [cell.text for cell in grid.cells]


def _touching(prediction: _Side, reference: _Side) -> Iterator[tuple[int, int]]:
    """Pairs of cells that share a slot, in reading order."""
    for i, j in dict.fromkeys(zip(prediction.slots(), reference.slots(), strict=True)):
        if i >= 0 and j >= 0:
            yield i, j


def _partners(touching: Sequence[tuple[int, int]], prediction: _Side, reference: _Side) -> list[tuple[int, int]]:
    """One partner for each cell: one with the same text if there is any, else the first that is free."""
    same = [(i, j) for i, j in touching if prediction.texts[i] == reference.texts[j]]
    partners: list[tuple[int, int]] = []
    taken: tuple[set[int], set[int]] = set(), set()
    for i, j in (*same, *touching):
        if i not in taken[0] and j not in taken[1]:
            taken[0].add(i)
            taken[1].add(j)
            partners.append((i, j))
    return partners


def _differing(
    partners: Sequence[tuple[int, int]], prediction: _Side, reference: _Side
) -> Iterator[tuple[int, int, list[str]]]:
    """Cells that differ from their partners, and in what."""
    for i, j in partners:
        a, b = prediction.grid.cells[i], reference.grid.cells[j]
        kinds = []
        if prediction.texts[i] != reference.texts[j]:
            same = fold(prediction.texts[i]) == fold(reference.texts[j])
            kinds.append(NOTATION if same else "text")
        if a.header != b.header:
            kinds.append("headers")
        plain = a.rowspan == a.colspan == b.rowspan == b.colspan == 1
        if not plain and prediction.covered(a) != reference.covered(b):
            kinds.append("spans")
        if kinds:
            yield i, j, kinds


def _alone(
    touching: Sequence[tuple[int, int]], partners: Sequence[tuple[int, int]], side: _Side, other: _Side
) -> list[int]:
    """Cells without a partner, but for the rest of what is one merged cell on the other side."""
    alone = set(range(len(side.texts))).difference(i for i, _ in partners)
    rest = {i for i, j in touching if i in alone and side.texts[i] in ("", other.texts[j])}
    return sorted(alone - rest)
