"""A page of chapters about a run: in both languages, with its tables and charts, and nothing of a text as markup."""

from __future__ import annotations

import re

from jatdae import Sample
from jatdae.core.messages import LANGUAGES, speaking
from jatdae.report.chapters import Chapter, to_chapters
from jatdae.report.figures import mean_figures
from jatdae.report.sheets import Sheet, SheetCell
from jatdae.run.api import evaluate

EVIL = "<b onclick=alert(1)>"


def test_a_page_of_chapters() -> None:
    rows = [Sample("1", "a", "b", system=name) for name in ("x", "y")]
    result = evaluate(rows, "text")
    sheet = Sheet(f"table {EVIL}", ("name", "n"), ((SheetCell(EVIL), SheetCell("1", best=True)),), hint=f"hint {EVIL}")
    drawn = {}
    for language in LANGUAGES:
        with speaking(language):
            drawn[language] = mean_figures(result.summary)
    made = {
        "en": [Chapter("First", ["a text", EVIL]), Chapter("Second", (), [sheet], drawn["en"])],
        "ko": [Chapter("첫째", ["글", EVIL]), Chapter("둘째", (), [sheet], drawn["ko"])],
    }
    page = to_chapters(result, f"title {EVIL}", made, "run/report.html")
    assert "<b onclick" not in page
    assert page.count("<svg") == len(LANGUAGES), "a chart in each language"
    assert [">Means with 95 % intervals<" in part for part in page.split('<div lang="ko"')[-2:]] == [True, False]
    assert ">평균과 95 % 신뢰구간<" in page.split('<div lang="ko"')[-1]
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
    assert 'class="open"' not in to_chapters(result, "t", made).split("<main>")[1]
