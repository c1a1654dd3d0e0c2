"""The tutorial's ten commands lead from a folder of bundles to a paper's table, as they stand on the page."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from jatdae.cli import main

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guides" / "experiment-tutorial.md"


def commands() -> list[str]:
    return re.findall(r"^\$ jatdae (.+)$", PAGE.read_text("utf-8"), re.MULTILINE)


def test_ten_commands_lead_to_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples" / "experiment" / "fhir", "synthea")
    shutil.copy(ROOT / "examples" / "experiment" / "answers.jsonl", ".")
    assert len(commands()) == 10
    for command in commands():
        assert main(shlex.split(command)) == 0, command
    assert "llm+record" in Path("table.tex").read_text("utf-8")
    assert "patients for 0.1" in Path("runs/pilot/experiment.tex").read_text("utf-8")
    assert list(Path("figures").glob("*.svg"))
    assert len(Path("runs/pilot/events.jsonl").read_bytes().splitlines()) == 120


def test_the_page_counts_its_commands() -> None:
    assert re.findall(r"^\*\*(\d+)\.\*\*", PAGE.read_text("utf-8"), re.MULTILINE) == [str(n) for n in range(1, 11)]
