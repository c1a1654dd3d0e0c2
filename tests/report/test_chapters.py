"""A page of chapters about a run: in both languages, with its tables and charts, and nothing of a text as markup."""

from __future__ import annotations

import re

from jatdae import Sample
from jatdae.report.chapters import Chapter, in_each_language, to_chapters
from jatdae.report.figures import mean_figures
from jatdae.report.sheets import Sheet, SheetCell
from jatdae.run.api import evaluate

EVIL = "<b onclick=alert(1)>"


def test_a_page_of_chapters() -> None:
    rows = [Sample("1", "a", "b", system=name) for name in ("x", "y")]
    result = evaluate(rows, "text")
    sheet = Sheet(f"table {EVIL}", ("name", "n"), ((SheetCell(EVIL), SheetCell("1", best=True)),), hint=f"hint {EVIL}")
    made = {
        "en": [Chapter("First", ["a text", EVIL]), Chapter("Second", (), [sheet])],
        "ko": [Chapter("첫째", ["글", EVIL]), Chapter("둘째", (), [sheet])],
    }
    charts = mean_figures(result.summary)
    page = to_chapters(result, f"title {EVIL}", in_each_language(made, [(), charts]), "run/report.html")
    assert "<b onclick" not in page
    assert page.count("<svg") == len(charts) == 1
    assert re.findall(r'<span lang="(\w+)" data-said="\w+"( hidden)?>(First|첫째)</span>', page) == [
        ("en", "", "First"),
        ("ko", " hidden", "첫째"),
    ]
    assert page.count("table &lt;b") == 2
    assert 'href="run/report.html"' in page
    assert result.summary["signature"] in page


def test_a_page_without_another_has_no_link() -> None:
    result = evaluate([Sample("1", "a", "b")], "text")
    made = {"en": [Chapter("A")], "ko": [Chapter("가")]}
    assert 'class="open"' not in to_chapters(result, "t", in_each_language(made, [()])).split("<main>")[1]
