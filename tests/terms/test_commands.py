"""The commands: parse, and lint with its report on a corpus."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jatdae.core.errors import DataError, UsageError
from jatdae.core.messages import speaking
from jatdae.terms import find_lexicon
from jatdae.terms.commands import lint_command, lint_lexicon, parse_command, read_corpus


def test_coverage_and_the_commonest_gaps() -> None:
    report = lint_lexicon(find_lexicon("tongue"), ["舌红呱", "舌淡呱", "苔黄嘿嘿"], most=1)
    assert report.coverage == pytest.approx(6 / 10)
    assert report.missed == (("呱", 2),)
    assert report.texts == 3
    assert "COLOR_红" not in report.unused
    assert "COLOR_绛" in report.unused


def test_a_number_of_gaps_below_zero_is_refused() -> None:
    with pytest.raises(UsageError, match="most is -1"):
        lint_lexicon(find_lexicon("tongue"), ["舌红呱"], most=-1)


def test_without_a_corpus_there_is_no_coverage() -> None:
    report = lint_lexicon(find_lexicon("tongue"))
    assert report.coverage is None
    assert not report.unused


def test_broken_triangles_are_told(write: Callable[[str, str], str]) -> None:
    broken = lint_lexicon(find_lexicon("tongue")).broken
    assert ("COLOR_淡红", "COLOR_红", "COLOR_绛") in {(each.a, each.between, each.c) for each in broken}
    assert all(each.direct < each.around for each in broken)
    closed = write("closed.yaml", "name: closed\nextends: tongue\nsynonyms: {淡红|绛: 0.4, 淡红|暗红: 0.35}\n")
    assert ("COLOR_淡红", "COLOR_红", "COLOR_绛") not in {
        (b.a, b.between, b.c) for b in lint_lexicon(find_lexicon(closed)).broken
    }


def test_a_corpus_is_text_or_jsonl(write: Callable[[str, Any], str]) -> None:
    rows = [{"predict": "舌红", "label": "舌淡", "other": "x"}, {"text": "苔黄", "label": 5}]
    assert list(read_corpus(Path(write("corpus.jsonl", rows)))) == ["舌红", "舌淡", "苔黄"]
    assert list(read_corpus(Path(write("corpus.txt", "\ufeff舌红\n\n 苔黄 \n")))) == ["舌红", "苔黄"]


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("bad.jsonl", '{"text": "舌红"}\n{"text": \n', r"bad.jsonl:2:\d+: not valid JSON"),
        ("bad.jsonl", "[1]\n", "bad.jsonl:1: a row must be a JSON object"),
        ("bad.txt", b"\xff\xfe", "not UTF-8"),
    ],
)
def test_a_corpus_that_cannot_be_read_is_told(
    write: Callable[[str, Any], str], name: str, content: Any, problem: str
) -> None:
    with pytest.raises(DataError, match=problem):
        list(read_corpus(Path(write(name, content))))


def test_a_missing_corpus_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        list(read_corpus(tmp_path / "none.txt"))


def test_parse_prints_atoms_categories_and_places(capsys: pytest.CaptureFixture[str]) -> None:
    parse_command("舌边红苔白滑，无裂纹呱")
    printed = capsys.readouterr().out
    for part in (
        "LOCATION_舌边",
        "COATCOLOR_白",
        "¬SHAPE_裂纹",
        "coat",
        "slippery",
        "0–2",
        "at 舌边",
        "coverage 90.0%",
        "呱 (10–11)",
    ):
        assert part in printed


def test_parse_prints_json_alone(capsys: pytest.CaptureFixture[str]) -> None:
    parse_command("舌边红或绛", json=True)
    printed = json.loads(capsys.readouterr().out)
    assert printed["coverage"] == 1.0
    assert printed["terms"][1] == {
        "atom": "COLOR_红", "text": "红", "start": 2, "end": 3, "places": ["LOCATION_舌边"], "choice": 1,
        "category": "tongue", "gloss": "red",
    }  # fmt: skip


def test_parse_takes_another_lexicon(capsys: pytest.CaptureFixture[str]) -> None:
    parse_command("脉弦滑", lexicon="pulse")
    assert "wiry" in capsys.readouterr().out


def test_lint_prints_a_report(write: Callable[[str, Any], str], capsys: pytest.CaptureFixture[str]) -> None:
    corpus = Path(write("corpus.txt", "舌红呱\n苔黄\n"))
    lint_command("tongue", corpus=corpus)
    printed = capsys.readouterr().out
    for part in ("tongue@7", "coverage 80.00%", "呱", "never stated", "COLOR_淡红"):
        assert part in printed
    lint_command(corpus=corpus, json=True)
    report = json.loads(capsys.readouterr().out)
    assert report["missed"] == [["呱", 1]]
    assert report["triangle"][0].keys() == {"a", "between", "c", "direct", "around"}


def test_commands_speak_korean(write: Callable[[str, Any], str], capsys: pytest.CaptureFixture[str]) -> None:
    corpus = Path(write("corpus.txt", "舌红呱\n苔黄\n"))
    with speaking("ko"):
        parse_command("舌边微红或绛呱")
        lint_command("tongue", corpus=corpus)
        with pytest.raises(UsageError, match="0 이상이어야"):
            lint_command(most=-1)
    printed = capsys.readouterr().out
    for part in (
        "용어",
        "범주",
        "정도 微",
        "부위 舌边",
        "선택지 1",
        "인식률 85.7%",
        "인식률 80.00%",
        "한 번도 나오지 않은",
        "유사도",
    ):
        assert part in printed
    assert not [word for word in ("coverage", "degree", "never", "times", "alternative") if word in printed]
