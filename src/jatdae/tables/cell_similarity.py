"""Cell F1: how many cells of two tables say the same in the same place, as a person compares them.

    cell_f1 = 2 · hits / (positions + positions)

Both tables are laid out as grids, every position that a merged cell covers holding its text. Columns are aligned in
order by the texts they have in common, then rows by the positions of aligned columns that are equal, then columns once
more by aligned rows. A position is a hit where the folded texts are equal (see cell_text). Empty positions count.
`cell_f1_soft` adds the similarity of the texts where they differ, `cell_numbers` is the share of hits among positions
whose reference is a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np
from lxml import etree
from numpy.typing import NDArray
from rapidfuzz.distance import Indel

from jatdae.core.errors import UsageError
from jatdae.core.messages import speaker
from jatdae.tables.cell_text import fold
from jatdae.tables.extraction import find_elements
from jatdae.tables.grid import Grid, lay, row_groups, text_of
from jatdae.tables.grid_similarity import Indices, Kept, Numbers, align_lines
from jatdae.tables.plain_tables import read_plain
from jatdae.tables.table_issues import TableError, check_chars, check_slot_pairs

_AT_ONCE: Final = 1_000_000  # comparisons held at a time
_SURELY_SLOTS: Final = 100_000  # a grid up to this size is within the limits
_NUMERAL: Final = r"[+\-±]?[€£¥₩]?[0-9]+(?:[.,\x02][+\-]?[0-9]+)*[%‰°]?"
_NUMBER: Final = re.compile(rf"[(\[]?[<>≤≥≈~]?{_NUMERAL}(?:[±×·/:~-]{_NUMERAL})*[)\]]?\**")

_has_spans: Final = etree.XPath("boolean(.//@rowspan | .//@colspan)")

say = speaker(__name__)


def cell_f1(prediction: str, reference: str) -> float | None:
    """F1 of the cells of two tables that say the same in the same place; None if not comparable.

    Each is the text of one table: Markdown, HTML or LaTeX; of several the first counts. A prediction without a table
    scores 0; a reference without one is None.
    """
    for text in (prediction, reference):
        if not isinstance(text, str):
            raise UsageError(say("cell_f1_of_no_text", kind=type(text).__name__))
    try:
        wanted = _fold_first(reference)
        if wanted is None:
            return None
        found = _fold_first(prediction)
        return 0.0 if found is None else align_cells(found, wanted).f1
    except TableError:
        return None


def _fold_first(text: str) -> FoldedGrid | None:
    """Fold the first table of a text; None where there is none."""
    rows = read_plain(text)
    if rows is not None:
        return _fold_rows(rows)
    found = find_elements(text)
    return fold_table(found[0]) if found else None


@dataclass(frozen=True, slots=True)
class FoldedGrid:
    """A table as a grid of folded texts: each position has the number of its text."""

    texts: Sequence[str]
    slots: Indices

    @property
    def has_numbers(self) -> bool:
        """Whether any cell is a number."""
        return any(map(_NUMBER.fullmatch, self.texts))


@dataclass(frozen=True, slots=True)
class CellMatch:
    """How the cells of two tables match."""

    prediction: FoldedGrid
    reference: FoldedGrid
    rows: Kept
    cols: Kept
    equal: NDArray[np.bool_]
    """For each aligned row and column, whether the two positions say the same."""

    @property
    def f1(self) -> float:
        """2 · hits / (positions + positions); 1 where neither table has any."""
        return self._f1(float(self.equal.sum()))

    @property
    def soft(self) -> float:
        """The same with the similarity of two texts, 2 · LCS / (length + length), where they differ."""
        a, b = self._aligned()
        differing = ~self.equal
        pairs, times = np.unique(np.stack([a[differing], b[differing]]), axis=1, return_counts=True)
        similar = (
            Indel.normalized_similarity(self.prediction.texts[i], self.reference.texts[j]) for i, j in pairs.T.tolist()
        )
        partial = float(np.dot(np.fromiter(similar, np.float64, len(times)), times))
        return self._f1(float(self.equal.sum()) + partial)

    @property
    def numbers(self) -> float | None:
        """Share of hits among positions whose reference is a number; None where there is none."""
        numeric = np.array([_NUMBER.fullmatch(text) is not None for text in self.reference.texts], dtype=np.bool_)
        wanted = int(numeric[self.reference.slots].sum()) if numeric.size else 0
        return float((self.equal & numeric[self._aligned()[1]]).sum()) / wanted if wanted else None

    def _f1(self, hits: float) -> float:
        positions = self.prediction.slots.size + self.reference.slots.size
        return 2.0 * hits / positions if positions else 1.0

    def _aligned(self) -> tuple[Indices, Indices]:
        return (
            self.prediction.slots[np.ix_(self.rows[0], self.cols[0])],
            self.reference.slots[np.ix_(self.rows[1], self.cols[1])],
        )


def fold_table(table: etree._Element) -> FoldedGrid:
    """Fold the texts of a table element; one without spans needs no layout, which is half of the time."""
    rows = [row for _, group in row_groups(table) for row in group]
    width = max(map(len, rows), default=0)
    if width * len(rows) > _SURELY_SLOTS or _has_spans(table):
        return fold_grid(*lay(table, texts=False))
    return _fold_rows([[_seen(cell) for cell in row] for row in rows])


def _fold_rows(rows: Sequence[Sequence[str]]) -> FoldedGrid:
    """Fold rows of texts, with short ones filled up."""
    width = max(map(len, rows), default=0)
    numbers: dict[str, int] = {"": 0}
    slots: list[int] = []
    for row in rows:
        slots += [numbers.setdefault(fold(text), len(numbers)) for text in row]
        slots += [0] * (width - len(row))
    return FoldedGrid(list(numbers), np.array(slots, dtype=np.int64).reshape(len(rows), width))


def fold_grid(grid: Grid, elements: Sequence[etree._Element]) -> FoldedGrid:
    """Fold the texts of a table's grid; `elements` are those of its cells."""
    numbers: dict[str, int] = {}
    of_cell = [numbers.setdefault(fold(_seen(element)), len(numbers)) for element in elements]
    of_cell.append(numbers.setdefault("", len(numbers)))  # -1: no cell
    return FoldedGrid(list(numbers), np.array(of_cell, dtype=np.int64)[grid.slots()])


def align_cells(prediction: FoldedGrid, reference: FoldedGrid) -> CellMatch:
    """Align columns, rows and columns again of two tables, and compare the cells that lie on each other."""
    a, b = _numbered_alike(prediction, reference)
    check_slot_pairs(a.size, b.size)
    if not (a.size and b.size):
        return CellMatch(prediction, reference, ([], []), ([], []), np.zeros((0, 0), dtype=np.bool_))
    if a.shape == b.shape and np.array_equal(a, b):
        rows, cols = ((list(range(n)), list(range(n))) for n in a.shape)
        return CellMatch(prediction, reference, rows, cols, np.ones(a.shape, dtype=np.bool_))
    cols = _align(iter([_common(a, b)]), a.shape[1], b.shape[1])
    rows = _align(_equal_positions(_taken(a, cols[0], 1), _taken(b, cols[1], 1)), len(a), len(b))
    a_rows, b_rows = _taken(a, rows[0], 0), _taken(b, rows[1], 0)
    cols = _align(_equal_positions(a_rows.T, b_rows.T), a.shape[1], b.shape[1])
    equal = _taken(a_rows, cols[0], 1) == _taken(b_rows, cols[1], 1)
    return CellMatch(prediction, reference, rows, cols, equal)


def check_similarity(prediction: FoldedGrid, reference: FoldedGrid) -> None:
    """Refuse two tables with distinct texts too long to compare by similarity."""
    check_slot_pairs(prediction.slots.size, reference.slots.size)
    check_chars(*(sum(map(len, side.texts)) for side in (prediction, reference)))


def _seen(cell: etree._Element) -> str:
    """What is to be folded of a cell: white space need not be collapsed before."""
    return text_of(cell, raised=True) if len(cell) else cell.text or ""


def _numbered_alike(a: FoldedGrid, b: FoldedGrid) -> tuple[Indices, Indices]:
    """Both grids with the numbers that the texts have in the first; a text that is only in the second gets its own."""
    numbers = {text: number for number, text in enumerate(a.texts)}
    renumbered = [numbers.setdefault(text, len(numbers)) for text in b.texts]
    return a.slots, np.array(renumbered, dtype=np.int64)[b.slots]


def _common(a: Indices, b: Indices) -> Numbers:
    """For each column of `a` and each of `b`, how many texts they have in common, wherever in the column."""
    kinds = int(max(a.max(), b.max())) + 1
    if a.shape[1] * b.shape[1] * kinds <= _AT_ONCE:
        counts_a, counts_b = (_counts(side, kinds) for side in (a, b))
        shared: Numbers = np.minimum(counts_a[:, None], counts_b[None]).sum(axis=2, dtype=np.float64)
        return shared
    common = np.zeros((a.shape[1], b.shape[1]))
    for number in np.intersect1d(a, b):
        times_a, times_b = ((side == number).sum(axis=0) for side in (a, b))
        held = np.ix_(times_a.nonzero()[0], times_b.nonzero()[0])
        common[held] += np.minimum.outer(times_a[held[0].ravel()], times_b[held[1].ravel()])
    return common


def _counts(side: Indices, kinds: int) -> Indices:
    """For each column, how often each number is in it."""
    cols = side.shape[1]
    counted = np.bincount((side + np.arange(cols) * kinds).ravel(), minlength=cols * kinds)
    return counted.reshape(cols, kinds)


def _equal_positions(a: Indices, b: Indices) -> Iterator[Numbers]:
    """For some rows of `a` after others, in how many positions each is equal to each row of `b`."""
    step = max(1, _AT_ONCE // max(b.size, 1))
    for top in range(0, len(a), step):
        yield (a[top : top + step, None] == b[None]).sum(axis=2, dtype=np.float64)


def _taken(side: Indices, lines: Sequence[int], axis: int) -> Indices:
    """Some rows or columns of a grid; where it is all of them the grid itself, which is nearly always."""
    return side if len(lines) == side.shape[axis] else side.take(lines, axis)


def _align(rewards: Iterator[Numbers], rows: int, cols: int) -> Kept:
    """The best order-keeping alignment; the one in order is seen to be best where no line is more like another."""
    first = next(rewards)
    if len(first) == rows == cols and (first.diagonal() >= first.max(axis=1)).all():
        return list(range(rows)), list(range(rows))
    return align_lines(chain([first], rewards), rows, cols)
