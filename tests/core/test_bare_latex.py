"""Which lines are formulas without dollars, and which texts are pages."""

from __future__ import annotations

import pytest

from jatdae.core.bare_latex import is_formula, is_page


@pytest.mark.parametrize(
    "line",
    [
        r"y=\frac{1}{2}gt^2",
        r"\lim a_{n}\quad\text{and}\quad\lim b_{n}",
        "x_{1}+x_{2}=3 (2.1)",
        "E = mc^2",
        r"\begin{array}{cc}a&b\end{array}",
    ],
)
def test_a_line_of_nothing_but_latex_is_a_formula(line: str) -> None:
    assert is_formula(line)
    assert not is_page(line)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "words",
        r"the \alpha value",
        r"C:\temp\in",
        r"\section{Intro}",
        r"a \quad b",
        "| x^{2} |",
        "- x^{2}",
        "값은 x^{2}",
        "a_b",
    ],
)
def test_any_other_line_is_none(line: str) -> None:
    assert not is_formula(line)


@pytest.mark.parametrize(
    "text", ["# Title", "서론", "One sentence of words.", "1) first\n2) second", "<p>x</p>", "| a | b |"]
)
def test_headings_lists_and_sentences_make_a_page(text: str) -> None:
    assert is_page(text)


@pytest.mark.parametrize(
    "text", ["", "x", "abc", "1,000", "a + b", "rate = k", "속도 = 거리 / 시간", r"\text{if it rains}"]
)
def test_what_may_be_a_formula_is_no_page(text: str) -> None:
    assert not is_page(text)


@pytest.mark.parametrize("text", ["x^2" * 30_000, "{" * 100_000, "\\frac{" * 15_000, "=" * 100_000, "\\text{" * 15_000])
def test_hostile_lines_are_read_in_linear_time(text: str) -> None:
    is_formula(text)
    is_page(text)
