"""Spans resolved as the HTML standard does, and grids that survive the way through HTML."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.tables.elements import find_tables
from jatdae.tables.grid import Cell, Grid, grid_of, lay
from jatdae.tables.table_issues import TableError


def slots(html: str) -> list[list[int]]:
    made: list[list[int]] = grid_of(html).slots().tolist()
    return made


def test_spans_push_later_cells_aside():
    html = "<table><tr><td rowspan=2>0<td colspan=2>1<tr><td>2<td rowspan=2>3<tr><td>4<td>5</table>"
    assert slots(html) == [[0, 1, 1], [0, 2, 3], [4, 5, 3]]


def test_ragged_rows_leave_holes():
    assert slots("<table><tr><td>0<td>1<tr><td>2</table>") == [[0, 1], [2, -1]]


def test_rowspan_zero_reaches_to_the_end_of_its_group():
    html = "<table><thead><tr><td rowspan=0>0<td>1</thead><tbody><tr><td>2<td>3</tbody></table>"
    assert slots(html) == [[0, 1], [2, 3]]
    assert slots("<table><tr><td rowspan=0>0<td>1<tr><td>2<tr><td>3</table>") == [[0, 1], [0, 2], [0, 3]]


def test_a_rowspan_ends_with_its_row_group_and_is_told():
    grid = grid_of("<table><thead><tr><th rowspan=3>0</thead><tbody><tr><td>1</tbody></table>")
    assert grid.slots().tolist() == [[0], [1]]
    assert grid.faults == (("rowspan_too_long", {"row": 1, "col": 1, "rowspan": 3}),)


def test_overlapping_cells_are_told_and_the_first_keeps_its_slots():
    grid = grid_of("<table><tr><td>0<td rowspan=2>1<tr><td colspan=2>2</table>")
    assert grid.slots().tolist() == [[0, 1], [2, 1]]
    assert grid.faults == (("cells_overlap", {"row": 2, "col": 1}),)


@pytest.mark.parametrize("span", ["1000000000", "9" * 400])
def test_a_giant_colspan_takes_a_thousand_columns(span):
    assert grid_of(f'<table><tr><td colspan="{span}">a</table>').cols == 1000


@pytest.mark.parametrize("span", ["abc", "", "-3", "2.0", "٣"])
def test_a_span_that_is_no_number_counts_as_one(span):
    assert grid_of(f'<table><tr><td colspan="{span}" rowspan="{span}">a</table>').cells == (Cell(0, 0, "a"),)


def test_spans_cannot_make_a_grid_larger_than_the_limit():
    with pytest.raises(TableError, match="1,000,000 slots") as caught:
        grid_of("<table>" + '<tr><td colspan="1000" rowspan="60000">a' * 2000 + "</table>")
    assert caught.value.code == "too_large"


def test_header_cells_are_th_and_whatever_stands_in_thead():
    html = "<table><thead><tr><td>a</thead><tr><th>b<td>c</table>"
    assert [cell.header for cell in grid_of(html).cells] == [True, True, False]


def test_cells_outside_any_row_form_a_row():
    assert slots("<table><td>0<td>1<tr><td>2</table>") == [[0, 1], [2, -1]]


def test_rows_of_a_nested_table_belong_to_it():
    grid = grid_of("<table><tr><td>a<table><tr><td>b<td>c</table>d</table>")
    assert (grid.rows, grid.cols, grid.cells[0].text) == (1, 1, "a b c d")


def test_text_is_collapsed_and_blocks_are_set_apart():
    html = "<table><tr><td> a\n b<br>c<p>d</p><p>e</p><b>f</b>g\xa0h</td></tr></table>"
    assert grid_of(html).cells[0].text == "a b c d e fg h"


def test_no_table_is_an_error():
    with pytest.raises(TableError, match="no <table>"):
        grid_of("<p>nothing</p>")


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    """A full grid with random spans, filled slot by slot."""
    rows, cols = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    free = np.ones((rows, cols), dtype=bool)
    cells = []
    for row in range(rows):
        for col in range(cols):
            if free[row, col]:
                room = cols - col if free[row, col:].all() else int(free[row, col:].argmin())
                colspan = draw(st.integers(1, room))
                rowspan = draw(st.integers(1, rows - row))
                free[row : row + rowspan, col : col + colspan] = False
                text = draw(st.text("a<&>\"' 한", max_size=4).map(lambda text: " ".join(text.split())))
                cells.append(Cell(row, col, text, rowspan, colspan, draw(st.booleans())))
    return Grid(rows, cols, tuple(cells))


@settings(derandomize=True, max_examples=100, deadline=None)
@given(grids())
def test_a_grid_survives_the_way_through_html(grid):
    assert grid_of(grid.to_html()) == grid
    assert (grid.slots() >= 0).all()


def test_a_table_is_laid_out_the_same_without_its_texts() -> None:
    rows = "<tr><td rowspan=2>a</td><th colspan=3>b</th></tr><tr><td>c</td></tr><tr><td rowspan=9>d</td></tr>"
    table = find_tables(f"<table>{rows}</table>")[0]
    whole, bare = lay(table)[0], lay(table, texts=False)[0]
    assert [cell._replace(text="") for cell in whole.cells] == list(bare.cells)
    assert (whole.rows, whole.cols, whole.faults, whole.sections) == (bare.rows, bare.cols, bare.faults, bare.sections)
