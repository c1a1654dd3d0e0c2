"""How long something takes, as the benchmarks measure it."""

from __future__ import annotations

import time
from collections.abc import Callable


def best(work: Callable[[], object], repeat: int) -> float:
    """The least processor time of `repeat` runs in this process: others may share the machine."""
    times = []
    for _ in range(repeat):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)
