"""Lexicons that contradict themselves: strict refuses with everything at once, lenient loads what can be loaded."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jatdae.cli import main
from jatdae.core.errors import UsageError
from jatdae.terms import find_lexicon, parse

Write = Callable[[str, Any], str]

AUTHORS = """\
{
  "category_map": {"COLOR": "tongue", "COATCOLOR": "coat", "NATURE": "coat"},
  "token_dicts": {"COLOR": ["红", "绛", "暗"], "COATCOLOR": ["黄"], "NATURE": ["腻", "黏"]},
  "pattern_table": {
    "舌红绛": ["COLOR_红"],
    "苔黄腻": ["COATCOLOR_黄", "NATURE_腻"],
    "桑菊饮": ["NATURE_桑菊饮"],
    "舌红绛": ["COLOR_红", "COLOR_绛"]
  },
  "synonyms": {
    "COLOR": {"红|绛": 0.75, "红|舌质黯": 0.5},
    "CROSS": {"COATCOLOR_黄|NATURE_腻": 0.4, "NATURE_腻|NATURE_黏": 0.8}
  },
  "weights": {"tongue": 2.0, "coat": 1.5}
}
"""


@pytest.fixture
def authors(tmp_path: Path) -> Path:
    path = tmp_path / "token_config.json"
    path.write_text(AUTHORS, "utf-8")
    return path


def test_strict_refuses_with_all_findings_at_once(authors: Path) -> None:
    with pytest.raises(UsageError) as caught:
        find_lexicon(authors)
    *lines, remedy = str(caught.value).splitlines()
    assert "--lenient" in remedy
    assert [line.partition(": ")[0].removeprefix(str(authors)) for line in lines] == [
        ":5 (pattern_table.舌红绛)",
        ":7 (pattern_table.桑菊饮)",
        ":11 (synonyms.COLOR.红|舌质黯)",
        ":12 (synonyms.CROSS.COATCOLOR_黄|NATURE_腻)",
    ]
    assert "stands again in line 8" in lines[0]


def test_lenient_loads_the_rest_and_names_what_it_left_out(authors: Path) -> None:
    lexicon = find_lexicon(authors, lenient=True)
    assert len(lexicon.dropped) == 4
    assert [term.atom for term in parse("舌红绛苔黄腻", lexicon)] == [
        "COLOR_红",
        "COLOR_绛",
        "COATCOLOR_黄",
        "NATURE_腻",
    ]
    assert lexicon.synonyms["NATURE_黏", "NATURE_腻"] == 0.8
    assert ("COATCOLOR_黄", "NATURE_腻") not in lexicon.synonyms


def test_what_rests_on_a_dropped_entry_is_dropped_too(write: Write, small: str) -> None:
    taken = small.replace("绛: {gloss: crimson, zh: [绛]}", "绛: {gloss: crimson, zh: [红]}").replace(
        "红绛: [COLOR_红, COLOR_绛]", "红红: [COLOR_红]"
    )
    lexicon = find_lexicon(write("small.yaml", taken), lenient=True)
    assert "COLOR_绛" not in lexicon.atoms
    assert not lexicon.synonyms
    assert [line.rpartition("small.yaml")[2].partition(": ")[0] for line in lexicon.dropped] == [
        ":13 (atoms.COLOR.绛.zh[0])",
        ":13 (atoms.COLOR.绛)",
        ":19 (synonyms.红|绛)",
    ]


def test_a_lexicon_without_its_weights_is_refused_also_leniently(write: Write, small: str) -> None:
    with pytest.raises(UsageError, match="has no weight"):
        find_lexicon(write("small.yaml", small.replace(", location: 1.0", "")), lenient=True)


def test_a_run_says_what_was_left_out(
    authors: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(authors.parent)
    Path("pairs.jsonl").write_text(json.dumps({"predict": "舌红", "label": "舌红绛"}) + "\n")
    arguments = ["run", "terms", "pairs.jsonl", "--out", "run", "--lexicon", "token_config.json"]
    assert main(arguments) == 2
    assert "桑菊饮" in capsys.readouterr().err
    assert main([*arguments, "--lenient"]) == 0
    told = capsys.readouterr().err
    assert "4 entries" in told
    assert "pattern_table.桑菊饮" in told


def test_the_first_authors_lexicon_loads() -> None:
    folder = Path(os.environ.get("JATDAE_DATA") or Path(__file__).parents[3] / "shared" / "data")
    path = folder / "terms" / "token_config.json"
    if not path.is_file():
        pytest.skip(f"{path} is not here; set JATDAE_DATA to the folder with the conformance data")
    with pytest.raises(UsageError) as caught:
        find_lexicon(path)
    lexicon = find_lexicon(path, lenient=True)
    assert len(lexicon.dropped) == len(str(caught.value).splitlines()) - 1 >= 40
    assert [term.atom for term in parse("舌尖红苔黄腻", lexicon)] == [
        *("LOCATION_舌尖", "COLOR_红", "COATCOLOR_黄", "NATURE_腻")
    ]
