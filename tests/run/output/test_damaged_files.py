"""Manifest, summary and index of a run: damaged, edited or foreign ones are refused by name, and mended by a run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jatdae.cli import main
from jatdae.core.errors import DataError, UsageError
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
    "not an object": lambda _: b"[1, 2]",
    "nested": lambda _: b"[" * 100_000,
    "not JSON": lambda data: data.replace(b": ", b": NaN, ", 1),
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_refused_by_name_and_the_same_command_mends_it(name: str, damage: str, score: Any) -> None:
    folder = score()
    before = bytes_of(folder)
    (folder / name).write_bytes(DAMAGES[damage](before[name]))
    with pytest.raises(DataError, match=rf"{name}: the file is damaged \(not valid (JSON|UTF-8)\)\. Run the same"):
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
    "parts in a list": ("parts.json", lambda found: found.update(parts=[]), "parts"),
}


@pytest.mark.parametrize("case", MISSHAPEN)
def test_a_file_without_a_checksum_is_known_by_its_shape(case: str, score: Any) -> None:
    """As in runs from before there were checksums."""
    name, change, key = MISSHAPEN[case]
    folder = score()
    before = bytes_of(folder)
    edit(folder / "parts.json", lambda found: found.pop("files"))
    assert Result.load(folder).systems == [""]
    edit(folder / name, change)
    with pytest.raises(DataError, match=rf"{name}: the file is damaged \({key} is missing or has the wrong type\)"):
        Result.load(folder)
    score()
    assert bytes_of(folder) == before


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
        f"{name}: 파일이 손상되었습니다 (올바른 JSON이 아닙니다). 같은 명령을 다시 실행하면" in capsys.readouterr().err
    )
