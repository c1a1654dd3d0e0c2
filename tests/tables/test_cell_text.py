"""Two ways to write the same cell fold to the same text; two things a person tells apart do not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jatdae.tables.cell_text import fold

SAME = [
    (r"$\alpha$", "α"),
    (r"\(\beta_{2}\)", "β2"),
    (r"$\mathbf{0.5}$", "0.5"),
    (r"$0.5 \pm 0.1$", "0.5±0.1"),
    (r"\frac{1}{2}", "1/2"),
    (r"$\frac{a+b}{c}$", "(a+b)/c"),
    (r"\frac12", "½"),
    (r"$\hat{y}$", "ŷ"),
    (r"$\bar{x}_1$", "x̄₁"),
    (r"50\%", "50%"),
    (r"R\&D", "R&amp;D"),
    (r"$\leq 5$", "≤5"),
    (r"$\text{CO}_2$", "CO₂"),
    (r"CO_2", "CO2"),
    (r"m^2", "m²"),
    ("m^{2}", "m2"),
    (r"25^\circ C", "25 ℃"),
    ("25º", "25°"),
    (r"10^{-3}", "10⁻³"),
    (r"$2.1\times10^{6}$", "2.1×10⁶"),
    ("10^{2}", "10²"),
    ("5^{*}", "5*"),
    ("Total", "**Total**"),
    ("a b", "*a b*"),
    ("top_k", "`top_k`"),
    ("–", "-"),
    ("—", "--"),
    ("−5", "-5"),
    ("“a”", '"a"'),
    ("9,411,000", "9411000"),
    ("9,411,000", "9 411 000"),
    ("(1,204)", "(1204)"),
    (r"1{,}204.5", "1,204.5"),
    (">= 5", "≥5"),
    ("p <= 0.05", "p ⩽ 0.05"),
    ("3 +/- 1", "3±1"),
    (r"$\frac{1}{\sqrt{d}}$", "1/√d"),
    (r"$\frac{\frac{a}{b}}{c_{1}}$", "a/b/c₁"),
    ("it’s", "it's"),
    ("``a''", '"a"'),
    ("…", "..."),
    (r"\ldots", "…"),
    ("ＡＢ１", "ab1"),
    ("ﬁne", "fine"),
    ("1 200", "1200"),
    ("soft\u00adhyphen", "softhyphen"),
    ("✔", r"\checkmark"),
    ("❌", "✗"),
    ("AT&amp;T", "AT&T"),
    ("KIM", "kim"),
    ("서울 특별시", "서울특별시"),
    ("ㆍ", "·"),
    (r"\textbf{\textit{x}}", "x"),
    (r"x $\rightarrow$ y", "x→y"),
    (r"$5", "5"),
]
OTHER = [
    ("9,411,000", "9.411.000"),
    ("0,123", "0123"),
    ("1,20", "120"),
    ("1,2345", "12345"),
    ("12,345,67", "1234567"),
    ("10²", "102"),
    ("10^{2}", "102"),
    ("10^{-3}", "10-3"),
    ("2^{10}", "210"),
    ("0.5**", "0.5"),
    ("0.5** (0.1)**", "0.5 (0.1)"),
    ("-5", "5"),
    ("1.5", "15"),
    ("1,200", "1.200"),
    (r"$\alpha$", "a"),
    ("50%", "50"),
    ("<5", ">5"),
    ("5mg", "5g"),
    ("남", "여"),
    ("", "-"),
    ("x̄", "x"),
    (r"\leq", r"\geq"),
]


@pytest.mark.parametrize(("written", "again"), SAME)
def test_two_ways_to_write_the_same_are_equal(written, again):
    assert fold(written) == fold(again)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_what_a_person_tells_apart_stays_apart(one, other):
    assert fold(one) != fold(other)


@given(st.text("ab1²^{}$\\ *_`~-–'&;Ａfrac", max_size=30))
def test_white_space_around_and_case_never_matter(text):
    assert fold(f"  {text}\n") == fold(text)
    assert not set(fold(text)) & set(" ${}^_\\")


@pytest.mark.parametrize(
    "hostile", ["\\frac{" * 20_000, "*a" * 50_000, "^{" * 50_000, "\\'" * 50_000, "`" * 50_001, "5^" * 50_000]
)
def test_hostile_texts_fold_in_linear_time(hostile):
    fold(hostile)
