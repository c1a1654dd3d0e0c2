"""Asking several things at a time: what fails for good is told of, the rest goes on, and a stop stops all."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Final, TypeVar

from jatdae.experiments.targets import TurnFailed

MOST_IN_A_ROW: Final = 8
"""Failures without an answer between them after which nothing more is asked."""
Item = TypeVar("Item")


class Course(threading.Event):
    """Is set when asking should stop: something broke, or failures came in a row without an answer between them."""

    def __init__(self) -> None:
        super().__init__()
        self._counting = threading.Lock()
        self._in_a_row = 0

    def answered(self) -> None:
        """Note an answer."""
        with self._counting:
            self._in_a_row = 0

    def failed(self) -> None:
        """Note a failure."""
        with self._counting:
            self._in_a_row += 1
            if self._in_a_row >= MOST_IN_A_ROW:
                self.set()


def ask_each(
    items: Iterable[Item], ask: Callable[[Item, Course], None], concurrency: int
) -> list[tuple[Item, TurnFailed]]:
    """Call `ask` for every item, some at a time, and return the items that failed; other errors end it.

    After eight failures in a row nothing more is asked: the endpoint is down, and each item would wait for it anew.
    `ask` is given an event that is set when it should stop, and that it may tell of answers before its end.
    """
    stop = Course()
    failures: list[tuple[Item, TurnFailed]] = []

    def ask_one(item: Item) -> None:
        if stop.is_set():
            return
        try:
            ask(item, stop)
            stop.answered()
        except TurnFailed as error:
            failures.append((item, error))
            stop.failed()
        except BaseException:
            stop.set()  # here, before the next item is taken up
            raise

    with ThreadPoolExecutor(concurrency) as pool:
        waiting = [pool.submit(ask_one, each) for each in items]
        try:
            for future in as_completed(waiting):
                future.result()
        except BaseException:
            stop.set()
            for future in waiting:
                future.cancel()
            raise
    return failures
