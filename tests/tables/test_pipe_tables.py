"""Pipe tables by the GFM specification, and what is repaired beyond it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.core.characters import as_seen
from jatdae.tables import extract
from jatdae.tables.grid import Grid, grid_of
from jatdae.tables.pipe_tables import split_row


def texts(markdown: str) -> list[list[str]]:
    """The cells of the only table, row by row."""
    (table,) = extract(markdown)
    return lines(grid_of(table.html))


def lines(grid: Grid) -> list[list[str]]:
    made: list[list[str]] = [[] for _ in range(grid.rows)]
    for cell in grid.cells:
        made[cell.row].append(cell.text)
    return made


def test_header_and_body_become_thead_and_tbody():
    (table,) = extract("| a | b |\n|---|---|\n| 1 | 2 |\n")
    assert table.html == (
        "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>"
    )
    assert (table.source, table.line, table.faults) == ("markdown", 1, ())


def test_a_header_alone_is_a_table_without_tbody():
    (table,) = extract("| a |\n|---|\n")
    assert table.html == "<table><thead><tr><th>a</th></tr></thead></table>"


def test_alignment_is_kept():
    (table,) = extract("| l | c | r | n |\n|:--|:-:|--:|---|\n| 1 | 2 | 3 | 4 |")
    for cell in ('<td align="left">1', '<td align="center">2', '<td align="right">3', "<td>4"):
        assert cell in table.html


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        (r"| a \| b | c |", ["a | b", "c"]),
        (r"| `a \| b` | c |", ["`a | b`", "c"]),
        ("| `a | b` | c |", ["`a", "b`", "c"]),  # a code span does not protect a pipe
        (r"| a \\| b |", [r"a \| b"]),  # a pipe right after a backslash is text, whatever stands before
        ("a | b", ["a", "b"]),
        ("a | b |", ["a", "b"]),
        ("| a | b", ["a", "b"]),
        ("|  |  |", ["", ""]),
        ("||", [""]),
        ("alone", ["alone"]),
        ("  | a |\t", ["a"]),
    ],
)
def test_a_row_is_cut_at_bare_pipes(line, cells):
    assert split_row(line) == cells


def test_escaped_pipe_in_a_code_span_is_a_pipe():
    (table,) = extract("| f |\n|---|\n| `a\\|b` |")
    assert "<td><code>a|b</code></td>" in table.html


def test_missing_outer_pipes():
    assert texts("a | b\n--|--\n1 | 2\n") == [["a", "b"], ["1", "2"]]


@pytest.mark.parametrize("markdown", ["| a |\n|---|\n| 1 |", "| a |\n| :-: |\n| 1 |", "| a |\n:-:\n| 1 |"])
def test_one_column(markdown):
    assert texts(markdown) == [["a"], ["1"]]


def test_dashes_alone_below_a_line_underline_a_heading():
    assert extract("| a |\n---\n") == []
    assert extract("a | b\n---\n") == []


def test_short_rows_are_filled_and_long_ones_cut_with_a_fault():
    (table,) = extract("| a | b |\n|---|---|\n| 1 |\n| 1 | 2 | 3 |\n| 1 | 2 |")
    assert lines(grid_of(table.html)) == [["a", "b"], ["1", ""], ["1", "2"], ["1", "2"]]
    assert table.faults == ("2 of 3 rows do not have 2 cells",)


@pytest.mark.parametrize("delimiter", ["|---|", "|---|---|---|"])
def test_a_delimiter_row_of_another_width_is_repaired_with_a_fault(delimiter):
    (table,) = extract(f"| a | b |\n{delimiter}\n| 1 | 2 | 3 |")
    assert "the header has 2 cells" in table.faults[0]
    assert lines(grid_of(table.html))[1][:2] == ["1", "2"]


def test_nothing_of_the_wider_of_header_and_delimiter_row_is_lost():
    assert texts("| a | b |\n|---|---|---|\n| 1 | 2 | 3 |") == [["a", "b", ""], ["1", "2", "3"]]


def test_inline_markdown_in_cells_is_rendered():
    (table,) = extract("| **a** *b* ~~c~~ | [d](http://e) &lt; \\* |\n|---|---|")
    assert "<strong>a</strong> <em>b</em> <s>c</s>" in table.html
    assert '<a href="http://e">d</a> &lt; *' in table.html


def test_inline_html_in_cells_is_kept_but_cannot_break_out():
    (table,) = extract("| a<br>b<sup>2</sup> | </td></table><td>c |\n|---|---|")
    assert lines(grid_of(table.html)) == [["a b2", "</td></table><td>c"]]


def test_a_table_ends_at_an_empty_line_or_another_block():
    assert texts("| a |\n|---|\n| 1 |\n\n| 2 |") == [["a"], ["1"]]
    assert texts("| a |\n|---|\n| 1 |\n# head") == [["a"], ["1"]]
    assert texts("| a |\n|---|\n| 1 |\n</div>") == [["a"], ["1"]]
    assert texts("| a |\n|---|\n| 1 |\n> quote") == [["a"], ["1"]]


def test_a_table_interrupts_a_paragraph_and_follows_an_html_tag():
    assert texts("text\n| a |\n|---|\n| 1 |") == [["a"], ["1"]]
    assert texts("<div>\n| a |\n|---|\n| 1 |\n</div>") == [["a"], ["1"]]


@pytest.mark.parametrize("prefix", ["> ", "> > ", "- ", "1. "])
def test_a_table_in_a_quotation_or_a_list(prefix):
    later = prefix if ">" in prefix else " " * len(prefix)
    assert texts(f"{prefix}| a |\n{later}|---|\n{later}| 1 |") == [["a"], ["1"]]


@pytest.mark.parametrize(
    "markdown", ["# h\n\n```\n| a |\n|---|\n```", "    | a |\n    |---|\n", "<!--\n| a |\n|---|\n-->"]
)
def test_code_and_comments_hold_no_table(markdown):
    assert extract(markdown) == []


CELLS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp", "Zs")), max_size=8)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(st.integers(1, 4).flatmap(lambda n: st.lists(st.lists(CELLS, min_size=n, max_size=n), min_size=1, max_size=4)))
def test_what_is_written_with_escapes_is_read_back(rows):
    def write(cell: str) -> str:
        return "".join(f"\\{char}" if char.isascii() and not char.isalnum() else char for char in cell)

    body = [f"| {' | '.join(map(write, row))} |" for row in rows]
    markdown = "\n".join([body[0], "|" + "---|" * len(rows[0]), *body[1:]])
    assert texts(markdown) == [[as_seen(cell) for cell in row] for row in rows]


def test_a_pipe_in_a_formula_splits_only_where_the_row_has_room_for_it():
    header = extract("| $|E|$ | n |\n|---|---|\n| $|x|$ | 2 |\n")[0]
    assert [cell.text for cell in grid_of(header.html).cells] == ["$|E|$", "n", "$|x|$", "2"] and not header.faults
    assert grid_of(extract("| $a | b$ |\n|---|---|\n")[0].html).cols == 2
    prices = extract("| $5 | $6 | x |\n|---|---|\n")[0]
    assert prices.faults


@pytest.mark.parametrize(
    ("markdown", "cells"),
    [
        ("| a | b |\n| 1 | 2 |", [["a", "b"], ["1", "2"]]),
        (
            "|약물|용량|\n|아스피린|100|\n|메트포르민|500|\n",
            [["약물", "용량"], ["아스피린", "100"], ["메트포르민", "500"]],
        ),
        ("Table 1\n| a | b |\n| 1 | 2 |\n\nprose", [["a", "b"], ["1", "2"]]),
        ("> | a | b |\n> | 1 | 2 |", [["a", "b"], ["1", "2"]]),
        ("| a | b |\n| 1 | 2 | 3 |\n| 4 | 5 |", [["a", "b", ""], ["1", "2", "3"], ["4", "5", ""]]),
        # two rows above the delimiter: none is lost
        ("| A | B |\n| a | b |\n|---|---|\n| 1 | 2 |", [["A", "B"], ["a", "b"], ["1", "2"]]),
    ],
)
def test_rows_of_pipes_without_a_delimiter_row_below_the_first_are_a_table(markdown, cells):
    assert texts(markdown) == cells
    assert extract(markdown)[0].faults


def test_the_repaired_header_is_every_row_above_the_delimiter_or_the_first():
    (two,) = extract("| A | B |\n| a | b |\n|---|---|\n| 1 | 2 |")
    assert two.html.startswith("<table><thead><tr><th>A</th><th>B</th></tr><tr><th>a</th>")
    (none,) = extract("| a | b |\n| 1 | 2 |")
    assert none.html.startswith("<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td>")
    assert "delimiter" in none.faults[0]


@pytest.mark.parametrize(
    "markdown",
    [
        "| a | b |",  # a line alone
        "| a | b |\n\n| 1 | 2 |",
        "| a |\n| b |",  # a rule beside text, as old e-mail quotes
        "Home | About | Contact\nNews | Shop | Help",  # no outer pipes: prose
        "| a | b\n| 1 | 2",
        "|  |  |\n|  |  |",  # ruled paper
        "    | a | b |\n    | 1 | 2 |",  # code
        "```text\n| a | b |\n| 1 | 2 |\n```",
        "+---+---+\n| a | b |\n| c | d |\n| e | f |\n+---+---+",  # a drawn table, whose cells have several lines
    ],
)
def test_other_pipes_are_no_table(markdown):
    assert extract(markdown) == []


def test_many_rows_without_a_delimiter_take_linear_time():
    (table,) = extract("+\n" + "| a | b |\n" * 5_000)
    assert table.html.count("<tr>") == 5_000
