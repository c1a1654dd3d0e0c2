"""Which symbols are named as taken for which: equal ones pair first, and no score depends on it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jatdae.formulas.errors import count_confusions, count_errors, name_errors
from jatdae.formulas.similarity import Likeness, compare
from jatdae.formulas.tokens import canonical_form


def likeness(prediction: str, reference: str) -> Likeness:
    return compare(canonical_form(prediction), canonical_form(reference))


@pytest.mark.parametrize(
    ("prediction", "reference", "errors", "confusions"),
    [
        # A line that became the bar of a fraction: nothing is another symbol.
        (
            r"q=\frac{x_2y_3-x_3y_2}{z_3y_1-z_1y_3}+p",
            r"q=\begin{matrix}\overline{x_2y_3-x_3y_2}\\\overline{z_3y_1-z_1y_3}\end{matrix}+p",
            {"symbols_added": 1, "symbols_lost": 1, "places": 10, "marks": 8},
            {},
        ),
        (r"\frac{f_{10}}{F_1}", r"\frac{L_0}{L_1}", {"symbols": 2, "symbols_added": 1}, {"L→f": 1, "L→F": 1}),
        (r"r_TA_{0A}", r"\tau_T\cdot I_{D,A}", {"symbols": 3, "symbols_lost": 2}, {"τ→r": 1, "I→A": 1, "D→0": 1}),
        ("a+z", "a+b", {"symbols": 1}, {"b→z": 1}),
    ],
)
def test_equal_symbols_pair_first(
    prediction: str, reference: str, errors: dict[str, int], confusions: dict[str, int]
) -> None:
    found = likeness(prediction, reference)
    assert dict(+count_errors(found)) == errors
    assert dict(count_confusions(found)) == confusions


def test_symbols_that_are_lost_or_added_are_named() -> None:
    found = likeness(r"\frac{x}{y}+a", r"\overline{x}y+b=1")
    assert name_errors(found) == {"symbols": {"b→a": 1}, "symbols_added": {"⁄": 1}, "symbols_lost": {"=": 1, "1": 1}}


PIECES = ["a", "b", "1", "+", "^{2}", "_{ib}", r"\frac{a}{b}", r"\overline{a+1}", r"\hat{b}", r"\cdot "]
formulas = st.lists(st.sampled_from(PIECES), min_size=1, max_size=9).map("".join)


@given(formulas, formulas)
def test_what_is_named_turns_the_reference_into_the_prediction(prediction: str, reference: str) -> None:
    found = likeness(prediction, reference)
    if found.match:
        return
    made, at = [], 0
    for kind, start, end, predicted_start, predicted_end in found.edits:
        assert kind != "replace" or end - start == predicted_end - predicted_start
        made += found.reference.tokens[at:start]
        made += found.prediction.tokens[predicted_start:predicted_end]
        at = end
    assert made + found.reference.tokens[at:] == found.prediction.tokens


def test_long_stretches_stay_as_they_are() -> None:
    found = likeness("+".join("a" * 200), "-".join("b" * 200))
    assert found.edits == [("replace", 0, 399, 0, 399)]
