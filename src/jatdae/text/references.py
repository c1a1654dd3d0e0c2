"""The references block of a document: where it starts, where it ends, and what is left without it.

A block starts at a heading, at pandoc's `refs` or `thebibliography` div, or at a run of reference entries; it ends
before the next section, or at the end of the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from jatdae.text.entries import Entry, find_entries, last_list
from jatdae.text.literal import heading_split
from jatdae.text.sections import (
    DIV_EDGE,
    MARKED_HEADING,
    PERHAPS_SECTION,
    REFERENCES_DIV,
    REFERENCES_HEADING,
    SECTION_AFTER,
)

VERSION: Final = 1
_PLAIN: Final = 7
"""The level of a heading without marks: below every marked one."""
_SOON: Final = 3000
"""Characters after a heading within which its first entry has to stand."""
_MOST_HEADINGS: Final = 32
"""Headings weighed against each other, the last ones of a text."""
_MOST_UNSEEN: Final = 0.5
"""A heading without recognisable entries may cut no more than this share of a text."""
_BLANK_LINE: Final = re.compile(r"\n[^\S\n]*+\n|\n[^\S\n]*+(?=\[Page\s)")


@dataclass(frozen=True, slots=True)
class Block:
    """A references block as positions in the text."""

    start: int
    end: int
    how: Literal["heading", "div", "entries"]

    @property
    def characters(self) -> int:
        """Its length."""
        return self.end - self.start

    def cut(self, text: str) -> str:
        """`text` without the block."""
        return f"{text[: self.start].rstrip()}\n\n{text[self.end :].lstrip()}".strip()


def find_references(text: str, how: str = "block") -> Block | None:
    """The references of `text`: `block` as described above, `heading` by the literal rule, `none` never."""
    if "\n" not in text or how == "none":
        return None
    if how == "heading":
        start = heading_split(text)
        return None if start is None else Block(start, len(text), "heading")
    return _div(text) or _list(text)


def _div(text: str) -> Block | None:
    """Pandoc's div, together with the heading right above it."""
    found = REFERENCES_DIV.search(text) if ":::" in text or "<div" in text else None
    if found is None:
        return None
    start = found.start()
    above = deque(REFERENCES_HEADING.finditer(text, 0, start), maxlen=1)
    if above and not text[above[0].end() : start].strip():
        start = above[0].start()
    return Block(start, _div_end(text, found), "div")


def _div_end(text: str, opening: re.Match[str]) -> int:
    html = opening[0].lstrip().startswith("<")
    depth = 0
    for edge in DIV_EDGE.finditer(text, opening.start()):
        if html != (edge["tag"] is not None):
            continue
        closes = edge["tag"] == "/" if html else edge["name"] is None
        depth += -1 if closes else 1
        if depth == 0:
            return _line_end(text, edge.end())
    return len(text)


def _list(text: str) -> Block | None:
    """The heading followed by most entries; else the last run of entries; else a heading near the end."""
    headings = deque(REFERENCES_HEADING.finditer(text), maxlen=_MOST_HEADINGS)
    entries = find_entries(text)
    starts = [entry.start for entry in entries]
    best: tuple[int, Block] | None = None
    for heading in headings:
        first = bisect_left(starts, heading.end())
        if first == len(starts) or starts[first] - heading.end() > _SOON:
            continue
        block = _block_after(text, heading, starts)
        count = bisect_left(starts, block.end) - first
        if best is None or count >= best[0]:
            best = count, block
    if best:
        return best[1]
    if run := last_list(entries):
        return Block(run[0].start, _entry_end(text, run), "entries")
    if headings:
        block = _block_after(text, headings[-1], starts)
        if block.characters <= _MOST_UNSEEN * len(text):
            return block
    return None


def _block_after(text: str, heading: re.Match[str], starts: list[int]) -> Block:
    """From a heading to the next section."""
    level = len(heading["marks"]) or _PLAIN
    end = len(text)
    for marked in MARKED_HEADING.finditer(text, heading.end()):
        if len(marked[1]) <= level:
            end = marked.start()
            break
    if section := SECTION_AFTER.search(text, heading.end(), end):
        end = section.start()
    last_entry = bisect_left(starts, end) - 1
    after = max(heading.end(), starts[last_entry] if last_entry >= 0 else 0)
    if perhaps := PERHAPS_SECTION.search(text, after + 1, end):
        end = perhaps.start()
    return Block(heading.start(), end, "heading")


def _entry_end(text: str, run: list[Entry]) -> int:
    """The last entry ends at a blank line, and is no longer than the longest before it."""
    last = run[-1].start
    longest = max(other.start - one.start for one, other in pairwise(run))
    if blank := _BLANK_LINE.search(text, last, min(len(text), last + longest)):
        return blank.start()
    return _line_end(text, last + longest)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end
