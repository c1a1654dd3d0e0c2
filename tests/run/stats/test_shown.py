"""Numbers as they are shown: in their unit, with their sign, p-values as in papers."""

from __future__ import annotations

import pytest

from jatdae.core.messages import speaking
from jatdae.run.stats.shown import bracketed, change, number, p_equals, p_value, span, system_label


@pytest.mark.parametrize(
    ("p", "cell", "sentence"),
    [
        (0.0074, ".007", "p = .007"), (0.5, ".500", "p = .500"), (1.0, "1.000", "p = 1.000"),
        (0.001, ".001", "p = .001"), (0.00099, "< .001", "p < .001"), (0.0001, "< .001", "p < .001"),
    ],
)  # fmt: skip
def test_a_p_value_is_shown_with_three_digits(p: float, cell: str, sentence: str) -> None:
    assert (p_value(p), p_equals(p)) == (cell, sentence)


def test_what_is_not_known_is_a_dash_or_nothing() -> None:
    assert (p_value(None), change(None, "%"), span(None, "%"), bracketed(None, "%")) == ("–", "–", "–", "")
    assert (number(None, "%"), number(None, "", "no table")) == ("N/A", "N/A (no table)")


@pytest.mark.parametrize(
    ("unit", "shown"), [("%", " [0.18, 1.18]"), ("pp", " [0.18, 1.18]"), ("", " [0.0018, 0.0118]")]
)
def test_an_interval_after_its_value_is_in_brackets(unit: str, shown: str) -> None:
    assert bracketed((0.0018, 0.0118), unit) == shown


def test_an_interval_below_zero_keeps_both_signs() -> None:
    assert bracketed((-0.02, -0.01), "%") == " [-2.00, -1.00]"


def test_a_system_without_a_name_is_all() -> None:
    assert (system_label(""), system_label("gpt")) == ("all", "gpt")
    with speaking("ko"):
        assert system_label("") == "전체"
