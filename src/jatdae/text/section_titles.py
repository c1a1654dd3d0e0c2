"""Titles of sections in plain text, where no mark tells them: the line after a bibliography that begins an appendix.

A title is short, begins with a capital, ends without a full stop and names no year. It begins a section if it is
numbered as only an appendix is ("A.1 Proofs", "가. 추가 실험"), or if prose, a caption or a table follows.
"""

from __future__ import annotations

import re
from typing import Final

_LONGEST_TITLE: Final = 90
_MOST_WORDS: Final = 12
_MOST_TITLES: Final = 3
"""Titles that may stand above each other before the prose."""
_FEWEST_WORDS: Final = 7
"""Words of a line, or of two, that make prose."""
_FEWEST_LETTERS: Final = 20
"""The same in letters, in scripts that write few spaces."""
_PLAIN_SHARE: Final = 0.6
"""Share of words without a capital in prose; names and titles have fewer."""

_CJK: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_DATED: Final = re.compile(r"(?<!\d)(?:1[6-9]|20)\d\d(?!\d)|doi\b|arXiv|https?://|\bpp\.|\bvol\.", re.IGNORECASE)
_NUMBERED: Final = re.compile(
    r"(?:[A-H](?:\.\d{1,2}){0,3}[.:)]?[^\S\n]++|S?\d{1,2}(?:\.\d{1,2}){0,3}\.?[^\S\n]++)(?=[A-Z가-힣一-鿿])"
    r"|(?:[가-하]\.|제?\d{1,2}[장절.])[^\S\n]*+(?=\D)|[IVX]{1,4}\.[^\S\n]++(?=[A-Z])"
)
_SURELY_NUMBERED: Final = re.compile(r"[A-H]\.\d{1,2}\.?[^\S\n]++[A-Z]|[가-하]\.[^\S\n]++[가-힣]")
_CAPTION_OR_TABLE: Final = re.compile(r"(?:Table|Figure|Fig\.|표|그림)[^\S\n]*+[A-Z\d]|\|")
_TITLE_START: Final = re.compile(r"[^\W\d_a-z]")
_WORD: Final = re.compile(r"[^\W\d_]{3,}")


def begins_section(text: str, start: int, end: int) -> bool:
    """Whether the line from `start` to `end` is the title of a section in plain text."""
    if not _is_title(text[start:end]):
        return False
    if _SURELY_NUMBERED.match(text[start:end].strip()):
        return True
    for _ in range(_MOST_TITLES):
        start, end = _next_line(text, end)
        line = text[start:end]
        if not _is_title(line) or _is_prose(line):
            break
    following = text[start : _next_line(text, end)[1]]
    return _is_prose(following) or _CAPTION_OR_TABLE.match(following.lstrip()) is not None


def _is_title(line: str) -> bool:
    line = line.strip()
    if not line or len(line) > _LONGEST_TITLE or line[-1] in ".,;。，-–" or _DATED.search(line):
        return False
    numbered = _NUMBERED.match(line)
    rest = line[numbered.end() :] if numbered else line
    if not _TITLE_START.match(rest) or len(rest.split()) > _MOST_WORDS:
        return False
    if _CJK.search(rest):
        return len(rest) <= _LONGEST_TITLE // 2
    words = _WORD.findall(rest)
    long = [word for word in words if len(word) > 3]
    capital = sum(word[0].isupper() for word in long)
    # "Proof of the main lemma" is a title too where it is numbered.
    return bool(words) and (numbered is not None or 2 * capital >= len(long)) and ", " not in rest[:20]


def _is_prose(lines: str) -> bool:
    lines = lines.strip()
    if not lines or not _TITLE_START.match(lines) or _DATED.search(lines[:80]):
        return False
    if len(_CJK.findall(lines)) >= _FEWEST_LETTERS:
        return True
    words = _WORD.findall(lines)
    plain = sum(word[0].islower() for word in words)
    return len(lines.split()) >= _FEWEST_WORDS and plain >= _PLAIN_SHARE * len(words)


def _next_line(text: str, at: int) -> tuple[int, int]:
    """The next line with something on it."""
    while at < len(text):
        start = at + 1
        at = text.find("\n", start)
        at = len(text) if at < 0 else at
        if text[start:at].strip():
            return start, at
    return at, at
