"""Searches in one text that look at no stretch twice, however many places of a long line ask for the same."""

from __future__ import annotations

import re


class Ahead:
    """What stands ahead of places of a text, before the end of their line or clause."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._found: dict[tuple[int, int], tuple[int, int]] = {}
        """By pattern and end: from where it was searched last, and where the first match from there begins."""

    def has(self, pattern: re.Pattern[str], start: int, end: int) -> bool:
        """Whether a pattern that matches no empty text is found between start and end."""
        return self.first(pattern, start, end) < end

    def first(self, pattern: re.Pattern[str], start: int, end: int) -> int:
        """Where the first match of a pattern between start and end begins; `end` if there is none."""
        key = id(pattern), end
        since, at = self._found.get(key, (0, -1))
        if not since <= start <= at:
            found = pattern.search(self.text, start, end)
            at = found.start() if found else end
            self._found[key] = start, at
        return at
