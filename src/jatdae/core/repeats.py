"""A cache of what comes again, for work that meets the same input over and over."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

Made = TypeVar("Made")


class RepeatCache(Generic[Made]):
    """Keeps what is added for the same key twice, and at most `most` of it.

    A cache of everything fills up with what never comes again, and the garbage collector walks it over and over. So
    the first time only the hash of a key is kept. A full cache is emptied.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[Hashable, Made] = {}
        self._seen: set[int] = set()
        self.get = self._kept.get
        """What is kept for a key, or None. The method of the dictionary itself: it is called for every input."""

    def add(self, key: Hashable, made: Made) -> None:
        """Keep what was made for a key, if the key comes again."""
        key_hash = hash(key)
        if key_hash in self._seen:
            if len(self._kept) >= self._most:
                self._kept.clear()
            self._kept[key] = made
        else:
            if len(self._seen) >= 8 * self._most:
                self._seen.clear()
            self._seen.add(key_hash)

    def __len__(self) -> int:
        return len(self._kept)
