"""Sentences and lists of a text."""

from __future__ import annotations

import re
from typing import Final

_END: Final = re.compile(r"""[;\n。…!?.](?:(?<!\.)|\Z|(?=[\s"')*])(?<!e\.g\.|i\.e\.)(?<! dr\.| vs\.| mr\.| st\.))""")
"""A mark that ends a sentence; a point does before a space or what closes, and behind no word that is cut short."""
_ITEM: Final = re.compile(r"\s*(?:[-*•·▪◦‣]|\d{1,2}[.)]|[①-⑩])\s+")
_BARE: Final = 40
"""Longest line without a full stop that can be a heading over a list."""

Line = tuple[int, int]
"""Where a line begins and ends."""


def sentences(text: str) -> list[int]:
    """Where sentences begin; none at the point of 6.2 or e.g."""
    return [0, *[found.end() for found in _END.finditer(text)]]


def lists(text: str) -> list[tuple[int, Line | None]]:
    """Where each line begins, and the line above the list that it is an item of."""
    found: list[tuple[int, Line | None]] = []
    lead: Line | None = None
    place = 0
    for line in text.split("\n"):
        bare = line.strip().rstrip("*_ ")
        item = _ITEM.match(line) and not (bare.endswith(":") and not line.startswith((" ", "\t")))
        if bare and not item:
            lead = (place, place + len(line)) if _heads(line, bare) else None
        found.append((place, lead if item else None))
        place += len(line) + 1
    return found


def _heads(line: str, bare: str) -> bool:
    """Whether a line may stand over a list: "피해야 할 음식:", and a heading alike."""
    if bare.endswith(":") or line.startswith(("#", "**")):
        return True
    return len(bare) <= _BARE and not bare.endswith((".", "!", "?", "다", "요"))
