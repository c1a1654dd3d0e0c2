"""How far a formula without dollars reaches."""

from __future__ import annotations

import pytest

from jatdae.text.bare_math import bare_math


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (r"the loss \frac { 1 } { n } falls", "the loss  falls"),
        (r"in [\alpha, \beta] and (\gamma).", "in [, ] and ()."),
        (r"an \alpha-helix", "an -helix"),
        (r"with y=\frac{1}{2}gt^2 seconds", "with  seconds"),
        (r"값은 \theta_{1}이다", "값은 이다"),
        ("it is\n\\int_0^\\pi\\sqrt{1+\\cos^2x}dx\\text{.}\nso", "it is\n\nso"),
        (r"| \alpha | 0.5 |", "|  | 0.5 |"),
    ],
)
def test_a_formula_ends_before_the_next_word(text: str, left: str) -> None:
    assert bare_math(text) == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (r"A \times B matrix of size 3 \times 4 is used", " matrix of size  is used"),
        ("H_{2}O and CO_{2} fell", " and  fell"),
        (r"we set x_{1} = 5 and y_{2}=3.", "we set  and ."),
        (r"for all n \geq 2 the sum", "for all  the sum"),
        (r"p \leq 0.05 (two-sided)", " (two-sided)"),
        (r"dose of 3.5 \pm 0.2 mg", "dose of  mg"),
        (r"\alpha = 0.05 and \beta = -0.2", " and "),
        (r"값은 3 \times 10^{-5} 이다", "값은  이다"),
        (r"where |x| \leq 1 holds", "where  holds"),
        (r"in O(n \log n) time", "in  time"),
        (r"f(\alpha) grows", " grows"),
        (r"(a + b)^{2} = a^2 + 2ab + b^2 holds", " holds"),
        (r"from -\infty to \infty we", "from  to  we"),
        (r"for x \in \mathbb{R}^{n} it is", "for  it is"),
        (r"a \alpha value", "a  value"),
        (r"Na_{2}SO_{4} 용액", " 용액"),
        (r"runs of \sim 25 ps", "runs of  ps"),
        (r"a \sim 25 ps run", "a  ps run"),
        (r"it is \in S or AB \parallel CD here", "it is  or  here"),
        (r"x \to is", " is"),
    ],
)
def test_a_formula_goes_as_a_whole(text: str, left: str) -> None:
    assert bare_math(text) == left


@pytest.mark.parametrize("sign", ["\\alpha ", "x_{1} ", "(\\alpha ", "a = ", "\\times ", "3 \\times ", "{", "^{2}"])
def test_a_long_line_is_read_in_linear_time(sign: str) -> None:
    bare_math("word " + sign * (100_000 // len(sign)))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain",
        r"a \quad b",
        r"5 \% of it",
        "report_{date}.pdf",
        r"\section{Intro}",
        r"C:\temp\in",
        "a_b",
        "f{x}",
        r"\\",
        "{",
        "_{",
        "^ {",
    ],
)
def test_what_is_no_formula_stays(text: str) -> None:
    assert bare_math(text) == text
