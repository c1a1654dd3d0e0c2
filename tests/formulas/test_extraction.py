"""Formulas of a Markdown document: what is one, and what only looks like one."""

from __future__ import annotations

import pytest

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
        "```\n$x$\n```",
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
