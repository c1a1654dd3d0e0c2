"""LaTeX is read into the tree of what it prints; what is unsound is told and never raises."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jatdae.formulas.reader import MAX_DEPTH, read_formula
from jatdae.formulas.symbols import ACCENTS, FONTS, SYMBOLS, WORDS

PIECES = [
    *("\\frac", "\\sqrt", "\\left(", "\\right)", "{", "}", "[", "]", "^", "_", "'", "&", "\\\\", "$", "%", "\n", " "),
    *(
        "\\begin{matrix}",
        "\\end{matrix}",
        "\\begin{aligned}",
        "\\end{aligned}",
        "\\begin{",
        "\\end",
        "\\over",
        "\\text",
    ),
    *(
        "\\hat",
        "\\mathbf",
        "\\bf",
        "\\not",
        "\\def",
        "\\newcommand",
        "\\overset",
        "\\xrightarrow",
        "\\ce",
        "\\pmod",
        "\\",
    ),
    *("a", "b", "1", "+", "=", "\\alpha", "\\sin", "\\unknown", "𝐱", "한", "/", ",", "."),
]
latex = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


def upright(letters: str) -> list[Any]:
    return [["#", letter, "upright"] for letter in letters]


@pytest.mark.parametrize(
    ("written", "row"),
    [
        (r"\frac12", [["frac", ["1"], ["2"]]]),
        (r"\dfrac a{bc}", [["frac", ["a"], ["b", "c"]]]),
        (r"{a \over b}c", [["frac", ["a"], ["b"]], "c"]),
        (r"x^2_i", ["x", ["sub", ["i"]], ["sup", ["2"]]]),
        (r"f''", ["f", ["sup", ["′", "′"]]]),
        (r"f^{'}", ["f", ["sup", ["′"]]]),
        (r"f'^2", ["f", ["sup", ["′", "2"]]]),
        (r"\sqrt[3]{x}\sqrt2", [["root", ["x"], ["3"]], ["root", ["2"], []]]),
        (r"\left.\frac ab\right|_0", [["frac", ["a"], ["b"]], "|", ["sub", ["0"]]]),
        (r"\hat\beta\mathbf{xy}", [["accent", "^", ["β"]], ["#", "x", "bold"], ["#", "y", "bold"]]),
        (r"{\bf a}b", [["#", "a", "bold"], "b"]),
        (r"\begin{matrix}a&b\\c&d\\\end{matrix}", [["grid", [[["a"], ["b"]], [["c"], ["d"]]]]]),
        (r"\begin{align*}a&=b\\[2pt]c&=d\end{align*}", [["lines", [["a", "=", "b"], ["c", "=", "d"]]]]),
        (r"\begin{matrix}a\\ [b]\end{matrix}", [["lines", [["a"], ["[", "b", "]"]]]]),
        (r"\overset{a}{=}\underset{b}{\lim}", ["=", ["sup", ["a"]], *upright("lim"), ["sub", ["b"]]]),
        (r"\not=\not\in", ["≠", "∉"]),
        (r"\xrightarrow[a]{b}", ["→", ["sub", ["a"]], ["sup", ["b"]]]),
        (r"50\% % a comment" "\n+1", ["5", "0", "%", "+", "1"]),
        (r"\color{red}x\label{eq}\tag{1}\hspace{1em}y", ["x", "y"]),
        (r"\ce{2H2O -> X}", [*upright("2H"), ["sub", ["2"]], *upright("O"), "→", *upright("X")]),
        ("x\\ ", ["x"]),
        ("\\", []),
    ],
)  # fmt: skip
def test_a_formula_is_read_as_it_prints(written: str, row: list[Any]) -> None:
    assert read_formula(written).row == row


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("{a", "unbalanced"), ("a}b", "unbalanced"),
        (r"\begin{matrix}a", "unbalanced"), (r"a\end{matrix}", "unbalanced"),
        (r"\foo{x}", "unknown_latex"), (r"\begin{foo}x\end{foo}", "unknown_latex"),
        (r"\def\x{\x\x}\x", "definition"), (r"\newcommand{\x}[1]{#1#1}y", "definition"),
        ("{" * 1000, "too_deep"), ("x^{" * 500 + "y" + "}" * 500, "too_deep"), (r"\sqrt" * 500, "too_deep"),
    ],
)  # fmt: skip
def test_what_is_unsound_is_told(written: str, code: str) -> None:
    assert code in read_formula(written).faults


def test_nothing_is_lost_by_what_is_unsound() -> None:
    assert read_formula("{a+b").row == ["a", "+", "b"]
    assert read_formula("a}+b").row == ["a", "+", "b"]
    assert read_formula("{" * 200 + "a+b" + "}" * 200).row == ["a", "+", "b"]


def test_a_definition_is_skipped_and_never_applied() -> None:
    assert read_formula(r"\newcommand{\x}[1]{#1#1#1}a").row == ["a"]
    assert read_formula(r"\def\x#1{#1#1}a").row == ["a"]


def test_groups_up_to_the_limit_are_read() -> None:
    depth = MAX_DEPTH - 1
    assert read_formula("{" * depth + "a" + "}" * depth) == (["a"], {})


@given(latex)
def test_reading_never_raises_and_gives_a_sound_tree(written: str) -> None:
    read = read_formula(written)
    assert list(leaves(read.row)) == [leaf for leaf in leaves(read.row) if leaf.strip()]


@given(latex)
def test_braces_around_a_sound_formula_change_nothing(written: str) -> None:
    read = read_formula(written)
    if not read.faults and "%" not in written and not written.endswith("\\"):
        again = read_formula(f"{{{written}}}")
        assert again.faults or again.row == read.row


def leaves(row: list[Any]) -> Any:
    for node in row:
        if isinstance(node, str):
            yield node
        elif node[0] == "#":
            yield node[1]
        elif node[0] == "grid":
            for line in node[1]:
                for cell in line:
                    yield from leaves(cell)
        elif node[0] == "lines":
            for line in node[1]:
                yield from leaves(line)
        elif node[0] == "accent":
            yield from leaves(node[2])
        else:
            for part in node[1:]:
                yield from leaves(part)


def test_no_command_stands_in_two_tables() -> None:
    for table in (WORDS, FONTS, ACCENTS):
        assert not SYMBOLS.keys() & table.keys()
