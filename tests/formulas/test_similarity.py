"""Weighted edits: what each kind of error costs, and the algebra that every score keeps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jatdae.formulas import score
from jatdae.formulas.similarity import Likeness, compare
from jatdae.formulas.slashes import MAX_SLASHES, as_fractions
from jatdae.formulas.tokens import canonical_form

SYMBOLS = [
    *("a", "b", "x", "1", "+", "=", "<", ">", "\\nu ", "v", "^{2}", "_{i}"),
    *("\\frac{a}{b}", "a/b", "\\hat{x}", "\\mathbf{x}", "\\cdot "),
]
AROUND = ["{%s}", r"\left.%s\right.", r"\displaystyle %s", r"\begin{aligned}%s\end{aligned}"]
formulas = st.lists(st.sampled_from(SYMBOLS), min_size=1, max_size=12).map("".join)


def likeness(prediction: str, reference: str) -> Likeness:
    return compare(canonical_form(prediction), canonical_form(reference))


def weight(prediction: str, reference: str) -> float:
    found = likeness(prediction, reference)
    return found.similarity / found.score - 1.0


@pytest.mark.parametrize(
    ("prediction", "reference", "expected"),
    [
        ("a+b+c+z", "a+b+c+d", 1.0),
        ("a+b+c<d", "a+b+c>d", 1.5),
        (r"a+b+c+\nu", "a+b+c+v", 0.25),
        (r"a+b+c+\epsilon", r"a+b+c+\varepsilon", 0.1),
        (r"a+b+c+\mathbf{d}", "a+b+c+d", 0.25),
        (r"a+b+c+\hat{d}", "a+b+c+d", 0.5),
        ("a+b+c+2d", r"a+b+c+2\cdot d", 0.25),
        ("a+b+c", "a+b+c+d", 1.0),
        ("a+b+c+x2", "a+b+c+x^2", 1.0),
        ("a+zb+c+zd+z", "a+yb+c+yd+y", 2.0),
        ("abc+d+e+f", r"\mathbf{abc}+d+e+f", 0.25),
        ("ab+cd+ef", r"a\cdot b+c\cdot d+e\cdot f", 0.25),
        ("a+b+c/d", r"a+b+\frac{c}{d}", 0.25),
        (r"a+\frac{b+c}{d}", "a+(b+c)/d", 0.25),
        ("{a^{b}}c", "a^{b}c", 0.0),
    ],
)
def test_an_error_weighs_what_the_table_says(prediction: str, reference: str, expected: float) -> None:
    if not expected:
        assert likeness(prediction, reference).match == 1.0
    else:
        assert weight(prediction, reference) == pytest.approx(expected)


def test_the_formula_of_the_score() -> None:
    found = likeness("a+b+c+z", "a+b+c+d")
    assert found.similarity == pytest.approx(1 - 1 / 7)
    assert found.score == pytest.approx((1 - 1 / 7) / 2)


def test_a_short_formula_that_is_all_wrong_scores_0() -> None:
    assert score("y", "x") == score("", "x+1") == score("a=b", "x+y") == 0.0


def test_symbols_in_another_part_alone_are_no_match() -> None:
    found = likeness(r"\frac{x^{a}}{b}", r"\frac{x^{a}}{b}\frac{}{}")
    assert found.match == 0.0 and found.score < 1.0


@given(formulas)
def test_a_formula_agrees_with_itself(formula: str) -> None:
    assert likeness(formula, formula)[:3] == (1.0, 1.0, 1.0)


@given(formulas, formulas)
def test_scores_are_shares_in_their_order(prediction: str, reference: str) -> None:
    found = likeness(prediction, reference)
    assert 0.0 <= found.score <= found.similarity <= 1.0
    assert (found.match == 1.0) == (found.score == 1.0)


@given(formulas, formulas)
def test_neither_side_is_favoured(prediction: str, reference: str) -> None:
    """An alignment is one of many of the same length, so weights may differ, but not beyond what it leaves open."""
    assert likeness(prediction, reference).match == likeness(reference, prediction).match


@given(formulas, formulas, st.sampled_from(AROUND))
def test_what_prints_nothing_changes_no_score(prediction: str, reference: str, around: str) -> None:
    assert score(around % prediction, reference) == score(prediction, reference)


def test_slashes_are_read_as_fractions_inside_parts_too() -> None:
    row = canonical_form(r"\sqrt{a/b}+(c+d)/2e").formula.row
    assert as_fractions(row) == canonical_form(r"\sqrt{\frac{a}{b}}+\frac{c+d}{2e}").formula.row
    assert as_fractions(list("/a")) == list("/a") and as_fractions(list("a/")) == list("a/")
    assert as_fractions(list("a)/b")) == list("a)/b")


def test_more_slashes_than_the_limit_stay_slashes() -> None:
    chain = "a/" * (MAX_SLASHES + 1) + "b"
    assert likeness(chain, r"\frac{a}{b}").slashes == 0


@pytest.mark.parametrize(
    ("slashed", "fraction"),
    [
        ("f(x)/g(x)", r"\frac{f(x)}{g(x)}"),
        ("x-f(x_n)/f'(x_n)", r"x-\frac{f(x_n)}{f'(x_n)}"),
        ("(a+b)/c", r"\frac{a+b}{c}"),
        ("1/(a+b)", r"\frac{1}{a+b}"),
    ],
)
def test_a_slash_between_functions_is_a_fraction(slashed, fraction):
    assert score(slashed, fraction) >= 0.75


@pytest.mark.parametrize("noise", [r"\\ ", "& ", r"\cdot ", r"\times "])
def test_light_symbols_in_any_number_do_not_thin_out_what_is_wrong(noise: str) -> None:
    for count in (1, 10, 1000):
        assert score(noise * count, "a^2") == 0.0
        assert score("z" + noise * count, "a+b") <= score("z", "a+b")


def test_a_sign_of_multiplication_that_is_added_weighs_what_it_did() -> None:
    assert likeness(r"a\cdot b+c", "ab+c").similarity == pytest.approx(1 - 0.25 / 5)


@pytest.mark.parametrize("empty", ["", "$$$$", r"\(\)"])
def test_a_formula_that_prints_nothing_agrees_with_no_other(empty: str) -> None:
    assert score(empty, "x") == score("x", empty) == 0.0
