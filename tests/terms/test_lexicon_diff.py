"""Two versions of a lexicon: what changed, and which scores move."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jatdae.cli import main
from jatdae.terms import find_lexicon
from jatdae.terms.lexicon_diff import Change, Move, changes_between, moves_between
from jatdae.terms.lexicon_file import read_source
from jatdae.terms.scored_pairs import ScoredPair, read_pairs

Write = Callable[[str, Any], str]
Both = tuple[str, str]


@pytest.fixture
def both(write: Write, small: str) -> Both:
    changed = small.replace("0.75", "0.5").replace("[微]", "[微, 略]").replace("zh: [尖]", "zh: [尖, 舌尖]")
    return write("a.yaml", small), write("b.yaml", changed)


def test_changes_are_named_by_their_keys(both: Both) -> None:
    before, after = (read_source(path).content for path in both)
    assert changes_between(before, after) == [
        Change("atoms.PLACE.尖.zh", "", "舌尖"),
        Change("synonyms.红|绛", "0.75", "0.5"),
        Change("words.degree", "", "略"),
    ]
    assert changes_between(after, before)[0] == Change("atoms.PLACE.尖.zh", "舌尖", "")
    assert changes_between(before, before) == []


def test_scores_that_move_are_those_that_differ(both: Both) -> None:
    before, after = map(find_lexicon, both)
    pairs = [("1", "红", "绛"), ("2", "红", "红"), ("3", "红" * 20_000, "红")]
    found = moves_between([ScoredPair("", *pair) for pair in pairs], before, after)[""]
    assert (found.n, found.moved) == (2, (Move("1", (2 * 0.75 + 1) / 3, (2 * 0.5 + 1) / 3),))
    assert found.left_out == 1


def test_the_command_prints_both(both: Both, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text(json.dumps({"id": "x", "predict": "红", "label": "绛"}) + "\n", "utf-8")
    assert main(["terms", "diff", *both, "--pairs", str(pairs)]) == 0
    shown = capsys.readouterr().out
    assert "3 changes" in shown
    assert "1 of 1 scores move; mean 0.8333 → 0.6667" in shown
    assert main(["terms", "diff", *both, "--pairs", str(pairs), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["scores"][0]["most"] == [{"id": "x", "before": pytest.approx(5 / 6), "after": pytest.approx(2 / 3)}]
    assert main(["terms", "diff", *both, "--most", "-1"]) == 2


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of two systems, one of them with a text longer than evidence keeps."""
    files = []
    for name, prediction in (("one", "舌红"), ("two", "舌绛")):
        rows = [
            {"id": "a", "predict": prediction, "label": "舌绛"},
            {"id": "b", "predict": "舌红，" * 900, "label": "舌红"},
        ]
        files.append(tmp_path / f"{name}.jsonl")
        files[-1].write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert main(["run", "terms", *map(str, files), "--out", str(tmp_path / "run"), "--jobs", "1", "--json"]) == 0
    return tmp_path / "run"


def test_the_samples_of_a_run_are_its_pairs_by_system_without_baselines(run: Path) -> None:
    found = [pair for pair in read_pairs(run) if pair.whole]
    assert found == [ScoredPair("one", "a", "舌红", "舌绛"), ScoredPair("two", "a", "舌绛", "舌绛")]


def test_scores_of_a_run_move_by_system(run: Path, write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    other = write("other.yaml", "name: other\nextends: tongue\nsynonyms: {红|绛: 0.5}\n")
    capsys.readouterr()
    assert main(["terms", "diff", "tongue", other, "--pairs", str(run), "--json"]) == 0
    scores = json.loads(capsys.readouterr().out)["scores"]
    assert [(each["system"], each["n"], each["moved"], each["left_out"]) for each in scores] == [
        ("one", 1, 1, 1),
        ("two", 1, 0, 1),
    ]
    assert main(["terms", "diff", "tongue", other, "--pairs", str(run)]) == 0
    shown = capsys.readouterr().out
    assert "one: 1 of 1 scores move" in shown
    assert "1 pairs left out" in shown


def test_several_files_are_several_systems(both: Both, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("x", "y"):
        (tmp_path / f"{name}.jsonl").write_text('{"predict": "红", "label": "绛"}\n', "utf-8")
    files = [str(tmp_path / f"{name}.jsonl") for name in ("x", "y")]
    assert main(["terms", "diff", *both, "--pairs", *files, "--json"]) == 0
    assert [each["system"] for each in json.loads(capsys.readouterr().out)["scores"]] == ["x", "y"]


@pytest.mark.parametrize(
    ("manifest", "problem"),
    [(None, "not a run folder"), ("[", "not a run folder"), ('{"evaluator": "text"}', "run of another evaluator")],
)
def test_a_folder_that_is_no_run_of_terms_is_refused(
    manifest: str | None, problem: str, both: Both, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    if manifest:
        (folder / "manifest.json").write_text(manifest, "utf-8")
    assert main(["terms", "diff", *both, "--pairs", str(folder)]) == 2
    assert problem in capsys.readouterr().err


def test_a_damaged_part_is_named(run: Path, both: Both, capsys: pytest.CaptureFixture[str]) -> None:
    next((run / "parts").glob("part-*.parquet")).write_bytes(b"PAR1 no more")
    assert main(["terms", "diff", *both, "--pairs", str(run)]) == 2
    assert "part-0000" in capsys.readouterr().err
