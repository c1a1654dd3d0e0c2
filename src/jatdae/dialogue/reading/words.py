"""Words of the medical lexicon and the grammars: `{a|b}` expanded, letters folded, results cached by word."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Final, TypeVar

Key = TypeVar("Key")
Result = TypeVar("Result")

WORDS: Final = 1 << 15
SENTENCES: Final = 1 << 12
LONGEST: Final = 100
"""Longest word that is cached, in characters."""
LATIN: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_")
"""Characters of a folded word in Latin script."""
_CHOICE: Final = re.compile(r"\{([^{}]*\|[^{}]*)\}")
_NARROW: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
_TAG: Final = re.compile(
    r"</?(?:(li)|(td|th)|(p|br|div|tr|ul|ol|table|tbody|thead|h[1-6]|hr|section|dl|dt|dd|blockquote|pre)"
    r"|b|strong|i|em|u|a|span|code|sub|sup|small|mark|font)(?:\s[^<>\n]{0,200})?\s?/?>"
)
_ENTITY: Final = re.compile(r"&(?:(lt)|(gt)|(amp)|nbsp|#160);")


def expand(text: str) -> Iterator[str]:
    """Expand a lexicon entry into the words that answers may use: `a {b|c}` gives `a b` and `a c`."""
    for chosen in product(*_choices(text)):
        yield "".join(chosen)


def count_expansions(text: str) -> int:
    """Count the words, to be found in answers, that a lexicon entry with braces expands to."""
    return math.prod(len(choice) for choice in _choices(text))


def _choices(text: str) -> list[list[str]]:
    return [part.split("|") if at % 2 else [part] for at, part in enumerate(_CHOICE.split(text))]


def any_in(parts: tuple[str, ...], text: str) -> bool:
    """Whether a text has one of some parts: asked before a pattern that needs one, because that is much faster."""
    for part in parts:  # noqa: SIM110 (a generator costs more than what it asks)
        if part in text:
            return True
    return False


def fold(text: str) -> str:
    """Fold the words of an answer for comparison, each character staying where it is.

    Lower case, straight apostrophes, plain spaces, ＡＢＣ in full width, HTML tags as their marks.
    """
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(c if len(c.lower()) != 1 else c.lower() for c in text)
    lower = lower.replace("’", "'").replace("\u00a0", " ")
    if not lower.isascii() and _has_wide(lower.encode("utf-8", "surrogatepass")):
        lower = lower.translate(_NARROW).lower()
    if "<" in lower:
        lower = _TAG.sub(_mark, lower)
    if "&" in lower:
        lower = _ENTITY.sub(_sign, lower)
    return lower


def _has_wide(encoded: bytes) -> bool:
    """Whether a text may have letters in full width: by their first two bytes, which is faster than a pattern."""
    return b"\xef\xbc" in encoded or b"\xef\xbd" in encoded


def _mark(found: re.Match[str]) -> str:
    """The mark that an HTML tag stands for, as long as the tag: a new line, an item, a cell, or emphasis."""
    size = len(found[0])
    if found[0][1] == "/":
        return ("\n" if found[3] else " " if found[1] or found[2] else "*").ljust(size, " " if found.lastindex else "*")
    if found[1]:
        return "\n- ".ljust(size)
    if found[2]:
        return "| ".ljust(size)
    return "\n".ljust(size) if found[3] else "*" * size


def _sign(found: re.Match[str]) -> str:
    """The sign that an HTML entity stands for, as long as the entity."""
    return ("<" if found[1] else ">" if found[2] else "&" if found[3] else " ").ljust(len(found[0]))


class BoundedCache(dict[Key, Result]):
    """Cache of a function's results by argument, cleared when it is full.

    `functools.lru_cache` also records the order in which keys were asked for. That costs too much here: all words of
    a sentence are looked up within a few microseconds.
    """

    __slots__ = ("_make", "_most")

    def __init__(self, make: Callable[[Key], Result], most: int) -> None:
        super().__init__()
        self._make, self._most = make, most

    def __missing__(self, key: Key) -> Result:
        made = self._make(key)
        if not isinstance(key, str) or len(key) <= LONGEST:
            if len(self) >= self._most:
                self.clear()
            self[key] = made
        return made
