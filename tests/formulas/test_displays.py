"""A display that one side breaks and the other does not is still the same display."""

from __future__ import annotations

import pytest

from jatdae.core.contract import Sample
from jatdae.formulas import FormulaEvaluator, score
from jatdae.formulas.displays import lines_of, regroup
from jatdae.formulas.extraction import Found, extract

ALIGN = r"\begin{align} a &= b + c \\ d &= e f \\ g &= h^2 \end{align}"
EQUATION = r"\begin{equation}%s\end{equation}"
APART = "$$a = b + c$$\n\n$$d = e f$$\n\n$$g = h^2$$"


def values(prediction: str, reference: str) -> dict[str, float | None]:
    return dict(FormulaEvaluator(reading="markdown").score(Sample("x", prediction, reference)).values)


@pytest.mark.parametrize(
    ("prediction", "reference"),
    [
        (APART, ALIGN),
        (ALIGN, APART),
        (f"Text. {APART}\n\nand $x$", f"Text.\n{ALIGN}\nand $x$"),
        (r"\[\begin{aligned} a &= b \\ c &= d \end{aligned}\]", f"{EQUATION % 'a=b'}{EQUATION % 'c=d'}"),
        (r"\begin{gather*} x=1 \\[2pt] y=2 \end{gather*}", "$$x=1$$ $$y=2$$"),
        (r"$$x=1$$ $$\begin{pmatrix}a&b\\c&d\end{pmatrix}=M$$", r"\[x=1 \\ \begin{pmatrix}a&b\\c&d\end{pmatrix}=M\]"),
        ("$$p=1$$\n$$q=2$$\n" + ALIGN, r"\begin{align}p&=1\\q&=2\end{align}" + APART),
    ],
)
def test_the_same_displays_match_wherever_they_are_broken(prediction, reference):
    found = values(prediction, reference)
    assert found["formula_match"] == 1.0
    assert found["formula_f1"] == 1.0


def test_a_line_misread_is_one_error_of_the_joined_display():
    wrong = APART.replace("e f", "e k")
    assert values(wrong, ALIGN)["formula_score"] == values(ALIGN.replace("e f", "e k"), ALIGN)["formula_score"]


def test_a_line_lost_does_not_keep_the_rest_from_being_joined():
    lost = APART.replace("$$d = e f$$\n\n", "")
    assert values(lost, ALIGN)["formula_score"] == values(ALIGN.replace(r" d &= e f \\", ""), ALIGN)["formula_score"]


def test_what_is_equal_stays_as_it_is():
    pages = ("$$a=b$$ " + ALIGN, "$$d = ef$$ " + ALIGN)
    for page in pages:
        assert regroup(extract(page), extract(page)) == extract(page)
    assert regroup(extract(ALIGN), extract("$$a = b + c$$ " + ALIGN)) == extract(ALIGN)


def test_inline_formulas_and_strangers_are_left_alone():
    inline = [Found("a=b+c", False), Found("d=ef", False)]
    assert regroup(inline, extract(ALIGN)) == inline
    strangers = extract("$$u$$ $$v$$ $$w$$")
    assert regroup(strangers, extract(ALIGN)) == strangers


def test_one_formula_written_as_several_displays():
    assert score(APART, ALIGN) == 1.0


@pytest.mark.parametrize(
    ("latex", "lines"),
    [
        ("a", ["a"]),
        (r"a \\ b", ["a", "b"]),
        (ALIGN, ["a &= b + c", "d &= e f", "g &= h^2"]),
        (r"\begin{alignat}{2} a &= b \\* c &= d \end{alignat}", ["a &= b", "c &= d"]),
        (r"\begin{cases} a \\ b \end{cases}", [r"\begin{cases} a \\ b \end{cases}"]),
        (r"\substack{a \\ b} = c", [r"\substack{a \\ b} = c"]),
        (r"\begin{equation}\begin{split} a \\ b \end{split}\end{equation}", ["a", "b"]),
        (r"a \\", ["a"]),
        ("", []),
    ],
)
def test_lines_of_a_display(latex, lines):
    assert lines_of(latex) == lines


@pytest.mark.parametrize("piece", ["{", "}", r"\begin{align}", r"\end{align}", r"\\", "$$a$$", r"\begin{split}a\\"])
def test_hostile_displays_end_soon(piece):
    found = [Found(piece * 2_000), Found(r"a \\ b")]
    assert regroup(found, [Found(r"a \\ b"), Found("c")])
