"""Evaluation of document parsers, side by side, on text, structure and tables."""

from __future__ import annotations

from jatdae.documents.evaluator import DocumentEvaluator

__all__ = ["DocumentEvaluator"]
