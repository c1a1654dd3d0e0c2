"""The engine: calls in order, errors as they are, and no process left behind."""

from __future__ import annotations

import multiprocessing
import os
import struct
import threading
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from operator import floordiv
from typing import Any

import pytest

from jatdae.core.errors import EngineError
from jatdae.core.messages import choose_language, language
from jatdae.run.work import engine as engines
from jatdae.run.work.engine import Engine, default_jobs


@pytest.mark.parametrize("jobs", [0, 1, 2])
def test_results_come_in_the_order_of_their_tasks(jobs: int) -> None:
    with Engine(jobs) as engine:
        assert list(engine.map(floordiv, [(n, 2) for n in range(200)])) == [n // 2 for n in range(200)]
        assert list(engine.map(floordiv, [])) == []
        assert list(engine.map(floordiv, [(7, 2)])) == [3]


def test_an_error_of_a_call_is_raised_where_its_result_is_due() -> None:
    done = []
    with pytest.raises(ZeroDivisionError), Engine(2) as engine:
        done.extend(engine.map(floordiv, [(n, 3 - n) for n in range(60)]))
    assert done == [0, 0, 2]
    with Engine(2) as engine:
        results = engine.map(floordiv, [(6, 2), (6, 3), (6, 0), (6, 1)])
        assert [next(results), next(results)] == [3, 2]
        with pytest.raises(ZeroDivisionError):
            next(results)


def test_a_worker_that_dies_is_an_engine_error_with_a_remedy() -> None:
    with pytest.raises(EngineError, match=r"A worker process died.*--jobs 2"), Engine(4) as engine:
        list(engine.map(os._exit, [(1,), (1,)]))


def test_workers_speak_the_language_that_was_chosen() -> None:
    choose_language("ko")
    with Engine(2) as engine:
        assert list(engine.map(language, [(), ()])) == ["ko", "ko"]


def test_all_cores_are_used_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    assert default_jobs() == len(os.sched_getaffinity(0))
    monkeypatch.delattr(os, "sched_getaffinity")
    assert default_jobs() == os.cpu_count()


def test_a_worker_ends_with_the_process_that_started_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Held whole by the runs that are killed; here what the watching thread does."""

    class Parent:
        def join(self) -> None:
            seen.append("joined")

    seen: list[Any] = []
    monkeypatch.setattr(engines.multiprocessing, "parent_process", Parent)
    monkeypatch.setattr(engines.os, "_exit", seen.append)
    engines._end_with_parent()
    assert seen == ["joined", 1]
    monkeypatch.setattr(engines.multiprocessing, "parent_process", lambda: None)
    engines._end_with_parent()
    assert seen == ["joined", 1]


def test_an_engine_ends_though_a_result_was_cut_short() -> None:
    """As where a worker is killed while it writes: the executor has read a length, and waits for what is announced."""
    ended = threading.Event()

    def interrupted() -> None:
        with pytest.raises(KeyboardInterrupt), Engine(2) as engine:
            assert list(engine.map(abs, [(-1,), (-2,)])) == [1, 2]
            results: Any = engine._executor
            os.write(results._result_queue._writer.fileno(), struct.pack("!i", 1000) + b"half")
            raise KeyboardInterrupt
        ended.set()

    threading.Thread(target=interrupted, daemon=True).start()
    assert ended.wait(60)


def test_a_result_that_a_dead_worker_owes_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "PATIENCE", 0.01)
    gone = multiprocessing.get_context("spawn").Process(target=abs, args=(1,))
    gone.start()
    gone.join()
    with ProcessPoolExecutor(1) as executor:
        monkeypatch.setattr(executor, "_processes", {gone.pid: gone})
        with pytest.raises(BrokenProcessPool):
            engines._result(Future(), executor)
        monkeypatch.setattr(executor, "_processes", {})


def test_a_call_that_runs_out_of_time_of_its_own_is_told_as_such() -> None:
    late: Future[int] = Future()
    late.set_exception(TimeoutError("the disk"))
    with ProcessPoolExecutor(1) as executor, pytest.raises(TimeoutError, match="the disk"):
        engines._result(late, executor)
