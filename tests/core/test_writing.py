"""Files written for a user: whole or not at all, also where the target cannot be replaced."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from jatdae.core.errors import DataError
from jatdae.core.writing import write_atomically


@pytest.mark.parametrize(("data", "held"), [("한글\n", "한글\n".encode()), (b"\x00\xff", b"\x00\xff"), ("", b"")])
def test_text_is_utf8_and_bytes_stay_bytes(tmp_path: Path, data: str | bytes, held: bytes) -> None:
    write_atomically(tmp_path / "file", data)
    assert (tmp_path / "file").read_bytes() == held
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_file_is_replaced_and_one_who_reads_it_keeps_the_old(tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_text("old")
    with target.open() as reader:
        write_atomically(target, "new")
        assert (reader.read(), target.read_text()) == ("old", "new")


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_what_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "no space left on the device")

    target = tmp_path / "file"
    target.write_text("old")
    monkeypatch.setattr(*{"fsync": (os, "fsync", full), "replace": (Path, "replace", full)}[failing])
    with pytest.raises(DataError, match=r"file: cannot be written \(no space left on the device\)"):
        write_atomically(target, "new")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("file", "old")]


def test_an_interrupted_write_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "file", "new")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("place", ["none/file", ".", "/", "folder", "nul\0"])
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    with pytest.raises(DataError, match="cannot be written"):
        write_atomically(Path(place), "new")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_link_is_replaced_and_what_it_leads_to_stays(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("kept")
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    write_atomically(tmp_path / "link", "new")
    assert ((tmp_path / "elsewhere").read_text(), (tmp_path / "link").read_text()) == ("kept", "new")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=write_atomically, args=(pipe, "through"))
    writer.start()
    assert pipe.read_text() == "through"
    writer.join()
    assert pipe.is_fifo()


@pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="no /dev/fd here")
def test_a_pipe_that_nobody_reads_is_no_data_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        with pytest.raises(BrokenPipeError):
            write_atomically(Path(f"/dev/fd/{writer}"), "unread")
    finally:
        os.close(writer)


@pytest.mark.skipif(not os.path.lexists("/dev/stdout"), reason="no /dev/stdout here")
@pytest.mark.parametrize("to_file", [False, True], ids=["pipe", "file"])
def test_standard_output_by_its_name_is_written_to(tmp_path: Path, to_file: bool) -> None:
    code = (
        "from pathlib import Path; from jatdae.core.writing import write_atomically;"
        "write_atomically(Path('/dev/stdout'), 'told')"
    )
    stream = Path("/dev/stdout")
    before = stream.readlink() if stream.is_symlink() else None
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", code]
    if to_file:
        with (tmp_path / "out").open("wb") as out:
            subprocess.run(command, env=env, stdout=out, check=True)
        assert (tmp_path / "out").read_text() == "told"
    else:
        assert subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout == "told"
    assert (stream.readlink() if stream.is_symlink() else None) == before


def test_what_a_redirected_stream_holds_is_kept(tmp_path: Path) -> None:
    log = tmp_path / "log"
    program = (
        "from pathlib import Path; from jatdae.core.writing import write_atomically as w; w(Path('/dev/stdout'), 'x')"
    )
    with log.open("ab") as stream:
        stream.write(b"head\n")
        stream.flush()
        subprocess.run([sys.executable, "-c", program], stdout=stream, check=True)
    assert log.read_bytes() == b"head\nx"
