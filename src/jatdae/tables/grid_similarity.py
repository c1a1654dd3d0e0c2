"""Similarity of two tables as grids: GriTS, cell adjacency, content, exact match, and differences in size.

    GriTS_f(A, B) = 2 · Σ f(Ã_ij, B̃_ij) / (|A| + |B|)

Ã and B̃ are the most similar substructures: the rows and columns of A and of B that, kept in order and laid on each
other, give the largest sum. They are found factored, rows and columns apart, each by dynamic programming. |A| is
rows times columns; f compares two slots. Smock, Pesala and Abraham, "GriTS: Grid table similarity metric for table
structure recognition", ICDAR 2023.

Their program takes SequenceMatcher's blocks for the longest common subsequence; here it is the longest, as defined.
A slot no cell covers (ragged tables) is a cell of its own, empty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel, Levenshtein
from rapidfuzz.process import cdist

from jatdae.tables.grid import Grid
from jatdae.tables.table_issues import check_chars, check_slot_pairs

_AT_ONCE: Final = 100_000  # numbers held at a time
_HELD: Final = 4_000_000  # rewards of pairs that are held rather than computed when they are needed
Numbers = NDArray[np.float64]
Indices = NDArray[np.int64]
Relation = tuple[str, str, Literal["right", "below"], int]


def grits_top(prediction: Grid, reference: Grid) -> float:
    """GriTS topology, a similarity of two tables as grids.

    f compares the boxes of two cells relative to the slots: intersection over enclosing box.
    """
    sizes = prediction.rows * prediction.cols, reference.rows * reference.cols
    return _top(prediction, reference) if all(sizes) else float(not any(sizes))


def grits_con(prediction: Grid, reference: Grid) -> float:
    """GriTS content, a similarity of two tables as grids: f compares two cell texts, 2·LCS / (length + length)."""
    return align_texts(prediction, reference).similarity


@dataclass(frozen=True, slots=True)
class Lines:
    """Rows, or columns, of two grids that are laid on each other, in order: the n-th on the n-th."""

    prediction: list[int]
    reference: list[int]
    agreement: list[float]
    """How similar each pair is, from 0 to 1 for the shorter of the two."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """The most similar substructures of two grids: the rows and columns that are laid on each other."""

    rows: Lines
    cols: Lines
    similarity: float
    """GriTS."""


def align_texts(prediction: Grid, reference: Grid) -> Alignment:
    """Find the most similar substructures of two tables as grids by the texts of their cells, as GriTS-Con does."""
    a, b = prediction, reference
    if not (a.rows * a.cols and b.rows * b.cols):
        nothing = Lines([], [], [])
        return Alignment(nothing, nothing, float(a.rows * a.cols == b.rows * b.cols))
    check_texts(a, b)
    texts_a, at_a = _texts(a)
    texts_b, at_b = _texts(b)
    if texts_a == texts_b and np.array_equal(at_a, at_b):
        rows, cols = (Lines(list(range(n)), list(range(n)), [1.0] * n) for n in (a.rows, a.cols))
        return Alignment(rows, cols, 1.0)
    rewards = _text_rewards(texts_a, texts_b)
    of_rows, of_cols = _kept(rewards, at_a, at_b), _kept(rewards, at_a.T, at_b.T)
    similarity = _similarity(rewards, at_a, at_b, of_rows, of_cols)
    rows = Lines(*of_rows, _agreement(rewards, at_a[of_rows[0]], at_b[of_rows[1]]))
    cols = Lines(*of_cols, _agreement(rewards, at_a.T[of_cols[0]], at_b.T[of_cols[1]]))
    return Alignment(rows, cols, similarity)


def check_slots(prediction: Grid, reference: Grid) -> None:
    """Refuse two tables whose grids have too many pairs of slots to align."""
    check_slot_pairs(prediction.rows * prediction.cols, reference.rows * reference.cols)


def check_texts(prediction: Grid, reference: Grid) -> None:
    """Refuse two tables whose grids have distinct cell texts too long to align."""
    check_slots(prediction, reference)
    check_chars(*(sum(map(len, {cell.text for cell in grid.cells})) for grid in (prediction, reference)))


def adjacency_f1(prediction: Grid, reference: Grid) -> float:
    """F1 of the cell adjacency relations of two tables as grids: 2 · shared / all; 1 where neither has any.

    Every cell with text is related to the nearest cell with text to its right and below it, in each row and column it
    takes: (text, text, direction, empty slots between). Göbel, Hassan, Oro and Orsi, "A methodology for evaluating
    algorithms for table understanding in PDF documents", DocEng 2012, as in the ICDAR 2013 table competition.
    """
    a, b = Counter(relations(prediction)), Counter(relations(reference))
    total = a.total() + b.total()
    return 2.0 * (a & b).total() / total if total else 1.0


def content(prediction: Grid, reference: Grid) -> float:
    """Similarity of the cell texts of two tables in reading order: 1 − Levenshtein / longer length.

    The places of the cells do not matter.
    """
    check_content(prediction, reference)
    return Levenshtein.normalized_similarity(_written(prediction), _written(reference))


def exact_match(prediction: Grid, reference: Grid) -> float:
    """1 if the grids of two tables have the same texts, places and spans, else 0; header cells are cells."""
    sides = [
        (side.rows, side.cols, [(cell.row, cell.col, cell.rowspan, cell.colspan, cell.text) for cell in side.cells])
        for side in (prediction, reference)
    ]
    return float(sides[0] == sides[1])


def row_diff(prediction: Grid, reference: Grid) -> float:
    """Relative difference of the grids of two tables in rows: |rows − rows| / the larger."""
    return _relative_difference(prediction.rows, reference.rows)


def col_diff(prediction: Grid, reference: Grid) -> float:
    """Relative difference of the grids of two tables in columns: |columns − columns| / the larger."""
    return _relative_difference(prediction.cols, reference.cols)


def check_content(prediction: Grid, reference: Grid) -> None:
    """Refuse two tables whose grids have, as a whole, texts too long to align."""
    check_chars(len(_written(prediction)), len(_written(reference)))


def relations(grid: Grid) -> Iterator[Relation]:
    """Adjacency relations of the cells in a table's grid; two that touch along several slots are related once."""
    slots = grid.slots()
    direction: Literal["right", "below"]
    for direction, lines in (("right", slots.tolist()), ("below", slots.T.tolist())):
        seen: set[tuple[int, int]] = set()
        for line in lines:
            last = -1  # the last cell with text
            empty = 0
            for index in line:
                text = grid.cells[index].text if index >= 0 else ""
                if not text:
                    empty += 1
                elif index != last:
                    if last >= 0 and (last, index) not in seen:
                        seen.add((last, index))
                        yield grid.cells[last].text, text, direction, empty
                    last, empty = index, 0


def _top(a: Grid, b: Grid) -> float:
    check_slots(a, b)
    if not (a.complex or b.complex):  # every slot is like every other
        return 2.0 * min(a.rows, b.rows) * min(a.cols, b.cols) / (a.rows * a.cols + b.rows * b.cols)
    boxes_a, at_a = np.unique(_boxes_from_slots(a), axis=0, return_inverse=True)
    boxes_b, at_b = np.unique(_boxes_from_slots(b), axis=0, return_inverse=True)
    rewards: Rewards = _Computed(lambda a, b: _overlap(boxes_a[a], boxes_b[b]))
    if len(boxes_a) * len(boxes_b) <= _HELD:
        rewards = _Held(_overlap(boxes_a[:, None], boxes_b[None]))
    at_a, at_b = at_a.reshape(a.rows, a.cols), at_b.reshape(b.rows, b.cols)
    return _similarity(rewards, at_a, at_b, _kept(rewards, at_a, at_b), _kept(rewards, at_a.T, at_b.T))


def _text_rewards(a: list[str], b: list[str]) -> Rewards:
    """Similarities of the texts of two lists."""
    if len(a) * len(b) <= _HELD:
        return _Held(cdist(a, b, scorer=Indel.normalized_similarity, dtype=np.float64))
    lengths = [np.array([*map(len, texts)], dtype=np.float64) for texts in (a, b)]
    size = np.uint16 if lengths[0].max() + lengths[1].max() < 1 << 16 else np.uint32
    distances = cdist(a, b, scorer=Indel.distance, dtype=size)  # a quarter of the memory of similarities

    def similarity(a: Indices, b: Indices) -> Numbers:
        both = lengths[0][a] + lengths[1][b]
        return 1.0 - distances[a, b] / np.maximum(both, 1.0)  # two empty texts have distance 0

    return _Computed(similarity)


class _Held:
    """Rewards of all pairs of two lists, in memory."""

    def __init__(self, matrix: Numbers) -> None:
        self._matrix = matrix

    def of_line(self, column: Indices, lines: Indices) -> Numbers:
        """Of each number of a column with each of some lines: column × shape of the lines."""
        return np.take(self._matrix[column], lines, axis=1)

    def of_pairs(self, a: Indices, b: Indices) -> Numbers:
        """Of each number with the one in the same place."""
        return self._matrix[a, b]


class _Computed:
    """The same of lists so long that all pairs would take hundreds of megabytes: computed for each call."""

    def __init__(self, of_pairs: Callable[[Indices, Indices], Numbers]) -> None:
        self.of_pairs = of_pairs

    def of_line(self, column: Indices, lines: Indices) -> Numbers:
        return self.of_pairs(column[:, None, None], lines)


Rewards = _Held | _Computed
Kept = tuple[list[int], list[int]]
"""Rows, or columns, of two grids that are laid on each other."""


def _similarity(rewards: Rewards, a: Indices, b: Indices, rows: Kept, cols: Kept) -> float:
    """2 · reward of the most similar substructures / all slots; `a` and `b` index the two sides of `rewards`."""
    kept = rewards.of_pairs(a[np.ix_(rows[0], cols[0])], b[np.ix_(rows[1], cols[1])])
    return 2.0 * float(kept.sum()) / (a.size + b.size)


def _kept(rewards: Rewards, a: Indices, b: Indices) -> Kept:
    """The rows of `a` and `b` that are best laid on each other."""
    return align_lines(_line_rewards(rewards, a, b), len(a), len(b))


def _agreement(rewards: Rewards, a: Indices, b: Indices) -> list[float]:
    """The reward of aligning each row of `a` with that of `b` in the same place, by the length of the shorter."""
    best = np.zeros((len(a), b.shape[1] + 1))
    for column in a.T:
        paired = rewards.of_pairs(column[:, None], b) + best[:, :-1]
        np.maximum(paired, best[:, 1:], out=paired)
        np.maximum.accumulate(paired, axis=1, out=best[:, 1:])
    made: list[float] = (best[:, -1] / min(a.shape[1], b.shape[1])).tolist()
    return made


def _line_rewards(rewards: Rewards, a: Indices, b: Indices) -> Iterator[Numbers]:
    """For some rows of `a` after others, the rewards of aligning each with each row of `b`; they advance together."""
    step = max(1, _AT_ONCE // b.size)
    for top in range(0, len(a), step):
        part = a[top : top + step]
        best = np.zeros((len(part), b.shape[1] + 1, len(b)))
        for column in part.T:
            paired = rewards.of_line(column, b.T)
            paired += best[:, :-1]
            np.maximum(paired, best[:, 1:], out=paired)
            np.maximum.accumulate(paired, axis=1, out=best[:, 1:])
        yield best[:, -1]


def align_lines(rewards: Iterator[Numbers], rows: int, cols: int) -> tuple[list[int], list[int]]:
    """The pairs of a best order-keeping alignment; a tie is paired rather than skipped."""
    steps = np.empty((rows, cols), dtype=np.uint8)  # the way back: 0 pairs, 1 skips a row, 2 a column
    last = np.zeros(cols + 1)
    top = 0
    for lines in rewards:
        best = np.zeros((len(lines) + 1, cols + 1))
        best[0] = last
        for i, line in enumerate(lines):
            np.add(line, best[i, :-1], out=line)  # from here on the best if the two rows are paired
            np.maximum.accumulate(np.maximum(line, best[i, 1:]), out=best[i + 1, 1:])
        skips = np.where(best[1:, 1:] == best[:-1, 1:], 1, 2)
        steps[top : top + len(lines)] = np.where(best[1:, 1:] == lines, 0, skips)
        last = best[-1]
        top += len(lines)
    i, j = rows, cols
    pairs: list[tuple[int, int]] = []
    while i and j:
        step = steps.item(i - 1, j - 1)
        i, j = i - (step != 2), j - (step != 1)
        if not step:
            pairs.append((i, j))
    pairs.reverse()
    return [i for i, _ in pairs], [j for _, j in pairs]


def _boxes_from_slots(grid: Grid) -> Indices:
    """For each slot the box of its cell as seen from the slot: left, top, right, bottom."""
    starts = np.array([(cell.col, cell.row) for cell in grid.cells] + [(0, 0)], dtype=np.int64)
    spans = np.array([(cell.colspan, cell.rowspan) for cell in grid.cells] + [(1, 1)], dtype=np.int64)
    slots = grid.slots()
    here = np.stack(np.meshgrid(np.arange(grid.cols), np.arange(grid.rows)), axis=-1)
    low = np.where((slots < 0)[..., None], 0, starts[slots] - here)
    return np.concatenate([low, low + spans[slots]], axis=-1).reshape(-1, 4)


def _overlap(a: Indices, b: Indices) -> Numbers:
    """Intersection over the box that encloses both, of each box of `a` with that of `b` in the same place."""
    shared: Any = 1
    around: Any = 1
    for low, high in ((0, 2), (1, 3)):  # width, then height
        starts, ends = (a[..., low], b[..., low]), (a[..., high], b[..., high])
        shared = shared * np.maximum(np.minimum(*ends) - np.maximum(*starts), 0)
        around = around * (np.maximum(*ends) - np.minimum(*starts))
    overlap: Numbers = shared / around
    return overlap


def _texts(grid: Grid) -> tuple[list[str], Indices]:
    """The distinct texts, and for each slot the number of its text."""
    numbers: dict[str, int] = {}
    of_cell = [numbers.setdefault(cell.text, len(numbers)) for cell in grid.cells]
    of_cell.append(numbers.setdefault("", len(numbers)))  # -1: no cell
    return list(numbers), np.array(of_cell, dtype=np.int64)[grid.slots()]


def _written(grid: Grid) -> str:
    return " ".join(cell.text for cell in grid.cells if cell.text)


def _relative_difference(a: int, b: int) -> float:
    return abs(a - b) / max(a, b) if a or b else 0.0
