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
    """Fold the words of an answer for comparison: lower case, straight apostrophes, plain spaces, same positions."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(c if len(c.lower()) != 1 else c.lower() for c in text)
    return lower.replace("’", "'").replace("\u00a0", " ")


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
