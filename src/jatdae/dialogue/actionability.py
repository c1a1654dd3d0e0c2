"""ASS, actionability and specificity: the mean over what a turn must include: 0 absent, 0.5 named, 1 quantified."""

from __future__ import annotations

import re
from typing import Any, Final

from jatdae.dialogue.requirements import Turn

_ITEM: Final = re.compile(r"(?m)^[ \t]{0,3}(?:(?:[-*•·]|\d{1,2}[.)])[ \t]+|[①-⑩])\S")
_WORDS: Final = ("첫째", "둘째", "셋째", "넷째", "다섯째")
_ENGLISH: Final = ("first,", "second,", "third,", "fourth,", "fifth,")


def score_actions(turn: Turn, folded: str) -> dict[str, Any]:
    """The result of one answer, given as it is folded."""
    found = turn.patterns.names(folded) if turn.elements else set()
    items = count_items(folded) if any(element.most for element in turn.elements) else 0
    detail = {}
    for element in turn.elements:
        listed = element.most and element.least <= items <= element.most
        value = (
            1.0 if listed or f"quantified:{element.name}" in found else 0.5 if f"named:{element.name}" in found else 0.0
        )
        if not value and element.most and items:
            value = 0.5  # a list there is, but not of that length
        level = "quantified" if value == 1.0 else "named"
        span = turn.patterns.first(f"{level}:{element.name}", folded) if value else None
        detail[element.name] = {"value": value, "span": list(span) if span else None}
    total = sum(entry["value"] for entry in detail.values())  # type: ignore[misc]
    return {
        "metric": "ASS",
        "score": total / len(detail) if detail else None,
        "elements": detail,
        "total": total,
        "required": len(detail),
    }


def count_items(folded: str) -> int:
    """Items of the lists in an answer, or of an enumeration in its sentences."""
    lines = len(_ITEM.findall(folded))
    said = max(sum(word in folded for word in words) for words in (_WORDS, _ENGLISH))
    return max(lines, said)
