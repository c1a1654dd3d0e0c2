"""The paper's table in LaTeX: what it holds, what it needs, and that it compiles."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from jatdae.core.messages import choose_language
from jatdae.report.latex import paper_latex
from jatdae.report.paper import Paper, make_paper
from jatdae.run.api import Finished

OF_MANY_LANDS = "한글 漢字 かな Ωμέγα кириллица ≤ Đ « é 1.5"
UNBROKEN = ("-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape")


@pytest.fixture
def compile_latex(tmp_path: Path) -> Callable[[str], str]:
    """`compile_latex(text)`: what LaTeX says of it. Absent, tests are skipped, except on CI, which has to have it."""
    if shutil.which("pdflatex") is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("pdflatex is not installed (make latex)")

    def run(text: str) -> str:
        needs = "".join(re.findall(r"^% (\\usepackage.*)$", text, re.MULTILINE))
        (tmp_path / "body.tex").write_text(text, "utf-8")
        document = rf"\documentclass{{article}}{needs}\begin{{document}}\input{{body}}\end{{document}}"
        (tmp_path / "paper.tex").write_text(document, "utf-8")
        done = subprocess.run(["pdflatex", *UNBROKEN, "paper"], cwd=tmp_path, capture_output=True, check=False)
        said = done.stdout.decode(errors="replace")
        assert done.returncode == 0, said[-2000:]
        return said

    return run


def with_name(paper: Paper, name: str) -> Paper:
    """The table with another name for its first system."""
    first, *others = paper.table.rows
    named = (replace(first[0], text=name), *first[1:])
    return replace(paper, table=replace(paper.table, rows=(named, *others)))


def test_latex_says_once_what_is_absent_for_one_reason(paper: Paper) -> None:
    text = paper_latex(paper)
    assert text.count(r"& \multicolumn{3}{c}{N/A (no structure)} \\") == 2
    assert re.search(r"image-advanced & \\textbf\{[\d.]+\\%\} & \\textbf\{[\d.]+\\%\} & \+[\d.]+pp & \\textbf\{", text)
    for part in (r"\toprule", r"\midrule", r"\bottomrule", r"\label{tab:documents}", r"$\Delta$ (Refs)", "$-$"):
        assert part in text


@pytest.mark.parametrize("language", ["en", "ko"])
def test_latex_is_balanced(language: str, demo: Finished) -> None:
    choose_language(language)
    text = paper_latex(make_paper(demo.folder))
    check_balance(text)
    assert text.isascii() == (language == "en")


def test_names_cannot_break_out_of_latex(hostile: Paper) -> None:
    text = paper_latex(hostile)
    check_balance(text)
    assert r"\input" not in text
    assert text.count(r"\end{table}") == text.count(r"\begin{table}")
    assert "\x1b" not in text


@pytest.mark.parametrize(
    ("name", "needs"),
    [
        ("plain", [r"\usepackage{booktabs}"]),
        ("café", [r"\usepackage{booktabs}", r"\usepackage[T1]{fontenc}"]),
        ("한글", [r"\usepackage{booktabs}", r"\usepackage{kotex}"]),
        (
            "عب",
            [
                r"\usepackage{booktabs}",
                r"\usepackage{kotex}",
                "Needs XeLaTeX or LuaLaTeX and a font with these characters: ب ع",
            ],
        ),
    ],
)
def test_what_a_name_needs_is_told_at_the_top(name: str, needs: list[str], paper: Paper) -> None:
    lines = paper_latex(with_name(paper, name)).splitlines()
    assert lines[: len(needs)] == [f"% {need}" for need in needs]
    assert lines[len(needs)].startswith(r"\begin{table}")


@pytest.mark.parametrize("language", ["en", "ko"])
def test_latex_compiles_and_fits_the_page(language: str, demo: Finished, compile_latex: Callable[[str], str]) -> None:
    choose_language(language)
    assert "Overfull" not in compile_latex(paper_latex(make_paper(demo.folder)))


def test_latex_compiles_with_any_name(hostile: Paper, paper: Paper, compile_latex: Callable[[str], str]) -> None:
    compile_latex(paper_latex(hostile))
    compile_latex(paper_latex(with_name(paper, OF_MANY_LANDS)))


def check_balance(text: str) -> None:
    """Braces and environments that close in the order they opened, and an even number of dollars on each line."""
    bare = re.sub(r"(?m)^%.*$", "", re.sub(r"\\[\\{}$%&#_]", "", text))
    depth = 0
    for character in bare:
        depth += {"{": 1, "}": -1}.get(character, 0)
        assert depth >= 0
    assert depth == 0
    open_ones: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", bare):
        if kind == "begin":
            open_ones.append(name)
        else:
            assert open_ones.pop() == name
    assert not open_ones
    assert all(line.count("$") % 2 == 0 for line in bare.splitlines())
    assert not re.search(r"(?<!\\)[%#]", bare)
