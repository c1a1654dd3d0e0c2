"""A result in memory becomes a run folder that everything reads as one of its own."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import jatdae
from jatdae.cli import main
from jatdae.core.errors import UsageError
from jatdae.run.stats.compare import comparable_part

ROWS = [{"prediction": "a" * at, "reference": "aa", "lang": "en" if at else "ko"} for at in range(5)]


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_saved_result_is_loaded_as_it_was(tmp_path: Path) -> None:
    result = jatdae.evaluate(ROWS, "text")
    loaded = jatdae.load(result.save(tmp_path / "run"))
    assert loaded.summary == json.loads(json.dumps(result.summary))
    assert loaded.signature == result.signature
    assert loaded.table().equals(result.table())
    assert jatdae.compare(loaded, result)["cer"].delta == 0.0


def test_saving_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    result = jatdae.evaluate(ROWS, "text")
    first = tree(result.save(tmp_path / "a"))
    assert tree(result.save(tmp_path / "a")) == first
    assert tree(jatdae.evaluate(ROWS, "text", jobs=2).save(tmp_path / "b")) == first


def test_a_loaded_run_is_saved_elsewhere_and_onto_itself(tmp_path: Path) -> None:
    result = jatdae.evaluate(ROWS, "text")
    result.save(tmp_path / "a")
    for place in ("a", "b"):
        again = jatdae.load(jatdae.load(tmp_path / "a").save(tmp_path / place))
        assert again.table().equals(result.table())
        assert again.signature == result.signature


def test_baselines_are_saved_too(tmp_path: Path) -> None:
    file = Path(jatdae.__file__).parent / "terms" / "samples" / "pairs.jsonl"
    result = jatdae.evaluate(file, "terms")
    assert result.summary["baselines"]
    assert jatdae.load(result.save(tmp_path / "run")).summary["baselines"].keys() == result.summary["baselines"].keys()


def test_the_command_line_reads_what_python_saved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    a = jatdae.evaluate(ROWS, "text").save(tmp_path / "a")
    b = jatdae.evaluate([{**row, "prediction": "aa"} for row in ROWS], "text").save(tmp_path / "b")
    for command in (["report", str(a), "-f", "md"], ["report", str(a)], ["compare", str(a), str(b)]):
        monkeypatch.setattr("sys.argv", ["jatdae", *command])
        assert main() in (0, None)
    assert "cer" in capsys.readouterr().out


def test_another_run_is_not_overwritten_unasked(tmp_path: Path) -> None:
    first, second = jatdae.evaluate(ROWS, "text"), jatdae.evaluate(ROWS[:2], "text")
    first.save(tmp_path / "run")
    with pytest.raises(UsageError, match=r"holds another run.*overwrite=True"):
        second.save(tmp_path / "run")
    assert jatdae.load(tmp_path / "run").signature == first.signature
    second.save(tmp_path / "run", overwrite=True)
    assert jatdae.load(tmp_path / "run").signature == second.signature


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "mine.txt").write_text("mine")
    with pytest.raises(UsageError):
        jatdae.evaluate(ROWS, "text").save(tmp_path, overwrite=True)
    assert (tmp_path / "parts" / "mine.txt").read_text() == "mine"


def test_a_part_of_a_result_is_not_saved_as_if_it_were_whole(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="part of another one"):
        comparable_part(jatdae.evaluate(ROWS, "text"), ["cer"]).save(tmp_path / "run")


def test_an_evaluator_of_a_notebook_is_saved_too(tmp_path: Path, plugin: Any) -> None:
    @jatdae.evaluator("local", metrics=[jatdae.Metric("one", "higher", worst=0.0)])
    class Local:
        def score(self, sample: jatdae.Sample) -> jatdae.Outcome:
            return jatdae.Outcome({"one": 1.0})

    assert jatdae.load(jatdae.evaluate(ROWS, Local()).save(tmp_path / "run")).value("one") == 1.0


def test_notes_change_nothing_that_is_saved(tmp_path: Path) -> None:
    result = jatdae.evaluate(ROWS, "text")
    assert tree(replace(result, notes=()).save(tmp_path / "a")) == tree(result.save(tmp_path / "b"))
