"""LaTeX formulas: extraction, their canonical form, and how well they agree."""

from __future__ import annotations

from jatdae.formulas.evaluator import FormulaEvaluator
from jatdae.formulas.extraction import extract, without_signs
from jatdae.formulas.similarity import compare
from jatdae.formulas.tokens import canonical_form

__all__ = ["FormulaEvaluator", "extract", "score"]


def score(prediction: str, reference: str) -> float:
    """How well a LaTeX formula agrees with its reference, from 0 to 1: `formula_score`.

    Signs around a formula (`$`, `\\\\[`) may be there or not.
    """
    return compare(canonical_form(without_signs(prediction)), canonical_form(without_signs(reference))).score
