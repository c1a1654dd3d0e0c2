"""Rows of tables with a column for then and one for now: "| | Last year | This year |"."""

from __future__ import annotations

import itertools
import re
from typing import Final

_THEN: Final = re.compile(
    r"last (?:year|spring|summer|autumn|fall|winter|month|time|visit|check)|previous|prior|before|earlier|baseline"
    r"|\bold\b"
    r"|\bago\b|at diagnosis|at the start|작년|지난|이전|과거|전$|처음"
)
_NOW: Final = re.compile(
    r"\bnow\b|today|current|latest|recent|\bnew\b|this (?:year|month|week|time|visit|spring|summer|autumn|fall|winter)"
    r"|\bafter\b|이번|지금|현재|올해|오늘|최근"
)
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_MOST_ROWS: Final = 100
"""How many rows below its head a row of a table may stand."""


def find_timed_cells(text: str, place: int) -> list[tuple[int, int, bool]]:
    """Cells of the table row at a place of a folded text that stand under a time: begin, end, whether it is past.

    Empty unless the head of the table has a column for then and one for now.
    """
    row = text.rfind("\n", 0, place) + 1
    if not text.startswith("|", row):
        return []
    head = _top(text, row)
    if head == row:
        return []
    times = _times([text[start:end] for start, end in _cells(text, head)])
    if True not in times or False not in times:
        return []
    return [(*cell, then) for cell, then in zip(_cells(text, row), times, strict=False) if then is not None]


def find_head(text: str, place: int) -> str:
    """The head of the column of a table in which a place of a folded text stands, or empty."""
    row = text.rfind("\n", 0, place) + 1
    if not text.startswith("|", row):
        return ""
    head = _top(text, row)
    cells = _cells(text, row)
    heads = _cells(text, head) if head != row else []
    number = next((number for number, (start, end) in enumerate(cells) if start <= place < end), len(heads))
    return text[heads[number][0] : heads[number][1]].strip() if number < len(heads) else ""


def _top(text: str, row: int) -> int:
    """Where the first row of the table begins of which a row is; of a very long table, where the row itself does."""
    head = row
    for _ in range(_MOST_ROWS):
        above = text.rfind("\n", 0, head - 1) + 1 if head else 0
        if not head or not text.startswith("|", above):
            return head
        head = above
    return row


def _cells(text: str, row: int) -> list[tuple[int, int]]:
    end = text.find("\n", row)
    end = end if end >= 0 else len(text)
    bars = [at for at in range(row, end) if text[at] == "|"]
    return [(start + 1, stop) for start, stop in itertools.pairwise(bars)]


def _times(heads: list[str]) -> list[bool | None]:
    """Whether each head of a column names a past time; None if it names none. Of years, the latest is now."""
    years = [max(map(int, _YEAR.findall(head)), default=0) for head in heads]
    if sum(map(bool, years)) > 1:
        return [year < max(years) if year else None for year in years]
    return [True if _THEN.search(head) else False if _NOW.search(head) else None for head in heads]
