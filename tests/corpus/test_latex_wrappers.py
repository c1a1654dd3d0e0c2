"""Boxes and floats by other names: what is in them, its caption and its number are kept."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from jatdae.corpus.latex_gold import Converted, convert
from jatdae.corpus.latex_wrappers import count_captions, with_plain_floats
from jatdae.tables.extraction import extract
from jatdae.tables.grid import grid_of

needs_pandoc = pytest.mark.skipif(
    shutil.which("pandoc") is None and "CI" not in os.environ, reason="pandoc is not installed (apt-get install pandoc)"
)
TABLE = "\\begin{tabular}{ll}a & b\\\\ c & d\\end{tabular}"


def converted(folder: Path, body: str) -> Converted:
    (folder / "p.tex").write_text(f"\\documentclass{{article}}\\begin{{document}}{body}\\end{{document}}", "utf-8")
    return convert(folder / "p.tex", "p")


@needs_pandoc
@pytest.mark.parametrize(
    "float_of_two_rows",
    [
        f"\\begin{{table}}\\caption{{C}}\\label{{t}}\\resizebox{{\\columnwidth}}{{!}}{{\n{TABLE}\n}}\\end{{table}}",
        f"\\begin{{table*}}\\caption{{C}}\\label{{t}}\\scalebox{{.8}}[1]{{\\makebox[0pt]{{{TABLE}}}}}\\end{{table*}}",
        f"\\begin{{table}}\\caption{{C}}\\label{{t}}\\begin{{adjustbox}}{{width=\\textwidth}}{TABLE}\\end{{adjustbox}}\\end{{table}}",
        f"\\begin{{table}}\\caption{{C}}\\label{{t}}\\adjustbox{{max width=3cm}}{{{TABLE}}}\\end{{table}}",
        f"\\begin{{sidewaystable}}[t]\\caption{{C}}\\label{{t}}{TABLE}\\end{{sidewaystable}}",
        f"\\begin{{wraptable}}[9]{{r}}{{3cm}}\\caption{{C}}\\label{{t}}{TABLE}\\end{{wraptable}}",
        f"\\begin{{table}}\\begin{{threeparttable}}\\caption{{C}}\\label{{t}}{TABLE}\\end{{threeparttable}}\\end{{table}}",
    ],
)  # fmt: skip
def test_a_table_in_a_box_or_another_float_is_kept_with_its_number(tmp_path: Path, float_of_two_rows: str) -> None:
    last = f"\\begin{{table}}\\caption{{D}}\\label{{u}}{TABLE}\\end{{table}}"
    made = converted(tmp_path, f"{float_of_two_rows}\n\n{last}\n\nAs \\ref{{t}} and \\ref{{u}} show.")
    assert [line for line in made.markdown.splitlines() if line[:5] in ("Table", "As 1 ")] == [
        "Table 1: C", "Table 2: D", "As 1 and 2 show.",
    ]  # fmt: skip
    assert [len(grid_of(table.html).cells) for table in extract(made.markdown)] == [4, 4]
    assert "width" not in made.markdown
    assert not made.problems


@needs_pandoc
@pytest.mark.parametrize(
    ("figures", "captions"),
    [
        ("\\begin{wrapfigure}{r}{3cm}\\includegraphics{w}\\caption{A}\\end{wrapfigure}", ["A"]),
        ("\\begin{figure}\\subfloat[L\\label{a}]{\\includegraphics{l}}\\subfloat[R]{\\includegraphics{r}}\\caption{A}\\end{figure}",
         ["A", "(a) L", "(b) R"]),
        ("\\begin{figure}\\fbox{drawn}\\caption{A}\\end{figure}", ["A"]),
        ("\\begin{figure}\\begin{minipage}{3cm}\\includegraphics{l}\\caption{A}\\end{minipage}"
         "\\begin{minipage}[t]{3cm}\\includegraphics{r}\\caption{B}\\end{minipage}\\end{figure}", ["A", "B"]),
    ],
)  # fmt: skip
def test_a_figure_keeps_its_caption(tmp_path: Path, figures: str, captions: list[str]) -> None:
    last = "\\begin{figure}\\includegraphics{z}\\caption{Z}\\label{z}\\end{figure}"
    made = converted(tmp_path, f"{figures}\n\n{last}\n\nAs \\ref{{z}}.")
    said = [line for line in made.markdown.splitlines() if line]
    number = sum(not each.startswith("(") for each in captions) + 1
    assert [line.rpartition(": ")[2] for line in said] == [*captions, "Z", f"As {number}."]
    assert not [kind for kind, _ in made.problems if kind.endswith("again")]


@needs_pandoc
@pytest.mark.parametrize(
    "columns", ["lS[table-format=2.1]", "@{}l|D{.}{.}{-1}@{}", "*{2}{L{2cm}}", "p{3cm}!{\\vrule}>{\\bfseries}X"]
)
def test_columns_of_every_kind_are_columns(tmp_path: Path, columns: str) -> None:
    made = converted(tmp_path, TABLE.replace("{ll}", f"{{{columns}}}"))
    (table,) = extract(made.markdown)
    assert [cell.text for cell in grid_of(table.html).cells] == ["a", "b", "c", "d"]


@needs_pandoc
def test_rules_colours_and_columns_of_text_leave_no_trace(tmp_path: Path) -> None:
    table = "\\begin{tabular}{ll}a & b\\\\ \\cmidrule(lr){1-2} \\rowcolor{gray!20} c & \\cellcolor{red}d\\end{tabular}"
    made = converted(tmp_path, f"\\begin{{multicols}}{{2}}Words.\\end{{multicols}}\n\n{table}")
    assert made.markdown.startswith("Words.\n")
    (found,) = extract(made.markdown)
    assert [cell.text for cell in grid_of(found.html).cells] == ["a", "b", "c", "d"]
    assert not made.problems


@needs_pandoc
def test_a_caption_that_is_lost_is_told(tmp_path: Path) -> None:
    made = converted(tmp_path, "\\begin{table}\\caption{A}\\includegraphics{t}\\end{table} Text.")
    assert dict(made.problems) == {("captions_not_found_again", "Table 0/1"): 1}


@pytest.mark.parametrize(
    "text",
    ["\\resizebox{a}{b", "\\resizebox", "\\begin{tabular}", "\\begin{tabular}{\\cols}", "\\begin{tabular}{*{x}{l}}",
     "}{\\subfloat[a"],
)  # fmt: skip
def test_what_is_broken_off_or_unclear_is_left_alone(text: str) -> None:
    assert with_plain_floats(text) == text


def test_many_boxes_take_time_in_proportion() -> None:
    text = "\\resizebox{a}{b}{" * 20_000 + "x"
    assert with_plain_floats(text) == text
    assert with_plain_floats(text + "}" * 20_000) == "x"
    assert count_captions("\\begin{table}" * 20_000) == {}
