"""A plain table is read without a parser, and exactly as the parsers read it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.tables.cell_similarity import FoldedGrid, _fold_rows, fold_table
from jatdae.tables.cell_text import _PLAIN, _fold_any, fold
from jatdae.tables.extraction import find_elements
from jatdae.tables.pipe_tables import _parser, _render
from jatdae.tables.plain_tables import read_plain

WORDS = ["a", "B 2", "0.5", "치료군", "é", "< 3", "<=", "<b", "&lt;", "&amp;", "lt;", "&", "[1]", "-", "--", ":", ""]
MARKS = ["|", "\\", "*", "_", "$", "`", "~", "#", ">", "!", " ", "\t", "\r"]
UNSEEN = ["\x01", "\x0c", "\xa0", "\u2028", "\u3000", "\ufeff", "\udc80"]
PIECES = st.sampled_from([*WORDS, *MARKS, *UNSEEN])
CELLS = st.lists(PIECES, max_size=3).map("".join)
ROWS = st.lists(st.lists(CELLS, min_size=1, max_size=3), min_size=1, max_size=3)
TAGS = ["<table>", "</table>", "<tr>", "</tr>", "<td>", "</td>", "<th>", "</th>", "<thead>", "</thead>", "<tbody>"]
TAGS += ["</tbody>", "<tfoot>", "</tfoot>", '<td align="left">', '<td class="a" style="b">', '<th colspan="2">', "\n"]


def as_html(rows: list[list[str]]) -> str:
    lines = ("".join(f"<td>{cell}</td>\n" for cell in row) for row in rows)
    return f"<table>\n{''.join(f'<tr>{line}</tr>' for line in lines)}</table>\n"


def as_pipes(rows: list[list[str]]) -> str:
    head, *body = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([head, "|" + " :-- |" * len(rows[0]), *body]) + "\n"


def as_latex(rows: list[list[str]]) -> str:
    lines = "\\hline\n".join(f"{' & '.join(row)} \\\\\n" for row in rows)
    return f"\\begin{{tabular}}{{lcr}}\n\\toprule\n{lines}\\end{{tabular}}"


LATEX = [
    r"\textbf{b}",
    r"\multirow{2}{*}{R}",
    r"\multicolumn{2}{c}{M}",
    r"\SetCell[r=2,c=2]{c} S",
    r"$\pm$ 1",
    "$<$",
    "x",
]
LATEX += [
    r"R\&D",
    "5\\%",
    r"\textsuperscript{2}",
    "--",
    "``q''",
    "{",
    "}",
    "[",
    "]",
    "%",
    r"\hline",
    r"\cite{k}",
    "",
    "",
]
LATEX_CELLS = st.lists(st.sampled_from(LATEX), max_size=2).map(" ".join)
LATEX_ROWS = st.lists(st.lists(LATEX_CELLS, min_size=1, max_size=4), min_size=1, max_size=4)


def texts(grid: FoldedGrid) -> list[list[str]]:
    return [[grid.texts[at] for at in row] for row in grid.slots.tolist()]


def assert_read_alike(text: str) -> None:
    rows = read_plain(text)
    if rows is not None:
        assert texts(_fold_rows(rows)) == texts(fold_table(find_elements(text)[0]))


@settings(derandomize=True, deadline=None)
@given(ROWS)
def test_cells_are_what_the_parsers_find(rows):
    assert_read_alike(as_html(rows))
    assert_read_alike(as_pipes(rows))
    assert_read_alike(as_pipes([[f"**{cell}**" for cell in row] for row in rows]))
    assert_read_alike(as_latex(rows))


@settings(derandomize=True, deadline=None)
@given(LATEX_ROWS)
def test_latex_with_commands_and_spans_is_what_the_parsers_find(rows):
    assert_read_alike(as_latex(rows))


def test_latex_with_commands_is_read_without_html():
    text = as_latex([[r"\multicolumn{2}{c}{A}", "$x^2$"], [r"\textbf{1}", "R\\&D", r"m\textsuperscript{2}"]])
    assert read_plain(text) == [["A", "A", "$x^2$"], ["1", "R&D", "m^{2}"]]
    assert read_plain("\\begin{tabular}{l} <table> \\end{tabular}") is None


@settings(derandomize=True, deadline=None)
@given(st.lists(st.sampled_from([*TAGS, "a", "< 5"]), max_size=12).map("".join))
def test_tags_in_any_order_are_read_alike_or_left_to_the_parser(middle):
    assert_read_alike(f"<table>{middle}</table>")


@pytest.mark.parametrize(
    "text",
    [
        "<table><tr><td>a</td><td>p < 0.05</td></tr></table>",
        '<table>\n <thead><tr><th scope="col">a</th></tr></thead>\n <tbody><tr><td>치료군</td></tr></tbody></table>',
        "<table><tr><td>p &lt; 0.05 &amp;amp; q</td></tr></table>",
        "| a | b |\n|---|:-:|\n| 1 | 2 |\n",
        "| **a** | *b c* |\n|---|---|\n| **0.5** | 2 |\n",
        "\\begin{tabular}{l|r}\n\\hline\na & p < 0.05 \\\\ \\midrule\n치료군 & \\\\ \\bottomrule\n\\end{tabular}\n",
        r"\begin{tabular}{ll} a & \textbf{b} \\ \end{tabular}",
        r"\begin{tabular}{ll} a & b \\[2pt] c & d \\ \end{tabular}",
        r"\begin{tabular}{lp{2cm}} a & b \\ \end{tabular}",
        "\\begin{tabular}{ll} a & b \\\\ % c & d \\\\\n\\end{tabular}",
        r"\begin{tabular}{ll} a & b \\",
    ],
)
def test_plain_tables_are_read(text):
    assert read_plain(text) is not None
    assert_read_alike(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "|",
        "prose",
        '<table><tr><td colspan="2">a</td></tr></table>',
        "<table><tr><td>a<br>b</td></tr></table>",
        "<table><tr><td>&eacute;</td></tr></table>",
        "<table><tr><td>a</th></tr></table>",
        "<table><tr><td>a</td></tr></table><table><tr><td>b</td></tr></table>",
        "| a | b |\n|---|---|\n| 1 |\n",
        "| a | b |\n|---|---|\n\nbelow",
        "| **a** b | c |\n|---|---|\n",
        "| *a** | c |\n|---|---|\n",
        r"\begin{tabular}{ll} \hline \end{tabular}",
        r"\begin{tabular}{ll} a & b \\ \end{tabular} and more",
        "| a |\n|---|\n" + "| x |\n" * 50_000,
    ],
)
def test_all_else_is_for_the_parsers(text):
    assert read_plain(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "<table>" + "<tr>" * 20_000,
        "<table>" + "<tr><td>a" * 9_000,
        "|" * 90_000,
        "|**a" * 20_000,
        "\\begin{tabular}{" + "l" * 90_000,
    ],
)
def test_hostile_texts_are_refused_in_linear_time(text):
    assert read_plain(text) is None


@settings(derandomize=True, deadline=None)
@given(st.from_regex(_PLAIN, fullmatch=True))
def test_plain_characters_fold_as_any_others(text):
    assert fold(text) == _fold_any(text)


@settings(derandomize=True, deadline=None)
@given(st.sampled_from(["", "*", "**", "***"]), CELLS, st.sampled_from(["", "*", "**", "***"]))
def test_a_cell_is_rendered_as_the_parser_would(before, cell, after):
    source = f"{before}{cell}{after}".strip()
    if any(mark in source for mark in ("\x00", "\r", "\n", "\\", "&", "<b")):
        return  # what only the whole rendering knows: escapes, entities and tags
    tokens: list = []
    _parser().inline.parse(source, _parser(), {}, tokens)
    assert _render(source, {}) == _parser().renderer.render(tokens, _parser().options, {})
