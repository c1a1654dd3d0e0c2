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
    found = moves_between([("1", "红", "绛"), ("2", "红", "红"), ("3", "红" * 20_000, "红")], before, after)
    assert (found.n, found.moved) == (2, (Move("1", (2 * 0.75 + 1) / 3, (2 * 0.5 + 1) / 3),))


def test_the_command_prints_both(both: Both, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text(json.dumps({"id": "x", "predict": "红", "label": "绛"}) + "\n", "utf-8")
    assert main(["terms", "diff", *both, "--pairs", str(pairs)]) == 0
    shown = capsys.readouterr().out
    assert "3 changes" in shown
    assert "1 of 1 scores move; mean 0.8333 → 0.6667" in shown
    assert main(["terms", "diff", *both, "--pairs", str(pairs), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["scores"]["most"] == [{"id": "x", "before": pytest.approx(5 / 6), "after": pytest.approx(2 / 3)}]
    assert main(["terms", "diff", *both, "--most", "-1"]) == 2
