"""A medical conversation: are its facts the patient's, is its advice safe, does it use what is known."""

from __future__ import annotations

from jatdae.dialogue.evaluator import DialogueEvaluator
from jatdae.dialogue.judge import score_turn
from jatdae.dialogue.reading.mentions import Mention, extract

__all__ = ["DialogueEvaluator", "Mention", "extract", "score_turn"]
