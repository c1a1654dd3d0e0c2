"""Open samples of every evaluator as people see and hear them: axe-core finds nothing, of one system and of two."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import resources
from typing import Any

import pytest

from jatdae.core.registry import available
from jatdae.report.pages import to_html
from jatdae.run.api import evaluate

from .conftest import Opened

MOST_OPENED = 2
BUNDLED = sorted(name for name, entry in available().items() if entry.module.startswith("jatdae."))
GRID = {"prediction": "| | b |\n|---|---|\n| 1 | 2 |", "reference": "| | b |\n|---|---|\n| 1 | 3 |\n| | 4 |"}
"""A header without a word and a row that is lost."""


def rows_of(name: str, systems: int) -> list[dict[str, Any]]:
    """Bundled samples of an evaluator; the second system is right where the first is wrong, and the other way round."""
    samples = resources.files(f"jatdae.{name}") / "samples"
    if name == "dialogue":
        rows = [json.loads(line) for line in (samples / "pairs.jsonl").read_text("utf-8").splitlines()]
        return [row for row in rows if systems == 2 or row["mode"] == "llm"]
    if name == "documents":
        rows = [
            {"id": file.name, "prediction": page.read_text("utf-8"), "reference": file.read_text("utf-8")}
            for file in sorted((samples / "gold").iterdir(), key=lambda each: each.name)
            if file.name.endswith(".md") and (page := samples / "systems" / "image-advanced" / file.name).is_file()
        ]
    else:
        rows = [json.loads(line) for line in (samples / "pairs.jsonl").read_text("utf-8").splitlines()]
    if name == "tables":
        rows.append({"id": "lost", **GRID})
    if systems == 1:
        return rows
    swapped = [{**row, "prediction": row["reference"] if name != "checks" else ""} for row in rows]
    return [{**row, "system": "first"} for row in rows] + [{**row, "system": "second"} for row in swapped]


@pytest.mark.parametrize("systems", [1, 2])
@pytest.mark.parametrize("name", BUNDLED)
def test_open_samples_keep_nobody_out(name: str, systems: int, opened: Callable[..., Opened]) -> None:
    width, theme = ((400, "dark"), (1280, "light"))[systems - 1]
    shown = opened(to_html(evaluate(rows_of(name, systems), name)), width=width, color_scheme=theme)
    shown.page.locator("#rows tbody a").first.click()
    for _ in range(MOST_OPENED):
        for _ in range(3):  # what unfolds holds what unfolds
            shown.page.evaluate("document.querySelectorAll('#detail details').forEach((each) => { each.open = true; })")
        assert shown.page.locator("#detail .panel").count() == systems
        assert shown.findings("#detail") == []
        if width == 1280:
            assert shown.page.evaluate(CUT) == []
        shown.page.keyboard.press("j")


CUT = """() => [...document.querySelectorAll("#detail .wide")].filter((box) => box.scrollWidth > box.clientWidth + 1)
  .filter((box) => !box.nextElementSibling?.matches(".scroll-note")).map((box) => box.textContent)"""
"""Boxes that scroll without a word about it."""
