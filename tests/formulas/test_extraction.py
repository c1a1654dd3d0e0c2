"""Formulas of a Markdown document: what is one, and what only looks like one."""

from __future__ import annotations

import pytest

from jatdae.core.contract import Sample
from jatdae.formulas import FormulaEvaluator, score
from jatdae.formulas.extraction import Found, extract, without_signs


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see $x$ and $y^2$.", ["x", "y^2"]),
        ("$$a\n=b$$", ["a\n=b"]),
        (r"\(a\) and \[b\]", ["a", "b"]),
        (r"\begin{align*}a&=b\end{align*} text", [r"\begin{align*}a&=b\end{align*}"]),
        ("$ x_1 $ and $ y $", ["x_1", "y"]),
        ("한글$x=1$이고 $y$는", ["x=1", "y"]),
        ("```math\nE=mc^2\n```", ["E=mc^2"]),
        (r"$a\$b$", [r"a\$b"]),
        ("$$a$$ $$b$$", ["a", "b"]),
        ("| $a$ | $b$ |", ["a", "b"]),
    ],
)
def test_what_is_a_formula(text: str, found: list[str]) -> None:
    assert [each.latex for each in extract(text)] == found


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and $10.",
        "$ 5 and $ 6",
        r"an escaped \$x\$ sign",
        "code `$x$` here",
        "# Title\n\n```\n$x$\n```",
        "```python\nx = r'\\frac{1}{2}'\n```",
        "Use C:\\temp\\in, or report_{date}.pdf and \\LaTeX.",
        "the \\alpha value is small",
        "- see \\ref{a}",
        "\\begin{tabular}{cc}\n\\alpha & \\beta \\\\\n\\end{tabular}",
        "| \\alpha | \\beta |\n|---|---|\n| x_{1} | 2 |",
        "~~~python\nprint('$x$')\n~~~",
        "one $x\n\nother paragraph$",
        "$$ $$",
        "$x$5",
        "",
        r"never \(closed",
        r"\begin{align}never",
    ],
)
def test_what_is_none(text: str) -> None:
    assert extract(text) == []


def test_a_formula_is_inline_or_on_a_line_of_its_own() -> None:
    assert extract(r"$a$ \(b\) $$c$$ \[d\]") == [Found("a", False), Found("b", False), Found("c"), Found("d")]


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("a+b", "a+b"),
        (" $a+b$ ", "a+b"),
        ("```latex\na+b\n```", "a+b"),
        ("```latex\n$$a+b$$\n```", "a+b"),
        ("The answer is $a+b$.", "a+b"),
        ("$P($ rain $)=1$", "P( rain )=1"),
        ("$a$\n$b$", "a b"),
        ("", ""),
    ],
)
def test_signs_around_one_formula(text: str, latex: str) -> None:
    assert without_signs(text) == latex


BARE = {
    "aligned": "\\begin{aligned}a&=b\\end{aligned}",
    "cases over lines": "f(x)=\\begin{cases}\n1 & x>0\\\\\n0 & \\text{else}\n\\end{cases}",
    "matrices": "\\begin{pmatrix}1\\\\2\\end{pmatrix}\\begin{bmatrix}1&2\\end{bmatrix}",
    "an array in brackets": "\\left[\\begin{array}{cc}a&b\\end{array}\\right]",
    "a line": "y=\\frac{1}{2}gt^2",
    "a line with words in it": "\\lim a_{n} \\quad\\text{and}\\quad \\lim b_{n}.",
    "lines that go on": "a=\\frac12 \\\\\nb=3",
    "money": "\\sqrt{(-\\$5,000)^2}=\\$5,000",
    "no command": "x_{1}+x_{2}=3",
    "a power": "E = mc^2",
}


@pytest.mark.parametrize("latex", BARE.values(), ids=BARE)
def test_a_display_without_signs_is_found(latex: str) -> None:
    assert extract(f"Words of a page\n\n{latex}\n\nand more of them") == [Found(latex)]
    assert extract(f"수식은 다음과 같다.\n{latex}\n여기서 그 값은 크다.") == [Found(latex)]


def test_an_environment_in_a_sentence_is_found() -> None:
    assert extract("so \\begin{pmatrix}1\\\\2\\end{pmatrix} holds") == [Found("\\begin{pmatrix}1\\\\2\\end{pmatrix}")]


@pytest.mark.parametrize(
    "answer",
    [
        "Here:\n\n```latex\n\\[ y=x^2 \\]\n```",
        "Sure! Here it is: ```latex y=x^2 ```",
        "```\n$$y=x^2$$\n```",
        "```math\ny=x^2\n```\nwhere $x$ is the speed",
        "수식은 다음과 같습니다.\n```tex\ny=x^2\n```",
        "Sure, here it is:\n\ny=x^{2}",
        "```latex\ny=x^2",
    ],
)
def test_what_stands_in_a_fence_or_below_a_sentence_is_the_answer(answer: str) -> None:
    assert score(answer, "y=x^2") == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "\\begin{matrix}\n" * 8000,
        "\\begin{matrix}\n" * 8000 + "\\end{matrix}",
        "x^2 \\\\\n" * 15000,
        "a^b" * 30000,
        "=^" * 50000,
    ],
    ids=["never closed", "closed once", "one long formula", "powers", "signs"],
)
def test_bare_lines_are_read_in_linear_time(text: str) -> None:
    extract(text)  # 100 kB each: in seconds if it were quadratic


MATRIX = r"\begin{pmatrix}1&2\\3&4\end{pmatrix}"


@pytest.mark.parametrize(
    ("prediction", "reference", "same"),
    [
        (rf"B={MATRIX}+C", rf"A={MATRIX}", False),
        (rf"A={MATRIX}", rf"A={MATRIX}", True),
        (rf"A={MATRIX}", rf"$A={MATRIX}$", True),
        (r"\left(\begin{matrix}1&2\\3&4\end{matrix}\right)", MATRIX, True),
        (rf"{MATRIX}^{{-1}}", MATRIX, False),
        (rf"\[{MATRIX}\]", MATRIX, True),
        (r"y=\begin{cases}1&x>0\\0&x\le0\end{cases}", r"\begin{cases}1&x>0\\0&x\le0\end{cases}", False),
        (rf"The answer is:\n\n$$A={MATRIX}$$", rf"A={MATRIX}", True),
        (rf"$A$ = {MATRIX}", rf"A={MATRIX}", True),
    ],
)
def test_what_stands_beside_a_matrix_counts_in_every_way_to_score(prediction, reference, same):
    one = score(prediction, reference)
    outcomes = [FormulaEvaluator(reading=way).score(Sample("", prediction, reference)) for way in ("auto", "formula")]
    assert [outcome.values["formula_score"] for outcome in outcomes] == [one, one]
    assert (one == 1.0) is same


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("```math\nx^2\n```", ["x^2"]),
        ("~~~math\nx\n~~~", ["x"]),
        ("The area is\n\n```math\nx^2\n```\n\nas shown above.", ["x^2"]),
        ("```math\nx^2\n```\n\n```math\ny\n```", ["x^2", "y"]),
        ("```math\n$$a$$\n\n$$b$$\n```", ["a", "b"]),
        ("```math\nx^2", ["x^2"]),
        ("```\n$x$\n```", ["x"]),  # all there is: an answer
        ("Type this into the editor:\n\n```\n$x$\n```\n\nand press Enter.", []),
        ("OK:\n\n```\nWe find that $x$ is small and that $y$ is not.\n```", ["x", "y"]),
    ],
)
def test_a_math_fence_is_a_formula_and_a_code_fence_of_a_page_is_none(text, found):
    assert [each.latex for each in extract(text)] == found
