"""The command line in one call: here and in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import NamedTuple

import pytest

from jatdae.cli import main
from jatdae.core import registry

PLUGINS = Path(__file__).parents[1] / "plugins"


class Ended(NamedTuple):
    """How a command ended."""

    status: int
    out: str
    err: str


Command = Callable[..., Ended]


@pytest.fixture(autouse=True)
def _own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder to run in, an English locale, a fixed width, and known evaluators installed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.syspath_prepend(PLUGINS)
    entries = [EntryPoint(name, f"{name}:{name.title()}", registry.GROUP) for name in ("kinds", "marks")]
    monkeypatch.setattr(registry, "entry_points", lambda group: entries)
    registry.available.cache_clear()
    yield
    registry.available.cache_clear()


@pytest.fixture
def jatdae(capsys: pytest.CaptureFixture[str]) -> Command:
    """`jatdae("run", …)`: in this process."""

    def run(*arguments: str) -> Ended:
        capsys.readouterr()
        status = main([str(argument) for argument in arguments])
        return Ended(status, *capsys.readouterr())

    return run


@pytest.fixture
def process() -> Callable[..., subprocess.CompletedProcess[str]]:
    """`process("run", …)`: the same in a process of its own, with what is really installed."""

    def run(*arguments: str, **given: object) -> subprocess.CompletedProcess[str]:
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **given.pop("env", {})}  # type: ignore[dict-item]
        command = [sys.executable, "-m", "jatdae", *map(str, arguments)]
        return subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=120, **given)  # type: ignore[call-overload,no-any-return]

    return run


@pytest.fixture
def pairs(write: Callable[..., str]) -> str:
    """Three pairs: one right, one that differs in case, one without a prediction."""
    return write(
        "pairs.jsonl",
        [
            {"id": "a", "prediction": "one", "reference": "one", "lang": "ko"},
            {"id": "b", "prediction": "Two", "reference": "two", "lang": "en"},
            {"id": "c", "prediction": None, "reference": "three", "lang": "en"},
        ],
    )
