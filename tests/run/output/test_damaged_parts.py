"""Parts that are damaged, misplaced, lost or foreign: scored again by the same command, refused by name elsewhere."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jatdae.cli import main
from jatdae.core.errors import DataError, EngineError
from jatdae.run.api import Finished, execute
from jatdae.run.input import scan
from jatdae.run.input.model import Inputs
from jatdae.run.output.part import read_part
from jatdae.run.stats.result import Result

ROWS = [{"id": f"r{n}", "pred": "가 나 다 " * (n % 7), "gold": "가 나 라 " * (n % 5)} for n in range(1500)]


@pytest.fixture
def score(write: Any, plugin: Any, tmp_path: Path) -> Callable[..., Finished]:
    """The same run again and again, of ten parts; some evaluators add one for a baseline."""
    inputs = Inputs(pairs=(("", write("rows.jsonl", ROWS)),))
    return lambda evaluator="marks:Marks": execute(plugin(evaluator), inputs, out=tmp_path / "run")


def bytes_of(folder: Path) -> dict[str, bytes]:
    """All that a run wrote, but for copies of its input."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.parent.name != "input"
    }


def part(folder: Path, number: int) -> Path:
    return folder / "parts" / f"part-{number:05d}.parquet"


def flip(path: Path, at: int, bit: int) -> None:
    data = bytearray(path.read_bytes())
    data[at % len(data)] ^= 1 << bit
    path.write_bytes(data)


def test_a_bit_flipped_in_any_of_100_parts_is_found_and_mended(
    write: Any, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scan, "SMALLEST_SHARD", 16)
    monkeypatch.setattr(scan, "SHARDS_WANTED", 150)
    file = write("small.jsonl", ROWS[:240])
    folder = run(file, out=tmp_path / "run").folder
    before = bytes_of(folder)
    count = len(list((folder / "parts").iterdir()))
    assert count >= 100
    for number in range(count):
        flip(part(folder, number), at=number * 7919 + 5, bit=number % 8)
        with pytest.raises(EngineError, match=f"part-{number:05d}.parquet: the part is damaged"):
            Result.load(folder)
        if number % 10:
            flip(part(folder, number), at=number * 7919 + 5, bit=number % 8)
        else:
            assert run(file, out=folder).resumed == count - 1
        assert bytes_of(folder) == before


def test_no_bit_of_a_part_can_flip_unseen(write: Any, run: Any) -> None:
    path = part(run(write("small.jsonl", ROWS[:3])).folder, 0)
    whole = path.read_bytes()
    for at in range(0, len(whole), 5):
        flip(path, at, bit=at % 8)
        with pytest.raises(EngineError, match=r"part-00000.parquet: the part is damaged"):
            read_part(path)
        path.write_bytes(whole)


def copy_over_neighbour(folder: Path) -> None:
    shutil.copy(part(folder, 1), part(folder, 2))


def cut_off(folder: Path) -> None:
    part(folder, 2).write_bytes(part(folder, 2).read_bytes()[:-100])


def empty(folder: Path) -> None:
    part(folder, 2).write_bytes(b"")


def rewrite(folder: Path) -> None:
    """Another program wrote the part again: no checksum, no number."""
    pq.write_table(pq.read_table(part(folder, 2)).replace_schema_metadata(None), part(folder, 2))


def forget_in_index(folder: Path) -> None:
    index = json.loads((folder / "parts.json").read_text("utf-8"))
    del index["parts"]["part-00002.parquet"]
    (folder / "parts.json").write_text(json.dumps(index), "utf-8")


def lie_in_index(folder: Path) -> None:
    index = json.loads((folder / "parts.json").read_text("utf-8"))
    index["parts"]["part-00002.parquet"]["rows"] += 1
    (folder / "parts.json").write_text(json.dumps(index), "utf-8")


def add_stray(folder: Path) -> None:
    shutil.copy(part(folder, 0), part(folder, 99))


def lose(folder: Path) -> None:
    part(folder, 2).unlink()


AGAIN = r"Run the `jatdae run` command of this run again; it"
DAMAGES = {
    copy_over_neighbour: rf"part-00002.parquet: the part is damaged \(the file contains part 1\)\. {AGAIN} scores this",
    cut_off: r"part-00002.parquet: the part is damaged \(its checksum does not match\)",
    empty: r"part-00002.parquet: the part is damaged \(not a Parquet file, or a damaged one\)",
    rewrite: r"part-00002.parquet: the part is damaged \(its checksum differs from the one in parts.json\)",
    forget_in_index: rf"part-00002.parquet: parts.json does not list this part\. {AGAIN} removes the part, unless it",
    lie_in_index: r"part-00002.parquet: the part is damaged \(its checksum differs from the one in parts.json\)",
    add_stray: rf"part-00099.parquet: parts.json does not list this part\. {AGAIN} removes the part",
    lose: rf"part-00002.parquet: the part is missing\. {AGAIN} scores this part again",
}


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_damaged_run_is_refused_by_name_and_the_same_command_mends_it(damage: Any, score: Any) -> None:
    folder = score().folder
    before = bytes_of(folder)
    damage(folder)
    with pytest.raises(EngineError, match=DAMAGES[damage]):
        Result.load(folder)
    score()
    assert bytes_of(folder) == before


def test_a_lost_part_of_a_baseline_is_missed(score: Any) -> None:
    folder = score("beaten:Beaten").folder
    before = bytes_of(folder)
    last = sorted((folder / "parts").iterdir())[-1]
    last.unlink()
    with pytest.raises(EngineError, match=rf"{last.name}: the part is missing"):
        Result.load(folder)
    score("beaten:Beaten")
    assert bytes_of(folder) == before


def test_a_lost_index_is_missed_and_written_again(score: Any) -> None:
    folder = score().folder
    before = bytes_of(folder)
    (folder / "parts.json").unlink()
    with pytest.raises(DataError, match=rf"parts.json: the file is missing\. {AGAIN} writes the file again"):
        Result.load(folder)
    assert score().resumed == 10
    assert bytes_of(folder) == before


def test_every_command_that_reads_a_run_refuses_a_damaged_part(score: Any, capsys: pytest.CaptureFixture[str]) -> None:
    folder = score().folder
    flip(part(folder, 3), at=1000, bit=0)
    for command in (
        ["report", str(folder)],
        *(["report", str(folder), "-f", form] for form in ("md", "csv", "json", "latex", "html", "junit")),
        ["compare", str(folder), str(folder), "--systems", "", ""],
        ["paper", str(folder)],
    ):
        assert main([*command, "--lang", "en"]) == 3, command
        told = capsys.readouterr()
        assert "part-00003.parquet: the part is damaged" in told.err
        assert told.out == ""


def test_files_of_other_names_are_neither_read_nor_touched(score: Any) -> None:
    folder = score().folder
    rows = sum(len(table) for table in Result.load(folder).tables)
    kept = folder / "parts" / "part-00002 (copy).parquet"
    shutil.copy(part(folder, 2), kept)
    assert sum(len(table) for table in Result.load(folder).tables) == rows
    assert score().resumed == 10
    assert kept.is_file()


def make_old(folder: Path) -> None:
    """The run as it was written before there were checksums."""
    for path in (folder / "parts").iterdir():
        stamp = pq.read_metadata(path).metadata[b"jatdae"]
        pq.write_table(pq.read_table(path).replace_schema_metadata({"jatdae": stamp}), path)
    (folder / "parts.json").unlink()
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    del manifest["versions"]["source"]
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")


def test_runs_without_checksums_are_read_and_scored_again_on_resume(score: Any) -> None:
    folder = score("beaten:Beaten").folder
    before = bytes_of(folder)
    rows = list(Result.load(folder).rows())
    make_old(folder)
    assert list(Result.load(folder).rows()) == rows
    (folder / "manifest.json").write_bytes(before["manifest.json"])  # one of before is refused
    assert score("beaten:Beaten").resumed == 0
    assert bytes_of(folder) == before


def test_a_part_that_was_copied_is_found_without_checksums_by_its_ids(score: Any) -> None:
    folder = score().folder
    make_old(folder)
    shutil.copy(part(folder, 1), part(folder, 2))
    with pytest.raises(
        EngineError,
        match=r"run: the parts contain the sample 'r\d+' more than once: "
        r"part-00001\.parquet, part-00002\.parquet\. Run the `jatdae run` command of this run again with --overwrite",
    ):
        Result.load(folder)


def test_a_row_that_stands_twice_is_found_without_checksums(score: Any) -> None:
    """And another is missing, so that their number is right."""
    folder = score().folder
    make_old(folder)
    table = pq.read_table(part(folder, 2))
    pq.write_table(pa.concat_tables([table.slice(1), table.slice(5, 1)]), part(folder, 2))
    with pytest.raises(EngineError, match=r"the parts contain the sample 'r\d+' more than once: part-00002\.parquet"):
        Result.load(folder)


def test_what_can_be_checked_without_checksums_is(score: Any) -> None:
    folder = score().folder
    make_old(folder)
    table = pq.read_table(part(folder, 2))
    pq.write_table(table.slice(1), part(folder, 2))
    with pytest.raises(EngineError, match=r"the parts contain \d+ samples, but the summary counts 1500\..*--overwrite"):
        Result.load(folder)
    pq.write_table(table.replace_schema_metadata({"jatdae": "another"}), part(folder, 2))
    with pytest.raises(EngineError, match=r"part-00002.parquet: the part is damaged \(it belongs to another run"):
        Result.load(folder)


def test_any_reader_opens_all_parts_at_once(score: Any) -> None:
    assert len(pq.read_table(score().folder / "parts")) == 1500
