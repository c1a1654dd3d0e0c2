"""Comparison of texts: character error rate with and without the bibliography, after the same clean-up."""

from __future__ import annotations

from collections.abc import Sequence

from jatdae.kernels.edit import EditCounts, edit_counts
from jatdae.text.error_rates import length, rate
from jatdae.text.evaluator import TextEvaluator
from jatdae.text.normaliser import find_normaliser, normalise

__all__ = ["EditCounts", "TextEvaluator", "cer", "edit_counts", "normalise"]


def cer(prediction: str, reference: str, normaliser: str | Sequence[str] = "fair") -> float | None:
    """Character error rate of a text, (S + D + I) / N; N is the length of the normalised reference.

    None where the reference is empty after normalisation and the prediction is not.
    """
    steps = find_normaliser(normaliser)
    counts = edit_counts(steps(prediction), steps(reference))
    return rate(counts.distance, length(counts))
