"""Engines that do the work of a run by one code path: this process, local processes, or Dask workers."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Event
from typing import Any, Final, Self

import pyarrow as pa

from jatdae.core.errors import EngineError
from jatdae.core.messages import choose_language, in_python, language, say
from jatdae.run.work.dask import DaskExecutor, Tls

PATIENCE: Final = 5.0
"""Seconds between two looks at whether a worker that owes a result is still alive."""


def default_jobs() -> int:
    """Number of workers for an engine: the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class WorkerDied(EngineError):
    """Engine error for workers that died at their work; `tasks` are the arguments of the calls it may have been."""

    def __init__(self, message: str, tasks: Sequence[tuple[Any, ...]] = ()) -> None:
        super().__init__(message)
        self.tasks = tasks


@dataclass
class Engine:
    """Runs calls of a run, in this process or in workers, and returns the results in order of submission."""

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

    def map(self, call: Callable[..., Any], tasks: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
        """Results in the order of `tasks`; no more than a few calls wait at a time, so memory stays flat."""
        upcoming = iter(tasks)
        if not self.scheduler:
            first = [] if self.jobs <= 1 else list(islice(upcoming, 2))
            upcoming = chain(first, upcoming)
            if len(first) < 2:  # one process at hand, or one call: no need for others
                yield from (call(*task) for task in upcoming)
                return
        executor = self._executor = self._executor or self._start()
        waiting: deque[tuple[tuple[Any, ...], Future[Any]]] = deque()
        for task in upcoming:
            with uninterrupted():  # it may start a worker, which has much to say when it finds its parent gone
                waiting.append((task, self._submit(executor, call, task)))
            if len(waiting) >= 4 * max(self.jobs, 8):
                yield self._next(waiting, executor)
        while waiting:
            yield self._next(waiting, executor)

    def apart(self, call: Callable[..., Any], *task: Any) -> Any:
        """Result of one call that is made in a worker even where this process could make it."""
        executor = self._executor = self._executor or self._start()
        return self._next(deque([(task, self._submit(executor, call, task))]), executor)

    def _submit(self, executor: Executor, call: Callable[..., Any], task: tuple[Any, ...]) -> Future[Any]:
        try:
            return executor.submit(call, *task)
        except BrokenProcessPool as error:  # the result that is due next tells it
            failed: Future[Any] = Future()
            failed.set_exception(error)
            return failed

    def _next(self, waiting: deque[tuple[tuple[Any, ...], Future[Any]]], executor: Executor) -> Any:
        """The result that is due next."""
        task, future = waiting.popleft()
        try:
            return _result(future, executor)
        except BrokenExecutor:
            if not self.scheduler and not self._begun.is_set():
                raise EngineError(say("workers_not_started")) from None
            said = say("dask_workers_died") if self.scheduler else say("worker_died", jobs=max(1, self.jobs // 2))
            # Workers begin calls in order, one at a time. As many again may have come to a result that was lost, and
            # Dask gives up calls that only waited for the worker that died.
            unfinished = [other for other, later in waiting if not _has_result(later)]
            raise WorkerDied(said, [task, *unfinished][: 2 * self.jobs]) from None

    def _start(self) -> Executor:
        if self.scheduler:
            return DaskExecutor(self.scheduler, self.tls)
        if _in_unguarded_script():
            raise SystemExit(1)  # says nothing: the process that started this one does
        method = "forkserver" if sys.platform != "win32" else "spawn"
        context = multiprocessing.get_context(method)
        if method == "forkserver":
            context.set_forkserver_preload(["jatdae.run.work.score", "jatdae.run.input.plan"])
            _start_server()
        self._begun = context.Event()
        return ProcessPoolExecutor(
            self.jobs, mp_context=context, initializer=_begin, initargs=(language(), in_python.get(), self._begun)
        )


def _in_unguarded_script() -> bool:
    """Whether this is a worker that runs the user's script once more, from the top, before its work.

    Python calls the script `__mp_main__` there, and puts it in the place of `__main__` when it has run.
    """
    script = sys.modules.get("__mp_main__")
    return script is not None and script is not sys.modules["__main__"]


def _start_server() -> None:
    """Start what workers are forked from; it would not take Ctrl-C quietly before it has imported all it needs."""
    from multiprocessing import forkserver, resource_tracker

    resource_tracker.ensure_running()  # when it starts it lets signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # a child begins with the mask of its parent
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(chosen: str, wording: bool, begun: Event) -> None:
    """A worker leaves Ctrl-C to the process that started it, and ends with it."""
    begun.set()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    choose_language(chosen)
    in_python.set(wording)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """The executor's own workers would outlive a killed parent, waiting for work for ever."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)


def _result(future: Future[Any], executor: Executor) -> Any:
    """What a call came to. A worker killed while it hands that back leaves the executor waiting for the rest of it."""
    if isinstance(executor, DaskExecutor):
        return executor.result(future, PATIENCE)
    lost = False
    while True:
        try:
            return future.result(PATIENCE)
        except TimeoutError:
            if future.done():  # the call's own, or it came to a result just now
                return future.result()
            if lost:
                raise BrokenProcessPool from None
            lost = isinstance(executor, ProcessPoolExecutor) and _has_lost_one(executor)


def _has_result(future: Future[Any]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _has_lost_one(executor: ProcessPoolExecutor) -> bool:
    workers, _ = _inside(executor)
    return bool(wait([process.sentinel for process in workers], timeout=0))


def _kill(executor: ProcessPoolExecutor) -> None:
    """Parts are written atomically, so workers may be stopped at any moment.

    One that was handing back a result leaves half of it: the executor waits for the rest until nobody can write it.
    """
    workers, results = _inside(executor)
    for process in workers:
        process.kill()
    results.close()


def _inside(executor: ProcessPoolExecutor) -> tuple[list[BaseProcess], Connection]:
    """The workers of a pool, and its own end of the pipe through which they hand back results.

    No public call tells either before Python 3.14, and none ever closes that end: while it is open, half a result
    keeps the pool waiting for the rest.
    """
    inside: Any = executor
    return list((inside._processes or {}).values()), inside._result_queue._writer


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Context manager that delays Ctrl-C until its block ends, while an engine handles its workers."""
    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    caught: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: caught.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if caught:
        raise KeyboardInterrupt


def wake_pyarrow() -> None:
    """Before an engine scores, let pyarrow do its one-time search for pandas, safe from Ctrl-C.

    Whatever is raised during that search it takes for "pandas is not there".
    """
    with uninterrupted():
        pa.array([0.0]).to_numpy()
