"""`jatdae checks draft`: what is proposed passes on the gold, is spread over it, and is a file that can be run."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from jatdae.checks.drafts import _parted, draft
from jatdae.checks.formats import reference_rows
from jatdae.checks.page_tests import read_test
from jatdae.checks.verdicts import PageReader
from jatdae.cli import main

GOLD = """# Tides of the harbour

The tide was read every ten minutes for two months. Nothing was left out of the record.

A float gauge stood at the north pier, where the water is calm.

| Gauge | Mean | Max |
|---|---|---|
| Float | 4.1 | 9.7 |
| Radar | 2.2 | 5.0 |

The mean error of a gauge is

$$e = \\frac{1}{n} \\sum_{t} |h(t)|$$

조위는 두 달 동안 십 분마다 기록하였으며 빠진 값은 하나도 없었다.
"""


@pytest.mark.parametrize(
    ("paragraph", "sentences"),
    [
        ("Lee et al. (2021) read tides. They stop.", ["Lee et al. (2021) read tides.", "They stop."]),
        ("See Fig. 3 and e.g. the pier. It is old.", ["See Fig. 3 and e.g. the pier.", "It is old."]),
        ("Read by A. Kim in May. 그 뒤로는 없다.", ["Read by A. Kim in May.", "그 뒤로는 없다."]),
        ("One ends! Two begins? yes it does.", ["One ends!", "Two begins? yes it does."]),
        ("조위를 읽었다. 빠진 값은 없다.", ["조위를 읽었다.", "빠진 값은 없다."]),
        ("", []),
    ],
)
def test_sentences_are_not_cut_at_abbreviations(paragraph: str, sentences: list[str]) -> None:
    assert list(_parted(paragraph)) == sentences


def test_each_type_is_proposed_and_passes_on_the_gold() -> None:
    tests = draft(GOLD, 5)
    assert {test["type"] for test in tests} == {"baseline", "present", "order", "table", "math"}
    reader = PageReader(GOLD, [read_test(test) for test in tests])
    assert all(reader.ask(read_test(test)).passed for test in tests)
    assert {"type": "table", "cell": "2.2", "top_heading": "Mean", "left_heading": "Radar"} in tests
    assert any("조위는" in test.get("text", "") for test in tests)


def test_no_more_of_a_type_than_asked_for_and_spread_over_the_document() -> None:
    sentences = [f"Sentence number {n} says something of its own." for n in range(40)]
    tests = [test["text"] for test in draft("\n\n".join(sentences), 4) if test["type"] == "present"]
    assert tests == [sentences[0], sentences[10], sentences[20], sentences[30]]


def test_what_stands_there_twice_is_not_asked() -> None:
    text = "This very sentence stands here twice, you see.\n\n"
    assert [test["type"] for test in draft(text * 2, 5)] == ["baseline"]


def test_the_file_is_read_as_tests_and_keeps_the_names_of_the_documents(tmp_path: Path) -> None:
    (tmp_path / "gold" / "inner").mkdir(parents=True)
    (tmp_path / "gold" / "inner" / "보고서.md").write_text(GOLD, "utf-8")
    out = tmp_path / "tests.yaml"
    assert main(["checks", "draft", str(tmp_path / "gold"), "--out", str(out), "--most", "2"]) == 0
    assert out.read_text("utf-8").startswith("# Proposed by")
    rows = reference_rows(out)
    assert rows is not None
    assert [row["id"] for _, row in rows] == ["inner/보고서"]
    assert len(yaml.safe_load(out.read_text("utf-8"))["documents"]["inner/보고서"]) == 8


def test_names_and_texts_of_digits_are_quoted_for_editors_too(tmp_path: Path) -> None:
    gold = tmp_path / "0109.md"
    gold.write_text("| Place | Code |\n|---|---|\n| Pier | 0819 |\n| Quay | 0928 |\n", "utf-8")
    assert main(["checks", "draft", str(gold), "--out", str(tmp_path / "tests.yaml")]) == 0
    text = (tmp_path / "tests.yaml").read_text("utf-8")
    assert "'0109':" in text
    assert "cell: '0819'" in text


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["none.md", "--out", "x.yaml"], "none.md"),
        (["empty.md", "--out", "x.yaml"], "nothing was found to ask"),
        ([".", "--out", "x.yaml", "--most", "0"], "--most 0"),
        (["empty.md", "--out", "empty.md"], "exists"),
        (["bad.md", "--out", "x.yaml"], "UTF-8"),
    ],
)
def test_what_cannot_be_drafted_is_told(
    arguments: list[str],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty.md").write_text("", "utf-8")
    Path("bad.md").write_bytes(b"\xff\xfe\xfa")
    assert main(["checks", "draft", *arguments]) == 2
    assert told in capsys.readouterr().err
