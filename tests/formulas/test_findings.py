"""What is wrong with formulas, in words."""

from __future__ import annotations

from jatdae import FormulaEvaluator
from jatdae.core.contract import Sample


def lines(prediction: str, reference: str) -> list[str]:
    return list(FormulaEvaluator.findings(FormulaEvaluator().score(Sample("1", prediction, reference)).evidence))


def test_both_formulas_and_the_symbols_that_differ() -> None:
    assert lines(r"\sqrt{n}", r"\sqrt{\pi}") == [
        "Formula 1:",
        r"  Reference: \sqrt{\pi}",
        r"  Prediction: \sqrt{n}",
        "  another symbol: π→n",
    ]


def test_equal_formulas_are_only_counted() -> None:
    assert lines("x^{2}", "x^2") == ["the same formula: 1"]
