"""Alphabets of letters, for the baseline test: which one a character belongs to."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

import regex

_PROPERTIES: Final = {
    "latin": r"\p{Script=Latin}",
    "greek": r"\p{Script=Greek}",
    "cyrillic": r"\p{Script=Cyrillic}",
    "hebrew": r"\p{Script=Hebrew}",
    "arabic": r"\p{Script=Arabic}",
    "devanagari": r"\p{Script=Devanagari}",
    "thai": r"\p{Script=Thai}",
    "hangul": r"\p{Script=Hangul}",
    "kana": r"[\p{Script=Hiragana}\p{Script=Katakana}]",
    "han": r"\p{Script=Han}",
    "emoji": r"[\U0001F300-\U0001F64F\U0001F680-\U0001F6FF\U0001F1E0-\U0001F1FF\U0001F900-\U0001F9FF]",
}
_LETTER: Final = regex.compile("|".join(f"(?P<{name}>{letters})" for name, letters in _PROPERTIES.items()))
_PLAIN: Final = re.compile(r"[A-Za-z]")
FAMILIAR: Final = frozenset(["latin", "greek"])
"""Alphabets that any page may have: formulas are written with them."""
TOGETHER: Final = {"hangul": {"han"}, "kana": {"han"}, "han": {"kana"}}
"""Alphabets that stand on one page with another: Korean and Japanese use Chinese characters."""
PUBLISHED: Final = re.compile(
    "[\u4e00-\u9fff\u3040-\u309f\u30a0-\u30ff\U0001f600-\U0001f64f\U0001f300-\U0001f5ff\U0001f680-\U0001f6ff\U0001f1e0-\U0001f1ff]"
)
"""What olmOCR-bench allows on no page: Chinese characters, kana and emoji."""


def count_alphabets(text: str) -> Counter[str]:
    """How many letters of each alphabet a text has."""
    counted = Counter(match.lastgroup or "" for match in _LETTER.finditer(text)) if not text.isascii() else Counter()
    if text.isascii():
        counted["latin"] = len(_PLAIN.findall(text))
    return counted


def expected_alphabets(texts: list[str]) -> set[str]:
    """The alphabets that a page may have whose tests have these texts."""
    found = {name for text in texts for name in count_alphabets(text)}
    return set(FAMILIAR) | found | {other for name in found for other in TOGETHER.get(name, ())}
