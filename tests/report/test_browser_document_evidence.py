"""A document in a real browser: first what went wrong in text, tables and structure, then each of these."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jatdae.core.contract import Sample
from jatdae.documents import DocumentEvaluator
from jatdae.report.pages import to_html
from jatdae.run.api import evaluate

from .conftest import HOSTILE, Opened
from .test_page_images import png

GOLD = "# Title\n\nSome text of a page.\n\n- first\n- second\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
Show = Callable[..., Any]


@pytest.fixture
def show(opened: Callable[..., Opened]) -> Show:
    """`show(prediction, reference)`: the evidence of a document, as the reader sees it."""

    def of(prediction: str, reference: str = GOLD, *, width: int = 1280, **options: Any) -> Any:
        result = evaluate([Sample("1", prediction, reference)], DocumentEvaluator(**options))
        shown = opened(to_html(result), at="#sample=1", width=width)
        assert shown.serious() == []
        return shown.page.locator("#detail .evidence").first

    return of


def said(evidence: Any) -> list[str]:
    parts = evidence.locator(".document-parts")
    names, texts = parts.locator("dt").all_inner_texts(), parts.locator("dd").all_inner_texts()
    return [f"{name}: {text}" for name, text in zip(names, texts, strict=True)]


def test_what_went_wrong_is_said_by_kind_before_anything_else(show: Show) -> None:
    evidence = show(GOLD.replace("text", "txet").replace("- second\n", "").replace("| 1 ", "| 7 "))
    assert said(evidence) == [
        "Text: characters substituted 1, missing 8, extra 1 · most in the body (9)",
        "Tables: wrong cells: 1",
        "Structure: list items: 1 missing, 0 extra · table rows: 1 missing, 1 extra",
    ]
    assert evidence.locator("p").first.inner_text() == "Begins: “Title Some text of a page. first second a b 1 2”"


def test_what_is_right_is_folded_and_opens_where_it_is_asked_for(show: Show) -> None:
    evidence = show(GOLD.replace("| 1 ", "| 7 "), GOLD)
    opened = evidence.locator(".document-part").evaluate_all("parts => parts.map((part) => part.open)")
    assert opened == [True, True, True]
    evidence = show(GOLD)
    assert said(evidence) == [
        "Text: every character is right",
        "Tables: every cell is right (tables: 1)",
        "Structure: headings, lists, table rows and code are all there",
    ]
    assert not evidence.locator(".grid").first.is_visible()
    evidence.locator(".document-parts button", has_text="Tables").press("Enter")
    assert evidence.locator(".grid").first.is_visible()
    assert evidence.page.evaluate("document.activeElement.innerText") == "Tables"


def test_a_system_without_structure_is_not_compared_there(show: Show) -> None:
    evidence = show("Title Some text of a page. first second a b 1 2")
    assert said(evidence)[1:] == [
        "Tables: not compared (the issues say why)",
        "Structure: not compared (the issues say why)",
    ]
    assert evidence.locator(".document-part").count() == 1


def test_structure_that_neither_side_has_is_not_praised(show: Show) -> None:
    evidence = show("only words", "only words", structured={"*": True})
    assert said(evidence)[2] == "Structure: none on either side"
    assert evidence.locator(".structure, .tree").count() == 0


def test_lost_and_extra_tables_are_counted(show: Show) -> None:
    assert "Tables: missing tables: 1" in said(show(GOLD, GOLD + "\ntext\n\n| c |\n|---|\n| 3 |\n"))[1]
    assert "Tables: extra tables: 1" in said(show(GOLD + "\ntext\n\n| c |\n|---|\n| 3 |\n", GOLD))[1]


def test_everything_is_said_in_the_language_of_the_page(show: Show) -> None:
    evidence = show(GOLD.replace("# Title\n", "Title\n"))
    evidence.page.evaluate("document.getElementById('language').click()")
    assert said(evidence)[2] == "구조: 제목: 누락 1, 불필요 0"


def test_cells_that_are_only_written_differently_are_not_called_wrong(show: Show) -> None:
    evidence = show(GOLD.replace("| 1 ", "| $1$ "))
    line = "every cell is right (tables: 1) · cells written differently that say the same: 1"
    assert said(evidence)[1] == f"Tables: {line}"
    assert evidence.locator("dd.right", has_text="every cell").count() == 1


def test_what_clean_up_removed_and_how_a_bibliography_was_found_is_said_in_words(show: Show) -> None:
    entry = "\n\n# References\n\n[1] A. Kim. A study of pages. 2020.\n[2] B. Lee. Another study. 2021.\n"
    evidence = show(GOLD.replace("text", "<b>texd</b> a&amp;b") + entry, GOLD + entry)
    evidence.page.evaluate("document.getElementById('language').click()")
    told = evidence.text_content()
    assert "HTML 태그" in told
    assert "제목으로 찾음" in told
    assert "html_tags" not in told
    assert evidence.locator("mark[title]").count() == 0


def test_a_bibliography_of_one_side_is_told_before_the_texts(show: Show) -> None:
    entry = "\n\n# {}\n\n[1] A. Kim. A study of pages. 2020.\n\n[2] B. Lee. Another study. 2021.\n"
    whole, misread = GOLD + entry.format("References"), GOLD + "\n\nA. Kim wrote a study of pages, and B. Lee another."
    for prediction, reference, side in ((misread, whole, "reference"), (whole, misread, "prediction")):
        evidence = show(prediction, reference)
        told = " ".join(evidence.inner_text().split())
        assert f"Bibliography found in the {side} only: what the" in told
        assert told.index("Bibliography found") < told.index("Prediction")
    assert "Bibliography found in" not in show(whole, whole.replace("Kim", "Kin")).inner_text()


def test_passages_out_of_order_are_shown_where_there_are_any(show: Show) -> None:
    first, second = "one two three four five six", "seven eight nine ten eleven twelve thirteen"
    evidence = show(f"{second}\n\n{first}", f"{first}\n\n{second}")
    assert said(evidence)[1] == "Order: characters out of order: 22"
    assert evidence.locator(".document-part", has_text="Order").locator("td").first.inner_text() == first


def test_header_marks_are_told_from_wrong_cells(show: Show) -> None:
    table = "<table><tr><{0}>a</{0}><{0}>b</{0}></tr><tr><td>1</td><td>2</td></tr></table>"
    marked, plain = table.format("th"), table.format("td")
    assert said(show(plain, marked))[1] == "Tables: header cells not marked: 2"
    assert said(show(marked, plain))[1] == "Tables: header marks that differ: 2"


def test_a_line_too_short_to_look_for_is_not_called_lost(show: Show) -> None:
    first, second = "one two three four five six", "seven eight nine ten eleven twelve thirteen"
    evidence = show(f"Short title\n\n{second}\n\n{first}", f"Short title\n\n{first}\n\n{second}")
    assert said(evidence)[1] == "Order: characters out of order: 22 · characters in lines too short to look for: 10"
    part = evidence.locator(".document-part", has_text="Order")
    assert part.locator(".run.lost").count() == 0
    assert "too short to look for" in part.inner_text()


def test_a_long_list_of_elements_says_how_many_more_there_are(show: Show) -> None:
    evidence = show(GOLD, GOLD + "".join(f"\n## Heading {'abcdefghij'[at % 10] * 9} {at}\n" for at in range(30)))
    assert evidence.locator(".structure td .faint").all_inner_texts() == ["10 more not shown"]


def test_nothing_runs_over_on_a_small_screen(show: Show) -> None:
    evidence = show(GOLD.replace("first", f"{HOSTILE}{'x' * 200}"), width=400)
    assert evidence.page.evaluate("document.getElementById('detail').scrollWidth <= innerWidth")
    assert evidence.page.evaluate("window.hacked") is None


@pytest.mark.parametrize(("width", "is_beside"), [(1280, True), (500, False)])
def test_images_of_pages_stay_beside_a_text_with_a_wide_table(
    opened: Callable[..., Opened], tmp_path: Path, width: int, is_beside: bool
) -> None:
    for page in (1, 2, 3):
        (tmp_path / f"1-{page}.png").write_bytes(png(400, 600))
    row = "| " + " | ".join(f"a_rather_long_column_{n}" for n in range(14)) + " |\n"
    table = row + "|---" * 14 + "|\n" + row.replace("a_rather", "b_rather") * 12
    samples = [Sample("1", table.replace("column", "colunm") + GOLD, table + GOLD)]
    shown = opened(to_html(evaluate(samples, DocumentEvaluator()), pages=tmp_path), at="#sample=1", width=width)
    assert shown.serious() == []
    pages, text = shown.page.locator("#detail .pages"), shown.page.locator("#detail .panels")
    assert pages.locator("img").count() == 3
    images, words = pages.bounding_box(), text.bounding_box()
    assert (words["x"] >= images["x"] + images["width"]) == is_beside
    assert words["y"] < 1000  # a window: the text is in sight without scrolling
    shown.page.evaluate("document.querySelector('dialog').scrollTop = 2000")
    assert (pages.bounding_box()["y"] >= 0) == is_beside
