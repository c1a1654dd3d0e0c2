"""The tables of a page in a real browser: said in the reader's language, readable on a small screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jatdae.core.contract import Sample
from jatdae.documents import DocumentEvaluator
from jatdae.report.comparison import to_comparison_page
from jatdae.report.differences import ComparedSystem
from jatdae.report.pages import to_html
from jatdae.report.paper import every_paper
from jatdae.run.api import evaluate
from jatdae.run.stats.compare import compare
from jatdae.run.stats.result import Result

from .conftest import Opened

GOLD = "# Title\n\nSome text of a page.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
SYSTEMS = {
    "a-parser-of-text": "Title Some text of a pge. a b 1 2",
    "another-parser": GOLD,
    "a-third-parser": GOLD + "x",
}


@pytest.fixture
def documents(run: Any, write: Any) -> Path:
    """A run of three systems, one of them without structure."""
    rows = [
        {"id": str(at), "system": system, "prediction": text, "reference": GOLD}
        for at in range(3)
        for system, text in SYSTEMS.items()
    ]
    folder: Path = run(write("pairs.jsonl", rows), evaluator=DocumentEvaluator()).folder
    return folder


def page_of(folder: Path) -> str:
    return to_html(Result.load(folder), papers=every_paper(folder))


def test_the_table_for_a_paper_is_said_in_the_language_of_the_page(
    documents: Path, opened: Callable[..., Opened]
) -> None:
    shown = opened(page_of(documents))
    section = shown.page.locator("section[aria-labelledby=paper]")
    assert "N/A (no structure)" in section.inner_text()
    assert "구조 없음" not in section.inner_text()
    section.locator("th:visible button", has_text="Body CER").click()
    assert "lower is better" in shown.page.inner_text("#about")
    shown.page.click("#language")
    assert "N/A (구조 없음)" in section.inner_text()
    assert "no structure" not in section.inner_text()
    assert shown.serious() == []


def test_no_cell_runs_over_another_on_a_small_screen(documents: Path, opened: Callable[..., Opened]) -> None:
    shown = opened(page_of(documents), width=400)
    over = shown.page.evaluate("""
        [...document.querySelectorAll("section td, section th")]
            .filter((cell) => cell.scrollWidth > cell.clientWidth + 1 && getComputedStyle(cell).overflow === "visible")
            .map((cell) => cell.textContent)
    """)
    assert over == []


def test_the_names_of_systems_are_not_cut_apart_among_issues(documents: Path, opened: Callable[..., Opened]) -> None:
    shown = opened(page_of(documents), width=400)
    system = shown.page.locator("table.words td", has_text="a-parser-of-text").first
    lines = system.evaluate("each => each.clientHeight / parseFloat(getComputedStyle(each).lineHeight)")
    assert lines < 2
    meaning = shown.page.locator("table.words th small").first.bounding_box()
    assert meaning["width"] > 250
    assert shown.serious() == []


def test_a_comparison_is_said_in_the_language_of_the_page(
    plugin: Callable[..., Any], opened: Callable[..., Opened]
) -> None:
    """Captions and columns that only some comparisons have are no exception."""
    results = [
        evaluate([Sample(f"s{at}", str((at + shift) % 3), "0") for at in range(24)], plugin("shown:Shown"))
        for shift in (0, 1)
    ]
    sides = [ComparedSystem(name, result, "") for name, result in zip(("old", "new"), results, strict=True)]
    made = compare(*results, names=("old", "new"))
    first, *rest = made.differences
    uneven = replace(made, differences=(replace(first, by="turn", clusters=3, unpaired=1), *rest))
    shown = opened(to_comparison_page(sides, [uneven]))
    captions = shown.page.locator("caption:visible")
    assert captions.all_inner_texts() == ["Worst regressions (same)"]
    assert {"paired by", "clusters", "unpaired"} <= set(shown.page.locator("thead th").all_inner_texts())
    shown.page.click("#language")
    assert captions.all_inner_texts() == ["가장 나빠진 샘플 (same)"]
    assert {"짝짓기 단위", "묶음", "짝 없음"} <= set(shown.page.locator("thead th").all_inner_texts())
    assert shown.serious() == []


def test_evidence_of_two_systems_is_not_cut_and_its_regions_have_names_of_their_own(
    run: Any, write: Any, opened: Callable[..., Opened]
) -> None:
    head, line = "| item | price in won | number | sum of the line |", "| a cup of coffee | 1,234,500 | 12 | -600,000 |"
    gold = "\n".join([f"Some text of a page. {'It is long. ' * 9}\n", head, "|---|---|---|---|", line, line])
    texts = {"small": gold.replace("-600", "-500"), "large": gold.replace("text", "test")}
    rows = [{"id": "1", "system": name, "prediction": text, "reference": gold} for name, text in texts.items()]
    folder = run(write("pairs.jsonl", rows), evaluator=DocumentEvaluator()).folder
    shown = opened(to_html(Result.load(folder)), at="#sample=1", width=1280)
    shown.page.evaluate("document.querySelectorAll('#detail details').forEach((each) => { each.open = true; })")
    boxes = shown.page.locator("#detail .fitting .wide")
    assert boxes.count() >= 6
    assert boxes.evaluate_all("all => all.filter((each) => each.scrollWidth > each.clientWidth)") == []
    assert shown.findings() == []
    names = "all => all.map((each) => each.ariaLabel)"
    regions = shown.page.locator("#detail [role=region]")
    assert {"Reference · small", "Reference · large"} <= set(regions.evaluate_all(names))
    shown.page.evaluate("document.getElementById('language').click()")
    assert "정답 · small" in regions.evaluate_all(names)


SCROLLING = """(told) => [...document.querySelectorAll(".wide, .rows")].filter((box) => box.checkVisibility()
  && (box.scrollWidth > box.clientWidth + 1) !== Boolean(told && box.nextElementSibling?.matches(".scroll-note")))
  .map((box) => box.textContent.slice(0, 80))"""
"""Boxes that scroll; if that may be told, those that scroll without a word or have a word without scrolling."""
UNFOLD = "document.querySelectorAll('details').forEach((each) => { each.open = true; })"


def test_all_tables_fit_a_window_of_1280(documents: Path, structured: Result, opened: Callable[..., Opened]) -> None:
    for html in (page_of(documents), to_html(structured)):
        shown = opened(html, width=1280)
        shown.page.evaluate(UNFOLD)
        assert shown.page.evaluate(SCROLLING, False) == []


def test_what_scrolls_says_so(structured: Result, opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(structured), width=400)
    shown.page.evaluate(UNFOLD)
    shown.page.locator(".scroll-note").first.wait_for()
    shown.page.wait_for_function(f"({SCROLLING})(true).length === 0")
    shown.page.set_viewport_size({"width": 1280, "height": 900})
    shown.page.wait_for_function("document.querySelectorAll('.scroll-note').length === 0")


@pytest.fixture
def structured() -> Result:
    """Seven systems with rates of many fields, and something that stands in their place."""
    names = ["a", "b", "c", "a-model-with-a-rather-long-name-70b", "d", "e", "한국어-모델"]
    gold = {f"a_long_name_of_a_field_{at}": {"value": f"value {at} of some length", "unit": "mg"} for at in range(6)}
    samples = [
        Sample(str(at), {**gold, "a_long_name_of_a_field_1": {"value": f"{name} {at}"}}, gold, system=name)
        for at in range(3)
        for name in names
    ]
    return evaluate(samples, "structured")


def test_rates_of_many_systems_are_a_table_each(structured: Result, opened: Callable[..., Opened]) -> None:
    section = opened(to_html(structured), width=1280).page.locator("section[aria-labelledby=rates]")
    assert section.locator("table:visible").count() == 1
    assert len(section.locator("table:visible thead th").all_inner_texts()) == 3 + len(structured.systems)
    section.locator("summary").click()
    assert section.locator("table:visible").count() == section.locator("h3").count() > 3


def test_broad_tables_of_two_systems_get_the_whole_width(opened: Callable[..., Opened]) -> None:
    line = "|" + "|".join(f" {at} of_the_columns_of_a_table " for at in range(7)) + "|"
    gold = f"{line}\n{'|---' * 7}|\n{line}"
    samples = [Sample("1", gold.replace("3 of", text), gold, system=text) for text in ("x", "y")]
    narrow = [Sample("2", "| b |\n|---|\n| 1 |", "| a |\n|---|\n| 1 |", system=text) for text in ("x", "y")]
    shown = opened(to_html(evaluate([*samples, *narrow], "tables")), at="#sample=1&system=x", width=1280)
    left = "all => all.map((each) => each.getBoundingClientRect().left)"
    panels = shown.page.locator("#detail .panel")
    assert len(set(panels.evaluate_all(left))) == 1
    shown.page.evaluate("location.hash = '#sample=2&system=x'")
    shown.page.locator("#detail-title", has_text="2").wait_for()
    assert len(set(panels.evaluate_all(left))) == 2


def test_the_rows_below_a_sample_lie_on_their_side_where_that_is_narrower(opened: Callable[..., Opened]) -> None:
    gold = "| a | b |\n|---|---|\n| 1 | 2 |"
    shown = opened(to_html(evaluate([Sample("1", gold, gold)], "tables")), at="#sample=1", width=1280)
    shown.page.click("#detail .units > summary")
    heads = shown.page.locator("#detail .small-table:visible").last.locator("thead th")
    assert heads.first.inner_text() == "metric"
    assert heads.count() == 2
    assert shown.page.locator("#detail .panel .more").count() == 2
