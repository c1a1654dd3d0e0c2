"""Letting the garbage collector rest while many objects are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def rare_collection() -> Iterator[None]:
    """Rows and outcomes are many, live to the end of their shard and hold no cycles.

    At the usual threshold the collector walks them again and again, a fifth of the whole time of a cheap evaluator. It
    decorates the function that holds them, so that they are gone when the threshold is back.
    """
    before = gc.get_threshold()
    gc.set_threshold(max(200_000, before[0]), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
