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


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in folder.rglob("*") if p.is_file() and p.parent.name != "input"}


@pytest.mark.parametrize("fault", [errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EIO])
@pytest.mark.parametrize("name", ["part-00000.parquet", "manifest.json", "parts.json", "summary.json", "report.html"])
def test_a_disk_that_fails_in_the_midst_of_a_run_is_told_and_the_run_resumes(
    name: str,
    fault: int,
    write: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    @contextmanager
    def failing(target: Path) -> Iterator[BinaryIO]:
        if target.name == name:
            raise OSError(fault, os.strerror(fault), str(target))
        with replacing(target) as file:
            yield file

    rows = write("p.jsonl", ROWS)
    command = ["run", "--plugin", EXAMPLE, rows, "--lang", "en", "--jobs", "1"]
    with monkeypatch.context() as patched:
        patched.setattr(parts, "replacing", failing)
        patched.setattr(store, "replacing", failing)
        assert main([*command, "--out", str(tmp_path / "run")]) == 3
    said = capsys.readouterr().err
    assert f"{name}: cannot be written (" in said
    assert "Finished parts are kept. Free space or make the folder writable, then run the same command again" in said
    assert list((tmp_path / "run").rglob("*.tmp")) == []
    assert main([*command, "--out", str(tmp_path / "run")]) == 0
    assert main([*command, "--out", str(tmp_path / "whole")]) == 0
    assert bytes_of(tmp_path / "run") == bytes_of(tmp_path / "whole")


@pytest.mark.parametrize(("fault", "status"), [(errno.EROFS, 3), (errno.EDQUOT, 3), (errno.ENOSPC, 2)])
def test_a_staging_folder_that_turns_read_only_is_not_blamed_on_the_input(
    fault: int,
    status: int,
    write: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def failing(*_: object) -> None:
        raise OSError(fault, os.strerror(fault), "spool")

    monkeypatch.setattr(files, "_write_rows", failing)
    command = ["run", "--plugin", EXAMPLE, write("p.csv", ROWS), "--out", str(tmp_path / "run"), "--lang", "en"]
    assert main(command) == status
    said = capsys.readouterr().err
    assert "p.csv" not in said
    assert "run the same command again" in said


def test_a_folder_that_cannot_be_made_ready_is_told(
    write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(self: Path, *_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(self))

    monkeypatch.setattr(store.RunFolder, "_sweep", lambda folder: failing(folder.path))
    command = ["run", "--plugin", EXAMPLE, write("p.jsonl", ROWS), "--out", str(tmp_path / "run"), "--lang", "en"]
    assert main(command) == 3
    assert "run: the file system is read-only. The run has stopped; finished parts are kept." in capsys.readouterr().err
