"""Results worth keeping: those that are asked for more than once.

A cache that keeps everything it sees fills up with what never comes again, and the garbage collector walks it over and
over. So a result is kept from the second time on; until then only the hash of its key is known.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Memory(Generic[P, R]):
    """A function that remembers by its positional arguments: at most `most` results, then it starts anew."""

    def __init__(self, make: Callable[P, R], most: int) -> None:
        self._make, self._most = make, most
        self._kept: dict[object, R] = {}
        self._met: set[int] = set()

    def __call__(self, *key: P.args, **none: P.kwargs) -> R:
        found = self._kept.get(key)
        if found is not None:
            return found
        made = self._make(*key, **none)
        met = hash(key)
        if met in self._met:
            if len(self._kept) >= self._most:
                self._kept.clear()
            self._kept[key] = made
        else:
            if len(self._met) >= 8 * self._most:
                self._met.clear()
            self._met.add(met)
        return made

    def __len__(self) -> int:
        return len(self._kept)
