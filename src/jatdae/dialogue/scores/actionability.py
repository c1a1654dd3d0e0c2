"""ASS, actionability and specificity of an answer: the mean over the elements that its turn requires.

An element counts 0 if it is absent, 0.5 if it is named, and 1 if it is quantified.
"""

from __future__ import annotations

import re
from typing import Any, Final

from jatdae.dialogue.reading.mentions import Passage
from jatdae.dialogue.rules.requirements import TurnRequirements

_ITEM: Final = re.compile(r"[ \t]{0,3}(?:(?:[-*•·]|\d{1,2}[.)])[ \t]+|[①-⑩])\S")
_TH: Final = "째"
_WORDS: Final = ("첫째", "둘째", "셋째", "넷째", "다섯째")
_ENGLISH: Final = ("first,", "second,", "third,", "fourth,", "fifth,")


def score_actions(turn: TurnRequirements, answer: Passage) -> dict[str, Any]:
    """Score the actionability of one answer (ASS) by the elements that its turn requires."""
    likely = turn.patterns.likely(answer.encoded) if turn.elements else set()
    items = count_items(answer.folded) if any(element.most for element in turn.elements) else 0
    detail: dict[str, dict[str, Any]] = {}
    for element in turn.elements:
        named, quantified = f"named:{element.name}", f"quantified:{element.name}"
        span = turn.patterns.first(quantified, answer.encoded) if quantified in likely else None
        if span or (element.most and element.least <= items <= element.most):
            value = 1.0
        else:
            span = turn.patterns.first(named, answer.encoded) if named in likely else None
            value = 0.5 if span or (element.most and items) else 0.0  # a list of another length still names the element
        detail[element.name] = {"value": value, "span": list(span) if span else None}
    total = sum([entry["value"] for entry in detail.values()])
    return {
        "metric": "ASS",
        "score": total / len(detail) if detail else None,
        "elements": detail,
        "total": total,
        "required": len(detail),
    }


def count_items(folded: str) -> int:
    """Count the items of an answer for its actionability: of its lists, or of the enumeration in its sentences."""
    lines = sum(_ITEM.match(line) is not None for line in folded.split("\n"))
    said = sum([word in folded for word in _WORDS]) if _TH in folded else 0
    return max(lines, said, sum([word in folded for word in _ENGLISH]))
