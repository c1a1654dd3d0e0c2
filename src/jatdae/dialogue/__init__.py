"""Scores of medical conversations: facts, safety, use of the record, consistency and actionability."""

from __future__ import annotations

from jatdae.dialogue.evaluator import DialogueEvaluator
from jatdae.dialogue.reading.mentions import Mention
from jatdae.dialogue.single import compute_advanced_metrics, extract, score_turn

__all__ = ["DialogueEvaluator", "Mention", "compute_advanced_metrics", "extract", "score_turn"]
