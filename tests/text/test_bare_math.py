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
    "text", ["", "plain", r"\section{Intro}", r"C:\temp\in", "a_b", "f{x}", r"\\", "{", "_{", "^ {"]
)
def test_what_is_no_formula_stays(text: str) -> None:
    assert bare_math(text) == text
