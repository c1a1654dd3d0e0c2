"""GriTS against a plain reading of its definition, and adjacency: which text stands next to which."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from jatdae.tables import grid_similarity
from jatdae.tables.grid import Cell, Grid, grid_of
from jatdae.tables.grid_similarity import adjacency_f1, grits_con, grits_top, relations
from jatdae.tables.table_issues import TableError

Matrix = list[list[Any]]


def plain(text: str) -> Grid:
    """A grid from lines of words."""
    rows = [line.split() for line in text.splitlines()]
    cells = [Cell(r, c, word) for r, row in enumerate(rows) for c, word in enumerate(row)]
    return Grid(len(rows), max(map(len, rows)), tuple(cells))


def grits(a: Grid, b: Grid) -> tuple[float, float]:
    return grits_top(a, b), grits_con(a, b)


def test_equal_tables_score_one():
    grid = grid_of("<table><tr><td colspan=2>a<tr><td>b<td>c</table>")
    assert grits(grid, grid) == (1.0, 1.0)


def test_a_missing_row_and_a_wrong_text():
    assert grits(plain("a b\nc d"), plain("a b\nc d\ne f")) == (2 * 4 / 10, 2 * 4 / 10)
    top, con = grits(plain("abc d"), plain("abx d"))
    assert (top, con) == (1.0, pytest.approx(2 * (2 / 3 + 1) / 4))


def test_a_split_cell_lowers_topology_by_its_overlap():
    merged = grid_of("<table><tr><td colspan=2>a</table>")
    split = plain("a b")
    assert grits(split, merged)[0] == pytest.approx(2 * (0.5 + 0.5) / 4)


def test_a_transposed_table_keeps_its_topology():
    assert grits(plain("A B\n1 2"), plain("A 1\nB 2")) == (1.0, 0.5)


def test_ragged_and_empty_tables_are_safe():
    ragged = grid_of("<table><tr><td>a<td>b<tr><td>c</table>")
    assert grits(ragged, ragged) == (1.0, 1.0)
    assert grits(ragged, plain("a b\nc d"))[1] == pytest.approx(2 * 3 / 8)
    nothing = Grid(0, 0, ())
    assert grits(nothing, nothing) == (1.0, 1.0)
    assert grits(nothing, ragged) == (0.0, 0.0)


@pytest.mark.parametrize("measure", [grits_top, grits_con])
def test_what_is_too_large_is_refused_before_any_work(measure):
    wide = Grid(200, 1000, (Cell(0, 0, "a"),))
    with pytest.raises(TableError) as caught:
        measure(wide, wide)
    assert caught.value.code == "too_large"


def test_texts_too_long_to_align_are_refused_for_the_content_only():
    long = [Grid(1, 1, (Cell(0, 0, letter * 320_000),)) for letter in "ab"]
    with pytest.raises(TableError, match="too long to align"):
        grits_con(*long)
    assert grits_top(*long) == 1.0


def test_random_tables_agree_with_the_definition():
    source = random.Random(7)
    for _ in range(150):
        a, b = random_grid(source), random_grid(source)
        assert grits(a, b) == (
            pytest.approx(factored(boxes(a), boxes(b), overlap), abs=1e-12),
            pytest.approx(factored(words(a), words(b), shared), abs=1e-12),
        )


def random_grid(source: random.Random) -> Grid:
    def cell() -> str:
        colspan, rowspan = source.choice((1, 1, 1, 2)), source.choice((1, 1, 1, 2))
        return f"<td colspan={colspan} rowspan={rowspan}>{source.choice(('ab', 'ac', 'abc'))}"

    rows = ["".join(cell() for _ in range(source.randrange(1, 4))) for _ in range(source.randrange(1, 5))]
    return grid_of(f"<table>{''.join(f'<tr>{row}' for row in rows)}</table>")


def boxes(grid: Grid) -> Matrix:
    made: Matrix = [[(0, 0, 1, 1)] * grid.cols for _ in range(grid.rows)]
    for row, line in enumerate(grid.slots().tolist()):
        for col, index in enumerate(line):
            if index >= 0:
                cell = grid.cells[index]
                left, top = cell.col - col, cell.row - row
                made[row][col] = (left, top, left + cell.colspan, top + cell.rowspan)
    return made


def words(grid: Grid) -> Matrix:
    return [[grid.cells[i].text if i >= 0 else "" for i in line] for line in grid.slots().tolist()]


def overlap(a: tuple[int, ...], b: tuple[int, ...]) -> float:
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    around = (max(a[2], b[2]) - min(a[0], b[0])) * (max(a[3], b[3]) - min(a[1], b[1]))
    return max(width, 0) * max(height, 0) / around


def shared(a: str, b: str) -> float:
    if not a and not b:
        return 1.0
    best = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            best[i][j] = best[i - 1][j - 1] + 1 if x == y else max(best[i - 1][j], best[i][j - 1])
    return 2 * best[-1][-1] / (len(a) + len(b))


def factored(a: Matrix, b: Matrix, reward: Callable[[Any, Any], float]) -> float:
    """Rows aligned by what aligning their cells gives, columns likewise, then the cells where both meet."""

    def line(x: list[Any], y: list[Any]) -> float:
        return align(x, y, reward)[0]

    rows = align(a, b, line)[1]
    cols = align([*zip(*a, strict=True)], [*zip(*b, strict=True)], line)[1]
    total = sum(reward(a[i][k], b[j][m]) for i, j in rows for k, m in cols)
    return 2 * total / (len(a) * len(a[0]) + len(b) * len(b[0]))


def align(a: list[Any], b: list[Any], reward: Callable[[Any, Any], float]) -> tuple[float, list[tuple[int, int]]]:
    rewards = [[reward(x, y) for y in b] for x in a]
    best = [[0.0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            best[i][j] = max(best[i - 1][j - 1] + rewards[i - 1][j - 1], best[i - 1][j], best[i][j - 1])
    pairs, i, j = [], len(a), len(b)
    while i and j:
        if best[i][j] == best[i - 1][j - 1] + rewards[i - 1][j - 1]:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif best[i][j] == best[i - 1][j]:
            i -= 1
        else:
            j -= 1
    return best[-1][-1], pairs


def tall(rows: int, step: int) -> Grid:
    return Grid(rows, 1, tuple(Cell(row, 0, str(row * step)) for row in range(rows)))


def test_rewards_that_are_computed_when_needed_are_those_that_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(7)
    pairs = [(random_grid(draw), random_grid(draw)) for _ in range(200)] + [(tall(90, 7), tall(80, 11))]
    held = [grits(a, b) for a, b in pairs]
    monkeypatch.setattr(grid_similarity, "_HELD", 0)
    assert [grits(a, b) for a, b in pairs] == held


@pytest.mark.parametrize(("measure", "megabytes"), [(grits_con, 50), (grits_top, 20)])
def test_a_thin_table_of_thousands_of_rows_takes_little_memory(
    measure: Callable[[Grid, Grid], float], megabytes: int
) -> None:
    """All rewards of one table would be 70 MB, and three such were held."""
    a, b = tall(3000, 1), tall(3000, 2)
    if measure is grits_top:
        a, b = (grid_of(f"<table><tr><td rowspan=60 colspan={width}>{'<tr>' * 59}</table>") for width in (50, 49))
    tracemalloc.start()
    try:
        assert 0.0 < measure(a, b) < 1.0
        assert tracemalloc.get_traced_memory()[1] < megabytes << 20
    finally:
        tracemalloc.stop()


def test_neighbours_to_the_right_and_below():
    grid = grid_of("<table><tr><td>a<td>b<tr><td>c<td>d</table>")
    assert sorted(relations(grid)) == [
        ("a", "b", "right", 0),
        ("a", "c", "below", 0),
        ("b", "d", "below", 0),
        ("c", "d", "right", 0),
    ]


def test_empty_cells_are_passed_over_and_counted():
    grid = grid_of("<table><tr><td>a<td><td>b<tr><td>c</table>")
    assert sorted(relations(grid)) == [("a", "b", "right", 1), ("a", "c", "below", 0)]


def test_a_spanning_cell_is_related_once_to_each_neighbour():
    grid = grid_of("<table><tr><td rowspan=2>a<td rowspan=2>b<td>c<tr><td>d</table>")
    assert sorted(relations(grid)) == [
        ("a", "b", "right", 0),
        ("b", "c", "right", 0),
        ("b", "d", "right", 0),
        ("c", "d", "below", 0),
    ]


def test_f1_of_shared_relations():
    whole = grid_of("<table><tr><td>a<td>b<td>c</table>")
    part = grid_of("<table><tr><td>a<td>b</table>")
    assert adjacency_f1(part, whole) == pytest.approx(2 * 1 / 3)
    assert adjacency_f1(whole, whole) == 1.0


def test_equal_relations_count_as_often_as_they_occur():
    twice = grid_of("<table><tr><td>a<td>a<td>a</table>")
    once = grid_of("<table><tr><td>a<td>a</table>")
    assert adjacency_f1(once, twice) == pytest.approx(2 * 1 / 3)


def test_tables_without_relations_agree():
    single = grid_of("<table><tr><td>a</table>")
    assert adjacency_f1(single, grid_of("<table><tr><td>b</table>")) == 1.0
