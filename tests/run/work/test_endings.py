"""Runs that end before their time: a worker dies, an evaluator fails, Ctrl-C, kill -9. Each can go on."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from jatdae.core.errors import EngineError
from jatdae.run.api import evaluate
from jatdae.run.input import plan
from jatdae.run.output.tally import Tally
from jatdae.run.work.engine import Engine

PLUGINS = Path(__file__).parents[2] / "plugins"
EXACT = Path(__file__).parents[3] / "examples" / "exact_match.py"
PATIENCE = 120  # seconds until a test gives up on another process; no outcome depends on it


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in (*sorted((folder / "parts").iterdir()), folder / "summary.json")}


def rows(n: int, boom: int = -1) -> list[dict[str, str]]:
    return [{"id": str(i), "pred": "boom" if i == boom else "x" * 90, "gold": "y"} for i in range(n)]


def until(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, "another process did not get on"
        time.sleep(0.02)


def group_is_gone(leader: int) -> bool:
    """Whether a process and all it started have ended."""
    try:
        os.killpg(leader, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize("fault", ["dies", "killed", "raises", "starves"])
def test_a_run_whose_evaluator_failed_can_go_on(fault: str, write: Any, run: Any, plugin: Any, tmp_path: Path) -> None:
    evaluator = plugin("faults:Faults", fault=fault, unless=str(tmp_path / "mended"))
    file = write("p.jsonl", rows(1000, boom=900))
    killed = r"A worker process died on sample '900' \(in the \d+ rows from .*p\.jsonl:\d+ on\), and so did another"
    said = {
        "dies": killed,
        "killed": killed,
        "raises": "faults failed on sample '900': RuntimeError",
        "starves": "Memory ran out while faults scored sample '900'",
    }[fault]
    with pytest.raises(EngineError, match=said) as error:
        run(file, evaluator=evaluator, out=tmp_path / "run", engine=Engine(2))
    assert error.value.exit_status == 3
    (tmp_path / "mended").touch()
    again = run(file, evaluator=evaluator, out=tmp_path / "run", engine=Engine(2))
    assert again.summary["systems"][""]["n"] == 1000
    assert bytes_of(again.folder) == bytes_of(run(file, evaluator=evaluator).folder)


def test_a_worker_that_dies_but_once_is_told_with_its_rows(write: Any, run: Any, plugin: Any, tmp_path: Path) -> None:
    """As where memory ran out because all workers had much to do at once."""
    evaluator = plugin("faults:Faults", fault="killed", unless=str(tmp_path / "mended"), once=True)
    file = write("p.jsonl", rows(1000, boom=900))
    said = r"A worker process died, probably .*--jobs 1\. It was at \d+ rows from .*p\.jsonl:\d+ on"
    with pytest.raises(EngineError, match=said):
        run(file, evaluator=evaluator, out=tmp_path / "run", engine=Engine(2))
    again = run(file, evaluator=evaluator, out=tmp_path / "run", engine=Engine(2))
    assert bytes_of(again.folder) == bytes_of(run(file, evaluator=evaluator).folder)


def test_samples_in_memory_that_kill_a_worker_are_named(plugin: Any) -> None:
    samples = [{"id": f"s{n}", "prediction": "boom" if n == 700 else "", "reference": ""} for n in range(1000)]
    with pytest.raises(EngineError, match=r"A worker process died on sample 's700' \(in the 256 rows from 's512' on\)"):
        evaluate(samples, plugin("faults:Faults", fault="killed"), jobs=2)


def test_a_script_without_its_guard_is_told_so(start: Any, tmp_path: Path) -> None:
    """Every worker imports the script, which would start workers of its own."""
    script = tmp_path / "script.py"
    script.write_text(
        "import jatdae\n"
        "rows = [{'id': str(n), 'prediction': 'a', 'reference': 'b'} for n in range(600)]\n"
        "jatdae.evaluate(rows, 'text', jobs=2)\n"
    )
    assert start(script).wait(PATIENCE) == 1
    said = (tmp_path / "stderr-0").read_text()
    assert 'put the call under `if __name__ == "__main__":`' in said
    assert "memory ran out" not in said.lower()  # a function of the traceback may be called after memory
    assert said.count("Traceback") == 1  # that of the script; its workers say nothing


@pytest.mark.parametrize("where", ["planning", "merge"])
def test_memory_that_runs_out_in_this_process_is_told(
    where: str, write: Any, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def starved(*_: object) -> None:
        raise MemoryError

    file = write("p.jsonl", rows(1000))
    with monkeypatch.context() as patched, pytest.raises(EngineError, match="Memory ran out"):
        patched.setattr(*{"planning": (plan, "scan"), "merge": (Tally, "add")}[where], starved)
        run(file, out=tmp_path / "run")
    assert bytes_of(run(file, out=tmp_path / "run").folder) == bytes_of(run(file).folder)


def test_the_command_ends_with_3_where_a_worker_died(write: Any, tmp_path: Path) -> None:
    file = write("p.jsonl", rows(1000, boom=900))
    command = ["run", "--plugin", f"{PLUGINS}/faults.py:Faults", file, "--fault", "dies", "--jobs", "2"]
    ended = subprocess.run(
        [sys.executable, "-m", "jatdae", *command], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 3
    assert "A worker process died" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start Python in a process group of its own, which is gone at the end of the test."""
    started: list[subprocess.Popen[str]] = []

    def of(*arguments: object) -> subprocess.Popen[str]:
        command = [sys.executable, *map(str, arguments)]
        log = (tmp_path / f"stderr-{len(started)}").open("w")
        started.append(subprocess.Popen(command, cwd=tmp_path, stderr=log, text=True, start_new_session=True))
        return started[-1]

    yield of
    for process in started:
        if not group_is_gone(process.pid):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("jobs", [1, 2])
def test_interrupted_runs_end_with_130_and_can_go_on(
    jobs: int, write: Any, run: Any, start: Any, tmp_path: Path
) -> None:
    file = write("p.jsonl", rows(1000))
    command = ["-m", "jatdae", "run", "--plugin", f"{PLUGINS}/paused.py:Paused", file, "--at", "900"]
    command += ["--out", str(tmp_path / "run"), "--jobs", str(jobs)]
    process = start(*command)
    until((tmp_path / "here").exists)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers too
    assert process.wait(PATIENCE) == 130
    until(lambda: group_is_gone(process.pid))
    said = (tmp_path / "stderr-0").read_text()
    assert "To resume, run the same command again." in said
    assert "Traceback" not in said
    finished = len(list((tmp_path / "run" / "parts").glob("part-*")))
    assert finished > 0
    (tmp_path / "go").touch()
    assert start(*command).wait(PATIENCE) == 0
    assert f"Parts already done: {finished}." in (tmp_path / "stderr-1").read_text()
    assert start(*command[:-4], "--out", str(tmp_path / "whole")).wait(PATIENCE) == 0
    assert bytes_of(tmp_path / "run") == bytes_of(tmp_path / "whole")


def test_a_run_in_the_background_does_not_hear_ctrl_c(write: Any, start: Any, tmp_path: Path) -> None:
    """A shell starts it with SIGINT ignored so that Ctrl-C ends only what is in the foreground; it stays so."""
    file = write("p.jsonl", rows(1000))
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process = start(
            "-m", "jatdae", "run", "--plugin", f"{PLUGINS}/paused.py:Paused", file, "--at", "900", "--jobs", "2"
        )
    finally:
        signal.signal(signal.SIGINT, before)
    until((tmp_path / "here").exists)
    os.killpg(process.pid, signal.SIGINT)
    (tmp_path / "go").touch()
    assert process.wait(PATIENCE) == 0


def moments(count: int) -> Iterator[tuple[int, str, int]]:
    """(jobs, event, how many of it), drawn at random but always alike."""
    draw = random.Random(2024)
    for number in range(count):
        event, most = (("plan", 64), ("score", 12), ("fsync", 9))[number % 3]
        jobs = 1 if event == "fsync" else draw.choice([1, 2])  # several workers write their parts themselves
        yield jobs, event, draw.randint(1, most)


def test_a_run_killed_ten_times_ends_with_the_bytes_of_an_undisturbed_one(start: Any, tmp_path: Path) -> None:
    file = tmp_path / "p.jsonl"
    with file.open("w") as out:
        for n in range(200_000):
            out.write(f'{{"id":"{n}","pred":"text {n % 997}","gold":"text {n % 499}"}}\n')
    run = [Path(__file__).with_name("killed.py"), f"{EXACT}:ExactMatch", file]
    assert start(*run, tmp_path / "whole", 2, "never", 1).wait(PATIENCE) == 0
    grown = []
    for jobs, event, number in moments(10):
        process = start(*run, tmp_path / "run", jobs, event, number)
        assert process.wait(PATIENCE) == -signal.SIGKILL, (jobs, event, number)
        until(lambda leader=process.pid: group_is_gone(leader))  # workers end with the process that started them
        grown.append(len(list((tmp_path / "run" / "parts").glob("part-*"))))
    assert start(*run, tmp_path / "run", 2, "never", 1).wait(PATIENCE) == 0
    assert grown == sorted(grown)
    assert 0 < grown[3] < grown[-1] < 64
    assert len(bytes_of(tmp_path / "whole")) == 65
    assert bytes_of(tmp_path / "run") == bytes_of(tmp_path / "whole")
    written = ["input", "manifest.json", "parts", "parts.json", "summary.json"]
    assert sorted(p.name for p in (tmp_path / "run").iterdir()) == written
