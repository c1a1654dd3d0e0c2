"""The canonical form: what prints the same is the same, what prints otherwise is not."""

from __future__ import annotations

import pytest

from jatdae.formulas.tokens import Token, canonical_form

SAME = [
    (r"a\leq b", r"a \le b"),
    (r"\mathrm{d}x", "dx"),
    (r"\operatorname*{argmax}_x", r"\text{arg max}_{x}"),
    (r"\displaystyle\sum\limits_{i}^n", r"\sum_i^{n}"),
    (r"\left\{\begin{array}{ll}a&b\\c&d\end{array}\right.", r"\begin{cases}a&b\\c&d\end{cases}"),
    (r"\begin{equation}a=b\end{equation}", "a=b"),
    (r"\boldsymbol x", r"\mathbf{x}"),
    (r"a\over b", r"\frac{a}{b}"),
    (r"{n \choose k}", r"\binom nk"),
    ("x=1.", "x=1"),
    ("≤α×", r"\leq\alpha\times"),
    ("a−b*c", r"a-b\ast c"),
    ("\U0001d465+1", "x+1"),
    (r"\lVert x\rVert", r"\|x\|"),
    (r"\bigl(x\bigr)", "(x)"),
    (r"a\,b\;c\!d~e", "abcde"),
    (r"\textcolor{red}{x}", "x"),
    (r"f\colon A\to B", r"f:A\rightarrow B"),
    (r"\SI{500}{m}", "500m"),
    (r"\iint f", r"\int\!\!\!\int f"),
    (r"\hat{y_i}", r"\hat{y}_i"),
    (r"a=b \qquad (3.1)", "a=b"),
    (r"a=b\quad(2a).", "a=b"),
]
OTHER = [
    ("x^{ab}", "x^a b"),
    (r"\sqrt{a+b}", r"\sqrt{a}+b"),
    ("x_i", "x^i"),
    (r"\frac ab", r"\frac ba"),
    (r"\mathbf{x}", "x"),
    (r"\mathbb{R}", "R"),
    (r"\hat x", r"\tilde x"),
    (r"\begin{matrix}a&b\end{matrix}", r"\begin{matrix}a\\b\end{matrix}"),
    (r"\binom nk", r"\frac nk"),
    ("x^{2^n}", "x^{2n}"),
    (".", ""),
    ("f(3)", "f"),
    (r"\overline{x^2}", r"\overline{x}^2"),
]


@pytest.mark.parametrize(("a", "b"), SAME)
def test_what_prints_the_same_is_the_same(a: str, b: str) -> None:
    assert canonical_form(a).outline == canonical_form(b).outline
    assert canonical_form(a).tokens == canonical_form(b).tokens


@pytest.mark.parametrize(("a", "b"), OTHER)
def test_what_prints_otherwise_is_another_formula(a: str, b: str) -> None:
    assert canonical_form(a).outline != canonical_form(b).outline


def test_a_symbol_has_its_font_its_marks_and_the_nearest_place() -> None:
    assert canonical_form(r"\frac{\hat{\mathbf{x}}}{y^2}").tokens == [
        Token("⁄", "", "", ""),
        Token("x", "bold", "^", "above"),
        Token("y", "", "", "below"),
        Token("2", "", "", "sup"),
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x²", "x^2"),
        ("x^²", "x^2"),
        ("x¹²", "x^{12}"),
        ("x⁻¹", "x^{-1}"),
        ("x₁²", "x_1^2"),
        (r"\text{CO₂}", r"\text{CO}_2"),
        ("CO₂", "CO_2"),
        ("aᵀ", "a^T"),
        ("||x||", r"\|x\|"),
        ("‖x‖", r"\left\Vert x\right\Vert"),
        (r"\left|\left|x\right|\right|_2", r"\lVert x\rVert_2"),
        (r"\begin{Vmatrix}a&b\end{Vmatrix}", r"\left\|\begin{matrix}a&b\end{matrix}\right\|"),
        ("a||b", r"a\parallel b"),
        (r"a\not\parallel b", r"a\nparallel b"),
        ("a_1, ..., a_n", r"a_1,\ldots,a_n"),
        ("1 + 2 + . . .", r"1+2+\dots"),
        ("a···b", r"a\cdots b"),
        (r"a\cdot\cdot\cdot b", r"a\cdots b"),
        ("90°", r"90^\circ"),
        (r"90^{°}", r"90^{\circ}"),
        (r"90\degree C", r"90^\circ C"),
        ("½", r"\frac{1}{2}"),
        ("1¾x", r"1\frac34x"),
        ("<math><mi>x²</mi></math>", "x^2"),
        ("<math><msup><mn>90</mn><mo>°</mo></msup></math>", r"90^\circ"),
        ("<math><mo>∥</mo><mi>x</mi><mo>∥</mo></math>", "||x||"),
    ],
)
def test_what_prints_alike_is_alike(one, other):
    assert canonical_form(one).outline == canonical_form(other).outline


@pytest.mark.parametrize(
    ("one", "other"), [("x²", "x2"), ("|x|", "||x||"), ("½", "12"), ("90°", "90"), ("a.b", "a...b")]
)
def test_what_prints_otherwise_is_not(one, other):
    assert canonical_form(one).outline != canonical_form(other).outline


def test_a_full_stop_in_place_of_a_bracket_is_no_part_of_an_ellipsis():
    assert canonical_form(r"\left. ..x\right|").outline == canonical_form(r"..x|").outline
