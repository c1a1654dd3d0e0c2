"""The paper's table as it is written down: console, Markdown and CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from jatdae.cli import main
from jatdae.report.console import show_paper
from jatdae.report.forms import PAPER_FORMATS, paper_csv, paper_markdown
from jatdae.report.paper import Paper
from jatdae.run.api import Finished

Folders = Callable[..., Finished]


def shown(paper: Paper, width: int) -> str:
    out = io.StringIO()
    show_paper(paper, Console(file=out, width=width, highlight=False))
    return out.getvalue()


@pytest.mark.parametrize("width", [60, 80, 100, 140])
def test_no_terminal_is_too_narrow_for_a_number(width: int, paper: Paper) -> None:
    lines = shown(paper, width).splitlines()
    words = " ".join(lines)
    for row in paper.table.rows:
        assert all(cell.text in words for cell in row)
    assert max(map(len, lines)) <= width


def test_the_terminal_shows_the_footnote_and_the_differences(paper: Paper) -> None:
    text = " ".join(shown(paper, 120).split())
    assert " ".join(paper.scope.split()) in text
    assert "Paired differences" in text


def test_markdown_has_a_table_its_footnote_its_methods_and_its_signature(paper: Paper) -> None:
    text = paper_markdown(paper)
    assert "| Parser | Body CER ↓ | Full CER ↓ | Δ (Refs) | Structure F1 ↑ | TEDS ↑ | TEDS-S ↑ |" in text
    assert re.search(
        r"^\| image-advanced \| \*\*[\d.]+%\*\* \| \*\*[\d.]+%\*\* \| \+[\d.]+pp \| \*\*", text, re.MULTILINE
    )
    assert "| N/A (no structure) | N/A (no structure) | N/A (no structure) |" in text
    for part in (paper.scope, paper.signature, "Methods", "Holm's correction"):
        assert part in text


def test_csv_has_full_precision_intervals_and_reasons(paper: Paper, demo: Finished) -> None:
    rows = {row["system"]: row for row in csv.DictReader(io.StringIO(paper_csv(paper)))}
    entry = demo.summary["systems"]["image-advanced"]["metrics"]["teds"]
    assert float(rows["image-advanced"]["teds"]) == entry["macro"]
    assert [float(rows["image-advanced"][f"teds_{end}"]) for end in ("low", "high")] == list(entry["ci"])
    assert rows["text-baseline"]["teds"] == "N/A (no structure)"
    assert rows["text-baseline"]["teds_n"] == "0"


def test_csv_labels_are_no_formulas(hostile: Paper) -> None:
    assert [row[0] for row in csv.reader(io.StringIO(paper_csv(hostile)))][2] == "'=cmd()"


def test_names_cannot_break_out_of_markdown_or_the_terminal(hostile: Paper) -> None:
    table = paper_markdown(hostile).split("\n\n")[1].splitlines()
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in table} == {8}
    assert "<b>" not in paper_markdown(hostile)
    assert "\x1b" not in shown(hostile, 200)


@pytest.mark.parametrize(("name", "format"), [("t.md", "md"), ("t.tex", "latex"), ("t.csv", "csv")])
def test_the_command_writes_what_the_file_is_called_after(
    name: str, format: str, demo: Finished, tmp_path: Path, paper: Paper
) -> None:
    assert main(["--lang", "en", "paper", str(demo.folder), "--out", str(tmp_path / name)]) == 0
    assert (tmp_path / name).read_text("utf-8") == PAPER_FORMATS[format](paper)


def test_the_command_prints_and_refuses(demo: Finished, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["paper", str(demo.folder), "--only", "text-advanced", "--format", "md", "--lang", "ko"]) == 0
    printed = capsys.readouterr().out
    assert "| 파서 |" in printed
    assert "image-advanced" not in printed
    assert main(["paper", str(demo.folder), "--out", str(tmp_path / "t.doc")]) == 2
    assert "md, latex, csv" in capsys.readouterr().err
    assert main(["paper", str(tmp_path / "none")]) == 2
