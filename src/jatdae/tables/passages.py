"""What a prediction has in the place of a table that it lacks: the lines with the words of its cells."""

from __future__ import annotations

import re
from typing import Final

from jatdae.tables.grid import Grid

MAX_PASSAGE: Final = 1500
"""Characters that are shown of it."""
LEAST_SHARE: Final = 0.3
"""Share of the words of a table that a passage has to have to be called its text."""
_MARKUP: Final = re.compile(r"\\[A-Za-z]+|<[^<>]*>")
_WORD: Final = re.compile(r"\w+")


def passage_like(text: str, grid: Grid) -> str:
    """The lines of a text, for the evidence of a missing table, that are most like the table; "" if none are.

    They are the run of lines with the largest sum of words that the table has, less words that it has not.
    """
    wanted = {word for cell in grid.cells for word in _words(cell.text)}
    lines = [line for line in text.splitlines() if line.strip()]
    best, best_sum, start, total = (0, 0), 0, 0, 0
    for at, line in enumerate(lines):
        words = _words(line)
        known = sum(word in wanted for word in words)
        if total <= 0:
            start, total = at, 0
        total += 2 * known - len(words)
        if total > best_sum:
            best, best_sum = (start, at + 1), total
    passage = "\n".join(lines[slice(*best)]).strip()
    found = wanted.intersection(_words(passage))
    if len(found) < LEAST_SHARE * len(wanted):
        return ""
    return passage if len(passage) <= MAX_PASSAGE else passage[: MAX_PASSAGE - 1] + "…"


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(_MARKUP.sub(" ", text))]
