"""What tests share: evaluators from tests/plugins, writers of every input form, and running in one call."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import settings

from jatdae.core import registry
from jatdae.core.config import build
from jatdae.core.messages import choose_language
from jatdae.core.registry import load_class
from jatdae.run.api import Finished, execute
from jatdae.run.input.model import Inputs
from jatdae.run.stats.result import Result

PLUGINS = Path(__file__).parent / "plugins"
settings.register_profile("untimed", deadline=None)  # a busy machine is no error
settings.load_profile("untimed")
Row = Mapping[str, Any]
UNBROKEN = ("-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape")
STARTING = {"browser", "compile_latex", "process", "shell", "start", "typed", "wheel"}
"""Fixtures that start other programs: Chromium, LaTeX, a shell, a Python of its own, a build."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what is named in slow.txt (measured: about a second or more) or starts another program."""
    slow = set((Path(__file__).parent / "slow.txt").read_text("utf-8").split())
    for item in items:
        if isinstance(item, pytest.Function) and (
            item.originalname in slow or STARTING.intersection(item.fixturenames)
        ):
            item.add_marker("slow")


@pytest.fixture(autouse=True)
def _english() -> None:
    choose_language("en")


@pytest.fixture(autouse=True)
def _nothing_lent(monkeypatch: pytest.MonkeyPatch) -> None:
    """No plug-in of an earlier test is in the registry."""
    monkeypatch.setattr(registry, "_lent", {})


@pytest.fixture(autouse=True)
def _nothing_lent(monkeypatch: pytest.MonkeyPatch) -> None:
    """No plug-in of an earlier test is in the registry."""
    monkeypatch.setattr(registry, "_lent", {})


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Make Ctrl-C work as in the foreground, for this process and those it starts.

    A shell without job control starts a background command with SIGINT ignored (`make test &` in a script, CI), and
    every child inherits that. A test that sends SIGINT needs this fixture, or it waits for an end that never comes.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def plugin() -> Callable[..., Any]:
    """`plugin("file:Class", field=value)`: an evaluator from tests/plugins."""

    def load(target: str, **config: Any) -> Any:
        name, _, cls = target.partition(":")
        return build(load_class(f"{PLUGINS / name}.py:{cls}"), config)

    return load


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, Any], str]:
    """`write(name, rows or text or bytes)`: a file in the form its name says; returns its path."""

    def to(name: str, content: Iterable[Row] | str | bytes) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            content = content.encode()
        path.write_bytes(content if isinstance(content, bytes) else encoded(name, list(content)))
        return str(path)

    return to


@pytest.fixture
def run(tmp_path: Path, plugin: Callable[..., Any]) -> Callable[..., Finished]:
    """`run(path)` or `run(pred, ref)`: a run of the evaluator `marks` (or of another) into a folder of its own."""
    count = iter(range(1000))

    def of(pred: str, ref: str = "", *, evaluator: Any = None, out: Path | None = None, **given: Any) -> Finished:
        engine, overwrite = given.pop("engine", None), given.pop("overwrite", False)
        read = Inputs(reference=ref, predictions=(("", pred),), **given) if ref else Inputs((("", pred),), **given)
        folder = out or tmp_path / f"run-{next(count)}"
        return execute(evaluator or plugin("marks:Marks"), read, out=folder, engine=engine, overwrite=overwrite)

    return of


@pytest.fixture
def outcomes() -> Callable[[Finished], list[dict[str, Any]]]:
    """The rows of a finished run."""
    return lambda done: list(Result.load(done.folder).rows())


def encoded(name: str, rows: list[Row]) -> bytes:
    """Rows as the bytes of a file called `name`."""
    name, compress = _undressed(name)
    form = name.rpartition(".")[2]
    if form == "parquet":
        buffer = io.BytesIO()
        pq.write_table(pa.Table.from_pylist(rows), buffer)
        return compress(buffer.getvalue())
    if form in ("csv", "tsv"):
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, list(rows[0]), delimiter="," if form == "csv" else "\t")
        writer.writeheader()
        writer.writerows(rows)
        return compress(text.getvalue().encode())
    if form == "json":
        return compress(json.dumps(rows, ensure_ascii=False, indent=1).encode())
    return compress("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode())


def _undressed(name: str) -> tuple[str, Callable[[bytes], bytes]]:
    if name.endswith(".gz"):
        return name[:-3], lambda data: gzip.compress(data, mtime=0)
    if name.endswith(".zst"):
        return name[:-4], lambda data: bytes(pa.compress(data, "zstd", asbytes=True))
    return name, lambda data: data


@pytest.fixture
def compile_latex(tmp_path: Path) -> Callable[[str], str]:
    """`compile_latex(text)`: what LaTeX says of it. Absent, tests are skipped, except on CI, which has to have it."""
    if shutil.which("pdflatex") is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("pdflatex is not installed (make latex)")

    def run(text: str) -> str:
        needs = "".join(re.findall(r"^% (\\usepackage.*)$", text, re.MULTILINE))
        (tmp_path / "body.tex").write_text(text, "utf-8")
        document = rf"\documentclass{{article}}{needs}\begin{{document}}\input{{body}}\end{{document}}"
        (tmp_path / "paper.tex").write_text(document, "utf-8")
        done = subprocess.run(["pdflatex", *UNBROKEN, "paper"], cwd=tmp_path, capture_output=True, check=False)
        said = done.stdout.decode(errors="replace")
        assert done.returncode == 0, said[-2000:]
        return said

    return run
