"""Tables and figures of several parts: one number, a caption for each part, nothing lost."""

from __future__ import annotations

import pytest

from jatdae.corpus.latex_parts import NEXT_PART, with_parts

TAB = "\\begin{tabular}{ll} %s & 2 \\end{tabular}"
TABLES = (
    "\\begin{table*}[ht]\\centering"
    f"\\begin{{subtable}}[t]{{.5\\linewidth}}{TAB % 1}\\caption{{First {{\\em part}}}}\\label{{sa}}\\end{{subtable}}"
    "\\hfill\n"
    f"\\begin{{subtable}}{{0.45\\textwidth}}\\caption[short]{{Second}}{TAB % 5}\\label{{sb}}\\end{{subtable}}\n"
    "\\caption{Both}\\label{both}\\end{table*}\n"
)
FIGURES = (
    "\\begin{figure}\\begin{subfigure}{.4\\linewidth}\\includegraphics{a}\\caption{Left}\\label{fa}\\end{subfigure}"
    "\\begin{subfigure}{.4\\linewidth}\\includegraphics{b}\\caption{Right}\\end{subfigure}"
    "\\caption{Sides}\\label{f}\\end{figure}\n"
)


@pytest.mark.parametrize(
    "text",
    [
        TABLES.replace("\\caption{Both}", ""),
        TABLES.replace("\\caption{Both}", "\\caption*{Both}"),
        TABLES.replace(TAB % 1, "words"),
        TABLES.replace(TAB % 1, TAB % 1 + TAB % 2),
        FIGURES.replace("\\includegraphics{b}", "\\begin{tikzpicture}\\end{tikzpicture}"),
        "\\begin{table}\\begin{subtable}{1pt}\\end{table}",
        f"\\begin{{table}}{TAB % 1}\\caption{{One}}\\end{{table}}",
    ],
)
def test_what_is_not_understood_stays_as_it_is(text: str) -> None:
    assert with_parts(text + "\\ref{sa}") == text + "\\ref{sa}"


def test_notes_below_the_parts_are_kept_and_parts_without_caption_have_no_letter() -> None:
    text = TABLES.replace("\\caption{Both}", "\\caption{Both}\\footnotesize Note: all in mm.")
    assert "\\footnotesize Note: all in mm." in with_parts(text)
    assert "hfill" not in with_parts(TABLES)
    bare = with_parts(TABLES.replace("\\caption{First {\\em part}}", "") + "\\ref{sa} \\ref{sb}")
    assert f"Both {NEXT_PART}" not in bare
    assert bare.endswith("\\ref{sa} \\ref{both}a")


@pytest.mark.parametrize(
    "text",
    [
        "\\begin{table}\\begin{subtable}{" * 3_000,
        "\\begin{table}" + "\\begin{subtable}{1pt}\\caption{" * 3_000 + "\\end{subtable}\\end{table}",
        "\\begin{table}" + "\\begin{subtable}\\end{subtable}" * 3_000 + "\\caption{a}\\end{table}",
        "\\begin{table}\\begin{subtable}" + "\\caption{" * 1_000 + "\\end{subtable}\\end{table}",
        "\\begin{table}\\begin{subtable}" + "\\caption{x}" * 2_000 + "\\end{subtable}\\end{table}",
    ],
)
def test_hostile_floats_come_to_an_end(text: str) -> None:
    assert with_parts(text) == text
