"""Asking several things at a time: what fails for good is told of, the rest goes on, and a stop stops all."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import TypeVar

from jatdae.experiments.targets import TurnFailed

Item = TypeVar("Item")


def ask_each(
    items: Iterable[Item], ask: Callable[[Item, threading.Event], None], concurrency: int
) -> list[tuple[Item, TurnFailed]]:
    """Call `ask` for every item, some at a time, and return the items that failed; other errors end it.

    `ask` is given an event that is set when it should stop.
    """
    stop = threading.Event()
    failures: list[tuple[Item, TurnFailed]] = []
    with ThreadPoolExecutor(concurrency) as pool:
        waiting = {pool.submit(ask, each, stop): each for each in items}
        try:
            while waiting:
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    item = waiting.pop(future)
                    try:
                        future.result()
                    except TurnFailed as error:
                        failures.append((item, error))
        except BaseException:
            stop.set()
            for future in waiting:
                future.cancel()
            raise
    return failures
