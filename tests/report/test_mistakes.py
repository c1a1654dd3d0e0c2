"""*What goes wrong* on the bundled samples: after a run, and in every form of a report."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest

import jatdae
from jatdae.cli import main

SHOWN = {
    "structured": [["wrong value", "diagnosis_code", "진단서"]],
    "dialogue": [
        [
            "rule violated",
            "CSP_EX_001 High-intensity exercise with dyspnoea, oedema or heart failure",
            "patient-a, patient-b",
        ],
        ["untrue claim", "contradicts the record", "patient-c, patient-a, patient-b"],
        ["fact not used", "lab results", "patient-b, patient-c, patient-a"],
        ["element missing", "what to measure", "patient-b, patient-c, patient-a"],
    ],
    "text": [["misread", "t→T", "lamp-without-gold-references, tides"], ["substituted in", "headings", "tides"]],
    "terms": [["missed", "淡 (pale)", "t03, t08"], ["taken for another", "绛 (crimson)", "t06"]],
    "tables": [["table error", "cell missing", "receipt, paper"]],
}
"""By evaluator: kind, key and worst samples of some mistakes, as people read them."""

COUNTED = {
    "structured": [("fields.mismatch", "diagnosis_code", "", "1", "1", "진단서")],
    "dialogue": [
        ("violated", "CSP_EX_001", "llm", "2", "2", "patient-a patient-b"),
        ("violated", "CSP_EX_001", "agent", "0", "0", ""),
    ],
    "text": [("confusions", "t→T", "", "5", "2", "lamp-without-gold-references tides")],
    "terms": [("missed", "COLOR_淡", "", "2", "2", "t03 t08")],
    "tables": [("table_errors", "cells_missed", "", "6", "2", "receipt paper")],
}
"""The same as data: table, key, system, count, samples, worst."""

Told = Callable[..., str]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for a run of each evaluator on its bundled samples."""
    return tmp_path_factory.mktemp("runs")


@pytest.fixture
def told(runs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Told:
    """`told("report", "text", …)`: what a command prints in that folder."""
    monkeypatch.chdir(runs)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "200")

    def call(*arguments: str) -> str:
        capsys.readouterr()
        assert main(list(arguments)) == 0
        return capsys.readouterr().out

    return call


@pytest.fixture
def scored(told: Told) -> Callable[[str], str]:
    """`scored("text")`: what a run on the bundled samples prints; it goes to the folder `text`."""

    def run(evaluator: str) -> str:
        samples = Path(jatdae.__file__).parent / evaluator / "samples" / "pairs.jsonl"
        return told("run", evaluator, str(samples), "--out", evaluator, "--jobs", "1")

    return run


@pytest.mark.parametrize("evaluator", SHOWN)
def test_it_is_shown_after_a_run_and_in_reports(evaluator: str, scored: Callable[[str], str], told: Told) -> None:
    printed = scored(evaluator)
    assert told("report", evaluator) in printed
    for text in (printed, told("report", evaluator, "-f", "md"), told("report", evaluator, "-f", "latex")):
        part = text.partition("What goes wrong")[2].replace("\\_\\allowbreak{}", "_").replace(r"$\rightarrow$", "→")
        for kind, key, worst in SHOWN[evaluator]:
            assert any(kind in line and key in line and worst in line for line in part.splitlines()), (kind, key)


@pytest.mark.parametrize("evaluator", COUNTED)
def test_it_is_counted_as_data(evaluator: str, scored: Callable[[str], str], told: Told) -> None:
    scored(evaluator)
    rows = list(csv.DictReader(io.StringIO(told("report", evaluator, "-f", "csv"))))
    columns = ("mistake", "key", "system", "count", "samples", "worst")
    found = [tuple(row[name] for name in columns) for row in rows if row["mistake"]]
    assert [each for each in COUNTED[evaluator] if each not in found] == []
    assert all(not row["metric"] and not row["macro"] for row in rows if row["mistake"])


def test_the_terminal_shows_few_and_says_where_the_others_are(scored: Callable[[str], str], told: Told) -> None:
    part = scored("text").partition("What goes wrong")[2]
    assert part.count("misread") == 3
    assert "more in jatdae report RUN -f csv" in part
    assert told("report", "text", "-f", "md").count("| misread |") == 10


def test_in_korean(scored: Callable[[str], str], told: Told) -> None:
    scored("dialogue")
    for form in ("console", "md"):
        part = told("report", "dialogue", "--lang", "ko", "-f", form).partition("무엇이 틀렸나")[2]
        for words in ("규칙 위반", "기록과 모순됨", "검사 결과", "측정할 지표", "CSP_EX_001 호흡곤란/부종"):
            assert words in part


def test_the_name_of_a_key_follows_the_language_of_the_page(scored: Callable[[str], str], told: Told) -> None:
    scored("dialogue")
    told("report", "dialogue", "-f", "html", "-o", "page.html")
    page = Path("page.html").read_text("utf-8")
    english = "High-intensity exercise with dyspnoea, oedema or heart failure"
    assert f'<span data-word="key:CSP_EX_001">CSP_EX_001 {english}</span>' in page
    korean = "호흡곤란/부종 단서 + 고강도 운동 권고 감점"
    assert f'"CSP_EX_001":["CSP_EX_001 {english}","CSP_EX_001 {korean}"]' in page
