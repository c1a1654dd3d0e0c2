"""Faults of Dask clusters, with real schedulers and workers: each is told with its cause, and the run can go on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from jatdae.core.errors import DataError, EngineError
from jatdae.core.messages import choose_language
from jatdae.run.api import Finished
from jatdae.run.work import dask, engine, score
from jatdae.run.work.engine import Engine

pytest.importorskip("distributed", reason="the cluster extra is not installed")
PATIENCE = 120  # seconds until a test gives up on another process; no outcome depends on it
Start = Callable[..., subprocess.Popen[bytes]]


def end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)  # a worker's nanny has a worker below it
    process.wait()


def until(happened: Callable[[], bool]) -> None:
    limit = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < limit, "another process did not get on"
        time.sleep(0.02)


def is_written(file: Path) -> bool:
    """Whether another process has written a whole JSON file."""
    with suppress(OSError, ValueError):
        return bool(json.loads(file.read_text()))
    return False


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """`start("scheduler" or "worker", flag…)`: a program of Dask, which is gone at the end of the test."""
    started: list[subprocess.Popen[bytes]] = []
    place = tmp_path / "scheduler.json"

    def of(kind: str, *flags: object, **environment: str) -> subprocess.Popen[bytes]:
        if kind == "worker":
            until(lambda: is_written(place))  # a worker that finds it half written ends
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--scheduler-file", place, "--no-dashboard"]
        command += ["--port", "0"] if kind == "scheduler" else ["--nthreads", "1"]
        with (tmp_path / f"log-{len(started)}").open("w") as log:
            process = subprocess.Popen(
                [*map(str, command), "--host", "127.0.0.1", *map(str, flags)],
                cwd=tmp_path, stdout=log, stderr=log, start_new_session=True, env={**os.environ, **environment},
            )  # fmt: skip
        started.append(process)
        return process

    yield of
    for process in started:
        end(process)


@pytest.fixture
def address(tmp_path: Path) -> Callable[[], str]:
    """The address of the scheduler that was started."""

    def known() -> str:
        until(lambda: is_written(tmp_path / "scheduler.json"))
        return str(json.loads((tmp_path / "scheduler.json").read_text())["address"])

    return known


@pytest.fixture
def preload(tmp_path: Path) -> Callable[[str], Path]:
    """Code that a worker runs before its work: what another installation, or another machine, would have."""

    def written(code: str) -> Path:
        (tmp_path / "preload.py").write_text(code)
        return tmp_path / "preload.py"

    return written


@pytest.fixture
def pairs(write: Any) -> str:
    rows = [{"id": str(n), "pred": "boom" if n == 900 else "x" * 90, "gold": "y"} for n in range(1000)]
    return str(write("p.jsonl", rows))


def bytes_of(done: Finished) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in (*(done.folder / "parts").iterdir(), done.folder / "summary.json")}


def test_a_killed_scheduler_is_told_and_the_run_goes_on_without_it(
    start: Start, address: Any, pairs: str, run: Any, plugin: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    scheduler = start("scheduler")
    start("worker")
    evaluator = plugin("paused:Paused", at="900", here=str(tmp_path / "here"), go=str(tmp_path / "go"))

    def kill_when_halfway() -> None:
        until((tmp_path / "here").exists)
        end(scheduler)

    threading.Thread(target=kill_when_halfway).start()
    with pytest.raises(EngineError, match=r"Lost the Dask scheduler at tcp://127\.0\.0\.1:\d+: .*to resume"):
        run(pairs, evaluator=evaluator, out=tmp_path / "run", engine=Engine(1, address()))
    assert "Traceback" not in capfd.readouterr().err
    (tmp_path / "go").touch()
    again = run(pairs, evaluator=evaluator, out=tmp_path / "run")
    assert again.resumed > 0
    assert bytes_of(again) == bytes_of(run(pairs, evaluator=evaluator))


@pytest.mark.parametrize(
    ("language", "said"), [("en", r"has had no workers for 0\.5 s.*dask worker tcp"), ("ko", "0.5초 동안 워커가 없")]
)
def test_a_scheduler_without_workers_is_told_after_the_stated_wait(
    language: str, said: str, start: Start, address: Any, pairs: str, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask, "WAIT", 0.5)
    choose_language(language)
    start("scheduler")
    with pytest.raises(EngineError, match=said) as told:
        run(pairs, engine=Engine(1, address()))
    assert not any(words in str(told.value) for words in ("parts are kept", "파트는 남아")), "there are none yet"


def test_workers_that_all_leave_are_told_after_the_stated_wait(
    start: Start, address: Any, pairs: str, run: Any, plugin: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start("scheduler")
    worker = start("worker")
    evaluator = plugin("paused:Paused", at="900", here=str(tmp_path / "here"), go=str(tmp_path / "go"))
    monkeypatch.setattr(engine, "PATIENCE", 0.2)

    def kill_when_halfway() -> None:
        until((tmp_path / "here").exists)
        monkeypatch.setattr(dask, "WAIT", 0.5)
        end(worker)

    threading.Thread(target=kill_when_halfway).start()
    with pytest.raises(EngineError, match="has had no workers for"):
        run(pairs, evaluator=evaluator, out=tmp_path / "run", engine=Engine(1, address()))
    (tmp_path / "go").touch()
    again = run(pairs, evaluator=evaluator, out=tmp_path / "run")
    assert bytes_of(again) == bytes_of(run(pairs, evaluator=evaluator))


def test_a_sample_that_kills_dask_workers_is_named(
    start: Start, address: Any, pairs: str, run: Any, plugin: Any, tmp_path: Path
) -> None:
    start("scheduler", DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="1")
    start("worker")
    start("worker")
    evaluator = plugin("faults:Faults", fault="killed", unless=str(tmp_path / "mended"))
    with pytest.raises(EngineError, match=r"died on sample '900' \(in the \d+ rows from .*p\.jsonl:\d+ on\)"):
        run(pairs, evaluator=evaluator, out=tmp_path / "run", engine=Engine(4, address()))
    (tmp_path / "mended").touch()
    again = run(pairs, evaluator=evaluator, out=tmp_path / "run", engine=Engine(4, address()))
    assert bytes_of(again) == bytes_of(run(pairs, evaluator=evaluator))


def test_a_worker_of_an_older_source_under_the_same_version_is_refused_and_not_waited_for(
    start: Start, address: Any, preload: Any, pairs: str, run: Any
) -> None:
    start("scheduler")
    code = "from jatdae.run.work import dask\n"
    code += "for name in ('_call_alike', 'decisive_versions'):\n    vars(dask).pop(name, None)\n"
    start("worker", "--preload", preload(code))
    with pytest.raises(EngineError, match=r"The Dask worker tcp://.* has another version .*source: – ≠"):
        run(pairs, engine=Engine(1, address()))


def test_a_part_on_a_disk_of_the_workers_own_is_told(
    start: Start, address: Any, preload: Any, pairs: str, run: Any, tmp_path: Path
) -> None:
    start("scheduler")
    start("worker", "--preload", preload("from jatdae.run.work import score\nscore.write_part = lambda *_: None"))
    said = r"parts/part-00000\.parquet: a worker wrote this part, but this machine does not see it\. Choose with --out"
    with pytest.raises(EngineError, match=said):
        run(pairs, out=tmp_path / "run", engine=Engine(1, address()))


def test_a_worker_without_the_run_folder_says_which(tmp_path: Path) -> None:
    job, piece = score.Job(None, "worst"), score.Chunk(0, [])
    with pytest.raises(EngineError, match=r"none/parts: the worker on .* does not see this folder"):
        score._score_piece(job, piece, str(tmp_path / "none" / "parts" / "part-00000.parquet"))


def test_what_a_worker_cannot_read_is_told_with_the_worker(
    start: Start, address: Any, preload: Any, pairs: str, run: Any, tmp_path: Path
) -> None:
    hidden = "from jatdae.run.input import batches, scan\n"
    hidden += "scan.bytes_of = lambda path, *given: batches.bytes_of(path + '.gone', *given)\n"
    start("scheduler")
    start("worker", "--preload", preload(hidden))
    said = r"p\.jsonl\.gone: cannot be read .* \(Dask worker on .*under the same paths"
    with pytest.raises(DataError, match=said):
        run(pairs, engine=Engine(1, address()))


@pytest.mark.parametrize("form", ["pairs", "numbered", "joined", "folder", "reference folder"])
@pytest.mark.parametrize("there", ["other", "longer", "other when it scores"])
def test_a_worker_that_sees_another_input_under_the_same_path_is_refused(
    form: str, there: str, start: Start, address: Any, preload: Any, write: Any, run: Any
) -> None:
    """The worker finds in `theirs` what the client has in `mine`."""
    text = {"mine": "same", "theirs": "something else" if there == "longer" else "else"}
    for place in ("mine", "theirs"):
        named = {"id": "1"} if form != "numbered" else {}
        write(f"{place}/pairs.jsonl", [{**named, "pred": text[place], "gold": "same"}])
        write(f"{place}/pred.jsonl", [{"id": "1", "pred": text[place]}])
        write(f"{place}/out/1.txt", text["mine" if form == "reference folder" else place])
        write(f"{place}/gold/1.txt", text["mine" if form == "folder" else place])
    elsewhere = "from jatdae.run.input import batches, folders, join\n"
    elsewhere += "from pathlib import Path\n"
    elsewhere += "elsewhere = lambda path: Path(str(path).replace('/mine/', '/theirs/'))\n"
    elsewhere += "def go():\n    batches.Path = join.Path = folders.Path = elsewhere\n"
    if there == "other when it scores":
        elsewhere += "from jatdae.run.work import score\n"
        elsewhere += "vars(score).setdefault('before', score._score_piece)\n"  # Dask may load this twice
        elsewhere += "score._score_piece = lambda *task: go() or score.before(*task)\n"
    else:
        elsewhere += "go()\n"
    start("scheduler")
    start("worker", "--preload", preload(elsewhere))
    gold = write("gold.jsonl", [{"id": "1", "gold": "same"}])
    mine = Path(gold).parent / "mine"
    read = [str(mine / "out"), str(mine / "gold")] if "folder" in form else [str(mine / "pairs.jsonl")]
    if form == "joined":
        read = [str(mine / "pred.jsonl"), gold]
    assert run(*read).summary["systems"][""]["metrics"]["exact"]["macro"] == 1.0
    with pytest.raises(DataError, match=r"mine/.*: its content is not what the run was planned with.*Dask worker on"):
        run(*read, engine=Engine(1, address()))
