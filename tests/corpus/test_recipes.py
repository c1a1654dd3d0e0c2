"""The recipes of the documentation, run on a page of our own where their programs are installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from jatdae.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "parsers.md"
NEEDED = {
    "pdftotext (poppler-utils)": ["pdftotext"],
    "PyMuPDF": ["pymupdf"],
    "pymupdf4llm": ["pymupdf4llm"],
    "tesseract (kor+eng)": ["pdftoppm", "tesseract"],
}
"""Programs, or modules of this Python, by parser."""
SCRIPT = re.compile(r"^`([\w.]+)`[^\n]*:\n\n```\w+\n(.*?)```", re.MULTILINE | re.DOTALL)
"""A script that the page shows below its name."""


def one_page() -> bytes:
    """A PDF of one page that says something in large letters."""
    text = b"BT /F1 36 Tf 60 700 Td (Harbour tides of May) Tj ET"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >> stream\n%s\nendstream" % (len(text), text),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    made, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj %s endobj\n" % (number, each)
    rows = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = (
        b"xref\n0 6\n0000000000 65535 f \n"
        + rows
        + b"trailer << /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(made)
    )
    return made + end


def missing(names: list[str]) -> list[str]:
    found = {name for name in names if shutil.which(name)}
    left = [name for name in names if name not in found and name.startswith("pymupdf")]
    for name in left:
        if not subprocess.run([sys.executable, "-c", f"import {name}"], capture_output=True, check=False).returncode:
            found.add(name)
    return [name for name in names if name not in found]


def test_every_script_of_a_recipe_is_shown() -> None:
    if not PAGE.is_file():
        pytest.skip(f"{PAGE} is not here: the documentation is not part of an installed package")
    page = PAGE.read_text("utf-8")
    named = re.findall(r"--command '(?:python|sh) (\S+)", page)
    assert {name for name, _ in SCRIPT.findall(page)} == set(named)
    assert len(named) == 4


@pytest.mark.parametrize("parser", NEEDED)
def test_a_recipe_reads_the_page(parser: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not PAGE.is_file():
        pytest.skip(f"{PAGE} is not here: the documentation is not part of an installed package")
    if lacking := missing(NEEDED[parser]):
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"{', '.join(lacking)} not installed")
    page = PAGE.read_text("utf-8")
    for name, body in SCRIPT.findall(page):
        (tmp_path / name).write_text(body, "utf-8")
    row = re.search(rf"^\| {re.escape(parser)} \| `--command '(.*?)'(?: --suffix (\S+))?` \|", page, re.MULTILINE)
    assert row is not None
    (tmp_path / "tides.pdf").write_bytes(one_page())
    monkeypatch.chdir(tmp_path)
    command = re.sub(r"^python\b", sys.executable, row[1])
    suffix = row[2] or ".md"
    assert main(["parse", "tides.pdf", "--command", command, "--suffix", suffix, "--out", "out"]) == 0
    assert "Harbour tides of May" in " ".join((tmp_path / "out" / f"tides{suffix}").read_text("utf-8").split())
