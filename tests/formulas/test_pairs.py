"""Formulas of a document find their partners, whatever their order."""

from __future__ import annotations

import pytest

from jatdae.formulas import pairs
from jatdae.formulas.pairs import by_assignment, by_order
from jatdae.formulas.tokens import canonical_form


def forms(*latex: str) -> list[object]:
    return [canonical_form(each) for each in latex]


@pytest.mark.parametrize(
    ("predictions", "references", "pairing"),
    [
        (["a", "b"], ["b", "a"], [1, 0]),
        (["x", "x"], ["x", "x", "x"], [0, 1, None]),
        (["a+b+d", "p=q"], ["p=q+1", "a+b+c"], [1, 0]),
        (["z"], ["a"], [None]),
        ([], ["a"], [None]),
        (["a"], [], []),
        (["u+v", "a+b", "c"], ["c", "a+b=1"], [2, 1]),
    ],
)
def test_equal_ones_first_then_the_most_alike(
    predictions: list[str], references: list[str], pairing: list[int]
) -> None:
    assert by_assignment(forms(*predictions), forms(*references)) == pairing


def test_by_order() -> None:
    assert by_order(2, 3) == [0, 1, None]


def test_too_many_are_not_assigned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "MAX_FORMULA_PAIRS", 3)
    assert by_assignment(forms("a", "b"), forms("c", "d")) is None
    assert by_assignment(forms("a", "b"), forms("a", "b")) == [0, 1]
