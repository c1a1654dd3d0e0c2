"""Unit tests for pages: facts that a parser's output must or must not have."""

from __future__ import annotations

from jatdae.checks.evaluator import CheckEvaluator

__all__ = ["CheckEvaluator"]
