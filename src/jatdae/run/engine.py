"""Where work is done: in this process, in local processes, or on a Dask cluster. One code path for all three."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any, Self

from jatdae.core.errors import EngineError
from jatdae.core.messages import choose_language, language, say
from jatdae.run.cluster import DaskExecutor, Tls


def default_jobs() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass
class Engine:
    """Runs calls in order of submission and hands back their results in that order."""

    jobs: int = 1
    scheduler: str = ""
    """Address of a Dask scheduler; "" for this machine."""
    tls: Tls | None = None

    def __enter__(self) -> Self:
        self._executor: Executor | None = None
        return self

    def __exit__(self, *error: object) -> None:
        if self._executor is not None:
            if error[0] is not None and isinstance(self._executor, ProcessPoolExecutor):
                _kill(self._executor)
            self._executor.shutdown(wait=True, cancel_futures=True)

    def map(self, call: Callable[..., Any], tasks: Sequence[tuple[Any, ...]]) -> Iterator[Any]:
        """Results in the order of `tasks`; no more than a few calls wait at a time, so memory stays flat."""
        if not self.scheduler and (self.jobs <= 1 or len(tasks) <= 1):
            yield from (call(*task) for task in tasks)
            return
        executor = self._executor = self._executor or self._start()
        waiting: deque[Future[Any]] = deque()
        upcoming = iter(tasks)
        try:
            for task in upcoming:
                waiting.append(executor.submit(call, *task))
                if len(waiting) >= 4 * max(self.jobs, 8):
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:
            raise EngineError(say("worker_died", jobs=max(1, self.jobs // 2))) from None

    def _start(self) -> Executor:
        if self.scheduler:
            return DaskExecutor(self.scheduler, self.tls)
        method = "forkserver" if sys.platform != "win32" else "spawn"
        context = multiprocessing.get_context(method)
        if method == "forkserver":
            context.set_forkserver_preload(["jatdae.run.shard", "jatdae.run.scan"])
        return ProcessPoolExecutor(self.jobs, mp_context=context, initializer=_begin, initargs=(language(),))


def _begin(chosen: str) -> None:
    """A worker leaves Ctrl-C to the process that started it, and ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    choose_language(chosen)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """The executor's own workers would outlive a killed parent, waiting for work for ever."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)


def _kill(executor: ProcessPoolExecutor) -> None:
    """Parts are written atomically, so workers may be stopped at any moment."""
    for process in list((executor._processes or {}).values()):
        process.kill()
