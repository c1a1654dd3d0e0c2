"""Manifest, summary and index of a run: damaged, edited or foreign ones are refused by name, and mended by a run."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from jatdae.cli import main
from jatdae.core.errors import DataError, EngineError, UsageError
from jatdae.run.output.folder import RunFolder
from jatdae.run.stats.result import Result

ROWS = [{"id": f"r{n}", "pred": "가 나 다 " * (n % 7), "gold": "가 나 라 " * (n % 5)} for n in range(600)]
PLUGIN = f"{Path(__file__).parents[2] / 'plugins' / 'marks.py'}:Marks"
NAMES = ["manifest.json", "parts.json", "summary.json"]


@pytest.fixture
def score(write: Any, run: Any, tmp_path: Path) -> Callable[[], Path]:
    """The same run again and again."""
    file = write("rows.jsonl", ROWS)
    return lambda: run(file, out=tmp_path / "run").folder


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in folder.rglob("*") if p.is_file() and p.parent.name != "input"}


def edit(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    content = json.loads(path.read_text("utf-8"))
    change(content)
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", "utf-8")


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "cut off": lambda data: data[: len(data) // 2],
    "not UTF-8": lambda data: data.replace(b'"', b'"\xff', 1),
    "a list": lambda _: b"[1, 2]",
    "null": lambda _: b"null",
    "nested": lambda _: b"[" * 100_000,
    "not JSON": lambda data: data.replace(b": ", b": NaN, ", 1),
}
WHY = {"a list": "not a JSON object", "null": "not a JSON object", "not UTF-8": "not valid UTF-8"}
AGAIN = "Run the `jatdae run` command of this run again; it writes the file again and keeps the finished parts"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_refused_by_name_and_the_same_command_mends_it(name: str, damage: str, score: Any) -> None:
    folder = score()
    before = bytes_of(folder)
    (folder / name).write_bytes(DAMAGES[damage](before[name]))
    with pytest.raises(
        DataError, match=rf"{name}: the file is damaged \({WHY.get(damage, 'not valid JSON')}\)\. {AGAIN}"
    ):
        Result.load(folder)
    score()
    assert bytes_of(folder) == before


def test_an_edited_number_is_never_reported(score: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = score()
    before = bytes_of(folder)
    edit(folder / "summary.json", lambda found: found["systems"][""]["metrics"]["exact"].update(macro=0.99))
    for command in (
        ["report", str(folder)],
        ["paper", str(folder)],
        ["compare", str(folder), str(folder)],
        ["report", str(folder), "-f", "html"],
    ):
        assert main([*command, "--plugin", PLUGIN, "--lang", "en"]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert "summary.json: the file is damaged (its checksum differs from the one in parts.json)" in said.err
    score()
    assert bytes_of(folder) == before


def test_an_edited_manifest_is_refused(score: Any) -> None:
    folder = score()
    edit(folder / "manifest.json", lambda found: found["signature_parts"].update(version="9.9"))
    with pytest.raises(DataError, match=r"manifest.json: the file is damaged \(its checksum differs"):
        Result.load(folder)


MISSHAPEN: dict[str, tuple[str, Callable[[dict[str, Any]], object], str]] = {
    "no systems": ("summary.json", lambda found: found.pop("systems"), "systems"),
    "a number that is text": (
        "summary.json",
        lambda found: found["systems"][""]["metrics"]["exact"].update(macro="high"),
        r"systems\.\.metrics\.exact\.macro",
    ),
    "metrics in a list": ("summary.json", lambda found: found.update(metrics=["exact"]), "metrics"),
    "no plan": ("manifest.json", lambda found: found.pop("plan"), "plan"),
    "versions that are text": ("manifest.json", lambda found: found.update(versions="1"), "versions"),
    "a signature of other names": (
        "manifest.json",
        lambda found: found.update(signature_parts={"of": "another"}),
        "signature_parts",
    ),
}


@pytest.mark.parametrize("case", MISSHAPEN)
def test_a_file_without_a_checksum_is_known_by_its_shape(case: str, score: Any) -> None:
    """As in runs from before there were checksums."""
    name, change, key = MISSHAPEN[case]
    folder = score()
    make_old(folder)
    assert Result.load(folder).systems == [""]
    edit(folder / name, change)
    with pytest.raises(DataError, match=rf"{name}: the file is damaged \({key} is missing or has the wrong type\)"):
        Result.load(folder)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", ["1", None, [], -1, 1.5, True])
def test_a_format_that_is_no_number_is_damage_and_not_a_later_version(name: str, form: Any, score: Any) -> None:
    folder = score()
    before = bytes_of(folder)
    edit(folder / name, lambda found: found.update(format=form))
    with pytest.raises(DataError, match=rf"{name}: the file is damaged \(format is missing or has the wrong type\)"):
        Result.load(folder)
    score()
    assert bytes_of(folder) == before


def test_a_misshapen_manifest_of_a_run_in_progress_is_written_again(score: Any) -> None:
    folder = score()
    before = bytes_of(folder)
    (folder / "summary.json").unlink()
    (folder / "parts.json").unlink()
    edit(folder / "manifest.json", lambda found: found.pop("plan"))
    score()
    assert bytes_of(folder) == before


def make_old(folder: Path) -> None:
    """The run as it was written before there were checksums."""
    for path in (folder / "parts").iterdir():
        stamp = pq.read_metadata(path).metadata[b"jatdae"]
        pq.write_table(pq.read_table(path).replace_schema_metadata({"jatdae": stamp}), path)
    (folder / "parts.json").unlink()
    edit(folder / "manifest.json", lambda found: found["versions"].pop("source"))


INDEXES: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "no checksums": (lambda found: found.pop("files"), "files"),
    "empty checksums": (lambda found: found.update(files={}), r"files\[manifest\.json\]"),
    "none of the summary": (lambda found: found["files"].pop("summary.json"), r"files\[summary\.json\]"),
    "null for the summary": (lambda found: found["files"].update({"summary.json": None}), r"files\[summary\.json\]"),
    "parts in a list": (lambda found: found.update(parts=[]), "parts"),
    "no parts": (lambda found: found.pop("parts"), "parts"),
}


@pytest.mark.parametrize("case", INDEXES)
def test_an_index_without_its_checksums_is_refused_and_mended(case: str, score: Any) -> None:
    """An edited summary would be believed without."""
    change, key = INDEXES[case]
    folder = score()
    before = bytes_of(folder)
    edit(folder / "parts.json", change)
    edit(folder / "summary.json", lambda found: found["systems"][""]["metrics"]["exact"].update(macro=0.99))
    with pytest.raises(DataError, match=rf"parts.json: the file is damaged \({key} is missing or has the wrong"):
        Result.load(folder)
    score()
    assert bytes_of(folder) == before


def test_a_run_of_today_is_refused_without_its_index_though_its_parts_lost_their_checksums(score: Any) -> None:
    folder = score()
    manifest = (folder / "manifest.json").read_bytes()
    make_old(folder)
    (folder / "manifest.json").write_bytes(manifest)
    with pytest.raises(DataError, match=rf"parts\.json: the file is missing\. {AGAIN}"):
        Result.load(folder)


@pytest.mark.parametrize("content", [None, b"{}"])
def test_a_lost_or_empty_manifest_is_named_and_written_again_from_sound_parts(
    content: bytes | None, write: Any, run: Any, score: Any
) -> None:
    folder = score()
    before = bytes_of(folder)
    (folder / "manifest.json").unlink()
    if content is not None:
        (folder / "manifest.json").write_bytes(content)
    why = r"missing" if content is None else r"damaged \(signature is missing or has the wrong type\)"
    with pytest.raises(DataError, match=rf"manifest\.json: the file is {why}\. {AGAIN}"):
        Result.load(folder)
    with pytest.raises(UsageError, match=r"manifest\.json is missing or damaged, and the parts were scored by another"):
        run(write("other.jsonl", ROWS[:500]), out=folder)
    score()
    assert bytes_of(folder) == before


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize("name", [*NAMES, "report.html", "parts/part-00001.parquet"])
@pytest.mark.parametrize("put", [a_folder, a_pipe], ids=["folder", "pipe"])
def test_a_folder_or_a_pipe_in_the_place_of_a_file_is_refused_and_never_waited_for(
    name: str, put: Any, score: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = score()
    (folder / "report.html").write_text("a page")
    put(folder / name)
    refused = (
        rf"{Path(name).name}: a folder, a pipe or a device, where a file of the run belongs\. Move it away, then run"
    )
    with pytest.raises(UsageError, match=refused):
        score()
    arguments = ["report", str(folder), "-f", "html", "--plugin", PLUGIN, "--lang", "en"]
    assert main(arguments) == 2
    assert "a folder, a pipe or a device, where a file of the run belongs" in capsys.readouterr().err
    if name != "report.html":
        with pytest.raises(UsageError, match=refused):
            Result.load(folder)


@pytest.mark.parametrize("name", ["parts", "input"])
def test_a_file_in_the_place_of_a_folder_is_refused(name: str, score: Any) -> None:
    folder = score()
    shutil.rmtree(folder / name)
    (folder / name).write_text("mine")
    with pytest.raises(UsageError, match=rf"{name}: not a folder, where a folder of the run belongs\. Move it away"):
        score()
    assert (folder / name).read_text() == "mine"


def test_memory_that_runs_out_while_a_part_is_read_is_not_told_as_damage(
    score: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = score()

    class Short:
        """A reader of Parquet on a machine without memory for threads."""

        def __init__(self, *_: object, **_options: object) -> None:
            raise OSError("failed to launch worker thread: Resource temporarily unavailable")

    with monkeypatch.context() as machine:
        machine.setattr(pq, "ParquetFile", Short)
        assert main(["report", str(folder), "--plugin", PLUGIN, "--lang", "en"]) == 3
        said = capsys.readouterr().err
        assert "No further thread or process could be started" in said
        assert "damaged" not in said
        with pytest.raises(EngineError, match="No further thread or process could be started"):
            score()  # and no part is scored again

    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    parts = Result.load(folder).tables
    monkeypatch.setattr(pq.ParquetFile, "read", fail)
    with pytest.raises(OSError, match="Cannot allocate memory"):
        parts[0]


def test_a_foreign_manifest_is_not_a_run(score: Any, tmp_path: Path) -> None:
    folder = score()
    (folder / "manifest.json").write_text('{"name": "a web page", "icons": []}')
    with pytest.raises(UsageError, match="not a run folder"):
        Result.load(folder)
    with pytest.raises(UsageError, match=r"contains manifest\.json, which is not part of a run"):
        score()


def test_a_damaged_manifest_without_parts_of_ours_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "part-00000.parquet").write_bytes(b"somebody's own")
    (tmp_path / "manifest.json").write_bytes(b"{")
    with pytest.raises(UsageError, match=r"contains manifest\.json, which is not part of a run"):
        RunFolder(tmp_path).refuse_foreign()


@pytest.mark.parametrize("name", NAMES)
def test_korean_names_the_damage_too(name: str, score: Any, capsys: pytest.CaptureFixture[str]) -> None:
    folder = score()
    (folder / name).write_bytes(b"")
    assert main(["report", str(folder), "--plugin", PLUGIN, "--lang", "ko"]) == 2
    assert (
        f"{name}: 파일이 손상되었습니다 (올바른 JSON이 아닙니다). 이 실행의 `jatdae run` 명령을 다시 실행하면"
        in capsys.readouterr().err
    )
