"""The paper's table in LaTeX: what it holds, what it needs, and that it compiles."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from jatdae.core.messages import choose_language
from jatdae.report.forms import paper_markdown
from jatdae.report.latex import paper_latex
from jatdae.report.paper import Paper, make_paper
from jatdae.run.api import Finished, execute
from jatdae.run.input.model import Inputs
from jatdae.text import TextEvaluator

OF_MANY_LANDS = "한글 漢字 かな Ωμέγα кириллица ≤ Đ « é 1.5"


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


def test_columns_of_a_group_are_a_table_of_their_own_in_print(paper: Paper) -> None:
    """One table of all columns would be set too small to be read."""
    columns = tuple(replace(column, group="Bench") if at < 2 else column for at, column in enumerate(paper.columns))
    split = replace(paper, columns=columns, differences=())
    first, second = split.tables
    assert (len(first.header), len(second.header)) == (3, len(columns) - 1)
    assert first.title == f"Bench: {paper.table.title}"
    assert first.header[1].startswith("Body CER")
    assert [row[0] for row in first.rows] == [row[0] for row in second.rows]
    assert [row[1:] for row in second.rows] == [row[3:] for row in paper.table.rows]
    assert paper_latex(split).count("\\begin{table}") == 2
    assert paper_markdown(split).count("| Parser |") == 2
    assert paper.tables == (paper.table,)


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
        ("plain", [r"\usepackage{booktabs}", r"\usepackage{graphicx}"]),
        ("café", [r"\usepackage{booktabs}", r"\usepackage{graphicx}", r"\usepackage[T1]{fontenc}"]),
        ("한글", [r"\usepackage{booktabs}", r"\usepackage{graphicx}", r"\usepackage{kotex}"]),
        (
            "عب",
            [
                r"\usepackage{booktabs}",
                r"\usepackage{graphicx}",
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


NAMES = {
    "short": [f"s{at}" for at in range(7)],
    "long": [f"a-very-long-name-of-a-document-parser-with-its-version-number-2.{at}.0-and-a-prompt" for at in range(7)],
    "underscored": [
        f"a_very_long_name_of_a_document_parser_with_its_version_number_2_{at}_0_and_a_prompt" for at in range(7)
    ],
    "Korean": [f"한국어 문서 파서 {at}호" for at in range(7)],
}


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("systems", [2, 7])
def test_the_differences_fit_the_page(
    systems: int, names: list[str], language: str, rows: Callable[..., Path], compile_latex: Callable[[str], str]
) -> None:
    choose_language(language)
    made = make_paper(rows(names[:systems]))
    assert len(made.differences) == (1 if systems == 2 else 3)
    assert "Overfull" not in compile_latex(paper_latex(made))


@pytest.fixture
def rows(tmp_path: Path) -> Callable[..., Path]:
    """`rows(names)`: a run of the text evaluator over 24 lines, in which later systems are worse."""

    def of(names: list[str]) -> Path:
        reference = "some words of a line with a number"
        written = [
            {"id": f"{at}", "system": name, "prediction": reference[: len(reference) - worse * (at % 4)],
             "reference": reference}
            for worse, name in enumerate(names)
            for at in range(24)
        ]  # fmt: skip
        file = tmp_path / "rows.jsonl"
        file.write_text("\n".join(map(json.dumps, written)), "utf-8")
        return execute(TextEvaluator(), Inputs(pairs=(("", str(file)),)), out=tmp_path / "run").folder

    return of


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
