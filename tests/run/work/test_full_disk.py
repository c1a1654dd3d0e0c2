"""Disks without room and folders that cannot be opened: told as what they are, with nothing left half-written."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from jatdae.cli import main
from jatdae.core.errors import DataError, EngineError
from jatdae.core.writing import replacing
from jatdae.run.input import files
from jatdae.run.output import folder as store
from jatdae.run.output import part as parts

EXAMPLE = f"{Path(__file__).parents[3] / 'examples' / 'exact_match.py'}:ExactMatch"
ROWS = [{"id": str(n), "prediction": "a", "reference": "a"} for n in range(3)]


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_no_room_for_the_spool_is_not_blamed_on_the_input(
    write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(files, "_write_rows", full)
    rows = write("p.csv", ROWS)
    assert main(["run", "--plugin", EXAMPLE, rows, "--out", str(tmp_path / "run"), "--lang", "en"]) == 2
    assert capsys.readouterr().err.startswith("error: Cannot write: no space left on the device.")
    assert not (tmp_path / "run").exists()


def test_no_room_for_a_part_leaves_nothing_behind(
    write: Any, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def no_room(target: Path) -> Iterator[BinaryIO]:
        with replacing(target) as file:
            file.write(b"half")
            full()
            yield file

    with monkeypatch.context() as patched, pytest.raises(EngineError, match="cannot be written"):
        patched.setattr(parts, "replacing", no_room)
        run(write("p.jsonl", ROWS), out=tmp_path / "run")
    assert list((tmp_path / "run" / "parts").iterdir()) == []
    run(write("p.jsonl", ROWS), out=tmp_path / "run")


def test_a_folder_that_cannot_be_opened_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> int:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    with monkeypatch.context() as patched, pytest.raises(DataError, match=r"run: cannot be read \(permission denied\)"):
        patched.setattr(store.os, "open", refused)
        with store.RunFolder(tmp_path / "run").held():
            pass
