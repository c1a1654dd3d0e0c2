"""What has been read once: words and sentences come again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")

WORDS: Final = 1 << 15
SENTENCES: Final = 1 << 12
LONGEST: Final = 100
"""Characters of a word that is worth to be kept."""


class Memory(dict[Key, Value]):
    """What a function made of each key; when it is full it begins anew.

    `functools.lru_cache` also keeps in what order keys were asked for: dear, where a whole sentence of words takes a
    few microseconds to read.
    """

    __slots__ = ("_make", "_most")

    def __init__(self, make: Callable[[Key], Value], most: int) -> None:
        super().__init__()
        self._make, self._most = make, most

    def __missing__(self, key: Key) -> Value:
        made = self._make(key)
        if not isinstance(key, str) or len(key) <= LONGEST:
            if len(self) >= self._most:
                self.clear()
            self[key] = made
        return made
