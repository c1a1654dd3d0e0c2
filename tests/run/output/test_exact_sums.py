"""Exact sums: equal to sums of fractions, in any order and however they are cut."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.run.output.tally import ExactSum

FLOATS = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300)
WHOLE = st.integers(-(2**53), 2**53).map(float)
UNFRIENDLY = st.sampled_from([1e16, 1.0, -1e16, 1e-16, 0.1, -0.1, 2.0**53, -(2.0**53), 5e-324, 1e300, -1e300])
LISTS = st.lists(st.one_of(FLOATS, WHOLE, UNFRIENDLY), max_size=40)


def summed(*chunks: list[float]) -> ExactSum:
    total = ExactSum()
    for chunk in chunks:
        total.add(np.array(chunk, np.float64))
    return total


@settings(derandomize=True, max_examples=150)
@given(LISTS, st.randoms(use_true_random=False), st.integers(0, 40))
def test_a_sum_is_the_true_one_in_any_order_and_cut(values: list[float], draw: object, cut: int) -> None:
    true = float(sum(map(Fraction, values), Fraction()))
    shuffled = list(values)
    draw.shuffle(shuffled)  # type: ignore[attr-defined]
    assert summed(values).value == true
    assert summed(shuffled[:cut], shuffled[cut:]).value == true


def test_a_sum_of_nothing_is_zero() -> None:
    assert summed([]).value == 0.0
    assert summed([1e16, 1.0, -1e16]).value == 1.0
