"""Labels of atoms in reports, in the language of the reader."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jatdae.cli import main
from jatdae.terms import find_lexicon
from jatdae.terms.labels import AtomLabels

LABELS = AtomLabels(find_lexicon("tongue"))


@pytest.mark.parametrize(
    ("key", "english", "korean"),
    [
        ("COATCOLOR_黄", "黄 (yellow) · colour of the coat", "黄 (황) · 설태 색"),
        ("¬SHAPE_裂纹", "¬裂纹 (cracked) · shape of the tongue body", "¬裂纹 (열문) · 설질 형태"),
        ("COLOR_红→COLOR_绛", "红 (red) → 绛 (crimson) · colour of the tongue body", "红 (홍) → 绛 (강) · 설질 색"),
        ("COLOR_红|COLOR_绛", "红 (red) / 绛 (crimson) · colour of the tongue body", "红 (홍) / 绛 (강) · 설질 색"),
        ("SHAPE", "shape of the tongue body", "설질 형태"),
    ],
)
def test_a_key_is_said_in_the_language_of_the_reader(key: str, english: str, korean: str) -> None:
    assert key in LABELS
    assert LABELS[key] == {"en": english, "ko": korean}


def test_a_key_that_is_no_atom_has_no_label() -> None:
    assert "<other>" not in LABELS
    assert set(LABELS) == {*find_lexicon("tongue").axes, *find_lexicon("tongue").atoms}


def test_reports_say_which_atoms_one_of_two_models_misses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pairs = {"good": "舌淡，边有齿痕", "bad": "舌淡"}
    for name, text in pairs.items():
        Path(f"{name}.jsonl").write_text(json.dumps({"id": "1", "predict": text, "label": "舌淡，边有齿痕"}) + "\n")
    assert main(["run", "terms", "good.jsonl", "bad.jsonl", "--out", "run"]) == 0
    capsys.readouterr()
    assert main(["report", "run", "-f", "md"]) == 0
    shown = capsys.readouterr().out
    row = next(line for line in shown.splitlines() if line.startswith("| 齿痕"))
    assert [cell.strip() for cell in row.strip("|").split("|")[1:5]] == ["1", "100.00 %", "0.00 %", "100.00 %"]
    assert main(["report", "run", "-f", "csv"]) == 0
    assert "bad,,,atom_recall,0.0,,,,,,1,,,SHAPE_齿痕,,,\n" in capsys.readouterr().out
    gated = ["run", "terms", "good.jsonl", "bad.jsonl", "--out", "run", "--fail-under", "atom_recall:SHAPE_齿痕=0.5"]
    assert main(gated) == 1
    assert "atom_recall:SHAPE_齿痕" in capsys.readouterr().err
    page = Path("run/report.html").read_text("utf-8")
    assert "齿痕 (tooth-marked) · shape of the tongue body" in page
    assert "齿痕 (치흔)" in page
