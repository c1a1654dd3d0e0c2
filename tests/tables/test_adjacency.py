"""Which text stands next to which."""

from __future__ import annotations

import pytest

from jatdae.tables.adjacency import adjacency_f1, relations
from jatdae.tables.grid import grid_of


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
