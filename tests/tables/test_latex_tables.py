"""LaTeX tables are read as they are printed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jatdae.core.contract import Sample
from jatdae.tables import TableEvaluator, cell_f1, extract, teds
from jatdae.tables.grid import grid_of
from jatdae.tables.table_issues import MAX_LATEX_CELLS

CASES = [json.loads(line) for line in (Path(__file__).parent / "cases" / "latex.jsonl").read_text("utf-8").splitlines()]
BEGIN, END = r"\begin{tabular}{ll}", r"\end{tabular}"


def rows_of(latex: str) -> list[list[dict[str, object]]]:
    grid = grid_of(extract(latex)[0].html)
    names = ("text", "rowspan", "colspan", "header")
    return [
        [{name: getattr(cell, name) for name in names} for cell in grid.cells if cell.row == row]
        for row in range(grid.rows)
    ]


def texts_of(latex: str) -> list[list[object]]:
    return [[cell["text"] for cell in row] for row in rows_of(latex)]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_table_is_read_as_it_is_printed(case):
    assert rows_of(case["latex"]) == case["rows"]


def test_no_case_is_lost():
    assert len(CASES) == 102


def test_empty_cells_before_one_that_cuts_a_span_off_stay():
    latex = r"\begin{tblr}{lll} \SetCell[r=2,c=2]{c} A & & x \\ & y & \\ 1 & 2 & 3 \\ \end{tblr}"
    assert texts_of(latex) == [["A", "x"], ["", "y", ""], ["1", "2", "3"]]


def test_a_bracket_left_open_in_a_cell_takes_nothing_from_the_next():
    assert texts_of(rf"{BEGIN} \cite{{k}} [a & b] \\ {END}") == [["[a", "b]"]]


@pytest.mark.parametrize(
    "rule",
    [
        "",
        r"\hline",
        r"\cline{1-2}",
        r"\midrule",
        r"\toprule[1pt]",
        r"\cmidrule(lr){1-2}",
        r"\cmidrule[1pt](lr){1-2}",
        r"\specialrule{1pt}{0pt}{0pt}",
        r"\rowcolor{gray}[2pt]",
        r"\addlinespace[.5em]",
        r"\midrule[\heavyrulewidth]",
    ],
)
@pytest.mark.parametrize("first", ["[12]", "[Ours] et al.", "(a)", "[in]"])
def test_a_first_cell_in_brackets_is_no_argument_of_what_stands_before_it(rule, first):
    assert texts_of(f"{BEGIN}{rule}\n{first} & 2019 \\\\\n {rule} {first} & x \\\\ {END}") == [
        [first, "2019"],
        [first, "x"],
    ]


@pytest.mark.parametrize("end", [r"\\[2pt]", r"\\ [1.5ex]", r"\\*[-\jot]", r"\\"])
def test_after_a_row_end_a_length_is_an_argument_and_other_brackets_are_a_cell(end):
    assert texts_of(rf"{BEGIN} a & b {end} [12] & c \\ {END}") == [["a", "b"], ["[12]", "c"]]


def test_rules_of_tabularray_take_styles():
    assert texts_of(r"\begin{tblr}{ll} a & b \\ \hline[dashed] c & d \\ \end{tblr}") == [["a", "b"], ["c", "d"]]


@pytest.mark.parametrize(
    "span", [r"\multirow{2}*{가}", r"\multirow2*{가}", r"\multirow 2{*}{가}", r"\multirow[t]2*[1pt]{가}"]
)
def test_arguments_of_multirow_may_have_no_braces(span):
    rows = rows_of(rf"{BEGIN} {span} & 나 \\ & 다 \\ {END}")
    assert [(cell["text"], cell["rowspan"]) for row in rows for cell in row] == [("가", 2), ("나", 1), ("다", 1)]


@pytest.mark.parametrize("span", [r"\multicolumn2c{가}", r"\multicolumn{2}c{가}", r"\multicolumn 2{c}{가}"])
def test_arguments_of_multicolumn_may_have_no_braces(span):
    rows = rows_of(rf"{BEGIN} {span} \\ 1 & 2 \\ {END}")
    assert [(cell["text"], cell["colspan"]) for row in rows for cell in row] == [("가", 2), ("1", 1), ("2", 1)]


def test_a_table_escaped_as_html_is_split_at_its_ampersands_and_says_so():
    latex = rf"{BEGIN} a &amp; p &lt; .05 \\ R\&amp;D &amp; d \\ {END}"
    assert texts_of(latex) == [["a", "p < .05"], ["R&D", "d"]]
    issues = TableEvaluator().score(Sample("", latex, latex.replace("&amp;", "&"))).issues
    assert any(issue.code == "table_repaired" and "entities" in issue.message for issue in issues)


@pytest.mark.parametrize("elsewhere", ["", r"p & q & r & s & t \\"])
def test_cells_of_a_short_row_below_a_span_stand_where_latex_prints_them(elsewhere):
    latex = rf"{BEGIN} \multirow{{2}}{{*}}{{A}} & B & C & D \\ & 1 & 2 \\ x & y & z & w \\ {elsewhere} {END}"
    cells = {cell.text: cell for cell in grid_of(extract(latex)[0].html).cells}
    assert [(cells[text].row, cells[text].col) for text in ("A", "B", "1", "C", "2", "D", "w")] == [
        (0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (0, 3), (2, 3)
    ]  # fmt: skip
    assert cells["A"].rowspan == 2


def test_an_over_wide_row_elsewhere_does_not_shift_the_header():
    latex = rf"{BEGIN} \multirow{{2}}{{*}}{{A}} & B & C \\ & 1 & 2 \\ x & y & z & w \\ {END}"
    assert [(cell.text, cell.col) for cell in grid_of(extract(latex)[0].html).cells if cell.row == 1][:2] == [
        ("1", 1),
        ("2", 2),
    ]


def test_a_latex_table_says_what_it_was_and_where():
    tables = extract(f"text\n\n{BEGIN}\na & b \\\\\nc & d\n{END}\n\n| x |\n|---|\n")
    assert [(table.source, table.line) for table in tables] == [("latex", 3), ("markdown", 8)]


def test_a_table_of_each_kind_compares_with_the_others():
    html = "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>"
    latex = f"{BEGIN} a & b \\\\ \\hline 1 & 2 \\\\ {END}"
    assert teds(latex, html) == teds("| a | b |\n|---|---|\n| 1 | 2 |", latex) == 1.0


def test_an_array_that_is_a_formula_is_no_table():
    for formula in (
        r"$$\left(\begin{array}{cc} a & b \\ c & d \end{array}\right)$$",
        r"$$\begin{array}{l} a = b \\ c = d \end{array}$$",
        r"\[ x = \begin{array}{c|c} a & b \\ c & d \end{array} \]",
    ):
        assert extract(formula) == []


def test_a_table_in_code_is_none_but_an_answer_in_a_fence_is():
    table = f"{BEGIN} a & b \\\\ {END}"
    assert extract(f"# Tables in LaTeX\n\n```latex\n{table}\n```\n\ntext") == []
    assert len(extract(f"```latex\n{table}\n```")) == 1
    assert len(extract(f"text\n\n```latex\n{table}\n```\n\ntext")) == 1


def test_a_table_that_is_cut_off_is_read_and_told():
    outcome = TableEvaluator().score(Sample("x", f"{BEGIN} a & b \\\\ 1 & 2", f"{BEGIN} a & b \\\\ 1 & 2 {END}"))
    assert outcome.values["cell_f1"] == 1.0
    assert "table_repaired" in {issue.code for issue in outcome.issues}


def test_a_table_in_a_cell_is_part_of_its_text():
    assert texts_of(rf"{BEGIN} \begin{{tabular}}{{c}} a \\ b \end{{tabular}} & c \\ {END}") == [["a b", "c"]]


def test_cells_left_out_below_a_span_are_not_missed():
    written = r"\multirow{2}{*}{x} & a & b \\ & c & d \\"
    left_out = r"\multirow{2}{*}{x} & a & b \\ c & d \\"
    assert rows_of(f"{BEGIN}{written}{END}") == rows_of(f"{BEGIN}{left_out}{END}")


def test_a_span_ends_above_a_cell_that_says_something():
    rows = rows_of(rf"{BEGIN} \multirow{{3}}{{*}}{{x}} & a \\ & b \\ y & c \\ {END}")
    assert [(row[0]["text"], row[0]["rowspan"]) for row in rows] == [("x", 2), ("b", 1), ("y", 1)]


@pytest.mark.parametrize(
    ("source", "text"), [("50% & b", "50%"), (r"50\% & b", "50%"), ("a % x\n& b", "a"), ("{5}% & b", "5%")]
)
def test_a_percent_sign_before_the_end_of_a_cell_is_no_comment(source, text):
    assert texts_of(f"{BEGIN} {source} \\\\ {END}") == [[text, "b"]]


HOSTILE = {
    "units never closed": f"{BEGIN} a & " + r"\SI{3}{" * 12_000,
    "units": f"{BEGIN} a & " + r"\SI{3}{\per\metre}" * 5_000 + rf" \\ {END}",
    "addresses never closed": f"{BEGIN} a & " + r"\url{a%" * 12_000,
    "begins": BEGIN * 20_000,
    "nested": BEGIN * 10_000 + END * 10_000,
    "braces": BEGIN + "{" * 100_000 + END,
    "dollars": BEGIN + "$" * 100_001 + END,
    "rows": BEGIN + r"a&b\\" * 10_000 + END,
    "spans down": BEGIN + r"\multirow{9999}{*}{x}&b\\" * 2_000 + END,
    "spans up": BEGIN + r" & b\\" * 3_000 + r"\multirow{-3000}{*}{x}&b\\" * 500 + END,
    "spans right": BEGIN + r"\multicolumn{9999}{c}{x}\\" * 190 + END,
    "comments": BEGIN + "%\n" * 50_000 + END,
    "options": BEGIN + r"\makecell[" * 20_000 + END,
    "verbatim": BEGIN + r"\verb|" * 30_000 + END,
    "mismatched": (BEGIN + r"\end{longtable}") * 10_000,
    "raised": BEGIN + r"\textsuperscript{" * 10_000 + "}" * 10_000 + END,
    "arrays": "$$\\begin{array}{c|c}a&b\\end{array}$$\n" * 2_000,
    "markup": BEGIN + r"<script>alert(1)</script> & </td></tr></table><b> \\" + END,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_latex_ends_soon_and_breaks_out_of_nothing(name):
    tables = extract(HOSTILE[name])
    assert len(tables) <= 2_000
    assert "<script" not in "".join(table.html for table in tables)


def test_too_many_cells_are_refused():
    outcome = TableEvaluator().score(Sample("x", BEGIN + "&" * (MAX_LATEX_CELLS + 1) + END, "| a |\n|---|"))
    assert outcome.values["cell_f1"] == 0.0 and "too_large" in {issue.code for issue in outcome.issues}


SPANS = [r"\multirow{2}{*}", r"\multirow{-2}{*}", r"\multicolumn{2}{c}"]
EDGES = [r"\hline", r"\cline{1-2}", r"\begin{tabular}", r"\end{tabular}", r"\endhead"]
PIECES = st.sampled_from(["a", "&", "\\\\", *"{}$%[]~", r"\textbf", r"\'", r"\(", *SPANS, *EDGES])


@given(st.lists(PIECES, max_size=40).map(" ".join))
def test_whatever_is_written_the_grid_is_full(body):
    for table in extract(f"{BEGIN}{body}{END}"):
        grid = grid_of(table.html)
        assert not grid.faults
        assert (grid.slots() >= 0).all()


@given(st.lists(st.lists(st.text("ab1 ", max_size=3), min_size=2, max_size=2), min_size=1, max_size=4))
def test_plain_rows_come_back(rows):
    body = "".join(f"{' & '.join(row)} \\\\\n" for row in rows)
    assert texts_of(f"{BEGIN}\n{body}{END}") == [[" ".join(cell.split()) for cell in row] for row in rows]


@pytest.mark.parametrize(
    "body",
    [
        r"\SetCell[r=9999,c=9999]{c} a & b \\ c & d",
        r"\SetCell[c=2 a & b \\ c & d",
        r"\SetCell a & b \\ c & d",
        r"\SetCell[r=-1,c=0]{} a & b \\ c & d",
        r"\SetCell[" * 2000,
        r"a & b \\ " * 100 + r"\SetCell[r=2]{} c",
    ],
)
def test_spans_of_tabularray_are_bounded(body):
    for table in extract(f"\\begin{{tblr}}{{cell{{1}}{{1}}={{c=9999}}{{}}}} {body} \\end{{tblr}}"):
        grid = grid_of(table.html)
        assert grid.rows <= 101 and grid.cols <= 2000


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (r"\text{New York}", "New York"),
        (r"\text {Total} ", "Total"),
        (r"\textbf{R\&D, a\_b}", "R&D, a_b"),
        (r"\mathbf{9 1 . 2}", "91.2"),
        (r"-2.5\%", "-2.5%"),
        ("1 0", "10"),
        (r"\cellcolor{red} \text{평균 값}", "평균 값"),
        ("x", "$x$"),
        (r"p < 0.05", "$p < 0.05$"),
        (r"10^{2}", "$10^{2}$"),
        (r"\alpha", r"$\alpha$"),
        (r"\text{a $x^2$}", r"$\text{a $x^2$}$"),
    ],
)
def test_words_and_numbers_of_an_array_are_text_and_the_rest_is_a_formula(cell, text):
    array = rf"\[\begin{{array}}{{|c|c|}} \hline \text{{h}} & 1 \\ \hline {cell} & 2 \\ \hline \end{{array}}\]"
    assert rows_of(array)[1][0]["text"] == text


def test_an_array_of_words_and_numbers_is_the_table_it_draws():
    rows = r"\multicolumn{2}{|c|}{\text{All of it}} \\ \hline \text{GPT} & 9.5 \\"
    array = rf"\[\begin{{array}}{{|l|c|}} \hline {rows} \hline \end{{array}}\]"
    drawn = "<table><tr><td colspan=2>All of it</td></tr><tr><td>GPT</td><td>9.5</td></tr></table>"
    assert teds(array, drawn) == cell_f1(array, drawn) == 1.0
