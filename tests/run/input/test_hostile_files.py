"""Hostile files and folders: loops, devices, names, permissions, and folders that are not ours."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from jatdae.core.errors import DataError, JatdaeError, UsageError
from jatdae.core.writing import file_name
from jatdae.run.api import execute
from jatdae.run.input.model import Inputs
from jatdae.run.output.folder import RunFolder

ROW = '{"id": "a", "pred": "x", "gold": "x"}\n'


def loop(tmp: Path) -> None:
    (tmp / "p.jsonl").symlink_to(tmp / "q.jsonl")
    (tmp / "q.jsonl").symlink_to(tmp / "p.jsonl")


def folder_loop(tmp: Path) -> None:
    (tmp / "pred" / "sub").mkdir()
    (tmp / "pred" / "sub" / "up").symlink_to(tmp / "pred")


def two_of_one_key(tmp: Path) -> None:
    (tmp / "pred" / "a.txt").write_text("x")


def bad_name(tmp: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp) + b"/pred/\xff\n.md")).write_text("x")


# How to make it, what to read, what is said.
PATHS: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "a link in a circle": (loop, "p.jsonl", r"p\.jsonl: cannot be read"),
    "a link to nowhere": (lambda t: (t / "p.jsonl").symlink_to("gone"), "p.jsonl", r"cannot be read \(no such"),
    "a folder called like a file": (lambda t: (t / "p.jsonl").mkdir(), "p.jsonl", "must be a file of rows"),
    "a device": (lambda t: None, "/dev/null", "/dev/null: not a file, a folder or a pipe"),
    "a link to a device": (lambda t: (t / "p.jsonl").symlink_to("/dev/zero"), "p.jsonl", "not a file, a folder"),
    "a path below a file": (lambda t: None, "ref.jsonl/p.jsonl", "no such file or folder"),
    "a name too long": (lambda t: None, "x" * 5000, "no such file or folder"),
    "a name with NUL": (lambda t: None, "a\0b", "no such file or folder"),
    "a folder in a circle": (folder_loop, "pred", r"pred/sub/up: a symbolic link points to one of its parent folders"),
    "two files of one key": (two_of_one_key, "pred", r"pred/a\.md and .*pred/a\.txt have the same key 'a'"),
    "a pipe in a folder": (lambda t: os.mkfifo(t / "pred" / "b.md"), "pred", r"pred/b\.md: not a file"),
    "a device in a folder": (lambda t: (t / "pred" / "b").symlink_to("/dev/zero"), "pred", "pred/b: not a file"),
    "a link to nowhere in a folder": (lambda t: (t / "pred" / "b").symlink_to("gone"), "pred", "b: cannot be read"),
    "a link in a circle in a folder": (lambda t: (t / "pred" / "b").symlink_to("b"), "pred", "pred/b: cannot be read"),
    "a name that is not UTF-8": (bad_name, "pred", r"pred/.*udcff\\n\.md: the file name is not UTF-8"),
}  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_a_path_that_cannot_be_read_is_refused_by_name(
    path: str, write: Any, plugin: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write("ref.jsonl", ROW)
    write("pred/a.md", "x")
    write("ref/a.md", "x")
    make, given, said = PATHS[path]
    make(tmp_path)
    folder = given == "pred"
    inputs = Inputs(reference="ref", predictions=(("", given),)) if folder else Inputs(pairs=(("", given),))
    with pytest.raises(JatdaeError, match=said) as error:
        execute(plugin("marks:Marks"), inputs, out=tmp_path / "run")
    assert isinstance(error.value, DataError | UsageError)
    assert str(error.value).isprintable()


def test_a_file_may_have_a_name_that_is_not_utf8(write: Any, run: Any, tmp_path: Path) -> None:
    file = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.jsonl"))
    file.write_text(ROW)
    done = run(str(file))
    assert RunFolder(done.folder).manifest()["input"][0]["name"].endswith("\\udcff.jsonl")  # type: ignore[index]


@pytest.mark.parametrize("side", ["pred", "ref"])
@pytest.mark.parametrize(
    ("data", "said"),
    [(b"caf\xe9", r"b\.md:1:4: neither UTF-8 nor CP949"), (None, r"b\.md is larger than 64 MiB")],
    ids=["Latin-1", "vast"],
)
def test_a_document_that_cannot_be_read_is_a_bad_row(
    data: bytes | None, said: str, side: str, write: Any, run: Any, outcomes: Any, tmp_path: Path
) -> None:
    for name in ("pred/a.md", "pred/b.md", "ref/a.txt", "ref/b.md"):
        write(name, "x")
    write(f"{side}/b.md", data or b"")
    if data is None:
        os.truncate(tmp_path / side / "b.md", 65 << 20)
    pred, ref = str(tmp_path / "pred"), str(tmp_path / "ref")
    with pytest.raises(DataError, match=said):
        run(pred, ref)
    done = run(pred, ref, on_bad_row="count")
    assert done.summary["input"]["bad_rows"] == 1
    scored = [("a", 1.0), ("b", 0.0)] if side == "pred" else [("a", 1.0)]
    assert [(row["id"], row["values"]["exact"]) for row in outcomes(done)] == scored


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that users without rights can reach, as pytest's own cannot be."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        yield Path(name)


@contextmanager
def without_rights() -> Iterator[None]:
    """Root may read anything, so where tests run as root it steps back for a moment."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize("forbidden", ["p.jsonl", "pred", "pred/a.md", "pred/sub"])
def test_what_may_not_be_read_is_told(forbidden: str, shared: Path, run: Any, plugin: Any) -> None:
    for name, text in (
        ("p.jsonl", ROW),
        ("r.jsonl", ROW),
        ("pred/a.md", "x"),
        ("pred/sub/b.md", "x"),
        ("ref/a.md", "x"),
    ):
        (shared / name).parent.mkdir(exist_ok=True)
        (shared / name).write_text(text)
    files = (shared / "p.jsonl", shared / "r.jsonl") if forbidden == "p.jsonl" else (shared / "pred", shared / "ref")
    assert run(*map(str, files), out=shared / "before").summary["systems"][""]["n"] == 1
    (shared / forbidden).chmod(0)
    with without_rights(), pytest.raises(DataError, match=rf"{forbidden}: cannot be read \(permission denied\)"):
        run(*map(str, files), out=shared / "after")
    (shared / forbidden).chmod(0o700)


def test_what_may_not_be_written_is_told(shared: Path, run: Any, write: Any) -> None:
    (shared / "p.jsonl").write_text(ROW)
    (shared / "kept").mkdir(mode=0o555)
    with without_rights(), pytest.raises(DataError, match=r"kept/run: cannot be written \(permission denied\)"):
        run(str(shared / "p.jsonl"), out=shared / "kept" / "run")
    with pytest.raises(DataError, match=r"p\.jsonl: cannot be written"):
        run(str(shared / "p.jsonl"), out=shared / "p.jsonl")


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("theirs", ["input/data.jsonl", "parts/wheel.txt", "summary.json"])
def test_a_folder_with_things_that_are_not_ours_is_left_alone(
    theirs: str, overwrite: bool, write: Any, run: Any, tmp_path: Path
) -> None:
    kept = Path(write(f"project/{theirs}", ROW))
    with pytest.raises(UsageError, match=rf"project contains {theirs.partition('/')[0]}, which is not part of a run"):
        run(write("p.jsonl", ROW), out=tmp_path / "project", overwrite=overwrite)
    assert kept.read_text() == ROW
    assert sorted(p.name for p in (tmp_path / "project").iterdir()) == [theirs.partition("/")[0]]


def test_other_files_beside_a_run_are_left_alone(write: Any, run: Any, tmp_path: Path) -> None:
    note = Path(write("project/notes.txt", "mine"))
    for overwrite in (False, True):
        run(write("p.jsonl", ROW), out=tmp_path / "project", overwrite=overwrite)
    assert note.read_text() == "mine"


@pytest.mark.parametrize(
    "label", ["../../x", "..", ".", "/etc/passwd", "a\0b", "\x1b[2J", "con:1", "x" * 5000, "", "한글 표", "%2F", "a\\b"]
)
def test_labels_make_file_names_that_stay_inside(label: str, tmp_path: Path) -> None:
    name = file_name(label)
    (tmp_path / name).write_text("x")
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_different_labels_make_different_file_names() -> None:
    labels = ["x" * 300, "x" * 301, "a/b", "a%2Fb", ".a", "%2Ea", "..", "", "_", "가" * 90, "가" * 91, "A.b", "A b"]
    assert len({file_name(label) for label in labels}) == len(labels)
